#!/usr/bin/env bash
# The cargo features of the crates that others use: none of them, each alone, all; and the command without `witness`, and with
# `serve` alone. Warnings are errors.
#
#   tools/features.sh [build]
#
# build: compiles them, too, and runs the tests of builds that lack something. Takes half an hour.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1:-} in
    "")
        # Clippy's driver alone can refuse warnings in the workspace's crates and leave what others' crates were checked with,
        # which `make lint` did.
        action=(clippy)
        refuse=(-- --deny warnings)
        ;;
    build)
        action=(build)
        refuse=()
        export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}/features
        export RUSTFLAGS="${RUSTFLAGS:-} --deny warnings"
        ;;
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

check() {
    echo "cargo ${action[*]} $*"
    cargo "${action[@]}" --quiet "$@" "${refuse[@]}"
}

# The features of a crate's manifest.
features_of() { sed -n '/^\[features\]/,/^\[dependencies\]/s/^\([a-z0-9-]*\) = \[.*/\1/p' "$1/Cargo.toml" | grep -vx default; }

crates=(bucketwheel formats dynamic capi groth16)
packages=()
for crate in "${crates[@]}"; do
    package=bucketwheel-$crate
    [[ $crate != bucketwheel ]] || package=bucketwheel
    packages+=(--package "$package")
done
# A feature means the same in all of them that have it, so that each is checked in one go, the crates side by side.
check "${packages[@]}" --no-default-features
for feature in $(for crate in "${crates[@]}"; do features_of "crates/$crate"; done | sort -u); do
    check "${packages[@]}" --no-default-features --features "$feature"
done
check "${packages[@]}" --all-features
check --package bucketwheel-cli --no-default-features
check --package bucketwheel-cli --no-default-features --features serve

if [[ ${1:-} == build ]]; then
    run test --package bucketwheel-formats --no-default-features --features bn254 --test curves
    run test --package bucketwheel-groth16 --no-default-features --features bn254 --test curves
    run test --package bucketwheel-cli --no-default-features --test cli -- a_build_without
fi
