#!/usr/bin/env bash
PORT=8953 PROJECT=$OUT/project
. "$(dirname "$0")/common.sh"
client=$CLIENTS/pkgs/opencode/node_modules/opencode-linux-x64/bin/opencode
registry=http://127.0.0.1:$PORT/npm/
export NPM_CONFIG_REGISTRY=$registry npm_config_registry=$registry NPM_CONFIG_FETCH_RETRIES=0 OPENCODE_DISABLE_AUTOUPDATE=1 \
    OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_LSP_DOWNLOAD=1
mkdir -p "$PROJECT"
cat > "$PROJECT/opencode.jsonc" <<END
{
  // the user's own
  "\$schema": "https://opencode.ai/config.json",
  "model": "mock/mock-model",
  "small_model": "mock/mock-model",
  "autoupdate": false,
  "share": "disabled",
  "provider": {"mock": {"npm": "@ai-sdk/openai-compatible", "name": "Mock", "options": {"baseURL": "http://127.0.0.1:$PORT/v1", "apiKey": "fake"}, "models": {"mock-model": {"name": "Mock", "limit": {"context": 100000, "output": 8000}, "tool_call": true}}}},
}
END
set_up opencode
# Through stdin: of arguments with blanks the client quotes each, and what is quoted in them.
typed() { printf "printf %%s '%s' | %s run --format json %s" "$1" "$client" "${*:2}"; }
read_it() { printf '{"filePath":"%s/marsh/gate.txt"}' "$PROJECT"; }
write_it() { printf '{"filePath":"%s/marsh/after.txt","content":"reed"}' "$PROJECT"; }
run 01-first bash -c "$(typed "FIRST-PROMPT about zebras: $ASKED$(calls bash '{"command":"printf %s-%s tool output","description":"d"}' \
    read "$(read_it)" write "$(write_it)")")"
keep 01-first
id=$(grep -o '"sessionID":"[^"]*"' "$OUT/01-first.stdout" | head -1 | cut -d'"' -f4)
run 02-resume bash -c "$(typed "SECOND-PROMPT about zebras: $ASKED$(calls read "$(read_it)")" -s "$id")"
"$client" serve --port 8963 --hostname 127.0.0.1 > "$OUT/serve.log" 2>&1 &
server=$!
for _ in $(seq 60); do curl -s -m 20 "http://127.0.0.1:8963/config?directory=$PROJECT" > /dev/null && break; sleep .5; done
run 03-compact curl -s -X POST -H 'content-type: application/json' "http://127.0.0.1:8963/session/$id/summarize?directory=$PROJECT" \
    -d '{"providerID":"mock","modelID":"mock-model"}'
sleep 3
kill $server
run 04-after "$client" run --format json -s "$id" 'THIRD-PROMPT about zebras'
run 05-fork "$client" run --format json -s "$id" --fork 'FORKED-PROMPT about zebras'
# Killed while it works: nothing fires, and the next start brings in what was said.
killed 06-killed KILLED-PROMPT bash -c "$(typed "KILLED-PROMPT about zebras$(calls bash '{"command":"sleep 60","description":"d"}')")"
keep 06-killed
mkdir -p sub && cd sub || exit 1
run 07-subfolder "$client" run --format json 'SUBFOLDER-PROMPT about zebras'
cd .. || exit 1
switch_off
forget_rule
late
run 08-last "$client" run --format json "LAST-PROMPT about zebras: $ASKED"
finish
