# Everything CI runs, the same script.
ci:
    .ci/run

# Format the code.
fmt:
    cargo fmt

# Formatting and lints, as CI wants them.
lint:
    cargo fmt --check
    cargo clippy --all-targets -- -D warnings

# All tests.
test *args:
    cargo test {{ args }}

# The API documentation, without warnings.
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps

# Licences, sources, duplicate and known-bad versions of dependencies.
deny:
    cargo deny check

# Planning alone, then whole processes against `node -e 0`.
bench:
    cargo bench --bench planning
    cargo build --release
    benches/whole-process.py

# Instructions of a cold `compact` per byte of its logs, which no other work on the machine changes. Needs valgrind.
instructions:
    cargo build --release
    benches/instructions.py

# The real clients in a sandbox. Needs two folders in the environment: CLIENTS, where the clients are installed, and
# CLIENTS_TOOLS, with the mock model and the sandbox; tests/clients/README.md says what belongs into them.
clients *which:
    cargo build --release
    HIPOCAMPUS_BIN=target/release/hipocampus tests/clients/run.sh {{ which }}

# Takes away one thing after another that `init` puts in place: each time a check of `just clients` has to fail.
clients-prove *which:
    cargo build --release
    HIPOCAMPUS_BIN=target/release/hipocampus tests/clients/prove.sh {{ which }}

# The program as it is released.
dist target="x86_64-unknown-linux-musl":
    cargo build --locked --profile dist --target {{ target }} --bin hipocampus

# What a release is made of, as far as this machine can make it, into target/release-dry; the rest is listed.
release-dry *targets:
    .github/release/release-dry.sh {{ targets }}

# The tests on the static program for Linux, as it is released: another C library, another allocator.
musl *args:
    cargo test --locked --target x86_64-unknown-linux-musl {{ args }}

# From an empty home to a working `init` in two commands each, with the packages and archive of `just release-dry`.
from-nothing *ways:
    .github/release/from-nothing.sh target/release-dry {{ ways }}

# The npm packages under other versions of node, from the registry: `just npm-on 18 22 24`.
npm-on *versions:
    .github/release/npm-on.sh {{ versions }}

# The picture in the README, from a real run.
picture:
    examples/picture.py
