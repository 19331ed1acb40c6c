#!/bin/sh
# Installs hipocampus for this user: downloads the archive of a release, verifies its checksum, and puts one program
# into ~/.local/bin. Asks for no password and changes no file of yours.
#
#     curl -fsSL https://github.com/kevin-hs-sohn/hipocampus/releases/latest/download/install.sh | sh
#
# HIPOCAMPUS_DIR        where the program goes, instead of ~/.local/bin
# HIPOCAMPUS_RELEASES   where the files of the release are, instead of GitHub: an https:// or file:// address
set -eu

VERSION=latest
REPOSITORY=https://github.com/kevin-hs-sohn/hipocampus

fail() {
    printf 'error: %s\nhint: %s\n' "$1" "$2" >&2
    exit 1
}

needs() {
    command -v "$1" >/dev/null 2>&1 || fail "\`$1\` is not there" "install it and run this again; nothing was changed"
}

target() {
    case "$(uname -s)-$(uname -m)" in
        Linux-x86_64) echo x86_64-unknown-linux-musl ;;
        Linux-aarch64 | Linux-arm64) echo aarch64-unknown-linux-musl ;;
        Darwin-x86_64) echo x86_64-apple-darwin ;;
        Darwin-arm64) echo aarch64-apple-darwin ;;
        *) fail "there is no build for $(uname -s) on $(uname -m)" "build it: cargo install --git $REPOSITORY" ;;
    esac
}

sum_of() {
    if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

# All of it in a function, so that a download that broke off runs nothing.
main() {
    needs curl && needs tar && needs uname
    if [ "$VERSION" = latest ]; then from=$REPOSITORY/releases/latest/download; else from=$REPOSITORY/releases/download/v$VERSION; fi
    from=${HIPOCAMPUS_RELEASES:-$from}
    to=${HIPOCAMPUS_DIR:-$HOME/.local/bin}
    target=$(target)
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT

    curl -fsSL "$from/SHA256SUMS" -o "$work/SHA256SUMS" || fail "\`$from/SHA256SUMS\` cannot be had" "try again later; nothing was changed"
    line=$(grep -- "-$target.tar.gz\$" "$work/SHA256SUMS") || fail "this release has no build for $target" "build it: cargo install --git $REPOSITORY"
    sum=${line%% *} archive=${line##* }
    curl -fsSL "$from/$archive" -o "$work/$archive" || fail "\`$from/$archive\` cannot be had" "try again later; nothing was changed"
    [ "$(sum_of "$work/$archive")" = "$sum" ] || fail "\`$archive\` is not what SHA256SUMS says" "do not use it; try again, and tell the maintainers if it happens twice"

    tar -xzf "$work/$archive" -C "$work"
    mkdir -p "$to"
    # A rename: a hook that runs at this moment has the old program or the new one.
    cp "$work/${archive%.tar.gz}/hipocampus" "$to/.hipocampus.new"
    chmod 755 "$to/.hipocampus.new"
    mv -f "$to/.hipocampus.new" "$to/hipocampus"

    echo "installed: $("$to/hipocampus" -V) in $to/hipocampus"
    case ":$PATH:" in
        *":$to:"*) echo "next: run \`hipocampus init\` in a project" ;;
        *) echo "next: put $to on your PATH, then run \`hipocampus init\` in a project" ;;
    esac
}

main
