#!/usr/bin/env bash
# Checks promises beyond right results: licences and advisories of the dependencies (deny.toml), and, with `long`, the
# oldest compiler (rust-version in Cargo.toml), packages and the interface of the last tag. Leaves out checks whose
# tools are not installed, and says so.
#
#   tools/policy.sh [long]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1:-} in
    "")
        if cargo deny --version >/dev/null 2>&1; then
            cargo deny check bans licenses sources
            # cargo-deny fetches the database of advisories, so a machine without a network cannot check them.
            if cargo deny fetch db >/dev/null 2>&1; then
                cargo deny check --disable-fetch advisories
            else
                echo "skipped: advisories; their database cannot be fetched"
            fi
        else
            echo "skipped: licences and advisories; cargo install cargo-deny adds what checks them"
        fi
        ;;
    long)
        oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
        echo "== Rust $oldest"
        # Unlike cargo +..., this installs nothing.
        if rustup run "$oldest" cargo --version >/dev/null 2>&1; then
            rustup run "$oldest" cargo check --locked --workspace --all-features
        else
            echo "skipped: rustup toolchain install $oldest adds it"
        fi
        echo "== Packages"
        # Crates with `publish = false` are no packages.
        cargo package --workspace --exclude=bucketwheel-{capi,cli,node,peers,properties,python,rapidsnark,rtl,server,server-kit,torture,wasm,whole-file} --no-verify --allow-dirty --quiet
        echo "== Interfaces"
        if ! tag=$(git describe --tags --abbrev=0 2>/dev/null); then
            echo "skipped: there is no tag to compare with"
        elif cargo semver-checks --version >/dev/null 2>&1; then
            cargo semver-checks --workspace --baseline-rev "$tag"
        else
            echo "skipped: cargo install cargo-semver-checks adds what compares them with those of $tag"
        fi
        ;;
    *)
        echo "tools/policy.sh: unknown argument $1; expected long or none" >&2
        exit 1
        ;;
esac
