#!/usr/bin/env bash
# The cargo features of the crates that others use: none of them, each alone, all; and the command without `witness`, and with
# `serve` alone. Warnings are errors.
#
#   tools/features.sh [build]
#
# build: compiles them, too, and runs the tests of builds that lack something. Takes half an hour.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}/features
export RUSTFLAGS="${RUSTFLAGS:-} --deny warnings"

case ${1:-} in
    "") action=check ;;
    build) action=build ;;
    *)
        echo "tools/features.sh: unknown argument $1; expected build or none" >&2
        exit 1
        ;;
esac

# Cargo, with a line that says what is done.
run() {
    echo "cargo $*"
    cargo "$@" --quiet
}

# The features of a crate's manifest.
features_of() { sed -n '/^\[features\]/,/^\[dependencies\]/s/^\([a-z0-9-]*\) = \[.*/\1/p' "$1/Cargo.toml" | grep -vx default; }

for crate in bucketwheel formats dynamic capi groth16; do
    package=bucketwheel-$crate
    [[ $crate != bucketwheel ]] || package=bucketwheel
    run "$action" --package "$package" --no-default-features
    for feature in $(features_of "crates/$crate"); do
        run "$action" --package "$package" --no-default-features --features "$feature"
    done
    run "$action" --package "$package" --all-features
done
run "$action" --package bucketwheel-cli --no-default-features
run "$action" --package bucketwheel-cli --no-default-features --features serve

if [[ $action == build ]]; then
    run test --package bucketwheel-formats --no-default-features --features bn254 --test curves
    run test --package bucketwheel-groth16 --no-default-features --features bn254 --test curves
    run test --package bucketwheel-cli --no-default-features --test cli -- a_build_without
fi
