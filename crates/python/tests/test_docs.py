"""The code in the documents runs."""

import doctest
import json
import shutil

import py_ecc.bn128 as ecc
import pytest
from conftest import REPOSITORY, points_file, scalars_file

import bucketwheel as bw
from bucketwheel import inputs


@pytest.mark.parametrize("document", ["docs/python.md", "crates/python/README.md"])
def test_programs(document, groth16_files, tmp_path, monkeypatch, capsys):
    program = (REPOSITORY / document).read_text().split("```python\n")[1].split("```")[0]
    (tmp_path / "p.bin").write_bytes(points_file("bn254", 1, [bytes(bw.Point("bn254", "g1", 1, 2))]))
    (tmp_path / "s.bin").write_bytes(scalars_file("bn254", [3]))
    files = groth16_files["bn254"]
    for source, name in [
        ("power.zkey", "circuit.zkey"),
        ("power.wtns", "witness.wtns"),
        ("verification_key.json", "verification_key.json"),
    ]:
        shutil.copy(files / source, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(program, names)
    assert (names["point"].x, names["point"].y) == tuple(c.n for c in ecc.multiply(ecc.G1, 3))
    assert names["public"] == json.loads((files / "public.json").read_text())
    assert str(names["point"].x) in capsys.readouterr().out


def test_docstrings():
    for module in (bw, inputs):
        results = doctest.testmod(module)
        assert (results.failed, results.attempted > 0) == (0, True), module


def test_version_is_the_crates():
    text = (REPOSITORY / "Cargo.toml").read_text()
    assert f'version = "{bw.__version__}"' in text.split("[workspace.package]")[1].split("[")[0]
