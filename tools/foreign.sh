#!/usr/bin/env bash
# Builds the circuits of circuits/foreign/ with several versions of circom, for the tests of files and witnesses.
#
#   tools/foreign.sh [FOLDER]
#
# FOLDER: the destination (default: target/foreign). It gets a folder for each compiler, with CIRCUIT.r1cs, .sym,
# .wasm, .json (the inputs) and .wtns (snarkjs' witness). A compiler leaves out the circuits that its language cannot
# express.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The compiler's version, and its npm package.
compilers="
0.5.46|circom@0.5.46
2.0.3|circom2@0.2.0
2.0.6|circom2@0.2.4
2.0.8|circom2@0.2.8
2.1.0|circom2@0.2.10
2.2.3|circom2@0.2.23
"
snarkjs=snarkjs@0.7.6

fail() {
    echo "tools/foreign.sh: $1" >&2
    exit 1
}

for tool in node npm; do
    command -v "$tool" >/dev/null || fail "$tool is missing; on Debian, apt-get install nodejs npm adds it"
done

folder=${1:-target/foreign}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
sources=$PWD/circuits/foreign

# Installs the package $1 in a folder of its own, because some have the same name.
install() {
    local at=$folder/npm/$1
    mkdir -p "$at"
    [[ -f $at/package.json ]] || echo '{ "private": true }' >"$at/package.json"
    (cd "$at" && npm install --no-audit --no-fund --loglevel=error --save-exact "$1") >/dev/null ||
        fail "npm cannot install $1; see its message above"
}

# Prints the rest of the line of source $2 that begins with `// $1`.
header() {
    sed -n "s|^// $1||p" "$2"
}

# Compiles the circuit $1 with circom 1.
compile_1() {
    sed 's/PRIVATE/private/' "$sources/$1.circom" >"$1.circom"
    echo "component main = $(header 'main ' "$sources/$1.circom" | sed 's/ public.*//');" >>"$1.circom"
    node "$modules/circom/cli.js" "$1.circom" -r "$1.r1cs" -w "$1.wasm" -s "$1.sym"
}

# Compiles the circuit $1 with circom 2.
compile_2() {
    local main public version=2.0.0
    [[ -z $(header pragma "$sources/$1.circom") ]] || version=2.0.6
    main=$(header 'main ' "$sources/$1.circom" | sed 's/ public.*//')
    public=$(header 'main ' "$sources/$1.circom" | sed 's/.* public *//')
    {
        echo "pragma circom $version;"
        [[ -z $(header pragma "$sources/$1.circom") ]] || echo "pragma$(header pragma "$sources/$1.circom");"
        sed 's/PRIVATE //' "$sources/$1.circom"
        echo "component main ${public:+{public [$public]\} }= $main;"
    } >"$1.circom"
    node "$modules/circom2/cli.js" "$1.circom" --r1cs --sym --wasm
    mv "$1_js/$1.wasm" "$1.wasm"
    rm -r "$1_js"
}

install $snarkjs
while IFS='|' read -r version package; do
    [[ -n $version ]] || continue
    install "$package"
    modules=$folder/npm/$package/node_modules
    rm -rf "${folder:?}/$version"
    mkdir "$folder/$version"
    cd "$folder/$version"
    for source in "$sources"/*.circom; do
        name=$(basename "$source" .circom)
        # circom 2.0.6 introduced these pragmas.
        if [[ -n $(header pragma "$source") && $version =~ ^(0\.5\.46|2\.0\.3)$ ]]; then
            continue
        fi
        "compile_$([[ $version == 0.* ]] && echo 1 || echo 2)" "$name" >log 2>&1 ||
            fail "$version, $name: $(cat log)"
        header 'input ' "$source" >"$name.json"
        # For circom 1, snarkjs reports no error if the inputs do not satisfy the circuit.
        node "$folder/npm/$snarkjs/node_modules/snarkjs/build/cli.cjs" wtns calculate "$name.wasm" "$name.json" \
            "$name.wtns" >log 2>&1 || fail "$version, $name: $(cat log)"
        rm -f "$name.circom" log
    done
    printf '%-7s %s circuits\n' "$version" "$(find . -name '*.wasm' | wc -l)"
done <<<"$compilers"
