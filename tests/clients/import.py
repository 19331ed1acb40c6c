#!/usr/bin/env python3
"""Imports the store that a client made in a run of `run.sh` into a project without a memory, and compares that with what the
hooks wrote during the run: the same turns of each session on each day, in the same order, and a second import adds nothing.

    HIPOCAMPUS_BIN=PATH tests/clients/import.py CLIENT OUT HOME
"""

import collections, os, pathlib, re, subprocess, sys, tempfile

BEGIN = re.compile(r"<!-- hipocampus:session (\S+) \d+-\d+ -->")
TURN = re.compile(r"\*\*(User|Assistant):\*\*")


def turns(memory):
    """What was said, by day and session; notes below a turn and titles left out."""
    said = collections.defaultdict(list)
    for log in sorted(memory.glob("????-??-??.md")):
        session, on = None, False
        for line in log.read_text().splitlines():
            if begun := BEGIN.match(line):
                session, on = begun[1], False
            elif line.startswith("<!-- hipocampus:end "):
                session = None
            elif session and TURN.match(line):
                said[log.stem, session].append(line)
                on = True
            elif session and (line.startswith(("**Title:**", "**Summary:**", "## Session")) or re.match(r"\[(tools|files|commit|branch): ", line)):
                on = False
            elif session and on and line.strip():
                said[log.stem, session][-1] += "\n" + line
    return dict(said)


def main():
    client, out, home = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    before = home / ".openclaw/workspace" if client == "openclaw" else out / "project"
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "hipocampus.config.json").write_text('{"summaries": {"since": "2000-01-01"}}')
        command = [os.environ["HIPOCAMPUS_BIN"], "import", "--yes", *([] if "+" in client else ["--agent", client]), "--from", before, "--from", out / "worktree"]
        def run():
            env = {"HOME": str(home), "PATH": os.environ["PATH"]}
            return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
        first = run()
        imported = turns(pathlib.Path(folder) / "memory")
        again = run()
        stands = turns(pathlib.Path(folder) / "memory")
    hooked = turns(out / "memory")
    problems = []
    if first.returncode or first.stderr:
        problems.append(f"import ended with {first.returncode}: {first.stderr}")
    if not hooked:
        problems.append("the hooks wrote nothing to compare with")
    if stands != imported or "nothing new" not in again.stdout:
        problems.append(f"a second import was none: {again.stdout}{again.stderr}")
    for key in sorted(hooked.keys() | imported.keys()):
        ours, theirs = imported.get(key, []), hooked.get(key, [])
        if ours != theirs:
            problems.append(f"{key}: imported {ours}\n    hooks wrote {theirs}")
    for problem in problems:
        print(f"{client}: import: {problem}")
    if not problems:
        print(f"{client}: import: the same {sum(map(len, imported.values()))} turns of {len(imported)} sessions as the hooks wrote")
    raise SystemExit(bool(problems))


main()
