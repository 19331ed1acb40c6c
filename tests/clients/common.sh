# Sourced by each client's script, inside the sandbox. Needs OUT, TOOLS, BIN and a PORT.
set -u
mkdir -p "$OUT/bin"
# A stable name on PATH, as an installation has it.
ln -sf "$BIN" "$OUT/bin/hipocampus"
export PATH=$OUT/bin:$PATH
python3 "$TOOLS/mock_llm.py" "$PORT" "$OUT/llm" &
MOCK=$!
for _ in $(seq 50); do [ -f "$OUT/llm/ready" ] && break; sleep .1; done

# set_up PLATFORM: the project, with a line in ROOT.md that nothing else has
set_up() {
    mkdir -p "$PROJECT" && cd "$PROJECT" || exit 1
    git init -q . 2>/dev/null
    hipocampus init --platform "$1" --no-search > "$OUT/init.stdout" 2> "$OUT/init.stderr"
    mkdir -p memory
    printf '## Zebra crossing [user]\n- prefers ROOTTEXT-4711 over anything else\n' > "memory/$(date -d yesterday +%F).md"
    hipocampus compact > "$OUT/compact.stdout" 2>&1
    grep -q ROOTTEXT-4711 memory/ROOT.md || printf -- '- ROOTTEXT-4711 [user]: zebra crossing\n' >> memory/ROOT.md
}

# run NAME COMMAND...: one call of the client
run() {
    local name=$1 begun; shift
    begun=$(date +%s.%N)
    timeout "${LIMIT:-100}" "$@" > "$OUT/$name.stdout" 2> "$OUT/$name.stderr" < /dev/null
    echo "$name rc=$? seconds=$(echo "$(date +%s.%N) - $begun" | bc)" >> "$OUT/run.log"
}

finish() {
    kill $MOCK 2>/dev/null
    cp -r "$PROJECT/memory" "$OUT/memory"
    cp "$PROJECT"/*.md "$OUT/" 2>/dev/null
    (cd "$PROJECT" && hipocampus status --json > "$OUT/status.json" 2>/dev/null)
    true
}
