#!/usr/bin/env bash
# Checks the cargo features of the library crates: none of them, each alone, all; the tests of bucketwheel-snarkjs and
# bucketwheel-groth16 alone; and the command without `witness`, and with `serve` alone. Warnings are errors.
#
#   tools/features.sh [build]
#
# build: also compiles them, and runs the tests of builds that lack something. Takes half an hour.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1:-} in
    "")
        # Clippy's driver alone can refuse warnings in the workspace's crates and keep the results of other crates,
        # which `make lint` has checked.
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

# Runs cargo, after a line that says what it does.
run() {
    echo "cargo $*"
    cargo "$@" --quiet
}

check() {
    echo "cargo ${action[*]} $*"
    cargo "${action[@]}" --quiet "$@" "${refuse[@]}"
}

# Prints the features of a crate's manifest.
features_of() { sed -n '/^\[features\]/,/^\[dependencies\]/s/^\([a-z0-9-]*\) = \[.*/\1/p' "$1/Cargo.toml" | grep -vx default; }

crates=(bucketwheel formats dynamic transform snarkjs groth16 circuit capi)
packages=()
for crate in "${crates[@]}"; do
    package=bucketwheel-$crate
    [[ $crate != bucketwheel ]] || package=bucketwheel
    packages+=(--package "$package")
    # Each crate alone, because crates that are built together have each other's dependencies with all of their
    # features.
    check --package "$package" --no-default-features
    [[ ${1:-} != build ]] || check --package "$package" --all-features
    # The tests alone, with the features that `cargo test --package` has. Other crates' tests need curves that their defaults lack.
    case $crate in snarkjs | groth16) check --package "$package" --tests ;; esac
    [[ ${1:-} == build ]] || continue
    for feature in $(features_of "crates/$crate"); do
        check --package "$package" --no-default-features --features "$feature"
    done
done
if [[ ${1:-} != build ]]; then
    # A feature means the same in all crates that have it, so one run checks all of them.
    for feature in $(for crate in "${crates[@]}"; do features_of "crates/$crate"; done | sort -u); do
        check "${packages[@]}" --no-default-features --features "$feature"
    done
fi
check --package bucketwheel-cli --no-default-features
check --package bucketwheel-cli --no-default-features --features serve

if [[ ${1:-} == build ]]; then
    run test --package bucketwheel-formats --no-default-features --features bn254 --test curves
    run test --package bucketwheel-snarkjs --no-default-features --features bn254 --test curves
    run test --package bucketwheel-circuit --test circuit -- keys_of_other_curves_need_a_feature
    run test --package bucketwheel-cli --no-default-features --test cli -- a_build_without
fi
