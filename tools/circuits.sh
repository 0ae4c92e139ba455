#!/usr/bin/env bash
# Builds the circuits that proofs are tested and measured on, from their sources in circuits/ and from npm packages.
# Also fetches Solidity's compiler and a virtual machine for contracts that verify proofs.
#
#   tools/circuits.sh [--keys] [FOLDER] [WORKLOAD...]
#
# FOLDER: the destination (default: target/circuits); WORKLOAD: the workloads to build (default: all). Each workload
# gets a folder with circuit.r1cs, circuit.wasm, input.json and witness.wtns; semaphore has its production key
# circuit.zkey instead of the first. With --keys, each other workload gets a key of `bucketwheel setup`. Existing
# files are kept. Prints a table of sizes at the end.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Name, source, the component, its public inputs.
workloads="
aes128|aes128|Aes128(2)|plaintext
sha256|sha256|Sha256Bytes(64)|
rsa-encrypt|rsa|RsaEncrypt(121, 17)|modulus
merkle|merkle|Membership(32, 0)|
merkle-mimc|merkle|Membership(32, 1)|
rsa-verify|rsa|RsaVerify(121, 17)|digest, modulus
auction|auction|Auction(128, 64)|
members|members|Members(6)|topic
semaphore|||
chain-15|chain|Chain(2 ** 15 - 2)|
chain-16|chain|Chain(2 ** 16 - 2)|
chain-17|chain|Chain(2 ** 17 - 2)|
chain-18|chain|Chain(2 ** 18 - 2)|
chain-19|chain|Chain(2 ** 19 - 2)|
chain-20|chain|Chain(2 ** 20 - 2)|
chain-16-bls12-381|chain|Chain(2 ** 16 - 2)|
chain-18-bls12-381|chain|Chain(2 ** 18 - 2)|
"
packages=(
    circom2@0.2.23 snarkjs@0.7.6 circomlib@2.0.5 @zk-email/circuits@6.3.4 @zk-kit/semaphore-artifacts@4.13.0
    solc@0.8.37 @ethereumjs/vm@10.1.3
)

fail() {
    echo "tools/circuits.sh: $1" >&2
    exit 1
}

for tool in node npm; do
    command -v "$tool" >/dev/null || fail "$tool is missing; on Debian, apt-get install nodejs npm adds it"
done

keys=
if [[ ${1:-} == --keys ]]; then
    keys=1
    shift
fi
folder=${1:-target/circuits}
shift || true
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
modules=$folder/npm/node_modules

# npm searches the folders above for a package.json unless this folder has one.
mkdir -p "$folder/npm"
[[ -f $folder/npm/package.json ]] || echo '{ "private": true }' >"$folder/npm/package.json"
(cd "$folder/npm" && npm install --no-audit --no-fund --loglevel=error --save-exact "${packages[@]}") >/dev/null ||
    fail "npm cannot install ${packages[*]}; see its message above"

circom() { node --max-old-space-size=8192 "$modules/circom2/cli.js" "$@"; }
snarkjs() { node --max-old-space-size=16384 "$modules/snarkjs/build/cli.cjs" "$@"; }

# Compiles the workload $1: source $2, component $3, public inputs $4.
compile() {
    # circom2 sees only the current folder.
    local build=$1/build
    rm -rf "$build"
    mkdir "$build"
    cp "$sources"/*.circom "$build"
    echo "pragma circom 2.1.6; include \"$2.circom\"; component main ${4:+{public [$4]\} }= $3;" >"$build/circuit.circom"
    local prime=bn128
    [[ $1 != *-bls12-381 ]] || prime=bls12381
    circom "$build/circuit.circom" -o "$build" --r1cs --wasm --O2 --prime "$prime" -l npm/node_modules \
        >"$build/log" 2>&1 ||
        fail "$1: $(cat "$build/log")"
    mv "$build/circuit.r1cs" "$build/circuit_js/circuit.wasm" "$1"
    rm -r "$build"
}

manifest=$PWD/Cargo.toml
sources=$PWD/circuits
cd "$folder"
printf '%-12s %11s %11s %7s\n' workload constraints wires public
while IFS='|' read -r name source component public; do
    [[ -n $name ]] || continue
    [[ $# -eq 0 || " $* " == *" $name "* ]] || continue
    mkdir -p "$name"
    if [[ $name == semaphore ]]; then
        # Groups of at most 2^20 members, the size of the tests that Semaphore ships.
        for extension in zkey wasm json; do
            cp "$modules/@zk-kit/semaphore-artifacts/semaphore-20.$extension" "$name/circuit.$extension"
        done
        mv "$name/circuit.json" "$name/verification_key.json"
    elif [[ ! -f $name/circuit.wasm ]]; then
        compile "$name" "$source" "$component" "$public"
    fi
    node "$sources/inputs.mjs" "$name" "$name"
    snarkjs wtns calculate "$name/circuit.wasm" "$name/input.json" "$name/witness.wtns"
    [[ -z $keys || -f $name/circuit.zkey ]] ||
        cargo run --quiet --release --manifest-path "$manifest" --package bucketwheel-cli -- \
            setup "$name/circuit.r1cs" --out "$name/circuit.zkey" </dev/null
    (cd "$name" && node "$sources/describe.mjs" "$name")
done <<<"$workloads"
