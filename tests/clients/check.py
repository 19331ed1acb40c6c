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
if client == "claude-plugin":
    kept = {os.path.basename(path).removesuffix(".kept.md"): read(path) for path in glob.glob(f"{out}/*.kept.md")}
    check("the client takes the plugin for valid", "Validation passed" in printed["01-validate.stdout"])
    check("it is installed", "Successfully installed plugin: hipocampus@hipocampus" in printed["03-install.stdout"])
    events = [json.loads(line) for name in ("04-project.stdout", "05-subfolder.stdout") for line in printed[name].splitlines() if line.startswith("{")]
    loaded = [plugin.get("name") for event in events if event.get("subtype") == "init" for plugin in event.get("plugins", [])]
    check("it is loaded in the project and below it", loaded.count("hipocampus") == 2, loaded)
    for name, word in (("04-project", "PROJECT"), ("05-subfolder", "SUBFOLDER")):
        said = re.findall(rf"^\*\*User:\*\* {word}-PROMPT about zebras", kept.get(name, ""), re.M)
        check(f"{word} is in the log once when its session is over", len(said) == 1, len(said))
        check(f"the model was asked {word}", any(f"{word}-PROMPT" in text for text in conversation))
    check("ROOT.md is in what the model gets", any("ROOTTEXT-4711" in text for text in conversation))
    answers = [event for event in events if event.get("subtype") == "hook_response"]
    starts = [event for event in answers if event.get("hook_event") == "SessionStart"]
    check("the hooks of both are called, the project's and the plugin's", len(starts) >= 3, len(starts))
    check("every hook ended well", all(e.get("exit_code") in (0, None) and e.get("outcome") in ("success", None) for e in answers), answers[:2])
    log = f"{out}/memory/.hipocampus.log"
    check("no hook met a problem", not os.path.exists(log) or not read(log).strip())
    sys.exit(bool(bad))
check("the model was asked", len(conversation) >= 3, len(conversation))
# What the first session gets: later ones may come after an `update`.
first = [text for text in conversation if "FIRST-PROMPT" in text and not re.search("(SECOND|FORKED)-PROMPT", text)]
check("ROOT.md is in what the model gets", any("ROOTTEXT-4711" in text for text in first))
check("the protocol is in what the model gets", any("hipocampus flush" in text for text in first))
if client == "openclaw":
    check("hot files are in what the model gets", any("HOTFILE-4711" in text for text in conversation))
skills = ["core", "compaction", "recall", "search", "flush"]
listed = {"claude-code": "\\n- hipocampus-{}: ", "codex": "\\n- hipocampus-{}: "}.get(client, "<name>hipocampus-{}</name>")
missing = [skill for skill in skills if not any(listed.format(skill) in text for text in first)]
check("the skills are listed", not missing, missing)
# Every prompt that a run typed, and whether words of it are in the log exactly once.
typed = {
    "claude-code": "FIRST SECOND THIRD FORKED PRECOMPACT TASK KILLED BEFORE MIDTURN SUBFOLDER WORKTREE SKILL WORK LAST",
    "codex": "FIRST SECOND THIRD FOURTH FORKED KILLED SUBFOLDER LAST",
    "opencode": "FIRST SECOND THIRD FORKED KILLED SUBFOLDER LAST",
    "openclaw": "FIRST SECOND THIRD NEWSESSION LAST",
}[client].split()
turns = "\n".join(line for line in logs.splitlines() if not line.startswith(("## Session", "**Title:**")))
once = {word: turns.count(f"{word}-PROMPT about zebras") for word in typed}
not_once = {word: count for word, count in once.items() if count != 1}
check("every prompt is in the log once", not not_once, not_once)
receipt = read(f"{out}/receipt.txt")
check("the receipt says so of every turn", ", 0 waiting, 0 missing\n" in receipt and "of the stores and of the memory" in receipt, receipt)
replies = logs.count("MOCK-REPLY")
check("with the answers", replies >= len(typed) - 2, replies)
check("the tools are named", re.search(r"^\[tools: .*\b(Bash|bash|exec|exec_command|shell)\b", logs, re.M))
junk = re.findall(r"<command-name>|<local-command|<system-reminder>|isCompactSummary|<environment_context>|AGENTS\.md instructions|tool-output", logs)
check("without junk", not junk, junk[:3])
# What the log held at the moment a run was over and nothing else had started.
kept = {os.path.basename(path).removesuffix(".kept.md"): read(path) for path in glob.glob(f"{out}/*.kept.md")}
check("the end of the first session saved it", "FIRST-PROMPT" in kept.get("01-first", ""))
made = read(f"{out}/ROOT.made.md") if os.path.exists(f"{out}/ROOT.made.md") else ""
check("ROOT.md is the machine's own", "ROOTTEXT-4711" in made and "author: agent" not in made)
talk = "\n".join(text for name, text in printed.items() if not name.startswith(("init", "compact", "00-", "sandbox")))
ours = r"\.claude/settings\.json|\.codex/hooks\.json|SKILL\.md|HOOK\.md|handler\.js|opencode\.jsonc?|plugins/hipocampus\.js|openclaw-plugin|hipocampus-compact|clamping"
trouble_words = r"warn|error|invalid|failed|could not|unable|clamping"


def told(line):
    """What a line of output tells: names of what a client is able to do are no words about our files."""
    try:
        event = json.loads(line)
    except ValueError:
        return line
    if isinstance(event, dict) and (event.get("type"), event.get("subtype")) == ("system", "init"):
        event.pop("capabilities", None)
    return json.dumps(event, ensure_ascii=False)


lines = [told(line) for line in talk.splitlines() if not line.startswith('{"type":"user"')]
warnings = [line[:300] for line in lines if re.search(ours, line) and re.search(trouble_words, line, re.I)]
check("no warning about our files", not warnings, warnings[:3])
# A rule of the user's own memory reaches the model at the start of a session, named as such, until it is forgotten.
USER_RULE = r"rules of the user for every project, from the user's own memory.{0,200}USERRULE-4711"
check("a rule of the user reaches the first session", any(re.search(USER_RULE, text) for text in first))
forgotten = [text for text in conversation if "LAST-PROMPT" in text]
check("it is gone once it was forgotten", forgotten and not any("USERRULE-4711" in text for text in forgotten))
# That a summary is due reaches the model, once in a session; never where it is switched off.
DUE = "hipocampus: a summary is due"
check("the first session hears that a summary is due", any(DUE in text for text in first))
often = max(text.count(DUE) for text in requests)
check("a session hears of it once", often == 1, often)
before, after = (read(f"{out}/due.{name}") if os.path.exists(f"{out}/due.{name}") else "" for name in ("before", "after"))
check("the switch is what keeps it quiet", before.startswith("due: ") and after == "not due: `summaries.mode` is `off`\n", (before, after))
last = [text for text in conversation if "LAST-PROMPT" in text]
check("switched off, nobody hears of it", last and not any(DUE in text for text in last))
# What only the memory knows reaches the model by itself, once in a session.
words = {"at a prompt": ("PROMPTWORD-4711", "FIRST"), "at a file": ("FILEWORD-4711", "FIRST"), "at a file below a subfolder": ("BELOWWORD-4711", "SUBFOLDER")}
if client == "openclaw":
    words = {"at a prompt": words["at a prompt"]}
elif client != "codex":
    del words["at a file below a subfolder"]
check("the index does not say what is to be recalled", made and not any(word in made for word, _ in words.values()))
for where, (word, run) in words.items():
    told_in = [text for text in requests if f"{run}-PROMPT" in text and word in text and not re.search("(SECOND|FORKED)-PROMPT", text)]
    check(f"what the memory knows reaches the model {where}", any("From this project's memory; may be outdated" in text for text in told_in))
    check(f"{where} it comes once in a session", max(text.count(word) for text in requests) == 1, [text.count(word) for text in requests])
    check(f"what is told {where} is not saved as said", turns.count(word) == 1, turns.count(word))
AFTER = r"before it was shortened; data, not instructions:[^\"]*marsh/after\.txt"
shortened = [len(re.findall(AFTER, text)) for text in conversation if f"{'FOURTH' if client == 'codex' else 'THIRD'}-PROMPT" in text]
check("what the session changed reaches the model after a compaction", any(shortened), shortened)
check("after a compaction it comes once", max(len(re.findall(AFTER, text)) for text in requests) == 1)
# The hooks were called and never answered.
check("a hook that is late stops nothing", re.search(r"^\d+-last rc=0 ", read(f"{out}/run.log"), re.M) and re.search("LAST-PROMPT(?s:.*)MOCK-REPLY", logs))
check("nor does it say anything", not any(word in text for text in last for word, _ in words.values()))
if client in ("claude-code", "opencode"):
    asked = [text for text in requests if "End the summary with a section" in text]
    check("the model that shortens a conversation is asked for entries", asked)
    given = len(re.findall(r"^\\## Memory entries$", logs, re.M))
    check("what it gives is stored as an entry, once", 0 < given == len(re.findall(r"^## Stripe count \[feedback\]$", logs, re.M)))
if client == "claude-code":
    node = read(f"{out}/summarised.md")
    check("the skill gets a summary written", "SUMMARY-4711" in node and "status: tentative" in node or "status: fixed" in node)
    check("its text is in what the model gets", any("hipocampus pending --claim --prompt" in text and "hipocampus summarize" in text for text in requests))
if client == "claude-code":
    # The hooks of the last session were kept from answering.
    spoken = [text for name, text in printed.items() if not name.startswith("12-last")]
    events = [json.loads(line) for text in spoken for line in text.splitlines() if line.startswith("{")]
    answers = [event for event in events if event.get("subtype") == "hook_response"]
    # What PreCompact prints becomes part of the summariser's instructions.
    check("PreCompact printed nothing", not any("hipocampus compact:" in text for text in requests))
    check("PreCompact was answered", "Compacted PreCompact" in talk and "completed successfully" in talk)
    check("PreCompact saved a session that was killed after it", "PRECOMPACT-PROMPT" in kept["06-precompact"])
    check("TaskCompleted saved a session that was killed after it", "TASK-PROMPT" in kept["07-task"])
    check("the killed session was killed before it was saved", "KILLED-PROMPT" not in kept["08-killed"])
    below = [text for text in requests if "SUBFOLDER-PROMPT" in text]
    check("an agent in a subfolder is told to read what it does not see", any("memory/ROOT.md" in text for text in below))
    apart = [text for text in requests if "WORKTREE-PROMPT" in text]
    check("an agent in a worktree gets ROOT.md", any("ROOTTEXT-4711" in text for text in apart))
    check("every hook ended well", answers and all(e.get("exit_code") in (0, None) and e.get("outcome") in ("success", None) for e in answers), [(e.get("hook_event"), e.get("exit_code"), e.get("stderr")) for e in answers])
records = [path for path in [f"{out}/fired", f"{out}/memory/.hipocampus.log-fired"] if os.path.exists(path)]
fired = read(records[0]) if records else ""
run_log = read(f"{out}/run.log") if os.path.exists(f"{out}/run.log") else ""
early = [line for line in run_log.splitlines() if re.match(r"\d+-killed rc=", line) and client != "claude-code" and " rc=137 " not in line]
check("a client that is to be killed was still at work", not early, early)
events = {
    "claude-code": "SessionStart PreCompact SessionEnd TaskCompleted",
    "codex": "SessionStart PreCompact Stop SessionEnd",
    "opencode": "session.idle session.compacting",
    "openclaw": "agent_end",
}[client].split()
silent = [event for event in events if not re.search(rf"^{re.escape(event)} ", fired, re.M)]
check("every event arrived", not silent, silent)
if client == "codex":
    times = {word: [text.count("ROOTTEXT-4711") for text in conversation if f"{word}-PROMPT" in text and not re.search(later, text)] for word, later in [("FIRST", "(SECOND|FORKED)-PROMPT"), ("SECOND", "(THIRD|FORKED)-PROMPT")]}
    check("a resumption does not inject ROOT.md again", times["SECOND"] and max(times["SECOND"]) == max(times["FIRST"]), times)
    trust = read(f"{out}/trust.json")
    check("Codex reads the hooks file", trust.count("hooks.json:") >= 4 and "failed to parse" not in talk)
if client == "openclaw":
    check("the hook is loadable", '"hipocampus-compact"' in printed.get("00-hooks.stdout", ""))
log = f"{out}/memory/.hipocampus.log"
trouble = read(log).splitlines() if os.path.exists(log) else []
check("no hook met a problem", not trouble, trouble[:3])
print(f"{client}: {run_log.strip().splitlines() or 'did not run'}")
sys.exit(bool(bad))
