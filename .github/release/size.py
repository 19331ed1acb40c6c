#!/usr/bin/env python3
"""Builds the program as it is released, for this machine, and says how large it is and what it is made of.

The parts are those of the same build with its symbols: code and data by crate, as far as symbols name one.
"""

import collections
import os
import pathlib
import re
import subprocess

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
TARGET = os.environ.get("TARGET", "x86_64-unknown-linux-musl")
LIMIT = 6_000_000


def build(strip):
    config = ["--config", f"profile.dist.strip={strip}"]
    folder = TOP / "target" / ("size" if strip == "false" else "")
    command = ["cargo", "build", "--locked", "--quiet", "--profile", "dist", "--target", TARGET, *config]
    subprocess.run(command, check=True, cwd=TOP, env={**os.environ, "CARGO_TARGET_DIR": str(folder)})
    return folder / TARGET / "dist/hipocampus"


def crate(symbol):
    if symbol.startswith("<"):
        inside = re.findall(r"([a-z_0-9]+)::", symbol)
        ours = [name for name in inside if name not in {"core", "alloc", "std"}]
        return (ours or inside or ["other"])[0]
    name = re.match(r"([a-z_0-9]+)::", symbol)
    return name[1] if name else "C, tables and the rest"


def main():
    size = build("true").stat().st_size
    parts = collections.Counter()
    symbols = subprocess.run(["nm", "--print-size", "--demangle", build("false")], check=True, capture_output=True, text=True)
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
