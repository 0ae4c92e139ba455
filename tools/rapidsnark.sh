#!/usr/bin/env bash
# Builds rapidsnark's C library with our prover (docs/c.md) and leaves it in a folder with headers and pkg-config
# files. The folder may be moved.
#
#   tools/rapidsnark.sh [FOLDER]
#
# FOLDER: target/capi by default.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=${1:-target/capi}
built=${CARGO_TARGET_DIR:-target}${CARGO_BUILD_TARGET:+/$CARGO_BUILD_TARGET}/release
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)

cargo build --release --package bucketwheel-rapidsnark
mkdir -p "$folder/lib/pkgconfig" "$folder/include"
for library in "$built"/librapidsnark.{a,so,dylib}; do
    [[ ! -e $library ]] || install -m 644 "$library" "$folder/lib/"
done
install -m 644 crates/rapidsnark/include/{prover,verifier}.h "$folder/include/"
# Libs.private: the output of `rustc --print native-static-libs`.
cat >"$folder/lib/pkgconfig/rapidsnark.pc" <<EOF
prefix=\${pcfiledir}/../..
includedir=\${prefix}/include
libdir=\${prefix}/lib

Name: rapidsnark
Description: rapidsnark's Groth16 prover and verifier, with the prover of Bucketwheel
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -lrapidsnark
Libs.private: -lgcc_s -lutil -lrt -lpthread -lm -ldl -lc
EOF
echo "$folder: librapidsnark, prover.h, verifier.h, rapidsnark.pc"
