# Sourced by each client's script, inside the sandbox. Needs OUT, TOOLS, BIN and a PORT.
set -u
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$HERE/calls.sh"
mkdir -p "$OUT/bin"
# A stable name on PATH, as an installation has it.
ln -sf "$BIN" "$OUT/bin/hipocampus"
export PATH=$OUT/bin:$PATH
# Its summaries end as the hook before a compaction asks for.
sed 's/MOCK-SUMMARY: user asked about zebra[^\\'"'"']*/&\\n\\n## Memory entries\\n\\n### Stripe count [feedback]\\n- rule: STRIPES-4711 count twice/' \
    "$TOOLS/mock_llm.py" > "$OUT/mock_llm.py"
python3 "$OUT/mock_llm.py" "$PORT" "$OUT/llm" &
MOCK=$!
for _ in $(seq 50); do [ -f "$OUT/llm/ready" ] && break; sleep .1; done

# What is asked about that ROOT.md does not say.
ASKED='how does the marsh gate open when floods come at night?'

# only_the_memory_knows: an old day about a gate and two files, of whose topic ROOT.md says what was decided later
only_the_memory_knows() {
    local days
    mkdir -p marsh sub
    echo tide > marsh/gate.txt
    echo reeds > sub/reeds.txt
    printf -- '## Marsh gate [project]\n- decision: %s\n- decision: %s\n- decision: %s\n' \
        'the marsh gate opens by a float from PROMPTWORD-4711, because floods come at night' \
        '`marsh/gate.txt` keeps its tide table, because FILEWORD-4711 reads it' \
        '`sub/reeds.txt` lists each reed, because BELOWWORD-4711 counts them' > "memory/$(date -d '60 days ago' +%F).md"
    for days in 31 32 33 34 35 36; do
        printf -- '## Orchard [project]\n- decision: prune row %s in winter\n' "$days" > "memory/$(date -d "$days days ago" +%F).md"
    done
    printf -- '## Marsh gate [project]\n- decision: the paint of the fence is green\n' > "memory/$(date -d '30 days ago' +%F).md"
}

# set_up PLATFORM: the project, with a topic in yesterday's log that nothing but the machine's own ROOT.md brings to a model
set_up() {
    mkdir -p "$PROJECT" && cd "$PROJECT" || exit 1
    git init -q . 2>/dev/null
    hipocampus init --platform "$1" --no-search > "$OUT/init.stdout" 2> "$OUT/init.stderr"
    [ -z "${TAKE_AWAY:-}" ] || python3 "$HERE/take_away.py" "$TAKE_AWAY" || exit 1
    python3 - <<'END'
import json
config = json.load(open("hipocampus.config.json"))
config["capture"] = {"askOnCompact": True}
config["summaries"] = {**config.get("summaries", {}), "since": "2020-01-01"}
json.dump(config, open("hipocampus.config.json", "w"), indent=2)
END
    mkdir -p memory
    # Two days that wait for a summary.
    for days in 10 20; do
        { echo '## Crossing [project]'; seq 250 | sed "s/^/- analysis of $days: stripe /"; } > "memory/$(date -d "$days days ago" +%F).md"
    done
    only_the_memory_knows
    printf '## ROOTTEXT-4711 crossing [user]\n- prefers zebras over anything else\n' > "memory/$(date -d yesterday +%F).md"
    hipocampus compact > "$OUT/compact.stdout" 2>&1
    # A rule of the user, which stands in no file of the project.
    hipocampus init --user > "$OUT/user.stdout" 2>&1
    hipocampus flush --user --topic 'Stripes at large' --type feedback -m 'rule: USERRULE-4711 is to count stripes twice' >> "$OUT/user.stdout" 2>&1
    cp memory/ROOT.md "$OUT/ROOT.made.md" 2>/dev/null
}

# keep NAME: the logs as they are now, before anything else of the client runs
keep() {
    cat "$PROJECT"/memory/20*.md > "$OUT/$1.kept.md"
}

# run NAME COMMAND...: one call of the client
run() {
    local name=$1 begun; shift
    begun=$(date +%s.%N)
    timeout "${LIMIT:-100}" "$@" > "$OUT/$name.stdout" 2> "$OUT/$name.stderr" < /dev/null
    echo "$name rc=$? seconds=$(echo "$(date +%s.%N) - $begun" | bc)" >> "$OUT/run.log"
}

# killed NAME WORD COMMAND...: one call of the client, killed while the model's answer to WORD keeps a tool busy. One that ends
# before it is killed has shown nothing: `rc=137` in run.log is checked.
killed() {
    local name=$1 word=$2 begun; shift 2
    begun=$(date +%s.%N)
    setsid "$@" > "$OUT/$name.stdout" 2> "$OUT/$name.stderr" < /dev/null &
    local client=$!
    for _ in $(seq 600); do
        grep -qs -- "$word" "$OUT"/llm/*.json && break
        sleep .1
    done
    sleep 2
    kill -KILL -- "-$client"
    wait "$client" 2> /dev/null
    echo "$name rc=$? seconds=$(echo "$(date +%s.%N) - $begun" | bc)" >> "$OUT/run.log"
}

# forget_rule: from now on the user has no rule any more
forget_rule() {
    hipocampus forget --user --yes --match USERRULE-4711 >> "$OUT/user.stdout" 2>&1
}

# switch_off: from now on no summary is ever due, though one would be
switch_off() {
    rm -f "$PROJECT/memory/.compaction-state.json" "$PROJECT/memory/.hipocampus.log-due"
    (cd "$PROJECT" && hipocampus status --due) > "$OUT/due.before" 2>&1
    # In place: OpenCode's plugin takes the birth of this file for the day of `init`.
    sed 's/"mode": "due"/"mode": "off"/' "$PROJECT/hipocampus.config.json" > "$OUT/off.json"
    cat "$OUT/off.json" > "$PROJECT/hipocampus.config.json"
    (cd "$PROJECT" && hipocampus status --due) > "$OUT/due.after" 2>&1
}

# late: from now on what hooks say of the memory never comes, though they are called
late() {
    rm "$OUT/bin/hipocampus"
    printf '#!/bin/sh\ncase "$*" in "hook prompt" | "hook tool") exec sleep 60 ;; esac\nexec "%s" "$@"\n' "$BIN" > "$OUT/bin/hipocampus"
    chmod +x "$OUT/bin/hipocampus"
}

finish() {
    kill $MOCK 2>/dev/null
    [ -d "$OUT/memory" ] && rm -r "$OUT/memory"
    cp -r "$PROJECT/memory" "$OUT/memory"
    cp "$PROJECT"/*.md "$OUT/" 2>/dev/null
    (cd "$PROJECT" && hipocampus status --json > "$OUT/status.json" 2>/dev/null)
    (cd "$PROJECT" && hipocampus status --receipt > "$OUT/receipt.txt" 2>&1)
    true
}
