# Sourced inside the sandbox: how the agents are asked that keep each session in a file, and two others for a company of two.
# Needs PORT, OUT, CLIENTS, HERE, TOOLS and PROJECT.

# run NAME COMMAND...: one call of an agent
run() {
    local name=$1; shift
    timeout "${LIMIT:-120}" "$@" > "$OUT/$name.stdout" 2> "$OUT/$name.stderr" < /dev/null
    echo "$name rc=$?" >> "$OUT/run.log"
}

# killed WORD COMMAND...: one call that is killed while the model's answer to WORD keeps a tool busy
killed() {
    local word=$1; shift
    setsid "$@" > "$OUT/killed.stdout" 2> "$OUT/killed.stderr" < /dev/null &
    local agent=$!
    for _ in $(seq 300); do grep -qs -- "$word" "$OUT"/llm/*.json && break; sleep .1; done
    sleep 2
    kill -KILL -- "-$agent"
    wait "$agent" 2> /dev/null
    also_kill
}

. "$HERE/calls.sh"

# latest FILE...: the one that was written to last
latest() { ls -t "$@" | head -1; }

# agent NAME: `ask` stands before a prompt, `resume` makes it go on with the last session, `shorten` is what shortens one;
# `tools` and `busy` make the mock model call tools. `again PROMPT` sets `command` to go on with a prompt.
agent() {
    resume=() text=() shorten=/compact
    again() { command=("${ask[@]}" ${resume[@]+"${resume[@]}"} ${text[@]+"${text[@]}"} "$1"); }
    also_kill() { :; }
    case $1 in
    copilot)
        export COPILOT_OFFLINE=true COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:$PORT/v1 COPILOT_PROVIDER_API_KEY=fake
        export COPILOT_MODEL=mock-model COPILOT_AUTO_UPDATE=false COPILOT_ALLOW_ALL=true
        ask=("$CLIENTS/pkgs/copilot/node_modules/@github/copilot-linux-x64/copilot" --output-format json)
        resume=(--continue) text=(-p)
        tools=$(calls view '{"path":"'$PROJECT'/gate.txt"}' bash '{"command":"printf %s-%s tool output","description":"d"}')
        busy=$(calls bash '{"command":"sleep 60","description":"d"}') ;;
    qwen)
        export OPENAI_API_KEY=fake OPENAI_BASE_URL=http://127.0.0.1:$PORT/v1 OPENAI_MODEL=mock-model QWEN_TELEMETRY_ENABLED=false
        mkdir -p "$HOME/.qwen"
        echo '{"memory":{"enableManagedAutoMemory":false,"enableManagedAutoDream":false}}' > "$HOME/.qwen/settings.json"
        ask=(node "$CLIENTS/pkgs/qwen/node_modules/@qwen-code/qwen-code/cli-entry.js" --auth-type openai -o stream-json -y)
        resume=(-c) text=(-p) shorten=/compress
        tools=$(calls read_file '{"file_path":"'$PROJECT'/gate.txt"}' run_shell_command '{"command":"printf %s-%s tool output","is_background":false}')
        busy=$(calls run_shell_command '{"command":"sleep 60","is_background":false}') ;;
    gemini)
        export GEMINI_API_KEY=fake GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:$PORT GEMINI_TELEMETRY_ENABLED=false GEMINI_CLI_TRUST_WORKSPACE=true
        mkdir -p "$HOME/.gemini"
        echo '{"security":{"auth":{"selectedType":"gemini-api-key"}}}' > "$HOME/.gemini/settings.json"
        ask=(node "$CLIENTS/pkgs/gemini/node_modules/@google/gemini-cli/bundle/gemini.js" -m gemini-2.5-flash -o stream-json -y)
        resume=(-r latest) text=(-p) shorten=/compress
        tools=$(calls read_file '{"file_path":"gate.txt"}' run_shell_command '{"command":"printf %s-%s tool output","description":"d"}')
        busy=$(calls run_shell_command '{"command":"sleep 60"}') ;;
    droid)
        export FACTORY_API_KEY=fk-fake
        mkdir -p "$HOME/.factory"
        printf '{"customModels":[{"model":"mock-model","displayName":"Mock","baseUrl":"http://127.0.0.1:%s/v1","apiKey":"x","provider":"generic-chat-completion-api"}]}' \
            "$PORT" > "$HOME/.factory/settings.json"
        ask=("$CLIENTS/pkgs/droid/node_modules/.bin/droid" exec -m custom:Mock-0 --auto medium)
        # Only its service takes up a session by `--session-id`; a copy of one needs none.
        again() {
            local last; last=$(latest "$HOME"/.factory/sessions/*/*.jsonl)
            command=("${ask[@]}" --fork "$(basename "$last" .jsonl)" "$1")
        }
        tools=$(calls Read '{"file_path":"'$PROJECT'/gate.txt"}' Execute '{"command":"printf %s-%s tool output","riskLevel":"low","riskLevelReason":"r"}')
        busy=$(calls Execute '{"command":"sleep 60","riskLevel":"low","riskLevelReason":"r"}') ;;
    cline)
        local cline=$CLIENTS/pkgs/cline/node_modules/.bin/cline
        run 00-auth "$cline" auth -p openai -k fake -m mock-model -b "http://127.0.0.1:$PORT/v1"
        ask=("$cline" --json)
        # Only in a terminal it takes up a session.
        again() {
            local last; last=$(latest "$HOME"/.cline/data/sessions/*/*.messages.json)
            command=(python3 "$HERE/terminal.py" "Ask anything" "$1" "$CLIENTS/pkgs/cline/node_modules/.bin/cline" --tui --id "$(basename "$last" .messages.json)")
        }
        # Sessions run in a process of its own that outlives the one that was started.
        also_kill() { pkill -KILL -f cline-hub-daemon; pkill -KILL -f plugin-sandbox-bootstrap; }
        tools=$(calls read_files '{"files":[{"path":"'$PROJECT'/gate.txt"}]}' run_commands '{"commands":["printf %s-%s tool output"]}' editor '{"path":"'$PROJECT'/after.txt","new_text":"reed"}')
        busy=$(calls run_commands '{"commands":["sleep 60"]}') ;;
    claude-code)
        export ANTHROPIC_BASE_URL=http://127.0.0.1:$PORT ANTHROPIC_API_KEY=fake DISABLE_TELEMETRY=1 DISABLE_ERROR_REPORTING=1 \
            DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 IS_SANDBOX=1
        ask=("$CLIENTS/pkgs/claude/node_modules/@anthropic-ai/claude-code-linux-x64/claude")
        resume=(--continue) text=(-p) ;;
    codex)
        local codex=$CLIENTS/pkgs/codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex
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
END
        # What the user does with /hooks.
        python3 "$TOOLS/codex_trust.py" "$codex" "$PROJECT" > "$OUT/trust.json" 2>&1
        ask=("$codex" exec --json)
        again() { command=("${ask[@]}" resume --last "$1"); } ;;
    esac
}
