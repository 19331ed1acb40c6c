#!/usr/bin/env bash
# Runs the tests of the npm packages under other versions of node, each installed from the registry into a folder of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for version in "${@:-18 20 22 24}"; do
    for one in $version; do
        npm install --silent --no-audit --no-fund --prefix "$work/$one" "node@$one" npm@10
        echo "== node $("$work/$one/node_modules/.bin/node" --version)"
        CI=true PATH="$work/$one/node_modules/.bin:$PATH" cargo test --quiet --test it package::
    done
done
