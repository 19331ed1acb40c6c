#!/usr/bin/env bash
# usage: run.sh [CLIENT...]; see README.md beside this file
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export HIPOCAMPUS_BIN CLIENTS CLIENTS_TOOLS
HIPOCAMPUS_BIN=$(realpath "${HIPOCAMPUS_BIN:?the program under test}")
CLIENTS=$(realpath "${CLIENTS:?the folder of the installed clients}")
CLIENTS_TOOLS=$(realpath "${CLIENTS_TOOLS:?the folder of mock_llm.py and sandbox.sh}")
[ $# -gt 0 ] || set -- claude-code codex opencode openclaw
bad=0
for client in "$@"; do
    out=$CLIENTS/runs/hipocampus-$client
    home=$CLIENTS/homes/hipocampus-$client
    rm -rf "$out" "$home"
    mkdir -p "$out" "$home"
    script=$here/$client.sh checks=$here/check.py
    case $client in *+* | cline | copilot | droid | gemini | qwen) script=$here/by-file.sh checks=$here/by-file.py ;; esac
    SBX_HOME=$home SBX_ENV="AGENT=$client PORT=8960 OUT=$out CLIENTS=$CLIENTS TOOLS=$CLIENTS_TOOLS BIN=$HIPOCAMPUS_BIN QMD_DISABLE=1 TAKE_AWAY=${TAKE_AWAY:-} LIMIT=${LIMIT:-100}" \
        timeout "$((${LIMIT:-100} * 6))" "$CLIENTS_TOOLS/sandbox.sh" "$script" > "$out/sandbox.log" 2>&1 || echo "$client: the sandbox ended with $?"
    python3 "$checks" "$client" "$out" || bad=1
    # What the hooks wrote is what `import` makes of the client's store, unless something was taken away from them.
    if [ -z "${TAKE_AWAY:-}" ] && [[ $client != *plugin ]]; then
        python3 "$here/import.py" "$client" "$out" "$home" || bad=1
    fi
done
exit $bad
