#!/usr/bin/env python3
"""Runs a program that was built with `-C profile-generate` through a working day, so that its profile tells which code is hot.

usage: .github/release/train.py PROGRAM

What it works on is made here, the same bytes every time: the trees of the benches, past and open, conversations, and the
transcripts of two clients. Where the counts go is for LLVM_PROFILE_FILE to say.
"""

import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
SPEC = importlib.util.spec_from_file_location("instructions", TOP / "benches/instructions.py")
BENCH = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(BENCH)
TREES = BENCH.TREES


class Day:
    """One project in a home of its own."""

    def __init__(self, program, home):
        self.program, self.home = program, pathlib.Path(home)
        self.root = self.home / "project"
        kept = ("PATH", "TMPDIR", "LLVM_PROFILE_FILE")
        self.env = {name: os.environ[name] for name in kept if name in os.environ}
        self.env |= {"HOME": str(self.home), "HIPOCAMPUS_NOW": TREES.NOW}

    def run(self, *args, stdin="", may_fail=False):
        command = [self.program, "-C", self.root, *args]
        done = subprocess.run(command, env=self.env, cwd=self.home, input=stdin.encode(), capture_output=True)
        if done.returncode and not may_fail:
            sys.exit(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stderr.decode()}")
        return done.stdout.decode()


def said(rng):
    """A few sentences, some with code, an address, a value that has to be hidden, or another script."""
    sentences = []
    for _ in range(rng.randint(1, 8)):
        subject, thing = rng.choice(TREES.SUBJECTS), rng.choice(TREES.THINGS)
        sentences.append(
            rng.choice([
                f"Can you look why the {thing} of the {subject} fails since {rng.randint(2, 90)} hours?",
                f"We decided to keep the {thing} because the {subject} needs it before Tuesday.",
                f"I {rng.choice(TREES.WORK)} the {thing} in `src/{subject}/{rng.choice(TREES.SUBJECTS)}.rs:{rng.randint(1, 900)}`, tests pass.",
                f"Never touch the {subject} without asking me first.",
                f"see https://example.org/{subject}/{rng.randint(1, 9999)}?page={rng.randint(1, 9)}",
                f"\n```sh\nexport {subject.upper()}_TOKEN={rng.randbytes(16).hex()}\ncargo test {subject}\n```\n",
                f"\n- {subject}: {thing}\n- {rng.choice(TREES.SUBJECTS)}: 12 → {rng.randint(2, 90)}\n",
                rng.choice(TREES.WIDE),
            ])
        )
    return " ".join(sentences)


def claude_code(rng, session, turns):
    """A transcript as Claude Code writes one: the user, the model, tools and what they returned."""
    parent, records = None, []

    def record(kind, role, content):
        nonlocal parent
        number = len(records)
        uuid = f"{rng.getrandbits(32):08x}-0000-4000-8000-{number:012x}"
        at = f"2026-03-{10 + number // 500:02}T{10 + number // 60 % 10:02}:{number % 60:02}:07.123Z"
        records.append({
            "parentUuid": parent, "isSidechain": False, "userType": "external", "cwd": "/srv/harbour", "sessionId": session,
            "version": "2.1.0", "gitBranch": "main", "type": kind, "message": {"role": role, "content": content}, "uuid": uuid, "timestamp": at,
        })  # fmt: skip
        parent = uuid

    for number in range(turns):
        record("user", "user", said(rng))
        for step in range(rng.randint(1, 5)):
            call = f"toolu_{number}_{step}"
            record("assistant", "assistant", [
                {"type": "text", "text": said(rng)},
                {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "cargo test", "description": said(rng)}},
            ])  # fmt: skip
            output = "\n".join(f"test {rng.choice(TREES.SUBJECTS)}::{n} ... ok" for n in range(rng.randint(3, 120)))
            record("user", "user", [{"type": "tool_result", "tool_use_id": call, "content": output}])
        record("assistant", "assistant", [{"type": "text", "text": said(rng)}])
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records)


def hook(event, session, path):
    return json.dumps({"session_id": session, "hook_event_name": event, "transcript_path": str(path), "cwd": str(path.parent)})


def tree(day, kind, days):
    """Everything from nothing, nothing to do, one more entry."""
    if kind == "conversations":
        BENCH.build_conversations(day.root, days)
    else:
        TREES.build(day.root, days, kind)
    day.run("compact")
    day.run("compact")
    rng = random.Random("more")
    with open(day.root / f"memory/{TREES.TODAY}.md", "a", encoding="utf-8") as file:
        file.write("\n".join(TREES.entry(rng)[1:]) + "\n")
    day.run("compact")
    for words in ("why did the retry policy change", "anchor", "영수증 양식", "what did we decide about the tide table of the quay"):
        day.run("search", words, may_fail=True)
    day.run("hook", "session-start", stdin=json.dumps({"hook_event_name": "SessionStart", "session_id": "s", "source": "startup"}))
    for args in (["status"], ["topics"], ["check"], ["show", "2026-03-10"]):
        day.run(*args, may_fail=True)


def captures(day):
    """A conversation that is saved as it grows, and what the fixtures have of real clients."""
    os.makedirs(day.root / "memory")
    (day.root / "hipocampus.config.json").write_text("{}\n")
    for number, turns in enumerate((10, 60, 200)):
        session = f"{number:08x}-1111-4111-8111-111111111111"
        path = day.home / f"{session}.jsonl"
        lines = claude_code(random.Random(session), session, turns).splitlines(keepends=True)
        for share in (0.3, 0.6, 1):
            path.write_text("".join(lines[: int(len(lines) * share)]))
            day.run("compact", "--stdin", stdin=hook("PreCompact", session, path))
        day.run("hook", "session-start", stdin=hook("SessionStart", session, path))
    for path in sorted((TOP / "tests/fixtures/clients").glob("*.jsonl")):
        copy = day.home / path.name
        copy.write_bytes(path.read_bytes())
        day.run("compact", "--stdin", stdin=hook("Stop", path.stem, copy))


def main():
    program = os.path.abspath(sys.argv[1])
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for kind, days in (("past fixed", 200), ("open", 60), ("conversations", 40)):
        with tempfile.TemporaryDirectory(prefix="hipocampus-train-", dir=base) as home:
            tree(Day(program, home), kind, days)
    with tempfile.TemporaryDirectory(prefix="hipocampus-train-", dir=base) as home:
        captures(Day(program, home))


if __name__ == "__main__":
    main()
