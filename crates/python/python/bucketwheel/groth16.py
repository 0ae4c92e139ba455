"""Groth16 proofs on circom's and snarkjs' files.

Files are given by their paths or as bytes; what is JSON in them also as the dict or list that ``json.load`` makes of it.
"""

from __future__ import annotations

import json
from os import PathLike
from typing import Any, Callable, Iterable

from . import _native, arguments
from .errors import Error
from .progress import Progress, callback_of

__all__ = ["Prover", "calldata", "check_witness", "export_solidity", "setup", "verify", "verify_many", "witness"]

File = str | PathLike[str] | bytes | Any


class Prover:
    """A proving key, a ``.zkey`` file, loaded once for any number of proofs, also from many threads.

    ``retain`` keeps the key's points in memory as the engine needs them: faster proofs for more memory. Else they are read
    from the file, mapped, as each proof needs them.

    A file that is written to while it is mapped is an :class:`Error` of the next proof; one that gets shorter ends the process. Without ``map``, the file is copied into memory first, and later changes do not matter.
    """

    def __init__(self, zkey: File, *, retain: bool = False, map: bool = True) -> None:
        self._native = _native.Prover(zkey, retain, map)

    def prove(
        self,
        wtns: File,
        *,
        verify: bool = True,
        memory: int | None = None,
        insecure_seed: int | None = None,
        progress: Progress | None = None,
    ) -> tuple[dict[str, Any], list[str]]:
        """The proof for a witness, a ``.wtns`` file, and its public signals, as snarkjs' ``proof.json`` and ``public.json``.

        The proof is verified first unless ``verify`` is false. ``memory`` bounds the bytes that it takes beside the key, of which
        an :class:`Error` tells the least; a key that is a path stays in its file. ``insecure_seed`` makes proofs reproducible and not zero
        knowledge: for tests.
        """
        memory, seed = arguments.count("memory", memory), arguments.count("insecure_seed", insecure_seed, bits=64)
        proof, public = self._native.prove(wtns, verify, memory, seed, None, callback_of(progress))
        return json.loads(proof), json.loads(public)

    def scalars(self, wtns: File, *, quotient: bool = False) -> bytes:
        """What the key's points are multiplied by, for whoever sums over them elsewhere: the witness's values, integers of 32
        bytes, or, with ``quotient``, those of the points H."""
        return self._native.scalars(wtns, quotient)

    def prove_from(self, wtns: File, sums: list[bytes]) -> tuple[dict[str, Any], list[str]]:
        """As :meth:`prove`, of the sums over the key's points A, B in G1 and in G2, C and H, ``bytes`` of a :class:`Point` each.
        Sums that are wrong make no proof."""
        proof, public = self._native.prove(wtns, True, None, None, sums, None)
        return json.loads(proof), json.loads(public)

    def verification_key(self) -> dict[str, Any]:
        """The key's ``verification_key.json``."""
        key: dict[str, Any] = json.loads(self._native.verification_key())
        return key

    @property
    def curve(self) -> str:
        """The curve's name in snarkjs' files: ``bn128`` or ``bls12381``."""
        return self._native.curve

    @property
    def public(self) -> int:
        """How many public signals a proof has."""
        return self._native.public

    def __repr__(self) -> str:
        return f"<bucketwheel.groth16.Prover: {self.curve}, {self.public} public signals>"


Signals = File | list[str] | list[int] | None


def verify(key: File | dict[str, Any], public: Signals, proof: File | dict[str, Any]) -> bool:
    """Whether a proof of these public signals holds, by a ``verification_key.json`` or a key of arkworks' ``ark-groth16`` (proving or
    verifying, compressed or not). Untrusted proofs are safe to pass: one
    whose points are not in their groups does not hold; what is no proof is a :class:`FormatError`. ``None`` is no public signals,
    which is what ``json.load`` makes of rapidsnark's ``null``."""
    return _native.verify(_text(key), _signals(public), _text(proof))


def verify_many(
    key: File | dict[str, Any], claims: Iterable[tuple[Signals, File | dict[str, Any]]]
) -> int | None:
    """The index of the first proof that does not hold, or ``None`` if all hold, of pairs of public signals and a proof.

    They are verified together, with random coefficients of 128 bits, in about a third of the time that one after the other
    take. What is no proof is a :class:`FormatError`, as for :func:`verify`. No pairs are a :class:`LengthError`: a batch of none
    proves nothing.
    """
    return _native.verify_many(_text(key), [(_signals(public), _text(proof)) for public, proof in claims])


def _signals(public: Signals) -> File:
    """Public signals as their text. Integers become decimals, which may have any size; what is neither integer nor text is left
    for the reader to refuse."""
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
    """The witness, a ``.wtns`` file's bytes, that circom's WebAssembly calculates for these inputs, a JSON file or a dict.

    The circuit has no access to anything; ``memory`` (bytes) and ``seconds`` bound it. ``sym``, the circuit's ``.sym`` file, names
    inputs in errors; without it, the ``.sym`` file beside ``wasm`` does, if there is one. ``log`` is called with each line that the
    circuit logs, at the end.
    """
    if not hasattr(_native, "witness"):
        raise Error("this build has no WebAssembly: expected one with the cargo feature `witness`")
    memory = arguments.count("memory", memory)
    return _native.witness(wasm, _text(_decimals(inputs)), memory, float(seconds), sym, log)


def check_witness(r1cs: File, wtns: File, *, sym: File | None = None, progress: Progress | None = None) -> int:
    """Checks that a witness satisfies a circuit, an ``.r1cs`` file, and says how many constraints that has.

    ``sym``, the circuit's ``.sym`` file, names the signals of a constraint that does not hold; without it, the ``.sym`` file beside
    ``r1cs`` does, if there is one.
    """
    return _native.check_witness(r1cs, wtns, sym, callback_of(progress))


def setup(
    r1cs: File,
    zkey: str | PathLike[str],
    *,
    insecure_seed: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Writes a proving key for a circuit, for development: who made it can forge proofs. Returns its ``verification_key.json``.

    ``insecure_seed`` makes it reproducible: for tests.
    """
    seed = arguments.count("insecure_seed", insecure_seed, bits=64)
    key: dict[str, Any] = json.loads(_native.setup(r1cs, zkey, seed, callback_of(progress)))
    return key


def export_solidity(key: File | dict[str, Any]) -> str:
    """The text of a contract for Ethereum, in Solidity, that verifies proofs by a key on BN254: a ``.zkey`` file, a
    ``verification_key.json`` or a key of arkworks' ``ark-groth16``. Its interface is that of the contracts that snarkjs makes."""
    return _native.export_solidity(_text(key))


def calldata(public: File | list[str] | list[int], proof: File | dict[str, Any]) -> str:
    """The arguments of a call of the contract, as ``snarkjs generatecall`` prints them: in brackets they are JSON."""
    return _native.calldata(_signals(public), _text(proof))


def _text(value: Any) -> Any:
    """JSON as its text; a path or bytes as they are."""
    return json.dumps(value).encode() if isinstance(value, (dict, list, tuple)) else value


def _decimals(value: Any) -> Any:
    """Integers as decimal strings, in which they may have any size; other than counts, which are small."""
    if isinstance(value, dict):
        return {name: _decimals(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_decimals(part) for part in value]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 1 << 53 else value
