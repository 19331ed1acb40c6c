#!/usr/bin/env bash
# usage: prove.sh [CLIENT...]: takes away one thing after another that `init` puts in place and runs the real client
# without it; succeeds if the check meant for that thing fails each time. Same environment as run.sh.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- claude-code codex opencode openclaw
bad=0

# expect CLIENT WHAT CHECK...
expect() {
    local said client=$1 what=$2 check
    said=$(TAKE_AWAY=$what "$here/run.sh" "$client" 2>&1)
    for check in "${@:3}"; do
        if grep -qF "$client: FAIL $check" <<< "$said"; then
            echo "$client without $what: seen by \"$check\""
        else
            echo "$client without $what: NOT SEEN by \"$check\""
            bad=1
        fi
    done
}

recalled='what the memory knows reaches the model'
shortened='what the session changed reaches the model after a compaction'
saved='the first session was saved when it was over'
index='ROOT.md is in what the model gets'
for client in "$@"; do
    case $client in
    copilot | qwen | gemini | droid | cline)
        expect "$client" hooks "$saved"
        section='the section is in what the model gets'
        case $client in
        copilot | qwen)
            expect "$client" protocol "$section" "$index"
            [ "$client" = copilot ] || expect "$client" Stop "$saved"
            expect "$client" UserPromptSubmit "$recalled at a prompt"
            expect "$client" PostToolUse 'and at a file'
            ;;
        gemini)
            expect "$client" protocol "$section" "$index"
            expect "$client" BeforeAgent "$recalled at a prompt"
            expect "$client" AfterTool 'and at a file'
            ;;
        droid)
            expect "$client" protocol "$section"
            expect "$client" SessionStart "$index"
            expect "$client" PostToolUse 'and at a file'
            ;;
        cline)
            expect "$client" protocol "$section"
            expect "$client" session-start "$index"
            expect "$client" compact "$saved" 'what the session changed reaches the model after that'
            expect "$client" prompt "$recalled at a prompt"
            expect "$client" tool 'and at a file'
            ;;
        esac
        continue
        ;;
    esac
    expect "$client" root 'ROOT.md is in what the model gets'
    expect "$client" protocol 'the protocol is in what the model gets'
    expect "$client" skill 'the skills are listed'
    case $client in
    claude-code)
        expect "$client" PreCompact 'PreCompact was answered'
        expect "$client" TaskCompleted 'TaskCompleted saved a session'
        expect "$client" SessionEnd 'the end of the first session saved it'
        expect "$client" SessionStart 'every event arrived' "$shortened"
        expect "$client" UserPromptSubmit "$recalled at a prompt"
        expect "$client" PostToolUse "$recalled at a file"
        expect "$client" record 'at a prompt it comes once in a session' 'at a file it comes once in a session'
        ;;
    codex)
        for event in PreCompact Stop SessionEnd; do
            expect "$client" $event 'every event arrived'
        done
        expect "$client" SessionStart 'every event arrived' "$shortened"
        expect "$client" UserPromptSubmit "$recalled at a prompt"
        expect "$client" PostToolUse "$recalled at a file" "$recalled at a file below a subfolder"
        expect "$client" record 'at a prompt it comes once in a session' 'at a file it comes once in a session'
        ;;
    opencode)
        expect "$client" plugin 'every prompt is in the log once'
        expect "$client" experimental.chat.messages.transform "$recalled at a prompt"
        expect "$client" tool.execute.after "$recalled at a file"
        expect "$client" compact "$shortened"
        expect "$client" record 'at a file it comes once in a session'
        ;;
    openclaw)
        expect "$client" plugin 'every prompt is in the log once'
        expect "$client" before_prompt_build "$recalled at a prompt"
        expect "$client" after_compaction "$shortened"
        expect "$client" record 'at a prompt it comes once in a session'
        ;;
    esac
done
exit $bad
