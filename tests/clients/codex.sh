#!/usr/bin/env bash
PORT=8952 PROJECT=$OUT/project
. "$(dirname "$0")/common.sh"
client=$CLIENTS/pkgs/codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex
export MOCK_KEY=fake
mkdir -p "$HOME/.codex"
cat > "$HOME/.codex/config.toml" <<END
model = "gpt-5.5"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:$PORT/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
supports_websockets = false
[projects."$PROJECT"]
trust_level = "trusted"
[analytics]
enabled = false
END
set_up codex
# What the user does with /hooks.
python3 "$TOOLS/codex_trust.py" "$client" "$PROJECT" > "$OUT/trust.json" 2>&1
# patch FILE OLD NEW: what changes a line of a file
patch() { printf '{"input":"*** Begin Patch\\n*** Update File: %s\\n@@\\n-%s\\n+%s\\n*** End Patch"}' "$@"; }
run 01-first "$client" exec --json "FIRST-PROMPT about zebras: $ASKED$(calls exec_command '{"cmd":"printf %s-%s tool output"}' \
    apply_patch "$(patch marsh/gate.txt tide ebb)" \
    apply_patch '{"input":"*** Begin Patch\n*** Add File: marsh/after.txt\n+reed\n*** End Patch"}')"
keep 01-first
thread=$(grep -o '"thread_id":"[^"]*"' "$OUT/01-first.stdout" | head -1 | cut -d'"' -f4)
run 02-resume "$client" exec --json resume "$thread" "SECOND-PROMPT about zebras: $ASKED$(calls apply_patch "$(patch marsh/gate.txt ebb tide)")"
run 03-compact "$client" exec --json -c model_auto_compact_token_limit=20000 resume "$thread" 'THIRD-PROMPT about zebras MOCK_BIG 30000'
run 04-after "$client" exec --json -c model_auto_compact_token_limit=20000 resume "$thread" 'FOURTH-PROMPT about zebras'
run 05-fork "$client" exec --json fork "$thread" 'FORKED-PROMPT about zebras'
# Killed in the middle of a turn: the next start brings in what was said.
killed 06-killed KILLED-PROMPT "$client" exec --json "KILLED-PROMPT about zebras$(calls exec_command '{"cmd":"sleep 60"}')"
keep 06-killed
mkdir -p sub && cd sub || exit 1
run 07-subfolder "$client" exec --json "SUBFOLDER-PROMPT about zebras$(calls apply_patch "$(patch reeds.txt reeds rushes)")"
cd .. || exit 1
switch_off
forget_rule
late
run 08-last "$client" exec --json "LAST-PROMPT about zebras: $ASKED"
finish
