#!/usr/bin/env bash
# The plugin in the real Claude Code, beside `init` and below a project: each event is handled once, wherever it fires.
PORT=8955 PROJECT=$OUT/project
. "$(dirname "$0")/common.sh"
export ANTHROPIC_BASE_URL=http://127.0.0.1:$PORT ANTHROPIC_API_KEY=fake DISABLE_TELEMETRY=1 DISABLE_ERROR_REPORTING=1 \
    DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 IS_SANDBOX=1
client=$CLIENTS/pkgs/claude/node_modules/@anthropic-ai/claude-code-linux-x64/claude
set_up claude-code
top=$(cd "$HERE/../.." && pwd)
run 01-validate "$client" plugin validate "$top/.claude-plugin/hipocampus"
run 02-market "$client" plugin marketplace add "$top"
run 03-install "$client" plugin install hipocampus@hipocampus
events=(--output-format stream-json --verbose --include-hook-events)
run 04-project "$client" -p 'PROJECT-PROMPT about zebras' "${events[@]}"
keep 04-project
mkdir -p sub && cd sub || exit 1
run 05-subfolder "$client" -p 'SUBFOLDER-PROMPT about zebras' "${events[@]}"
cd .. || exit 1
keep 05-subfolder
finish
