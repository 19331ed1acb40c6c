#!/usr/bin/env bash
# Builds the program as it is released, for each target that is named, else the one for Linux on this processor, and
# prints its path. A first build counts what it runs while train.py takes it through a working day; the second makes what
# was counted often fast and all the rest small. CONTRIBUTING.md tells what that gives.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${CARGO_TARGET_DIR:-target}
mkdir -p "$out" && out=$(cd "$out" && pwd)
tools=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin
if [ ! -x "$tools/llvm-profdata" ]; then
    echo 'error: `llvm-profdata` of the toolchain is missing; run `rustup component add llvm-tools`' >&2
    exit 1
fi
machine=$(uname -m)
case $(uname) in
    Darwin) here=${machine/arm64/aarch64}-apple-darwin ;;
    *) here=$machine-unknown-linux-musl ;;
esac

# built TARGET FLAG...: the program for TARGET with a compiler flag more than small.toml has.
built() {
    local target=$1 last=() path=$out/$1/dist/hipocampus
    [ -z "${KEEP_SYMBOLS:-}" ] || last=(-C strip=none)
    cargo rustc --locked --quiet --config .github/release/small.toml --config "target.$target.rustflags=[\"$2\"]" \
        --profile dist --target "$target" --bin hipocampus -- ${last[@]+"${last[@]}"} >&2 || return
    echo "$path"
}

# The counts of these sources. Those of one processor serve another one: what differs in its code counts as unknown.
sources=$(git ls-files -z -- src templates benches tests/fixtures build.rs Cargo.toml Cargo.lock .github/release |
    xargs -0 cat | cat - <(rustc -vV) | git hash-object --stdin)
profile=$out/profile-${sources:0:16}.profdata
if [ ! -s "$profile" ]; then
    rm -f "$out"/profile-*.profdata
    counts=$(mktemp -d)
    trap 'rm -rf "$counts"' EXIT
    counting=$(built "$here" -Cprofile-generate)
    # One file for all runs: `%m` adds to what is there.
    LLVM_PROFILE_FILE=$counts/%m.profraw .github/release/train.py "$counting" >&2
    "$tools/llvm-profdata" merge -o "$profile" "$counts"
fi
for target in "${@:-$here}"; do built "$target" "-Cprofile-use=$profile"; done
