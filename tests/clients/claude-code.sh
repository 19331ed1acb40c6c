#!/usr/bin/env bash
PORT=8951 PROJECT=$OUT/project
. "$(dirname "$0")/common.sh"
export ANTHROPIC_BASE_URL=http://127.0.0.1:$PORT ANTHROPIC_API_KEY=fake DISABLE_TELEMETRY=1 DISABLE_ERROR_REPORTING=1 \
    DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 IS_SANDBOX=1
client=$CLIENTS/pkgs/claude/node_modules/@anthropic-ai/claude-code-linux-x64/claude
set_up claude-code
id=11111111-1111-4111-8111-111111111111
events=(--output-format stream-json --verbose --include-hook-events)
run 01-first "$client" -p 'FIRST-PROMPT about zebras' --session-id $id "${events[@]}"
run 02-resume "$client" -p 'SECOND-PROMPT about zebras' --resume $id "${events[@]}"
run 03-compact "$client" -p '/compact keep the zebras' --resume $id "${events[@]}"
run 04-after "$client" -p 'THIRD-PROMPT about zebras' --resume $id "${events[@]}"
finish
