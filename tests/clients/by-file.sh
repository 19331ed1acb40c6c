#!/usr/bin/env bash
# One run of GitHub Copilot, Qwen Code, Gemini CLI or Droid, inside the sandbox. Needs AGENT, PORT, OUT, TOOLS and BIN.
set -u
PROJECT=$OUT/project
mkdir -p "$OUT/bin" "$PROJECT"
ln -sf "$BIN" "$OUT/bin/hipocampus"
export PATH=$OUT/bin:$PATH GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@e.org GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@e.org
python3 "$TOOLS/more/mock_all.py" "$PORT" "$OUT/llm" &
MOCK=$!
for _ in $(seq 50); do [ -f "$OUT/llm/ready" ] && break; sleep .1; done
cd "$PROJECT" || exit 1
git init -q .
hipocampus init --platform "$AGENT" --no-search > "$OUT/init.stdout" 2> "$OUT/init.stderr"
# What the check is to miss: the hooks, or the section with the imports.
case ${TAKE_AWAY:-} in
    hooks) rm -f .github/hooks/*.json .qwen/settings.json .gemini/settings.json .factory/settings.json ;;
    section) rm -f AGENTS.md GEMINI.md ;;
esac
for days in $(seq 3 24); do
    printf '## Shed %s [project]\n- decision: paint shed %s before fence %s\n' "$days" "$days" "$days" > "memory/$(date -d "$days days ago" +%F).md"
done
printf '## Request cache [project]\n- decision: PROMPTWORD-4711 the request cache lives in redis, because two proxies share it\n- lesson: FILEWORD-4711 gate.txt must end in a newline\n' \
    > "memory/$(date -d '30 days ago' +%F).md"
hipocampus compact > "$OUT/compact.stdout" 2>&1
printf -- '---\ntype: root\n---\n\n## Active Context\n- ROOTTEXT-4711 is what matters\n' > memory/ROOT.md
mkdir -p sub
echo tide > gate.txt
git add -A . && git commit -qm one

run() {
    local name=$1; shift
    timeout "${LIMIT:-120}" "$@" > "$OUT/$name.stdout" 2> "$OUT/$name.stderr" < /dev/null
    echo "$name rc=$?" >> "$OUT/run.log"
}
killed() {
    local word=$1; shift
    setsid "$@" > "$OUT/killed.stdout" 2> "$OUT/killed.stderr" < /dev/null &
    local agent=$!
    for _ in $(seq 300); do grep -qs -- "$word" "$OUT"/llm/*.json && break; sleep .1; done
    sleep 2
    kill -KILL -- "-$agent"
    wait "$agent" 2> /dev/null
}

ASKED='move the request cache of both proxies out of redis'
# `first`, `again`, `held` and `more` say how this agent is asked, resumed, kept busy and asked for another session.
case $AGENT in
    copilot)
        export COPILOT_OFFLINE=true COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:$PORT/v1 COPILOT_PROVIDER_API_KEY=fake
        export COPILOT_MODEL=mock-model COPILOT_AUTO_UPDATE=false COPILOT_ALLOW_ALL=true
        ask=("$CLIENTS/pkgs/copilot/node_modules/@github/copilot-linux-x64/copilot" --output-format json)
        resume=(--continue); text=(-p)
        tools='MOCK_TOOL view {"path":"'$PROJECT'/gate.txt"} END_MOCK MOCK_TOOL bash {"command":"printf %s-%s tool output","description":"d"} END_MOCK'
        busy='MOCK_TOOL bash {"command":"sleep 60","description":"d"} END_MOCK' ;;
    qwen)
        export OPENAI_API_KEY=fake OPENAI_BASE_URL=http://127.0.0.1:$PORT/v1 OPENAI_MODEL=mock-model QWEN_TELEMETRY_ENABLED=false
        mkdir -p "$HOME/.qwen"
        echo '{"memory":{"enableManagedAutoMemory":false,"enableManagedAutoDream":false}}' > "$HOME/.qwen/settings.json"
        ask=(node "$CLIENTS/pkgs/qwen/node_modules/@qwen-code/qwen-code/cli-entry.js" --auth-type openai -o stream-json -y)
        resume=(-c); text=(-p)
        tools='MOCK_TOOL read_file {"file_path":"'$PROJECT'/gate.txt"} END_MOCK MOCK_TOOL run_shell_command {"command":"printf %s-%s tool output","is_background":false} END_MOCK'
        busy='MOCK_TOOL run_shell_command {"command":"sleep 60","is_background":false} END_MOCK' ;;
    gemini)
        export GEMINI_API_KEY=fake GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:$PORT GEMINI_TELEMETRY_ENABLED=false GEMINI_CLI_TRUST_WORKSPACE=true
        mkdir -p "$HOME/.gemini"
        echo '{"security":{"auth":{"selectedType":"gemini-api-key"}}}' > "$HOME/.gemini/settings.json"
        ask=(node "$CLIENTS/pkgs/gemini/node_modules/@google/gemini-cli/bundle/gemini.js" -m gemini-2.5-flash -o stream-json -y)
        resume=(-r latest); text=(-p)
        tools='MOCK_TOOL read_file {"file_path":"gate.txt"} END_MOCK MOCK_TOOL run_shell_command {"command":"printf %s-%s tool output","description":"d"} END_MOCK'
        busy='MOCK_TOOL run_shell_command {"command":"sleep 60"} END_MOCK' ;;
    droid)
        export FACTORY_API_KEY=fk-fake
        mkdir -p "$HOME/.factory"
        printf '{"customModels":[{"model":"mock-model","displayName":"Mock","baseUrl":"http://127.0.0.1:%s/v1","apiKey":"x","provider":"generic-chat-completion-api"}]}' \
            "$PORT" > "$HOME/.factory/settings.json"
        ask=("$CLIENTS/pkgs/droid/node_modules/.bin/droid" exec -m custom:Mock-0 --auto medium)
        # It takes up no session without its service, so the second prompt is one of its own.
        resume=(); text=()
        tools='MOCK_TOOL Read {"file_path":"'$PROJECT'/gate.txt"} END_MOCK MOCK_TOOL Execute {"command":"printf %s-%s tool output","riskLevel":"low","riskLevelReason":"r"} END_MOCK'
        busy='MOCK_TOOL Execute {"command":"sleep 60","riskLevel":"low","riskLevelReason":"r"} END_MOCK' ;;
esac
run 01-first "${ask[@]}" ${text[@]+"${text[@]}"} "FIRST-PROMPT about zebras: $ASKED $tools"
run 02-second "${ask[@]}" ${resume[@]+"${resume[@]}"} ${text[@]+"${text[@]}"} "SECOND-PROMPT about zebras: $ASKED"
killed KILLED-PROMPT "${ask[@]}" ${text[@]+"${text[@]}"} "KILLED-PROMPT about zebras $busy"
cd sub || exit 1
run 03-subfolder "${ask[@]}" ${text[@]+"${text[@]}"} 'SUBFOLDER-PROMPT about zebras'
cd .. || exit 1
run 04-other "${ask[@]}" ${text[@]+"${text[@]}"} 'OTHER-PROMPT about zebras'
run 05-last "${ask[@]}" ${text[@]+"${text[@]}"} 'LAST-PROMPT about zebras'
# GitHub Copilot may write the end of a session when its hooks have run: the next start brings that in.
sleep 2
printf '{"hook_event_name":"%s","session_id":"next","cwd":"%s","source":"new"}' SessionStart "$PROJECT" | hipocampus hook session-start > /dev/null
kill $MOCK
cp -r memory "$OUT/memory"
hipocampus status > "$OUT/status.txt" 2>&1
