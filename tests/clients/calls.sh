# Sourced.

# calls TOOL JSON...: what makes the mock model call these tools, to be put behind a prompt. In a code fence, which titles
# and digests leave out: ROOT.md quotes prompts, and the model would call the tools again wherever it is loaded.
calls() {
    printf '\n\n```\n'
    while [ $# -gt 0 ]; do
        printf 'MOCK_TOOL %s %s END_MOCK\n' "$1" "$2"
        shift 2
    done
    printf '```'
}
