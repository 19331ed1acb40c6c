#!/usr/bin/env bash
# usage: summarizers.sh [claude codex opencode gemini]; see README.md beside this file
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if [ -z "${PRESET:-}" ]; then
    export HIPOCAMPUS_BIN CLIENTS CLIENTS_TOOLS
    HIPOCAMPUS_BIN=$(realpath "${HIPOCAMPUS_BIN:?the program under test}")
    CLIENTS=$(realpath "${CLIENTS:?the folder of the installed clients}")
    CLIENTS_TOOLS=$(realpath "${CLIENTS_TOOLS:?the folder of mock_llm.py and sandbox.sh}")
    [ $# -gt 0 ] || set -- claude codex opencode gemini
    bad=0
    for preset in "$@"; do
        # The mock model takes a prompt for one to shorten a session where its first lines, which name the folder, have "summarize".
        out=$CLIENTS/runs/preset-$preset
        home=$CLIENTS/homes/preset-$preset
        rm -rf "$out" "$home"
        mkdir -p "$out" "$home"
        SBX_HOME=$home SBX_ENV="PRESET=$preset OUT=$out CLIENTS=$CLIENTS TOOLS=$CLIENTS_TOOLS BIN=$HIPOCAMPUS_BIN QMD_DISABLE=1" \
            timeout "${LIMIT:-900}" "$CLIENTS_TOOLS/sandbox.sh" "$here/summarizers.sh" > "$out/sandbox.log" 2>&1
        grep -E '^(ok|FAILED)' "$out/sandbox.log" | sed "s/^/$preset: /"
        grep -q '^ok .* all checks were made' "$out/sandbox.log" && ! grep -q '^FAILED' "$out/sandbox.log" || bad=1
    done
    exit $bad
fi

# Inside the sandbox.
PORT=8961 PROJECT=$OUT/project
mkdir -p "$OUT/bin" "$OUT/llm" "$PROJECT"
ln -sf "$BIN" "$OUT/bin/hipocampus"
export PATH=$OUT/bin:$PATH TMPDIR=$OUT/tmp
mkdir -p "$TMPDIR"
python3 "$here/summaries_mock.py" "$TOOLS" > "$OUT/mock_llm.py"
python3 "$OUT/mock_llm.py" "$PORT" "$OUT/llm" &
mock=$!
for _ in $(seq 50); do [ -f "$OUT/llm/ready" ] && break; sleep .1; done
platform=$PRESET
case $PRESET in
claude)
    platform=claude-code
    PATH=$CLIENTS/pkgs/claude/node_modules/@anthropic-ai/claude-code-linux-x64:$PATH
    export ANTHROPIC_BASE_URL=http://127.0.0.1:$PORT ANTHROPIC_API_KEY=fake DISABLE_TELEMETRY=1 DISABLE_ERROR_REPORTING=1 \
        DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 IS_SANDBOX=1
    ;;
codex)
    PATH=$CLIENTS/pkgs/codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin:$PATH
    export MOCK_KEY=fake
    mkdir -p "$HOME/.codex"
    cat > "$HOME/.codex/config.toml" <<END
model = "gpt-5.2-codex"
model_provider = "mock"
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:$PORT/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
supports_websockets = false
[analytics]
enabled = false
END
    ;;
opencode)
    PATH=$CLIENTS/pkgs/opencode/node_modules/opencode-linux-x64/bin:$PATH
    registry=http://127.0.0.1:$PORT/npm/
    export NPM_CONFIG_REGISTRY=$registry npm_config_registry=$registry NPM_CONFIG_FETCH_RETRIES=0 OPENCODE_DISABLE_AUTOUPDATE=1 \
        OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_LSP_DOWNLOAD=1
    mkdir -p "$HOME/.config/opencode"
    cat > "$HOME/.config/opencode/opencode.json" <<END
{"model": "mock/mock-model", "small_model": "mock/mock-model", "autoupdate": false, "share": "disabled",
 "provider": {"mock": {"npm": "@ai-sdk/openai-compatible", "name": "Mock", "options": {"baseURL": "http://127.0.0.1:$PORT/v1", "apiKey": "fake"},
  "models": {"mock-model": {"name": "Mock", "cost": {"input": 1, "output": 5}, "limit": {"context": 100000, "output": 8000}, "tool_call": true}}}}}
END
    ;;
gemini)
    platform=claude-code
    printf '#!/bin/sh\nexec node %s "$@"\n' "$CLIENTS/pkgs/gemini/node_modules/@google/gemini-cli/bundle/gemini.js" > "$OUT/bin/gemini"
    chmod +x "$OUT/bin/gemini"
    export GEMINI_API_KEY=fake GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:$PORT GEMINI_TELEMETRY_ENABLED=false
    mkdir -p "$HOME/.gemini"
    echo '{"security": {"auth": {"selectedType": "gemini-api-key"}}}' > "$HOME/.gemini/settings.json"
    ;;
esac
is() { # is WHAT COMMAND...: a line for a check
    local what=$1; shift
    if "$@"; then echo "ok $what"; else echo "FAILED $what"; fi
}
not() { ! "$@"; }

cd "$PROJECT" || exit 1
git init -q .
for name in CLAUDE.md AGENTS.md GEMINI.md; do echo 'PROJECT-4711: answer in rhymes' > $name; done
is 'init chooses it' hipocampus init --platform "$platform" --no-search --summarizer "$PRESET"
sed -i 's/"since": "[^"]*"/"since": "2020-01-01"/' hipocampus.config.json
mkdir -p memory
day() { date -d "$1 days ago" +%F; }
log() { { echo '## Crossing [project]'; seq 250 | sed "s/^/- analysis of $1: stripe /"; } > "memory/$(day "$1").md"; }
log 40
log 10
hipocampus compact > /dev/null
command=$(python3 -c 'import json; print(json.load(open("hipocampus.config.json"))["summarizer"]["command"])')
written() { grep -qs 'SUMMARY-4711' "memory/daily/$(day "$1").md"; }
fired=$(cat memory/.hipocampus.log-fired 2> /dev/null)

hipocampus summarize --exec "$command" --limit 1 --yes > "$OUT/exec.stdout" 2> "$OUT/exec.stderr"
is '--exec ends with 0' [ $? = 0 ]
is '--exec stores the newest day' written 10
is '--exec stores one' not written 40
hipocampus summarize --background
for _ in $(seq 300); do grep -q '"next":"' memory/.hipocampus.background 2> /dev/null && break; sleep 1; done
is '--background stores the other day' written 40
is '--background goes well' grep -q '"failures":0' memory/.hipocampus.background
hipocampus status > "$OUT/status"
price=$(grep -o '\$[0-9.]* in 30 days\|(\$[0-9.]*' "$OUT/status" | head -1)
case $PRESET in
claude | opencode) is 'says its price' [ -n "$price" ] ;;
esac
grep -h 'tokens in' "$OUT/exec.stdout" | tail -1

# What the model was sent.
is 'no project instructions are sent' not grep -lq 'PROJECT-4711' "$OUT"/llm/*.json
is 'no memory is sent' not grep -lq 'memory-index\|Compaction Root' "$OUT"/llm/*.json
python3 - "$OUT" <<'END'
import glob, json, sys
sizes, tools = [], set()
for path in sorted(glob.glob(sys.argv[1] + "/llm/*.json")):
    body = json.load(open(path)).get("body") or {}
    if "These sections" in json.dumps(body):
        sizes.append(len(json.dumps(body)) // 4)
        for tool in body.get("tools") or []:
            declared = tool.get("functionDeclarations") or [tool]
            tools.update(it.get("name") or it.get("function", {}).get("name") or it.get("type") for it in declared)
print("requests of about", sizes, "tokens; tools:", ", ".join(sorted(map(str, tools))) or "none")
END
# Nothing of it is a session of the user's, and no hook of ours ran.
is 'no hook fired' [ "$fired" = "$(cat memory/.hipocampus.log-fired 2> /dev/null)" ]
sessions() {
    find "$HOME/.claude/projects" "$HOME/.codex/sessions" "$HOME/.codex/archived_sessions" "$HOME/.gemini/tmp" "$HOME/.gemini/history" \
        "$HOME/.local/share/opencode/storage" -type f 2> /dev/null
    [ ! -f "$HOME/.codex/history.jsonl" ] || cat "$HOME/.codex/history.jsonl"
    [ ! -f "$HOME/.claude/history.jsonl" ] || cat "$HOME/.claude/history.jsonl"
    [ ! -f "$HOME/.local/share/opencode/opencode.db" ] ||
        python3 -c 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute("select id from session").fetchall())' "$HOME/.local/share/opencode/opencode.db" | grep .
}
sessions > "$OUT/sessions"
is 'no session is left in its history' [ ! -s "$OUT/sessions" ]
is 'no temporary folder is left' [ -z "$(ls -d "$TMPDIR"/hipocampus-* 2> /dev/null)" ]

# No login.
log 5
hipocampus compact > /dev/null
touch "$OUT/llm/refuse"
begun=$(date +%s)
hipocampus summarize --exec "$command" --yes > "$OUT/refused.stdout" 2> "$OUT/refused.stderr"
is 'a refused login ends with 1' [ $? = 1 ]
is 'a refused login ends the run at once' grep -q 'the command says that it cannot' "$OUT/refused.stderr"
echo "a refused login took $(($(date +%s) - begun)) s: $(tail -1 "$OUT/refused.stderr")"
is 'what was not written stays' not written 5
kill $mock
echo 'ok -- all checks were made'
