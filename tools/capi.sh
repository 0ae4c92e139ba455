#!/usr/bin/env bash
# Builds the libraries for C (docs/c.md), libbucketwheel and librapidsnark, and leaves them in a folder with headers
# and pkg-config files. The folder may be moved.
#
#   tools/capi.sh [FOLDER [OPTION...]]
#
# FOLDER: target/capi by default. OPTION: options of cargo for libbucketwheel, for example --features all-curves.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=${1:-target/capi}
built=${CARGO_TARGET_DIR:-target}${CARGO_BUILD_TARGET:+/$CARGO_BUILD_TARGET}/release
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
abi=$(sed -n 's/^#define BW_ABI_VERSION //p' crates/capi/include/bucketwheel.h)

cargo build --release --package bucketwheel-capi "${@:2}"
mkdir -p "$folder/lib/pkgconfig" "$folder/include"
# In cargo's folders, the engine's crate already has the library's name.
install -m 644 "$built/libbucketwheel_c.a" "$folder/lib/libbucketwheel.a"
if [[ -e $built/libbucketwheel_c.so ]]; then
    install -m 644 "$built/libbucketwheel_c.so" "$folder/lib/libbucketwheel.so.$version"
    # The name that programs look for when they start, and the name that the linker looks for.
    ln -sf "libbucketwheel.so.$version" "$folder/lib/libbucketwheel.so.$abi"
    ln -sf "libbucketwheel.so.$abi" "$folder/lib/libbucketwheel.so"
fi
[[ ! -e $built/libbucketwheel_c.dylib ]] || install -m 644 "$built/libbucketwheel_c.dylib" "$folder/lib/libbucketwheel.dylib"
install -m 644 crates/capi/include/bucketwheel{,_blst}.h "$folder/include/"
# Libs.private: the output of `rustc --print native-static-libs`.
cat >"$folder/lib/pkgconfig/bucketwheel.pc" <<EOT
prefix=\${pcfiledir}/../..
includedir=\${prefix}/include
libdir=\${prefix}/lib

Name: bucketwheel
Description: Multi-scalar multiplication over elliptic curves
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -lbucketwheel
Libs.private: -lgcc_s -lutil -lrt -lpthread -lm -ldl -lc
EOT
echo "$folder: libbucketwheel, bucketwheel.h, bucketwheel_blst.h, bucketwheel.pc"
tools/rapidsnark.sh "$folder"
