#!/usr/bin/env bash
# One run of an agent that keeps each session in a file of its own, inside the sandbox: of GitHub Copilot, Qwen Code, Gemini
# CLI, Droid or Cline; or of two agents at once, `AGENT=copilot+qwen`. Needs AGENT, PORT, OUT, TOOLS and BIN.
set -u
HERE=$(cd "$(dirname "$0")" && pwd)
PROJECT=$OUT/project
. "$HERE/agents.sh"
mkdir -p "$OUT/bin" "$PROJECT"
ln -sf "$BIN" "$OUT/bin/hipocampus"
export PATH=$OUT/bin:$PATH GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@e.org GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@e.org
# Asked for a summary is it by how the last message begins or ends: prompts are quoted between.
sed -E "s/^( +)if \('anchored summary' in last.*\): d=/\1if re.search('^Summarize |detailed summary|state_snapshot|final summary', last[:300] + last[-300:]): d=/" \
    "$TOOLS/more/mock_all.py" > "$OUT/mock_all.py"
python3 "$OUT/mock_all.py" "$PORT" "$OUT/llm" &
MOCK=$!
for _ in $(seq 50); do [ -f "$OUT/llm/ready" ] && break; sleep .1; done
cd "$PROJECT" || exit 1
git init -q .
for one in ${AGENT/+/ }; do
    hipocampus init --platform "$one" --no-search >> "$OUT/init.stdout" 2>> "$OUT/init.stderr"
done
[ -z "${TAKE_AWAY:-}" ] || python3 "$HERE/take_away.py" "$TAKE_AWAY" || exit 1
for days in $(seq 3 24); do
    printf '## Shed %s [project]\n- decision: paint shed %s before fence %s\n' "$days" "$days" "$days" > "memory/$(date -d "$days days ago" +%F).md"
done
# Of its topic ROOT.md says what was decided later.
printf '## Request cache [project]\n- decision: PROMPTWORD-4711 the request cache lives in redis, because two proxies share it\n- lesson: FILEWORD-4711 gate.txt must end in a newline\n' \
    > "memory/$(date -d '60 days ago' +%F).md"
printf '## Request cache [project]\n- decision: the request cache holds a day\n' > "memory/$(date -d '30 days ago' +%F).md"
hipocampus compact > "$OUT/compact.stdout" 2>&1
printf -- '---\ntype: root\n---\n\n## Active Context\n- ROOTTEXT-4711 is what matters\n' > memory/ROOT.md
mkdir -p sub
echo tide > gate.txt
git add -A . && git commit -qm one
ASKED='move the request cache of both proxies out of redis'

# session NAME PROMPT: a new session of the agent
session() { run "$1" "${ask[@]}" ${text[@]+"${text[@]}"} "$2"; }
go_on() { again "$2"; run "$1" "${command[@]}"; }

company() {
    # Each of the two holds two sessions, and goes on with one of them, while the other does.
    local one
    for one in ${AGENT/+/ }; do
        (
            agent "$one"
            session "01-$one" "${one^^}-FIRST-PROMPT about zebras: $ASKED"
            go_on "02-$one" "${one^^}-SECOND-PROMPT about zebras"
            session "03-$one" "${one^^}-OTHER-PROMPT about zebras: $ASKED"
        ) &
    done
    wait $(jobs -p | grep -vx "$MOCK")
}

alone() {
    agent "$AGENT"
    session 01-first "FIRST-PROMPT about zebras: $ASKED $tools"
    cat memory/20*.md > "$OUT/01-first.kept.md"
    go_on 02-second "SECOND-PROMPT about zebras: $ASKED"
    # GitHub Copilot may write the end of a session when its hooks have run: the next start brings that in.
    [ "$AGENT" != copilot ] || cat memory/20*.md > "$OUT/01-first.kept.md"
    if [ "$AGENT" = droid ]; then
        # Without its service it shortens a session where its context is full, and goes on with one only in the same process.
        printf '{"role":"user","content":"%s-PROMPT about zebras%s"}\n' FULL ' MOCK_BIG 400000' THIRD '' > "$OUT/two.jsonl"
        run 04-third bash -c 'exec "${@:2}" < "$1"' - "$OUT/two.jsonl" "${ask[@]}" --input-format stream-json -o stream-json
    else
        go_on 03-shorten "$shorten"
        go_on 04-third 'THIRD-PROMPT about zebras'
    fi
    killed KILLED-PROMPT "${ask[@]}" ${text[@]+"${text[@]}"} "KILLED-PROMPT about zebras $busy"
    cd sub || exit 1
    session 05-subfolder 'SUBFOLDER-PROMPT about zebras'
    cd .. || exit 1
    # Two of its sessions at once.
    session 06-one 'ONE-PROMPT about zebras' &
    local one=$!
    session 07-two 'TWO-PROMPT about zebras' &
    wait $one $!
    session 08-last 'LAST-PROMPT about zebras'
}

if [[ $AGENT == *+* ]]; then company; else alone; fi
# The same for the last one.
sleep 2
printf '{"hook_event_name":"%s","session_id":"next","cwd":"%s","source":"new"}' SessionStart "$PROJECT" | hipocampus hook session-start > /dev/null
kill $MOCK
cp -r memory "$OUT/memory"
hipocampus status > "$OUT/status.txt" 2>&1
hipocampus status --receipt > "$OUT/receipt.txt" 2>&1
