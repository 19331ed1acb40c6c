#!/usr/bin/env python3
"""Times whole processes of hipocampus against `node -e 0`, interleaved in the same run.

usage: benches/whole-process.py [--bin target/release/hipocampus] [--days 30,365,3650] [--runs 15] [--json]

Trees are generated here, the same bytes every time, below /dev/shm where there is one, else below TMPDIR, so that
no disk is measured. Two kinds:

  past fixed   8 to 15 lines a day: no day, week or month is above its threshold, so all but the last weeks are fixed
  open         20 to 400 lines a day and no summaries: every week has a day that waits, so no week or month is ever fixed

For each: `cold` (no node, no cache), `no-op` (nothing changed), `append` (one more entry in today's log). Figures
are medians of CPU time (user and system) and of wall time, and the ratio of CPU to that of `node -e 0`. Two further rows
tell the floor, the work nobody can do without: `floor: stat` lists every name and asks its size and time, `floor: read`
reads every byte of the logs.
"""
import argparse
import datetime as dt
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

END = dt.date(2026, 3, 15)
TODAY = END + dt.timedelta(1)
NOW = f"{TODAY}T12:00:00+01:00"

SUBJECTS = """anchor ballast capstan davit ensign fender gangway hawser jib keel ladder mooring netting oar pennant quay
rudder shackle tiller winch yard berth buoy chart depth engine fuel galley hatch inlet""".split()
WORK = "checked moved measured replaced split renamed documented reverted profiled tested".split()
THINGS = """retry policy,schema,price list,batch size,tide table,connection pool,receipt form,cache key,queue depth,login
page,time zone,migration,upload limit,error message,backup plan""".replace("\n", " ").split(",")
WIDE = ["선석 예약 화면을 다시 그림", "潮位表の読み込みを直した", "缓存按港口分开", "영수증 양식 확정 😀"]
TYPES = ["project"] * 8 + ["reference"] * 2 + ["feedback", "user"]


def entry(rng):
    """One `## Topic [type]` entry of 5 to 20 lines."""
    subject, kind = rng.choice(SUBJECTS), rng.choice(TYPES)

    def words():
        if rng.random() < 0.1:
            return rng.choice(WIDE)
        return f"{rng.choice(WORK)} the {rng.choice(THINGS)} of {rng.choice(SUBJECTS)}, {rng.randint(2, 90)} % faster"

    lines = ["", f"## {subject} {rng.choice(THINGS)} [{kind}]"]
    if kind == "feedback":
        return lines + [f"- rule: {words()}", f"- why: {words()}", f"- how-to-apply: {words()}"]
    lines += [f"- request: {words()}", f"- analysis: {words()}; {words()}"]
    lines += [f"- decision: {words()}" for _ in range(rng.randint(1, 3))]
    lines += [f"- outcome: {words()}", f"- files: src/{subject}/{rng.choice(SUBJECTS)}.rs:{rng.randint(1, 900)}"]
    if rng.random() < 0.06:
        lines += ["```rust"] + [f"let v{n} = {rng.randint(0, 999)};" for n in range(rng.randint(3, 9))] + ["```"]
    return lines


def day(date, kind):
    """The log of one day."""
    rng = random.Random(f"{kind}:{date}")
    if kind == "past fixed":
        height = rng.randint(8, 15)
    else:
        # One day of each week is above the threshold, the others where logs usually are.
        height = rng.randint(210, 400) if date.weekday() == 2 else rng.randint(20, 180)
    lines = [f"# {date}"]
    while len(lines) < height:
        lines += entry(rng)
    return "\n".join(lines[:height]) + "\n"


def build(root, days, kind):
    memory = os.path.join(root, "memory")
    os.makedirs(memory)
    size = 0
    for back in range(days):
        date = END - dt.timedelta(back)
        text = day(date, kind).encode()
        size += len(text)
        with open(os.path.join(memory, f"{date}.md"), "wb") as file:
            file.write(text)
    with open(os.path.join(root, "hipocampus.config.json"), "w", encoding="utf-8") as file:
        file.write("{}\n")
    return size


def timed(command):
    """CPU and wall seconds of one process. Fails if it fails."""
    env = {**os.environ, "HIPOCAMPUS_NOW": NOW}
    start = time.perf_counter()
    child = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {child.returncode}")
    return usage.ru_utime + usage.ru_stime, wall


def forget(root):
    for name in ("daily", "weekly", "monthly"):
        shutil.rmtree(os.path.join(root, "memory", name), ignore_errors=True)
    for name in (".hipocampus.cache", "ROOT.md"):
        path = os.path.join(root, "memory", name)
        if os.path.exists(path):
            os.remove(path)


def measure(binary, root, runs):
    """Times every operation `runs` times, node and the floor in between."""
    compact = [binary, "-C", root, "compact"]
    memory = os.path.join(root, "memory")
    floor = {
        "floor: stat": ["find", memory, "-name", "*.md", "-printf", "%s %T@"],
        "floor: read": ["find", memory, "-maxdepth", "1", "-name", "*.md", "-exec", "cat", "{}", "+"],
    }
    found = {}

    def note(name, command):
        found.setdefault(name, []).append(timed(command))

    rng = random.Random("append")
    today = os.path.join(memory, f"{TODAY}.md")
    for _ in range(runs):
        note("node -e 0", ["node", "-e", "0"])
        forget(root)
        note("cold", compact)
        note("node -e 0", ["node", "-e", "0"])
        timed(compact)
        note("no-op", compact)
        for name, command in floor.items():
            note(name, command)
        note("node -e 0", ["node", "-e", "0"])
        with open(today, "a", encoding="utf-8") as file:
            file.write("\n".join(entry(rng)[1:]) + "\n")
        note("append", compact)
        # Back to where it was: the next round starts from the same tree.
        os.remove(today)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="target/release/hipocampus")
    parser.add_argument("--days", default="30,365,3650")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    binary = os.path.abspath(args.bin)
    if not os.access(binary, os.X_OK):
        sys.exit(f"{args.bin} is not there; run `cargo build --release` first")
    if shutil.which("node") is None:
        sys.exit("`node` is not on PATH; ratios need it")
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    rows = []
    for kind in ("past fixed", "open"):
        for days in map(int, args.days.split(",")):
            with tempfile.TemporaryDirectory(prefix="hipocampus-bench-", dir=base) as root:
                size = build(root, days, kind)
                found = measure(binary, root, args.runs)
                node = statistics.median(cpu for cpu, _ in found["node -e 0"])
                for name in ("no-op", "append", "cold", "floor: stat", "floor: read", "node -e 0"):
                    cpu = statistics.median(cpu for cpu, _ in found[name])
                    wall = statistics.median(wall for _, wall in found[name])
                    rows.append({
                        "tree": kind, "days": days, "megabytes": round(size / 1e6, 1), "run": name,
                        "cpu_ms": round(cpu * 1e3, 1), "wall_ms": round(wall * 1e3, 1),
                        "of_node": round(cpu / node, 3),
                    })
    if args.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"medians of {args.runs} runs, trees below {base or tempfile.gettempdir()}\n")
    print("| tree | days | MB | run | CPU ms | wall ms | CPU / node |")
    print("|---|--:|--:|---|--:|--:|--:|")
    last = None
    for row in rows:
        tree = (row["tree"], row["days"])
        lead = f"{row['tree']} | {row['days']} | {row['megabytes']}" if tree != last else " | | "
        last = tree
        print(f"| {lead} | {row['run']} | {row['cpu_ms']} | {row['wall_ms']} | {row['of_node']} |")


if __name__ == "__main__":
    main()
