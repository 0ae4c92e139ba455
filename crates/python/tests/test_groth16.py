"""Proofs on snarkjs' files."""

import json
import os
import shutil
from pathlib import Path

import pytest
from conftest import REPOSITORY

import bucketwheel as bw
from bucketwheel import _native, groth16

CURVES = ["bn254", "bls12-381"]


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("retain", [False, True])
def test_proofs_hold(groth16_files, curve, retain):
    files = groth16_files[curve]
    prover = groth16.Prover(files / "power.zkey", retain=retain)
    vkey = json.loads((files / "verification_key.json").read_text())
    assert prover.verification_key() == vkey
    assert (prover.curve, prover.public) == (vkey["curve"], vkey["nPublic"])
    told = []
    proof, public = prover.prove(files / "power.wtns", progress=lambda *steps: told.append(steps))
    assert public == json.loads((files / "public.json").read_text())
    for key in (vkey, str(files / "verification_key.json"), (files / "verification_key.json").read_bytes()):
        assert groth16.verify(key, public, proof)
    assert groth16.verify(vkey, [int(signal) for signal in public], proof)
    # Proofs are blinded: each differs, unless a seed is given.
    assert prover.prove(files / "power.wtns")[0] != proof
    seeded = [prover.prove((files / "power.wtns").read_bytes(), insecure_seed=1) for _ in range(2)]
    assert seeded[0] == seeded[1]
    with pytest.raises(bw.Error, match="a proof in 1 bytes: expected at least") as error:
        prover.prove(files / "power.wtns", memory=1)
    least = int(str(error.value).rsplit(" ", 1)[1])
    assert prover.prove(files / "power.wtns", memory=least, insecure_seed=1) == seeded[0]
    # snarkjs' own proof.
    assert groth16.verify(vkey, files / "public.json", files / "proof.json")


def test_proofs_that_do_not_hold(groth16_files):
    files = groth16_files["bn254"]
    vkey, public, proof = (
        json.loads((files / name).read_text()) for name in ("verification_key.json", "public.json", "proof.json")
    )
    assert groth16.verify(vkey, public, proof)
    assert not groth16.verify(vkey, ["1", *public[1:]], proof)
    assert not groth16.verify(vkey, public, {**proof, "pi_a": proof["pi_c"]})
    assert not groth16.verify(vkey, public, {**proof, "pi_a": ["1", "3", "1"]})
    with pytest.raises(bw.LengthError, match="expected 2"):
        groth16.verify(vkey, public[1:], proof)
    for change in ({"pi_a": ["-1", "2", "1"]}, {"pi_a": ["1", "2"]}, {"protocol": "plonk"}, {"curve": "bls12381"}):
        with pytest.raises(bw.FormatError, match="expected"):
            groth16.verify(vkey, public, {**proof, **change})
    with pytest.raises(bw.FormatError, match="expected"):
        groth16.verify({**vkey, "curve": "bw6"}, public, proof)
    with pytest.raises(bw.FormatError, match="public signal 0"):
        groth16.verify(vkey, ["-1", *public[1:]], proof)
    with pytest.raises(FileNotFoundError):
        groth16.verify("none.json", public, proof)


def test_many_proofs(groth16_files):
    files = groth16_files["bls12-381"]
    vkey, public, proof = files / "verification_key.json", files / "public.json", files / "proof.json"
    good, signals = (public, proof), json.loads(public.read_text())
    assert groth16.verify_many(vkey, [good, (signals, json.loads(proof.read_text())), good]) is None
    bad = (["1", *signals[1:]], proof)
    assert groth16.verify_many(vkey, [good, bad, good, bad]) == 1
    with pytest.raises(bw.LengthError, match="proof 1, its public signals: 0 public signals: expected") as caught:
        groth16.verify_many(vkey, [good, ([], proof)])
    assert caught.value.index == 1
    with pytest.raises(bw.FormatError, match="public.json: .*proof.json"):
        groth16.verify_many(vkey, [good, (public, public)])


@pytest.mark.parametrize("curve", CURVES)
def test_sections_of_a_key(groth16_files, curve):
    path = groth16_files[curve] / "power.zkey"
    assert groth16.Prover(path).curve_name == curve
    data, at = path.read_bytes(), 12
    found = _native.key_sections(path)
    assert sorted(found) == list(range(1, 11)) and found == _native.key_sections(data)
    for start, size, number in sorted((start, size, number) for number, (start, size) in found.items()):
        assert start == at + 12
        assert data[at:start] == number.to_bytes(4, "little") + size.to_bytes(8, "little")
        at = start + size
    assert at == len(data)
    for bad in (data[:-1], groth16_files[curve] / "power.wtns", b""):
        with pytest.raises(bw.FormatError, match="expected"):
            _native.key_sections(bad)


def test_bad_keys_and_witnesses(groth16_files, tmp_path):
    bn, bls = groth16_files["bn254"], groth16_files["bls12-381"]
    prover = groth16.Prover(bn / "power.zkey")
    with pytest.raises(bw.FormatError, match="power.wtns: .*bls12381: expected bn128"):
        prover.prove(bls / "power.wtns")
    with pytest.raises(bw.FormatError, match="expected"):
        prover.prove(bn / "power.zkey")
    with pytest.raises(bw.FormatError, match="expected"):
        groth16.Prover(bn / "power.wtns")
    wtns = bytearray((bn / "power.wtns").read_bytes())
    wtns[-32] ^= 1
    with pytest.raises(bw.WitnessError, match="does not satisfy"):
        prover.prove(wtns)
    with pytest.raises(bw.WitnessError, match="constraint .* does not hold"):
        groth16.check_witness(bn / "power.r1cs", wtns)
    assert groth16.check_witness(bn / "power.r1cs", bn / "power.wtns") > 0
    with pytest.raises(bw.FormatError, match="cut"):
        prover.prove(bytes(wtns[:-1]))
    shutil.copy(bn / "power.zkey", tmp_path / "cut.zkey")
    with open(tmp_path / "cut.zkey", "r+b") as file:
        file.truncate(1000)
    with pytest.raises(bw.FormatError, match="cut.zkey: "):
        groth16.Prover(tmp_path / "cut.zkey")


@pytest.mark.parametrize("curve", CURVES)
def test_setup(groth16_files, curve, tmp_path):
    files = groth16_files[curve]
    vkey = groth16.setup(files / "power.r1cs", tmp_path / "power.zkey", insecure_seed=1)
    prover = groth16.Prover(tmp_path / "power.zkey")
    assert prover.verification_key() == vkey
    proof, public = prover.prove(files / "power.wtns")
    assert groth16.verify(vkey, public, proof)
    assert [path.name for path in tmp_path.iterdir()] == ["power.zkey"]
    with pytest.raises(FileNotFoundError):
        groth16.setup(files / "power.r1cs", tmp_path / "none" / "power.zkey")
    with pytest.raises(bw.FormatError, match="expected"):
        groth16.setup(files / "power.wtns", tmp_path / "other.zkey")


@pytest.mark.skipif(not hasattr(groth16._native, "witness"), reason="built without the feature `witness`")
def test_witnesses_are_of_circuits(tmp_path):
    with pytest.raises(bw.Error, match="expected"):
        groth16.witness(b"no wasm", {"a": 1})
    with pytest.raises(bw.WitnessError):
        groth16.witness(b"\0asm\1\0\0\0", {"a": 1})
    with pytest.raises(bw.ArgumentError, match="seconds"):
        groth16.witness(b"\0asm\1\0\0\0", {}, seconds=-1)


@pytest.fixture(scope="module")
def foreign(groth16_files):
    """Circuits of the compilers that people use."""
    return groth16_files["bn254"].parent / "foreign"


@pytest.mark.skipif(not hasattr(groth16._native, "witness"), reason="built without the feature `witness`")
@pytest.mark.parametrize("version", ["0.5.46", "2.1.0", "2.2.3"])
def test_names_explain_witnesses(foreign, version):
    wasm = foreign / version / "arrays.wasm"
    inputs = json.loads((foreign / version / "arrays.json").read_text())
    assert groth16.witness(wasm, inputs) == (foreign / version / "arrays.wtns").read_bytes()
    inputs["aa"] = inputs.pop("a")
    with pytest.raises(bw.WitnessError, match="no input `aa`; did you mean `a`?"):
        groth16.witness(wasm, inputs)
    with pytest.raises(bw.WitnessError, match="no input `aa`: expected"):
        groth16.witness(wasm.read_bytes(), inputs)
    sym = wasm.with_suffix(".sym")
    with pytest.raises(bw.WitnessError, match="missing, of a, v, w: expected 9"):
        groth16.witness(wasm.read_bytes(), {}, sym=sym)
    with pytest.raises(bw.FormatError, match="arrays.wtns: line 1 names no signal"):
        groth16.witness(wasm, inputs, sym=wasm.with_suffix(".wtns"))


def test_names_explain_constraints(foreign):
    r1cs = foreign / "2.2.3" / "checks.r1cs"
    wtns = bytearray(r1cs.with_suffix(".wtns").read_bytes())
    wtns[-32] = 9
    with pytest.raises(bw.WitnessError, match="where main.c is 56, main.a is 7, main.b is 9;"):
        groth16.check_witness(r1cs, wtns)
    with pytest.raises(bw.WitnessError, match="where w1 is 56, w2 is 7, w3 is 9;"):
        groth16.check_witness(r1cs.read_bytes(), wtns)
    with pytest.raises(bw.WitnessError, match="main.b is 9;"):
        groth16.check_witness(r1cs.read_bytes(), wtns, sym=r1cs.with_suffix(".sym"))


# tools/circuits.sh compiles this circuit.
MEMBERS = Path(os.environ.get("BUCKETWHEEL_CIRCUITS", REPOSITORY / "target/circuits")) / "members"


@pytest.mark.skipif(not hasattr(groth16._native, "witness"), reason="built without the feature `witness`")
@pytest.mark.skipif(not (MEMBERS / "witness.wtns").exists(), reason="tools/circuits.sh has not compiled the circuit")
def test_witnesses_are_those_of_snarkjs():
    inputs = json.loads((MEMBERS / "input.json").read_text())
    expected = (MEMBERS / "witness.wtns").read_bytes()
    lines = []
    assert groth16.witness(MEMBERS / "circuit.wasm", inputs, log=lines.append) == expected
    assert groth16.witness((MEMBERS / "circuit.wasm").read_bytes(), MEMBERS / "input.json") == expected
    with pytest.raises(bw.WitnessError, match="expected"):
        groth16.witness(MEMBERS / "circuit.wasm", {**inputs, "nobody": 1})


def test_contracts(groth16_files):
    files = groth16_files["bn254"]
    contract = groth16.export_solidity(files / "power.zkey")
    assert "contract Groth16Verifier {" in contract and "uint256[2] calldata _pubSignals" in contract
    vkey, public, proof = (
        json.loads((files / name).read_text()) for name in ("verification_key.json", "public.json", "proof.json")
    )
    assert contract == groth16.export_solidity(vkey) == groth16.export_solidity(files / "verification_key.json")
    text = groth16.calldata(public, proof)
    assert text == groth16.calldata(files / "public.json", files / "proof.json")
    a, b, c, signals = json.loads(f"[{text}]")
    assert [int(number, 16) for number in signals] == [int(signal) for signal in public]
    assert [int(number, 16) for number in a + c] == [int(number) for number in proof["pi_a"][:2] + proof["pi_c"][:2]]
    assert [[int(number, 16) for number in pair] for pair in b] == [
        [int(number) for number in reversed(pair)] for pair in proof["pi_b"][:2]
    ]
    other = groth16_files["bls12-381"]
    for call in (
        lambda: groth16.export_solidity(other / "power.zkey"),
        lambda: groth16.calldata(other / "public.json", other / "proof.json"),
    ):
        with pytest.raises(bw.FormatError, match=r"bls12-381/.*curve bls12381: expected bn128"):
            call()


DATA = REPOSITORY / "crates/snarkjs/tests/data"


def test_texts_are_taken_or_refused_as_in_every_face():
    """Runs the table of crates/snarkjs/tests/files/texts.rs, as bytes and, for JSON, with the values of
    ``json.loads``."""
    good = {part: (DATA / f"circom/mul.{name}.json").read_bytes() for part, name in PARTS.items()}
    for entry in json.loads((DATA / "texts.json").read_text()):
        part, text, says = entry["part"], entry["text"], entry.get("says")
        values = [text.encode("utf-8", "surrogatepass")]
        # Python's own reader keeps the last of two equal members, and its integers are exact.
        if part != "public" and not (says and ("twice" in says or "not JSON" in says or "too early" in says)):
            values += [value for value in [json.loads(text)] if isinstance(value, (dict, list))]
        for value in values:
            parts = {**good, part: value}
            if says is None:
                assert groth16.verify(parts["key"], parts["public"], parts["proof"]), entry
            else:
                with pytest.raises(bw.Error) as error:
                    groth16.verify(parts["key"], parts["public"], parts["proof"])
                assert says in str(error.value), entry


PARTS = {"key": "vkey", "public": "public", "proof": "proof"}


def test_no_public_signals_and_no_proofs():
    key, proof = (DATA / f"circom/nopub2.{name}.json" for name in ("vkey", "proof"))
    for public in (None, [], (), b"null", DATA / "circom/nopub2.public.json"):
        assert groth16.verify(key, public, proof)
    assert groth16.verify_many(key, [(None, proof), ([], proof)]) is None
    with pytest.raises(bw.LengthError, match="^there are no proofs to verify: expected at least one"):
        groth16.verify_many(key, [])
    for signals in ([33.0], [True], [None], [[33]], [{}]):
        with pytest.raises(bw.FormatError, match="public signal 0 is "):
            groth16.verify(DATA / "circom/mul.vkey.json", signals, DATA / "circom/mul.proof.json")


def test_files_of_other_circoms(tmp_path):
    for circuit, witness in (("unused.r1cs", "unused.wtns"), ("circom-2.0.8.r1cs", "mul.wtns")):
        circuit, witness = DATA / "circom" / circuit, DATA / "circom" / witness
        groth16.check_witness(circuit, witness)
        key = groth16.setup(circuit, tmp_path / "key.zkey")
        proof, public = groth16.Prover(tmp_path / "key.zkey").prove(witness)
        assert groth16.verify(key, public, proof)


def test_warnings_reach_the_caller(tmp_path, groth16_files):
    def declare(name):
        content = bytearray((groth16_files["bn254"] / name).read_bytes())
        content[8] += 1
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    circuit, witness, key = declare("power.r1cs"), declare("power.wtns"), declare("power.zkey")
    with pytest.warns(RuntimeWarning, match="power.zkey: the file declares 11 sections and ends after 10") as told:
        prover = groth16.Prover(key)
    assert told[0].filename == __file__
    for call, name in (
        (lambda: prover.prove(witness), "power.wtns"),
        (lambda: prover.scalars(witness), "power.wtns"),
        (lambda: groth16.check_witness(circuit, groth16_files["bn254"] / "power.wtns"), "power.r1cs"),
        (lambda: groth16.setup(circuit, tmp_path / "made.zkey"), "power.r1cs"),
    ):
        with pytest.warns(RuntimeWarning, match=f"{name}: the file declares"):
            call()


def test_keys_that_hide_nothing_are_refused(groth16_files):
    key = bytearray((groth16_files["bn254"] / "power.zkey").read_bytes())
    delta = 40 + 84 + 6 * 64  # section 2's bytes: lengths, primes and counts; alpha1, beta1, beta2, gamma2; delta1
    key[delta : delta + 64] = bytes(64)
    for retain in (False, True):
        with pytest.raises(bw.FormatError, match="delta1 is the point at infinity: expected another point"):
            groth16.Prover(bytes(key), retain=retain)


def test_keys_that_change(groth16_files, tmp_path):
    """A change of a mapped key is noticed; a copy is not affected."""
    files, key = groth16_files["bn254"], tmp_path / "key"
    shutil.copy(files / "power.zkey", key)
    mapped, copied = groth16.Prover(key), groth16.Prover(key, map=False)
    os.utime(key, (1, 1))
    with pytest.raises(bw.Error, match="has changed since it was loaded"):
        mapped.prove(files / "power.wtns")
    del mapped
    key.write_bytes(b"")
    proof, public = copied.prove(files / "power.wtns")
    assert groth16.verify(files / "verification_key.json", public, proof)


@pytest.mark.parametrize("curve", ["bn254", "bls12-381"])
def test_arkworks_keys(curve, tmp_path):
    """Keys of ark-groth16, proving or verifying, compressed or not, as files and as bytes."""
    data = REPOSITORY / "crates" / "formats" / "tests" / "samples"
    proof = data / f"arkworks-{curve}.proof.json"
    for name in (".vk", ".pk", "-compressed.vk", "-compressed.pk"):
        key = data / f"arkworks-{curve}{name}"
        for given in (key, key.read_bytes()):
            assert groth16.verify(given, ["9"], proof)
            assert not groth16.verify(given, ["8"], proof)
            assert groth16.verify_many(given, [(["9"], proof), ([8], proof)]) == 1
        if curve == "bn254":
            assert "contract Groth16Verifier" in groth16.export_solidity(key)
        if "compressed" in name:
            continue
        damaged, content = tmp_path / "key", bytearray(key.read_bytes())
        content[40] ^= 1
        damaged.write_bytes(content)
        with pytest.raises(bw.FormatError, match="point 0 of alpha-g1 is not on the curve"):
            groth16.verify(damaged, ["9"], proof)
    with pytest.raises(bw.FormatError, match="expected a verification key"):
        groth16.verify(key.read_bytes()[:-1], ["9"], proof)
