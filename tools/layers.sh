#!/usr/bin/env bash
# The engine's two layers (ARCHITECTURE.md): in crates/bucketwheel/src/engine, lanes and no arkworks; elsewhere, arkworks
# and no lanes but the name of the backend. curve/field.rs, where they meet, names primes and visits them, too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../crates/bucketwheel/src"

# Lines of the files given that match: file, number, line.
find_in() { grep --recursive --line-number --include='*.rs' "$@" || true; }

lanes=$(find_in 'bucketwheel_lanes' . | grep -v -e '^\./engine/' -e '^\./curve/field\.rs:' \
    -e 'use bucketwheel_lanes::Backend;$' || true)
arkworks=$(find_in '\bark_[a-z]' engine)
if [[ -n $lanes$arkworks ]]; then
    [[ -z $lanes ]] || printf 'outside of engine/, only the backend is known of the lanes:\n%s\n' "$lanes" >&2
    [[ -z $arkworks ]] || printf 'in engine/, nothing is known of arkworks:\n%s\n' "$arkworks" >&2
    exit 1
fi
