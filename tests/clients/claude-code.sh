#!/usr/bin/env bash
PORT=8951 PROJECT=$OUT/project
. "$(dirname "$0")/common.sh"
export ANTHROPIC_BASE_URL=http://127.0.0.1:$PORT ANTHROPIC_API_KEY=fake DISABLE_TELEMETRY=1 DISABLE_ERROR_REPORTING=1 \
    DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 IS_SANDBOX=1
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.org GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.org
client=$CLIENTS/pkgs/claude/node_modules/@anthropic-ai/claude-code-linux-x64/claude
set_up claude-code
id() { printf '%s1111111-1111-4111-8111-111111111111' "$1"; }
# The same for `talk`, whose steps are lines.
spoken() { calls "$@" | sed -z 's/\n/\\n/g'; }
events=(--output-format stream-json --verbose --include-hook-events)
talk() {
    local name=$1 id=$2 steps=$3
    run "$name" python3 "$HERE/talk.py" "$steps" "$client" -p --session-id "$id" --input-format stream-json \
        "${events[@]}" --allowedTools 'Bash TaskCreate TaskUpdate'
}

# One session: a tool, a resumption, a compaction, and on. At its end only SessionEnd has saved it.
read_it() { printf '{"file_path":"%s/marsh/gate.txt"}' "$PROJECT"; }
write_it() { printf '{"file_path":"%s/marsh/after.txt","content":"reed"}' "$PROJECT"; }
run 01-first "$client" -p "FIRST-PROMPT about zebras: $ASKED$(calls Bash '{"command":"printf %s-%s tool output"}' \
    Read "$(read_it)" Write "$(write_it)")" --session-id "$(id 1)" \
    "${events[@]}" --dangerously-skip-permissions
keep 01-first
run 02-resume "$client" -p "SECOND-PROMPT about zebras: $ASKED$(calls Read "$(read_it)")" --resume "$(id 1)" "${events[@]}"
run 03-compact "$client" -p '/compact keep the zebras' --resume "$(id 1)" "${events[@]}"
run 04-after "$client" -p 'THIRD-PROMPT about zebras' --resume "$(id 1)" "${events[@]}"
# The same turns once more under another id.
run 05-fork "$client" -p 'FORKED-PROMPT about zebras' --resume "$(id 1)" --fork-session "${events[@]}"
# Killed sessions, each saved by one event only: a compaction, the end of a task of the list.
talk 06-precompact "$(id 2)" '
    say PRECOMPACT-PROMPT about zebras
    result
    say /compact
    result
    kill'
keep 06-precompact
talk 07-task "$(id 3)" "
    say TASK-PROMPT about zebras$(spoken TaskCreate '{"subject":"count stripes","description":"all of them"}' TaskUpdate '{"taskId":"1","status":"completed"}')
    result
    kill"
keep 07-task
# Killed with nothing saved: the next start brings it in.
talk 08-killed "$(id 4)" '
    say KILLED-PROMPT about zebras
    result
    kill'
keep 08-killed
# What is typed while a tool runs.
talk 09-mid-turn "$(id 5)" "
    say BEFORE-PROMPT about zebras$(spoken Bash '{"command":"sleep 4"}')
    sleep 2
    say MIDTURN-PROMPT about zebras
    result
    sleep 1"
keep 09-mid-turn
# Below the project no imports and no hooks of the project arrive: the agent is told to read, the next start catches up.
mkdir -p sub && cd sub || exit 1
run 10-subfolder "$client" -p 'SUBFOLDER-PROMPT about zebras' --session-id "$(id 6)" "${events[@]}"
cd .. || exit 1
# A linked worktree: its words belong to the project's memory, which its agent sees.
# `update` registers what was taken away again.
cp memory/.hipocampus.log-fired "$OUT/fired"
git add CLAUDE.md && git commit -qm 'the protocol' && git worktree add -q "$OUT/worktree" && hipocampus update > "$OUT/update.stdout" 2>&1
cd "$OUT/worktree" || exit 1
run 11-worktree "$client" -p 'WORKTREE-PROMPT about zebras' --session-id "$(id 7)" "${events[@]}"
cd "$PROJECT" || exit 1
git worktree remove --force "$OUT/worktree"
# The model takes a day that waits and hands its summary in, as the skill says.
day=$(date -d '10 days ago' +%F)
written="## Topics\\nCrossing [project]\\n\\n## Key Decisions\\n- SUMMARY-4711: analysis of each stripe\\n\\n## Tasks Completed\\n\\n## Lessons Learned\\n\\n## Open Items\\n"
run 13-skill "$client" -p "SKILL-PROMPT about zebras: work the hipocampus-compaction skill$(calls Skill '{"skill":"hipocampus-compaction"}')" \
    --session-id "$(id 9)" "${events[@]}" --dangerously-skip-permissions
run 14-work "$client" -p "WORK-PROMPT about zebras: do what it says$(calls \
    Bash '{"command":"hipocampus pending --claim --prompt | head -c 3000"}' \
    Bash "{\"command\":\"printf '$written' | hipocampus summarize $day -\"}")" --resume "$(id 9)" "${events[@]}" --dangerously-skip-permissions
cp "memory/daily/$day.md" "$OUT/summarised.md"
switch_off
forget_rule
late
run 12-last "$client" -p "LAST-PROMPT about zebras: $ASKED" --session-id "$(id 8)" "${events[@]}"
finish
