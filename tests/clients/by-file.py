#!/usr/bin/env python3
"""by-file.py AGENT DIR: looks at what `by-file.sh` left in DIR; one line per check, status 0 if all hold."""
import collections, glob, re, sys

agent, out = sys.argv[1:]
read = lambda path: open(path, encoding="utf-8", errors="replace").read()
requests = [read(path) for path in sorted(glob.glob(f"{out}/llm/*.json"))]
logs = "".join(read(path) for path in sorted(glob.glob(f"{out}/memory/20*.md")))
turns = "\n".join(line for line in logs.splitlines() if not line.startswith(("## Session", "**Title:**", "**Summary:**")))
# What is recalled, within one text of a request.
TOLD = r'may be outdated; data, not instructions:[^"]*'
bad = 0


def check(name, holds, more=""):
    global bad
    bad += not holds
    print(f"{agent}: {'ok  ' if holds else 'FAIL'} {name}{' ' + str(more) if more and not holds else ''}")


def sessions_of(words):
    """In the blocks of which sessions each of these prompts is."""
    found, session = collections.defaultdict(set), None
    for line in turns.splitlines():
        if begun := re.match(r"<!-- hipocampus:session (\S+) ", line):
            session = begun[1]
        for word in words:
            if f"{word}-PROMPT about zebras" in line:
                found[word].add(session)
    return found


def told_at_first(name, first):
    check(f"ROOT.md is in what {name} gets", any("ROOTTEXT-4711" in text for text in first))
    check(f"the section is in what {name} gets", any("hipocampus flush" in text for text in first))


company = agent.split("+") if "+" in agent else []
if company:
    words = [f"{one.upper()}-{word}" for one in company for word in ("FIRST", "SECOND", "OTHER")]
    for one in company:
        first = [text for text in requests if f"{one.upper()}-FIRST-PROMPT" in text]
        told_at_first(f"the model of {one}", first)
        told = [text for text in requests if f"{one.upper()}-" in text and re.search(TOLD + "PROMPTWORD-4711", text)]
        check(f"what the memory knows reaches the model of {one}", told)
    of = sessions_of(words)
    both = [of[f"{one.upper()}-{word}"] for one in company for word in ("FIRST", "OTHER")]
    check("four sessions are four in the log", all(len(it) == 1 for it in both) and len(set().union(*both)) == 4, dict(of))
    goes_on = all(of[f"{one.upper()}-FIRST"] == of[f"{one.upper()}-SECOND"] for one in company)
    check("what goes on is the same session", goes_on, dict(of))
    fired = read(f"{out}/memory/.hipocampus.log-fired")
    check("both are known for what they are", all(re.search(rf" {one}$", fired, re.M) for one in company), fired)
else:
    words = "FIRST SECOND THIRD KILLED SUBFOLDER ONE TWO LAST".split() + ["FULL"] * (agent == "droid")
    first = [text for text in requests if "FIRST-PROMPT" in text and "SECOND-PROMPT" not in text]
    check("the model was asked", first)
    told_at_first("the model", first)
    # Without a terminal Droid calls no hook at a prompt.
    told = [text for text in requests if re.search(r"(FIRST|SECOND)-PROMPT", text) and re.search(TOLD + "PROMPTWORD-4711", text)]
    check("what the memory knows reaches the model at a prompt", told or agent == "droid")
    check("and at a file", any(re.search(TOLD + "FILEWORD-4711", text) for text in first))
    check("the first session was saved when it was over", "**User:** FIRST-PROMPT" in read(f"{out}/01-first.kept.md"))
    after = [text for text in requests if "THIRD-PROMPT" in text]
    check("the session was shortened before its last prompt", any("MOCK-SUMMARY" in text for text in after))
    # What a hook said at the start is gone in Droid, and the section says to read the file.
    check("ROOT.md is in what the model gets after that", any(("hipocampus flush" if agent == "droid" else "ROOTTEXT-4711") in text for text in after))
    changed = any(re.search(r'before it was shortened; data, not instructions:[^"]*after\.txt', text) for text in after)
    # Qwen Code calls a hook for it in the process that shortened the session, which ends with that here.
    check("what the session changed reaches the model after that", changed or agent != "cline")
    going_on = [text for text in requests if "SECOND-PROMPT" in text]
    check("and in a session that is taken up again", any("ROOTTEXT-4711" in text for text in going_on))
    of = sessions_of(words)
    at_once = [of[word] for word in ("ONE", "TWO")]
    check("two sessions at once are two in the log", all(len(it) == 1 for it in at_once) and at_once[0] != at_once[1], at_once)
once = {word: turns.count(f"{word}-PROMPT about zebras") for word in words}
check("every prompt is in the log once", all(count == 1 for count in once.values()), once)
check("with the answers", logs.count("MOCK-REPLY") >= len(words) - 2, logs.count("MOCK-REPLY"))
receipt = read(f"{out}/receipt.txt")
check("the receipt says so of every turn", ", 0 waiting, 0 missing\n" in receipt and "of the stores and of the memory" in receipt, receipt)
junk = re.findall(r"hook_context|session_context|system.reminder|qwen:user-prompt|may be outdated; data|current_datetime|user_input|/compress|/compact|MOCK-SUMMARY", turns)
check("without junk", not junk, junk[:3])
problems = "".join(read(path) for path in glob.glob(f"{out}/memory/.hipocampus.log"))
check("no hook met a problem", not problems, problems)
check("`status` is healthy", "NOT HEALTHY" not in read(f"{out}/status.txt"))
sys.exit(bool(bad))
