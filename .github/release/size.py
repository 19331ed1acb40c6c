#!/usr/bin/env python3
"""Builds the program as it is released, for this machine, and says how large it is and what it is made of.

The parts are those of the same build with its symbols: code and data by crate, as far as symbols name one. A program that
is given as an argument, with symbols, is measured instead of a new one.
"""

import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
TARGET = os.environ.get("TARGET", "x86_64-unknown-linux-musl")
LIMIT = 6_000_000


def tool(name):
    """One of the toolchain's own (`rustup component add llvm-tools`), which read programs for every processor."""
    said = subprocess.run(["rustc", "--print", "target-libdir"], check=True, capture_output=True, text=True).stdout
    return pathlib.Path(said.strip()).parent / "bin" / name


def build():
    """The program with its symbols, which are what tells the parts. Only the last step differs from that of a release."""
    command = [".github/release/dist.sh", TARGET]
    done = subprocess.run(command, check=True, cwd=TOP, env={**os.environ, "KEEP_SYMBOLS": "1"}, stdout=subprocess.PIPE, text=True)
    return pathlib.Path(done.stdout.strip())


def size_of(program):
    """Bytes of what is released: without symbols."""
    with tempfile.NamedTemporaryFile() as bare:
        subprocess.run([tool("llvm-strip"), "--strip-all", "-o", bare.name, program], check=True)
        return os.stat(bare.name).st_size


def crate(symbol):
    if symbol.startswith("<"):
        inside = re.findall(r"([a-z_0-9]+)::", symbol)
        ours = [name for name in inside if name not in {"core", "alloc", "std"}]
        return (ours or inside or ["other"])[0]
    name = re.match(r"([a-z_0-9]+)::", symbol)
    return name[1] if name else "C, tables and the rest"


def main():
    program = pathlib.Path(sys.argv[1]) if sys.argv[1:] else build()
    size = size_of(program)
    parts = collections.Counter()
    symbols = subprocess.run([tool("llvm-nm"), "--print-size", "--demangle", program], check=True, capture_output=True, text=True)
    for line in symbols.stdout.splitlines():
        fields = line.split(" ", 3)
        if len(fields) == 4 and fields[2] not in "bB":
            parts[crate(fields[3])] += int(fields[1], 16)
    named = sum(parts.values())
    print(f"{size / 1e6:.2f} MB for {TARGET}, at most {LIMIT / 1e6:.0f}\n\n| part | KB |\n|---|--:|")
    for name, count in parts.most_common(14):
        print(f"| {name} | {count // 1000} |")
    rest = named - sum(count for _, count in parts.most_common(14))
    print(f"| other crates | {rest // 1000} |\n| strings, tables and unwinding without a name | {(size - named) // 1000} |")
    raise SystemExit(size > LIMIT)


main()
