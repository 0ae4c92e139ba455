#!/usr/bin/env bash
# Tests cells and proofs with the test vectors of c-kzg-4844, which Go downloads. Skipped if Go is missing.
#
#   tools/kzg.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v go >/dev/null; then
    echo "skipped: the vectors of c-kzg-4844 need Go"
    exit 0
fi
module=github.com/ethereum/c-kzg-4844/v2@v2.1.8
directory=$(GOTOOLCHAIN=local go mod download -json "$module" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
# With the features of all crates together, so that nothing is compiled again.
BUCKETWHEEL_C_KZG=$directory cargo test --workspace --all-features --test kzg -- --ignored
