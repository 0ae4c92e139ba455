#!/usr/bin/env bash
# Runs Nova's own example `minroot` and benchmark `sha256` with our engines. They are the registry's sources, whose import of
# the engines alone is changed.
#
#   tools/nova.sh [speed]
#
# speed: also runs them with Nova's engines, and prints both programs' times beside each other.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1:-} in
    "" | speed) ;;
    *)
        echo "tools/nova.sh: unknown argument $1; expected speed or none" >&2
        exit 1
        ;;
esac

root=$PWD
version=$(sed -n 's/^nova-snark = { version = "\([0-9.]*\)", default-features = false }/\1/p' crates/nova/Cargo.toml)
source=$(cargo metadata --format-version 1 --filter-platform "$(rustc -vV | sed -n 's/^host: //p')" |
    python3 -c 'import json, os, sys
print(*{os.path.dirname(p["manifest_path"]) for p in json.load(sys.stdin)["packages"] if p["name"] == "nova-snark"})')

# A package outside of the workspace, because of its profile and its dependencies.
folder=target/nova
mkdir -p "$folder/src" "$folder/examples" "$folder/benches"
: >"$folder/src/lib.rs"
cat >"$folder/Cargo.toml" <<EOF
[workspace]

[package]
name = "nova-programs"
version = "0.0.0"
edition = "2021"

[dependencies]
bucketwheel-nova = { path = "$root/crates/nova" }
nova-snark = { version = "$version", features = ["test-utils"] }
bincode = { version = "2", features = ["serde"] }
criterion = "0.5"
ff = { version = "0.13", features = ["derive"] }
flate2 = "1"
num-bigint = "0.4"
sha2 = "0.10"

[[bench]]
name = "sha256_ours"
harness = false

[[bench]]
name = "sha256_nova"
harness = false
EOF
cp Cargo.lock "$folder/Cargo.lock"
for program in examples/minroot benches/sha256; do
    cp "$source/$program.rs" "$folder/${program}_nova.rs"
    sed 's/^  provider::{Bn256EngineKZG, GrumpkinEngine},$//; s/^type E1 = Bn256EngineKZG;/use bucketwheel_nova::{Bn256EngineKZG, GrumpkinEngine};\n&/' \
        "$source/$program.rs" >"$folder/${program}_ours.rs"
    ! cmp --silent "$folder/${program}_nova.rs" "$folder/${program}_ours.rs"
done

cd "$folder"
export CARGO_TARGET_DIR=$root/target/nova/target
run() { cargo run --release --quiet --example "minroot_$1" | tee "minroot_$1.txt"; }
if [[ ${1:-} != speed ]]; then
    cargo bench --quiet --bench sha256_ours -- --test
    run ours
    exit
fi
for engines in nova ours; do
    echo "== $engines"
    cargo bench --quiet --bench "sha256_$engines"
    run "$engines"
done
