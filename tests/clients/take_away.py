#!/usr/bin/env python3
"""take_away.py WHAT: takes one thing out of the project in the working directory that `init` has put there.

WHAT is an event of a hooks file (`PreCompact`, ...), `hooks` (that file, or the plugin), `root` (ROOT.md is never written), `protocol`, `skill`, `record` (of
what was told), `plugin`, or a word of a plugin: an event that it is to be called at, or `compact`.
`prove.sh` runs the real client without it and expects a check to fail.
"""
import glob, json, os, shutil, sys

what = sys.argv[1]
HOOKS = [".claude/settings.json", ".claude/settings.local.json", ".codex/hooks.json", ".github/hooks/hipocampus.json"]
HOOKS += [f".{agent}/settings.json" for agent in ("qwen", "gemini", "factory")]
PLUGINS = [".opencode/plugin*/hipocampus.js", ".cline/plugins/hipocampus/index.js"]
gone = 0
if what == "root":
    # A folder in the place of the file: the program cannot write it, and says so.
    if os.path.exists("memory/ROOT.md"):
        os.remove("memory/ROOT.md")
    os.makedirs("memory/ROOT.md")
    gone += 1
elif what == "protocol":
    for path in filter(os.path.exists, ["CLAUDE.md", "AGENTS.md", "GEMINI.md"]):
        os.remove(path)
        gone += 1
elif what == "skill":
    for path in glob.glob(".*/skills/hipocampus-recall") + glob.glob("skills/hipocampus-recall"):
        shutil.rmtree(path)
        gone += 1
elif what in ("plugin", "hooks"):
    files = [path for pattern in PLUGINS for path in glob.glob(pattern)]
    for path in files + (list(filter(os.path.exists, HOOKS)) if what == "hooks" else []):
        os.remove(path)
        gone += 1
    for path in glob.glob(".hipocampus/openclaw-plugin") + glob.glob("hooks/hipocampus-compact"):
        shutil.rmtree(path)
        gone += 1
elif what == "record":
    os.makedirs("memory/.hipocampus.log-recall")
    gone += 1
else:
    for path in [path for pattern in [*PLUGINS, ".hipocampus/openclaw-plugin/index.js"] for path in glob.glob(pattern)]:
        text = open(path).read()
        open(path, "w").write(text.replace(f'"{what}"', '"taken.away"'))
        gone += f'"{what}"' in text
    for path in filter(os.path.exists, HOOKS):
        settings = json.load(open(path))
        gone += settings.get("hooks", {}).pop(what, None) is not None
        json.dump(settings, open(path, "w"), indent=2)
if not gone:
    sys.exit(f"there is no {what} to take away")
