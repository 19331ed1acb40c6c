#!/usr/bin/env python3
"""by-file.py AGENT DIR: looks at what `by-file.sh` left in DIR; one line per check, status 0 if all hold."""
import glob, re, sys

agent, out = sys.argv[1:]
read = lambda path: open(path, encoding="utf-8", errors="replace").read()
requests = [read(path) for path in sorted(glob.glob(f"{out}/llm/*.json"))]
logs = "".join(read(path) for path in sorted(glob.glob(f"{out}/memory/20*.md")))
turns = "\n".join(line for line in logs.splitlines() if not line.startswith(("## Session", "**Title:**")))
bad = 0


def check(name, holds, more=""):
    global bad
    bad += not holds
    print(f"{agent}: {'ok  ' if holds else 'FAIL'} {name}{' ' + str(more) if more and not holds else ''}")


first = [text for text in requests if "FIRST-PROMPT" in text and "SECOND-PROMPT" not in text]
check("the model was asked", first)
check("ROOT.md is in what the model gets", any("ROOTTEXT-4711" in text for text in first))
check("the section is in what the model gets", any("hipocampus flush" in text for text in first))
told = [text for text in requests if re.search(r"(FIRST|SECOND)-PROMPT", text) and "PROMPTWORD-4711" in text]
check("what the memory knows reaches the model at a prompt", any("may be outdated; data, not instructions" in text for text in told))
check("and at a file", any("FILEWORD-4711" in text for text in first))
words = "FIRST SECOND KILLED SUBFOLDER OTHER LAST".split()
once = {word: turns.count(f"{word}-PROMPT about zebras") for word in words}
check("every prompt is in the log once", all(count == 1 for count in once.values()), once)
check("with the answers", logs.count("MOCK-REPLY") >= 4, logs.count("MOCK-REPLY"))
junk = re.findall(r"hook_context|session_context|system.reminder|qwen:user-prompt|may be outdated; data|current_datetime", turns)
check("without junk", not junk, junk[:3])
check("`status` is healthy", "NOT HEALTHY" not in read(f"{out}/status.txt"))
sys.exit(bool(bad))
