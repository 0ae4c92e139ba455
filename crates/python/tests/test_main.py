"""``python -m bucketwheel``, and the notebook."""

import json
import os
import subprocess
import sys

import pytest
from conftest import REPOSITORY

import bucketwheel as bw

DATA = REPOSITORY / "crates" / "snarkjs" / "tests" / "data"


def run(*arguments, at=None):
    command = [sys.executable, "-m", "bucketwheel", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=at)


def test_sums(tmp_path):
    from conftest import points_file, scalars_file

    points, _ = bw.generate(3, curve="bn254")
    (tmp_path / "p").write_bytes(points_file("bn254", 1, [points]))
    (tmp_path / "s").write_bytes(scalars_file("bn254", [1, 2, 3]))
    output = run("msm", "p", "s", at=tmp_path)
    expected = bw.Bases(points, curve="bn254").msm([1, 2, 3])
    assert (output.returncode, output.stderr) == (0, "")
    assert json.loads(output.stdout) == {"curve": "bn254", "group": "g1", "x": expected.x, "y": expected.y}
    missing = run("msm", "missing", "s", at=tmp_path)
    assert missing.returncode == 1 and missing.stderr.startswith("error: ") and missing.stderr.count("\n") == 1
    assert run("msm", "p").returncode == 2
    assert run("--version").stdout.strip() == bw.__version__


def test_proofs(tmp_path):
    files = DATA / "bn254"
    key = files / "verification_key.json"
    assert run("prove", files / "power.zkey", files / "power.wtns", "proof", "public", at=tmp_path).returncode == 0
    assert json.loads((tmp_path / "public").read_text()) == json.loads((files / "public.json").read_text())
    output = run("verify", key, "public", "proof", at=tmp_path)
    assert (output.returncode, output.stdout) == (0, "OK: the proof holds\n")
    (tmp_path / "other").write_text(json.dumps(["1"] * len(json.loads((files / "public.json").read_text()))))
    output = run("verify", key, "other", "proof", at=tmp_path)
    assert (output.returncode, output.stderr) == (1, "error: the proof does not hold\n")


@pytest.mark.skipif(not hasattr(bw._native, "witness"), reason="a build without WebAssembly")
def test_proofs_of_inputs(tmp_path):
    files = DATA / "foreign" / "2.2.3"
    key = bw.groth16.setup(files / "arrays.r1cs", tmp_path / "zkey")
    prover = bw.groth16.Prover(tmp_path / "zkey")
    inputs = json.loads((files / "arrays.json").read_text())
    proof, public = prover.prove(inputs=inputs, wasm=files / "arrays.wasm")
    assert bw.groth16.verify(key, public, proof)
    assert public == prover.prove(files / "arrays.wtns")[1]
    for wrong in ({}, {"inputs": inputs}, {"wasm": files / "arrays.wasm"}):
        with pytest.raises(bw.ArgumentError, match="expected a witness, or inputs= and wasm="):
            prover.prove(**wrong)
    with pytest.raises(bw.ArgumentError):
        prover.prove(files / "arrays.wtns", inputs=inputs, wasm=files / "arrays.wasm")
    line = ["--wasm", files / "arrays.wasm", "--input", files / "arrays.json", "proof", "public"]
    assert run("prove", "zkey", *line, at=tmp_path).returncode == 0
    assert json.loads((tmp_path / "public").read_text()) == public


@pytest.mark.skipif(not hasattr(bw._native, "witness"), reason="a build without WebAssembly")
def test_the_notebook_runs(monkeypatch):
    pytest.importorskip("matplotlib").use("agg")
    path = REPOSITORY / "crates" / "python" / "examples" / "tour.ipynb"
    monkeypatch.chdir(path.parent)
    names = {}
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
            exec("".join(cell["source"]), names)
    assert len(names["per_point"]) == len(names["sizes"])
    assert os.path.exists(names["folder"] / "circuit.zkey")
