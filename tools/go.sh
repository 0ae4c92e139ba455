#!/usr/bin/env bash
# Builds the library that the Go module of go/ is linked with, or tests the module (docs/go.md).
#
#   tools/go.sh [build | test | long]
#
# build: the optimised library, with all curves of the module, in target/capi. test: the tests, with the library that
# cargo builds for its tests; skipped if Go is missing or too old. long: the same tests with the race detector and with
# cgo's strict checks of pointers, which both compile Go's libraries again; and gnark's own tests of Groth16 with this
# module's prover.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode=${1:-build}
case $mode in
    build)
        exec tools/capi.sh target/capi --features bw6-761
        ;;
    test | long) ;;
    *)
        echo "tools/go.sh: unknown argument $mode; expected build, test or long" >&2
        exit 2
        ;;
esac

if ! (cd go && GOTOOLCHAIN=local go list -m) >/dev/null 2>&1; then
    echo "skipped: the tests of go/ need Go $(sed -n 's/^go //p' go/go.mod) or newer"
    exit 0
fi
# The tests of the workspace build this library, too, with the features of all crates together.
cargo test --workspace --all-features --test header --no-run
built=$PWD/target/debug/deps
[[ -z ${CARGO_TARGET_DIR:-} ]] || built=$(realpath "$CARGO_TARGET_DIR")/debug/deps
mkdir -p target/go
ln -sf "$built/libbucketwheel_c.a" target/go/libbucketwheel.a
cd go
# The go command does not notice that the library has changed: -count=1.
if [[ $mode == long ]]; then
    # On a busy machine, each of the three takes longer than the ten minutes that Go allows.
    go test -race -timeout 1h -count=1 -tags bucketwheel_test ./...
    GOEXPERIMENT=cgocheck2 go test -timeout 1h -count=1 -tags bucketwheel_test ./...

    # In a copy of gnark, the package of this module becomes backend/groth16, and gnark's own package moves to
    # backend/groth16/native, where our package finds it. Go downloads the modules that only gnark's tests need.
    module=$PWD
    gnark=$module/../target/go/gnark
    rm -rf "$gnark"
    cp -r "$(go list -m -f '{{.Dir}}' github.com/consensys/gnark)" "$gnark"
    chmod -R u+w "$gnark"
    cat go.sum >>"$gnark/go.sum"
    cd "$gnark"
    mkdir backend/groth16/native
    mv backend/groth16/groth16.go backend/groth16/native
    for file in "$module"/gnark/groth16/*.go; do
        [[ $file == *_test.go ]] || sed 's|"github.com/consensys/gnark/backend/groth16"|"github.com/consensys/gnark/backend/groth16/native"|' \
            "$file" >"backend/groth16/${file##*/}"
    done
    go mod edit -go="$(sed -n 's/^go //p' "$module/go.mod")" -require bucketwheel@v0.0.0 -replace bucketwheel="$module"
    # TestVersion asks git. Bellman's proof has a point that gnark-crypto 0.22 refuses to decode, also with gnark's own
    # prover.
    GOFLAGS=-mod=mod go test -timeout 1h -count=1 -tags bucketwheel_test,prover_checks -skip 'TestVersion|TestVerifyBellmanProof' ./backend/groth16 .
    exit
fi
unformatted=$(gofmt -l .)
[[ -z $unformatted ]] || { echo "go/: not formatted: $unformatted" >&2; exit 1; }
go vet -tags bucketwheel_test ./...
go test -count=1 -tags bucketwheel_test ./...
# Without a C compiler, over the shared library: one curve, and a proof.
CGO_ENABLED=0 BUCKETWHEEL_LIBRARY=$built/libbucketwheel_c.so \
    go test -count=1 -run 'TestGroups/BN254G1|TestPair|TestCancellation|TestGarbage|TestProofsAreGnarks/bn254|TestMappedKeys' . ./gnark/groth16
