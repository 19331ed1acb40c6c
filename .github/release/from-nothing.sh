#!/usr/bin/env bash
# From nothing to a working `init` in two commands each: with Node alone, with Rust alone, with neither. HOME is empty, and
# PATH has what the way needs and no more. Packages and archive are those in DIR, so that no network is needed.
#
#     .github/release/from-nothing.sh DIR [node rust archive]
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
out=$(cd "$1" && pwd)
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A PATH with these programs only.
path() {
    rm -rf "$work/bin" && mkdir "$work/bin"
    local name
    for name in "$@"; do ln -s "$(command -v "$name")" "$work/bin/$name"; done
}

# One of the commands, as somebody types it in a project.
type_in() {
    echo "\$ $*"
    (cd "$work/home/project" && env -i HOME="$work/home" PATH="$work/bin${extra:+:$extra}" LANG=C.UTF-8 "${more[@]}" sh -c "$*")
}

begin() {
    echo "== $1"
    rm -rf "$work/home" && mkdir -p "$work/home/project"
    extra= more=(X=)
}

# The hooks that are there run a program that is there.
proof() {
    local program
    program=$(sed -n 's/.*"command": "\\"\(.*\)\\" compact --stdin".*/\1/p' "$work/home/project/.claude/settings.local.json" | head -1)
    [ -x "$program" ] && [ -e "$work/home/project/memory/ROOT.md" ] && echo "-- the hooks run $program"
}

# What node calls this machine.
machine() {
    case "$(uname -sm)" in
        *x86_64) echo "$(uname -s | tr '[:upper:]' '[:lower:]')-x64" ;;
        *) echo "$(uname -s | tr '[:upper:]' '[:lower:]')-arm64" ;;
    esac
}

with_node() {
    begin "Node alone"
    path node npm npx sh env
    more=(npm_config_offline=true npm_config_registry=http://127.0.0.1:9/ npm_config_update_notifier=false)
    local packages
    # A registry leaves out the packages for other machines; npm refuses them where they are named.
    packages=$(printf ' --package=%s' "$out"/hipocampus-memory-[0-9]*.tgz "$out/hipocampus-memory-$(machine)"-*.tgz)
    type_in "npm exec --yes$packages -- hipocampus init --no-search"
    proof
}

with_rust() {
    begin "Rust alone"
    path cargo rustc cc ld sh
    more=(RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}" CARGO_HOME="${CARGO_HOME:-$HOME/.cargo}" RUSTUP_TOOLCHAIN=stable
        CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$top/target}" CARGO_NET_OFFLINE=true)
    extra=$work/home/bin
    type_in "cargo install --locked --quiet --root $work/home --path $top"
    type_in "hipocampus init --no-search"
    proof
}

with_archive() {
    begin "neither"
    path sh uname mktemp curl grep cut sha256sum tar gzip mkdir cp chmod mv rm
    more=(HIPOCAMPUS_RELEASES="file://$out")
    extra=$work/home/.local/bin
    type_in "curl -fsSL file://$out/install.sh | sh"
    type_in "hipocampus init --no-search"
    proof
}

for way in "${@:-node rust archive}"; do for one in $way; do "with_$one"; done; done
