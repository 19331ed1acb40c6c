#!/usr/bin/env bash
# Does what .github/workflows/release.yml does, for the targets that this machine can build, or those that are named.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=target/release-dry
rm -rf "$out" && mkdir -p "$out"
HIPOCAMPUS_COMMIT=$(git rev-parse HEAD)
export HIPOCAMPUS_COMMIT
# The linker that comes with Rust, so that another processor needs no C compiler of its own.
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld
# What npm thinks of the settings of whoever runs this belongs to no release.
export npm_config_loglevel=error
left=()
runs_here=
for pair in x86_64-unknown-linux-musl=linux-x64 aarch64-unknown-linux-musl=linux-arm64 x86_64-apple-darwin=darwin-x64 aarch64-apple-darwin=darwin-arm64; do
    target=${pair%=*} npm=${pair#*=}
    if [ $# -gt 0 ] && [[ " $* " != *" $target "* ]]; then
        left+=("$target: not asked for")
        continue
    fi
    if [[ $target == *-apple-* ]] && [ "$(uname)" != Darwin ]; then
        left+=("$target: no linker for macOS here, where \`cargo check --target $target\` is all that can be done")
        continue
    fi
    if ! { rustc --print target-libdir --target "$target" | xargs test -d; } 2>/dev/null; then
        left+=("$target: no standard library here (\`rustup target add $target\`)")
        continue
    fi
    binary=${CARGO_TARGET_DIR:-target}/$target/dist/hipocampus
    if ! cargo build --locked --profile dist --target "$target" --bin hipocampus 2> "$out/build.log"; then
        left+=("$target: $(grep -m1 -E '^error|linker|cannot' "$out/build.log" || echo 'does not build here')")
        continue
    fi
    if "$binary" -V > /dev/null 2>&1; then runs_here=$binary; fi
    if [ -z "$runs_here" ]; then
        left+=("$target: nothing that runs here prints its completions")
        continue
    fi
    .github/release/release.py archive --binary "$binary" --target "$target" --out "$out" --runs-here "$runs_here"
    if command -v npm > /dev/null; then
        node npm/build.mjs --binary "$binary" --platform "$npm" --out "$out"
    else
        left+=("npm packages of $npm: npm is not installed")
    fi
done
rm -f "$out/build.log"
.github/release/release.py sums --out "$out"
.github/release/release.py formula --out "$out" 2> "$out/formula.log" || true
if [ -s "$out/formula.log" ]; then left+=("the Homebrew formula: $(cat "$out/formula.log")"); fi
rm -f "$out/formula.log"
left+=("tests on macOS and on ARM, the release on GitHub, npm: done by the workflow, on its own machines")
(cd "$out" && sha256sum --check --quiet SHA256SUMS)
ls -l "$out"
printf 'left to the workflow:\n'
printf '  %s\n' "${left[@]}"
