#!/usr/bin/env bash
# usage: prove.sh [CLIENT...]: takes away one thing after another that `init` puts in place and runs the real client
# without it; succeeds if the check meant for that thing fails each time. Same environment as run.sh.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- claude-code codex opencode openclaw
bad=0

# expect CLIENT WHAT CHECK
expect() {
    local said
    said=$(TAKE_AWAY=$2 "$here/run.sh" "$1" 2>&1)
    if grep -q "^$1: FAIL $3" <<< "$said"; then
        echo "$1 without $2: seen by \"$3\""
    else
        echo "$1 without $2: NOT SEEN by \"$3\""
        bad=1
    fi
}

for client in "$@"; do
    expect "$client" root 'ROOT.md is in what the model gets'
    expect "$client" protocol 'the protocol is in what the model gets'
    expect "$client" skill 'the skills are listed'
    case $client in
    claude-code)
        expect "$client" PreCompact 'PreCompact was answered'
        expect "$client" TaskCompleted 'TaskCompleted saved a session'
        expect "$client" SessionEnd 'the end of the first session saved it'
        expect "$client" SessionStart 'every event arrived'
        ;;
    codex)
        for event in SessionStart PreCompact Stop SessionEnd; do
            expect "$client" $event 'every event arrived'
        done
        ;;
    opencode | openclaw) expect "$client" plugin 'every prompt is in the log once' ;;
    esac
done
exit $bad
