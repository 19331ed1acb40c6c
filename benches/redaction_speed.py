#!/usr/bin/env python3
"""Throughput of redaction on files, as a ratio to `grep -c` of a fixed string in the same run.

    redaction_speed.py target/release/hipocampus notes.md transcript.jsonl ...

CPU seconds of the child, best of five; the start of the process is measured apart and taken off both.
"""
import os, resource, subprocess, sys


def cpu(argv):
    best = None
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = spent if best is None else min(best, spent)
    return best


def main():
    tool, files = sys.argv[1], sys.argv[2:]
    start = cpu([tool, "redact", os.devnull]), cpu(["grep", "-c", "zzqxj", os.devnull])
    print(f"start: {start[0] * 1e3:.1f} ms, grep {start[1] * 1e3:.1f} ms")
    for name in files:
        size = os.path.getsize(name) / 1e6
        ours = max(cpu([tool, "redact", *(["--json"] if name.endswith(".jsonl") else []), name]) - start[0], 1e-4)
        grep = max(cpu(["grep", "-c", "zzqxj", name]) - start[1], 1e-4)
        print(f"{name}: {size:.1f} MB, {size / ours:.0f} MB/s, grep -c {size / grep:.0f} MB/s, ratio {ours / grep:.1f}")


main()
