#!/bin/sh
# What hipocampus does, in one minute, on a copy of the sample memory: six weeks of logs become an index, and a question
# is answered from it. `HIPOCAMPUS` names a program to use instead of building one.
set -eu
cd "$(dirname "$0")/.."
if [ -z "${HIPOCAMPUS:-}" ]; then
    echo "building the program, which takes some minutes the first time"
    cargo build --release --locked
    HIPOCAMPUS=${CARGO_TARGET_DIR:-target}/release/hipocampus
fi
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R examples/sample-memory/. "$copy"
rm -rf "$copy"/memory/daily "$copy"/memory/weekly "$copy"/memory/monthly "$copy"/memory/ROOT.md
# The evening of the last day in it, so that it reads the same on every day.
export HIPOCAMPUS_NOW="${HIPOCAMPUS_NOW:-2026-04-10T18:00:00+02:00}"

say() { printf '\n$ %s\n' "$*"; }

say hipocampus compact
"$HIPOCAMPUS" -C "$copy" compact
echo "read: $(cat "$copy"/memory/2026-*.md | wc -l | tr -d ' ') lines in the logs of six weeks"

say "less memory/ROOT.md   # what every new session begins with"
awk '/^## Topics Index/ { on = 1 } on' "$copy/memory/ROOT.md" | head -n 13
echo "  ... $(grep -c '^- ' "$copy/memory/ROOT.md") lines in all"

question="what do we do with old bookings that conflict"
say "hipocampus search $question"
# shellcheck disable=SC2086 # the words of a question
"$HIPOCAMPUS" -C "$copy" search --limit 2 $question
