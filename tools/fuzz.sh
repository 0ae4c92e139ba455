#!/usr/bin/env bash
# Fuzzes every parser with libFuzzer, starting from small valid files. Needs a nightly toolchain and cargo-fuzz.
#
#   tools/fuzz.sh [SECONDS]
#
# SECONDS: time for each target (default: 60). fuzz/artifacts/ has libFuzzer's findings, and fuzz/corpus/ the inputs
# that it has learned; the corpus stays for the next run, without inputs that add nothing. The shortest inputs are
# written to fuzz/seeds/, one line of hexadecimal each, to be checked in: runs elsewhere start from them, and the
# tests read them too.
#
# The script makes valid files with the commands and from the tests' files. So the files always have the current
# formats, and a new format or curve has its files at once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seconds=${1:-60}
corpus=fuzz/corpus

if ! cargo +nightly fuzz --version >/dev/null 2>&1; then
    echo "tools/fuzz.sh: needs a nightly toolchain and cargo-fuzz; cargo install cargo-fuzz adds the latter" >&2
    exit 1
fi

formats=(bucketwheel arkworks arkworks-compressed zcash zcash-compressed gnark gnark-compressed ptau kzg eip2537)
read_only=(kzg-json gnark-srs gnark-srs-compressed gnark-srs-dump challenge response halo2 halo2-processed arkworks-key
    arkworks-key-compressed)

mkdir -p $corpus/{header,points,scalars,setup,arguments,eip2537,checkpoint,inputs,jsnark,profile,program,sym}
for curve in bls12-381 bls12-377 bn254; do
    for group in g1 g2 pair; do
        line="generate --curve $curve --group $group --size 3"
        echo "$line --points p --scalars s" >$corpus/arguments/$curve-$group
        # shellcheck disable=SC2086 # words, on purpose
        cargo run --quiet --package bucketwheel-cli -- $line \
            --points $corpus/points/$curve-$group --scalars $corpus/scalars/$curve-$group >/dev/null
        head -c 64 $corpus/points/$curve-$group >$corpus/header/points-$curve-$group
        head -c 64 $corpus/scalars/$curve-$group >$corpus/header/scalars-$curve-$group
    done
done
mkdir -p $corpus/table
for curve in bls12-381 bls12-377 bn254; do
    for group in g1 g2; do
        cargo run --quiet --package bucketwheel-cli -- table $corpus/points/$curve-$group --copies 4 \
            --backend portable --out $corpus/table/$curve-$group >/dev/null
    done
done
echo "msm p s --check curve --window 9 --threads 2 --json" >$corpus/arguments/msm
echo "bench msm --curve bn254 --log-sizes 4..6 --repetitions 3 --adder xyzz" >$corpus/arguments/bench
printf 'bucketwheel profile 1\navx2 381 1 0.25 1.3 100 262144\n' >$corpus/profile/avx2
cargo run --quiet --package bucketwheel-cli -- msmac program --window 5 >$corpus/program/text
printf 'bucketwheel checkpoint 1\n{"run":{"curve":"bn254"},"position":1}\n00\n' >$corpus/checkpoint/bn254
{ echo 4 0; sed -n 3,6p crates/cli/data/trusted_setup.txt; } >$corpus/setup/four-points

echo '{ "a": ["1", "0x2", -3], "b": { "c": [[4]] } }' >$corpus/inputs/all
printf '1,1,5,main.sum\n2,-1,5,main.v[0]\n3,2,5,main.v[1]\n5,3,0,main.sub[2].out\n' >$corpus/sym/all
printf 'total 9\ninput 0\nsplit in 1 <0> out 2 <1 2>\nmul in 2 <1 2> out 1 <3>\noutput 3\n\0000 3\n' >$corpus/jsnark/bits
printf 'total 9\ninput 0\nnizkinput 1 # private\nconst-mul-neg-1f in 1 <0> out 1 <2>\nadd in 2 <1 2> out 1 <3>\noutput 3\n\0000 3\n1 5\n' \
    >$corpus/jsnark/sums
printf 'total 9\ninput 0\nzerop in 1 <0> out 2 <1 2>\nxor in 2 <0 2> out 1 <3>\nor in 2 <2 3> out 1 <4>\npack in 2 <3 4> out 1 <5>\nassert in 2 <2 2> out 1 <2>\n\0000 1\n' \
    >$corpus/jsnark/logic

for file in zkey:power.zkey wtns:power.wtns r1cs:power.r1cs verifying_key:verification_key.json \
    proof:proof.json public:public.json; do
    mkdir -p "$corpus/${file%:*}"
    for curve in bn254 bls12-381; do
        cp "crates/snarkjs/tests/data/$curve/${file#*:}" "$corpus/${file%:*}/$curve"
    done
done

for kind in key:vk proof:proof public:public; do
    mkdir -p "$corpus/gnark_${kind%:*}"
    cp crates/formats/tests/samples/gnark-bn254*."${kind#*:}" "$corpus/gnark_${kind%:*}"
done

mkdir -p "$corpus"/{claims,ptau}
for curve in bn254 bls12-381; do
    printf '{"proof": %s, "publicSignals": %s}' "$(cat crates/snarkjs/tests/data/$curve/proof.json)" \
        "$(cat crates/snarkjs/tests/data/$curve/public.json)" >"$corpus/claims/$curve"
    cp crates/snarkjs/tests/data/ceremony/$curve-3.ptau "$corpus/ptau/$curve"
done

for format in "${formats[@]}"; do
    target=format_${format//-/_}
    mkdir -p "$corpus/$target"
    for curve in bls12-381 bls12-377 bn254; do
        for group in g1 g2; do
            # Some formats lack some curves.
            cargo run --quiet --package bucketwheel-cli -- convert --to "$format" \
                $corpus/points/$curve-$group "$corpus/$target/$curve-$group" >/dev/null 2>&1 || true
        done
    done
done
cp crates/formats/tests/samples/*.ptau $corpus/format_ptau
# The samples of read-only formats are among the seeds.
for format in "${read_only[@]}"; do
    mkdir -p "$corpus/format_${format//-/_}"
done
sed -n 's/.*"Input": "\(.*\)".*/\1/p' crates/cli/tests/cli/eip2537/add_G1_bls.json | split -l 1 - $corpus/eip2537/

# At most 1 MB in all, for some thirty targets.
seeds=fuzz/seeds seed_characters=32768
mkdir -p $seeds

failed=()
for target in header points scalars table setup arguments checkpoint zkey wtns r1cs verifying_key proof public gnark_key gnark_proof gnark_public claims ptau sym inputs jsnark profile program \
    eip2537 "${formats[@]/#/format_}" "${read_only[@]/#/format_}"; do
    target=${target//-/_}
    echo "== $target, $seconds s"
    if [[ -e $seeds/$target ]]; then
        # shellcheck disable=SC2016 # split's own variable
        split --lines=1 --suffix-length=4 --filter='basenc --base16 --decode >$FILE' "$seeds/$target" "$corpus/$target/seed-"
    fi
    cargo +nightly fuzz run --target-dir "${CARGO_TARGET_DIR:-target}/fuzz" "$target" -- \
        -max_total_time="$seconds" -max_len=8192 -timeout=10 -print_funcs=0 -verbosity=0 -print_final_stats=1 ||
        failed+=("$target")
    cargo +nightly fuzz cmin --target-dir "${CARGO_TARGET_DIR:-target}/fuzz" "$target" -- \
        -max_len=8192 -timeout=10 -verbosity=0
    for file in "$corpus/$target"/*; do
        basenc --base16 --wrap=0 "$file"
        echo
    done | awk '{ print length, $0 }' | sort -n | awk -v most=$seed_characters '(sum += $1 + 1) <= most { print $2 }' >"$seeds/$target"
done
if [[ ${#failed[@]} != 0 ]]; then
    echo "tools/fuzz.sh: ${failed[*]} failed; fuzz/artifacts/ has what does it" >&2
    exit 1
fi
