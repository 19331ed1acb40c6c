#!/usr/bin/env python3
"""check.py CLIENT DIR: looks at what one run of a client left in DIR; one line per check, status 0 if all hold."""
import glob, json, os, re, sys

client, out = sys.argv[1:]
read = lambda path: open(path, encoding="utf-8", errors="replace").read()
requests = [read(path) for path in sorted(glob.glob(f"{out}/llm/*.json"))]
printed = {os.path.basename(p): read(p) for p in glob.glob(f"{out}/*.stdout") + glob.glob(f"{out}/*.stderr") + glob.glob(f"{out}/*.log")}
logs = "".join(read(path) for path in sorted(glob.glob(f"{out}/memory/20*.md")))
bad = 0


def check(name, holds, more=""):
    global bad
    bad += not holds
    print(f"{client}: {'ok  ' if holds else 'FAIL'} {name}{' ' + str(more) if more and not holds else ''}")


conversation = [text for text in requests if "-PROMPT about zebras" in text]
check("the model was asked", len(conversation) >= 3, len(conversation))
check("ROOT.md is in what the model gets", any("ROOTTEXT-4711" in text for text in conversation))
check("the protocol is in what the model gets", any("hipocampus flush" in text for text in conversation))
if client == "openclaw":
    check("hot files are in what the model gets", any("HOTFILE-4711" in text for text in conversation))
skills = ["core", "compaction", "recall", "search", "flush"]
missing = [skill for skill in skills if not any(f"hipocampus-{skill}" in text for text in conversation)]
check("the skills are listed", not missing, missing)
turns = "\n".join(line for line in logs.splitlines() if not line.startswith(("## Session", "**Title:**")))
once = {word: turns.count(f"{word}-PROMPT about zebras") for word in ["FIRST", "SECOND", "THIRD"]}
check("the conversation is in the log once", set(once.values()) == {1}, once)
replies = logs.count("MOCK-REPLY")
check("with the answers", replies >= 3, replies)
junk = re.findall(r"<command-name>|<local-command|<system-reminder>|isCompactSummary|<environment_context>|AGENTS\.md instructions|MOCK_TOOL", logs)
check("without junk", not junk, junk[:3])
talk = "\n".join(text for name, text in printed.items() if not name.startswith(("init", "compact", "00-", "sandbox")))
ours = r"\.claude/settings\.json|\.codex/hooks\.json|SKILL\.md|HOOK\.md|handler\.js|opencode\.jsonc?|plugins/hipocampus\.js|openclaw-plugin|hipocampus-compact|clamping"
trouble_words = r"warn|error|invalid|failed|could not|unable|clamping"
lines = [line for line in talk.splitlines() if not line.startswith('{"type":"user"')]
warnings = [line[:300] for line in lines if re.search(ours, line) and re.search(trouble_words, line, re.I)]
check("no warning about our files", not warnings, warnings[:3])
if client == "claude-code":
    events = [json.loads(line) for text in printed.values() for line in text.splitlines() if line.startswith("{")]
    answers = [event for event in events if event.get("subtype") == "hook_response"]
    # What PreCompact prints becomes part of the summariser's instructions.
    check("PreCompact printed nothing", not any("hipocampus compact:" in text for text in requests))
    check("every hook ended well", answers and all(e.get("exit_code") in (0, None) and e.get("outcome") in ("success", None) for e in answers), [(e.get("hook_event"), e.get("exit_code"), e.get("stderr")) for e in answers])
if client == "codex":
    trust = read(f"{out}/trust.json")
    check("Codex reads the hooks file", trust.count("hooks.json:") >= 4 and "failed to parse" not in talk)
if client == "openclaw":
    check("the hook is loadable", '"hipocampus-compact"' in printed.get("00-hooks.stdout", ""))
log = f"{out}/memory/.hipocampus.log"
trouble = read(log).splitlines() if os.path.exists(log) else []
check("no hook met a problem", not trouble, trouble[:3])
print(f"{client}: {read(out + '/run.log').strip().splitlines() if os.path.exists(out + '/run.log') else 'did not run'}")
sys.exit(bool(bad))
