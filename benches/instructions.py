#!/usr/bin/env python3
"""Instructions that a cold `compact` takes per byte of the logs it reads, as valgrind counts them.

usage: benches/instructions.py [--bin target/release/hipocampus] [--days 120]

The trees are those of whole-process.py, and one of conversations. Unlike times, these figures are the same from run to run on
any load, so a change that makes reading dearer by a tenth is seen: compare before and after.
"""
import argparse
import datetime as dt
import importlib.util
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = importlib.util.spec_from_file_location("whole_process", os.path.join(HERE, "whole-process.py"))
TREES = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(TREES)


def conversation(rng, date, number):
    """One captured session of some exchanges."""
    lines = [f"<!-- hipocampus:session s{date}-{number} 0-9 -->", f"## Session — {date} {number:02}:02:11", ""]
    for _ in range(rng.randint(3, 12)):
        subject, thing = rng.choice(TREES.SUBJECTS), rng.choice(TREES.THINGS)
        lines += [f"**User:** can you fix the {thing} of the {subject}? It fails since {rng.randint(2, 90)}.", ""]
        lines += [f"**Assistant:** Let me look at the {subject} first."]
        for _ in range(rng.randint(2, 9)):
            lines += [f"- {rng.choice(TREES.WORK)} the {rng.choice(TREES.THINGS)} because the {subject} kept its {thing}"]
        lines += [f"In short: the {thing} works again, {rng.randint(2, 90)} % faster.", ""]
    return lines + [f"<!-- hipocampus:end s{date}-{number} 9 -->"]


def build_conversations(root, days):
    memory = os.path.join(root, "memory")
    os.makedirs(memory)
    size = 0
    for back in range(days):
        date = TREES.END - dt.timedelta(back)
        rng = random.Random(f"conversations:{date}")
        lines = [f"# {date}"]
        for number in range(rng.randint(1, 9)):
            lines += conversation(rng, date, number)
        text = ("\n".join(lines) + "\n").encode()
        size += len(text)
        with open(os.path.join(memory, f"{date}.md"), "wb") as file:
            file.write(text)
    with open(os.path.join(root, "hipocampus.config.json"), "w", encoding="utf-8") as file:
        file.write("{}\n")
    return size


def count(binary, root):
    """Instructions of one cold run."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", binary, "-C", root, "compact"]
    env = {**os.environ, "HIPOCAMPUS_NOW": TREES.NOW}
    run = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    return int(re.search(r"refs:\s+([\d,]+)", run.stderr)[1].replace(",", ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="target/release/hipocampus")
    parser.add_argument("--days", type=int, default=120)
    args = parser.parse_args()
    binary = os.path.abspath(args.bin)
    if not os.access(binary, os.X_OK):
        sys.exit(f"{args.bin} is not there; run `cargo build --release` first")
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for kind in ("past fixed", "open", "conversations"):
        with tempfile.TemporaryDirectory(prefix="hipocampus-count-", dir=base) as root:
            size = build_conversations(root, args.days) if kind == "conversations" else TREES.build(root, args.days, kind)
            found = count(binary, root)
            print(f"{kind}: {found / 1e6:.0f} M instructions, {found / size:.0f} per byte of {size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
