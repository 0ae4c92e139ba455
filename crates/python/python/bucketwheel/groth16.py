"""Groth16 proofs with the files of circom and snarkjs.

Pass files by path or as bytes. Pass JSON also as the dict or list that ``json.load`` returns.
"""

from __future__ import annotations

import json
from os import PathLike
from typing import Any, Callable, Iterable

from . import _native, arguments
from .errors import ArgumentError, Error
from .names import CurveName
from .progress import Progress, callback_of

__all__ = ["Prover", "calldata", "check_witness", "export_solidity", "setup", "verify", "verify_many", "witness"]

File = str | PathLike[str] | bytes | Any


class Prover:
    """A proving key, a ``.zkey`` file, loaded once for any number of proofs from any number of threads.

    ``retain`` keeps the key's points in memory in the engine's form: proofs are faster and need more memory. Otherwise each
    proof reads the points that it needs from the mapped file.

    If a mapped file is written to, the next proof raises an :class:`Error`; if it gets shorter, the system ends the process.
    With ``map=False``, the file is copied into memory first, and later changes do not matter.
    """

    def __init__(self, zkey: File, *, retain: bool = False, map: bool = True) -> None:
        self._native = _native.Prover(zkey, retain, map)

    def prove(
        self,
        wtns: File | None = None,
        *,
        inputs: File | dict[str, Any] | None = None,
        wasm: File | None = None,
        verify: bool = True,
        memory: int | None = None,
        insecure_seed: int | None = None,
        progress: Progress | None = None,
    ) -> tuple[dict[str, Any], list[str]]:
        """Returns the proof for a witness, a ``.wtns`` file, and its public signals, as snarkjs' ``proof.json`` and ``public.json``.

        With ``inputs`` and ``wasm`` in place of the witness, the circuit's WebAssembly calculates it in memory (:func:`witness`).
        The proof is verified first unless ``verify`` is false. ``memory`` bounds the bytes of the proof beside the key, and 0 takes little memory; if it is
        too small, the :class:`Error` states the least value. A key that is a path stays in its file. ``insecure_seed`` makes
        proofs reproducible and not zero knowledge, for tests.
        """
        memory, seed = arguments.count("memory", memory), arguments.count("insecure_seed", insecure_seed, bits=64)
        if (wtns is None) == (inputs is None) or (inputs is None) != (wasm is None):
            raise ArgumentError("expected a witness, or inputs= and wasm=")
        if inputs is not None:
            wtns = witness(wasm, inputs)
        proof, public = self._native.prove(wtns, verify, memory, seed, None, callback_of(progress))
        return json.loads(proof), json.loads(public)

    def scalars(self, wtns: File, *, quotient: bool = False) -> bytes:
        """Returns the scalars of the key's points, for a sum elsewhere: the witness's values, integers of 32 bytes, or, with
        ``quotient``, the scalars of the points H."""
        return self._native.scalars(wtns, quotient)

    def prove_from(self, wtns: File, sums: list[bytes]) -> tuple[dict[str, Any], list[str]]:
        """Does the same as :meth:`prove` with given sums over the key's points A, B in G1 and in G2, C and H, each the ``bytes``
        of a :class:`Point`. Wrong sums make no proof."""
        proof, public = self._native.prove(wtns, True, None, None, sums, None)
        return json.loads(proof), json.loads(public)

    def verification_key(self) -> dict[str, Any]:
        """Returns the key's ``verification_key.json``."""
        key: dict[str, Any] = json.loads(self._native.verification_key())
        return key

    @property
    def curve(self) -> str:
        """The curve's name in snarkjs' files: ``bn128`` or ``bls12381``."""
        return self._native.curve

    @property
    def curve_name(self) -> CurveName:
        """The curve's name in this package."""
        return self._native.curve_name

    @property
    def public(self) -> int:
        """The number of public signals of a proof."""
        return self._native.public

    def __repr__(self) -> str:
        return f"<bucketwheel.groth16.Prover: {self.curve}, {self.public} public signals>"


Signals = File | list[str] | list[int] | None


def verify(key: File | dict[str, Any], public: Signals, proof: File | dict[str, Any]) -> bool:
    """Returns true if a proof holds for these public signals and a key: a ``verification_key.json``, or a proving or
    verifying key of arkworks' ``ark-groth16``, compressed or not. You may pass untrusted proofs. A proof whose points
    are not in their groups does not hold, and a text that is not a proof raises a :class:`FormatError`. ``None`` stands
    for no public signals, because ``json.load`` returns it for rapidsnark's ``null``."""
    return _native.verify(_text(key), _signals(public), _text(proof))


def verify_many(
    key: File | dict[str, Any], claims: Iterable[tuple[Signals, File | dict[str, Any]]]
) -> int | None:
    """Returns the index of the first proof that does not hold, or ``None`` if all hold, for pairs of public signals and a proof.

    The proofs are verified together, with random coefficients of 128 bits, in about a third of the time of single
    verifications. A text that is not a proof raises a :class:`FormatError`, as for :func:`verify`. An empty batch
    raises a :class:`LengthError`, because it proves nothing.
    """
    return _native.verify_many(_text(key), [(_signals(public), _text(proof)) for public, proof in claims])


def _signals(public: Signals) -> File:
    """Returns public signals as text. Integers become decimals, which may have any size. The reader refuses values that are
    neither integer nor text."""
    if public is None:
        return b"null"
    if isinstance(public, (list, tuple)):
        other = (bool, float, list, tuple, dict, type(None))
        public = [signal if isinstance(signal, other) else str(signal) for signal in public]
    return _text(public)


def witness(
    wasm: File,
    inputs: File | dict[str, Any],
    *,
    memory: int = 2 << 30,
    seconds: float = 600,
    sym: File | None = None,
    log: Callable[[str], object] | None = None,
) -> bytes:
    """Calculates the witness of a circuit with circom's WebAssembly, for inputs from a JSON file or a dict. Returns the bytes of a ``.wtns`` file.

    The circuit has no access to the system; ``memory`` (bytes) and ``seconds`` bound it. ``sym``, the circuit's ``.sym`` file, names
    inputs in errors; by default, the ``.sym`` file beside ``wasm`` does, if it exists. At the end, ``log`` is called with each line
    that the circuit has logged.
    """
    if not hasattr(_native, "witness"):
        raise Error("this build has no WebAssembly: expected one with the cargo feature `witness`")
    memory = arguments.count("memory", memory)
    return _native.witness(wasm, _text(_decimals(inputs)), memory, float(seconds), sym, log)


def check_witness(r1cs: File, wtns: File, *, sym: File | None = None, progress: Progress | None = None) -> int:
    """Checks that a witness satisfies a circuit, an ``.r1cs`` file, and returns the number of its constraints.

    ``sym``, the circuit's ``.sym`` file, names the signals of a constraint that does not hold; by default, the ``.sym`` file beside
    ``r1cs`` does, if it exists.
    """
    return _native.check_witness(r1cs, wtns, sym, callback_of(progress))


def setup(
    r1cs: File,
    zkey: str | PathLike[str],
    *,
    insecure_seed: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Writes a proving key for a circuit, for development only: its maker can forge proofs. Returns its ``verification_key.json``.

    ``insecure_seed`` makes the key reproducible, for tests.
    """
    seed = arguments.count("insecure_seed", insecure_seed, bits=64)
    key: dict[str, Any] = json.loads(_native.setup(r1cs, zkey, seed, callback_of(progress)))
    return key


def export_solidity(key: File | dict[str, Any]) -> str:
    """Returns the Solidity text of a contract for Ethereum that verifies proofs by a key on BN254: a ``.zkey`` file, a
    ``verification_key.json`` or a key of arkworks' ``ark-groth16``. The contract has the interface of snarkjs' contracts."""
    return _native.export_solidity(_text(key))


def calldata(public: File | list[str] | list[int], proof: File | dict[str, Any]) -> str:
    """Returns the arguments of a call of the contract, as ``snarkjs generatecall`` prints them; in brackets they are JSON."""
    return _native.calldata(_signals(public), _text(proof))


def _text(value: Any) -> Any:
    """Returns JSON as text; a path or bytes unchanged."""
    return json.dumps(value).encode() if isinstance(value, (dict, list, tuple)) else value


def _decimals(value: Any) -> Any:
    """Returns large integers as decimal strings, which may have any size; small integers stay numbers."""
    if isinstance(value, dict):
        return {name: _decimals(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_decimals(part) for part in value]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 1 << 53 else value
