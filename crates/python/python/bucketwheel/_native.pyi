from os import PathLike
from typing import Any, Callable, Sequence, TypedDict

Progress = Callable[[int, int], object]
Source = Any
Sums = list[tuple[str, bytes]]

__version__: str

class Options(TypedDict):
    check: str
    deduplicate: bool
    copies: int | None
    threads: int | None

def curves() -> list[tuple[str, int, int, list[str]]]: ...
def encode(points: bytes, curve: str, part: str, format: str) -> bytes: ...
def generate(
    count: int,
    curve: str,
    group: str,
    seed: int,
    distribution: str,
    progress: Progress | None,
) -> tuple[list[bytes], bytes]: ...

class Bases:
    def __init__(
        self,
        points: Sequence[Source],
        curve: str,
        group: str,
        form: str,
        options: Options,
        progress: Progress | None,
    ) -> None: ...
    @staticmethod
    def open(
        file: Source,
        format: str | None,
        curve: str | None,
        group: str | None,
        section: str | None,
        options: Options,
        progress: Progress | None,
    ) -> Bases: ...
    def run(self, scalars: Source, form: str, threads: int | None, progress: Progress | None) -> Sums: ...
    def write_table(self, path: str | PathLike[str]) -> None: ...
    @property
    def curve(self) -> str: ...
    @property
    def group(self) -> str: ...
    @property
    def backend(self) -> str: ...
    def __len__(self) -> int: ...

class Cards:
    def __init__(self, points: Source, curve: str, part: str, design: str) -> None: ...
    def run(self, scalars: Source, progress: Progress | None) -> tuple[bytes, int]: ...
    def __len__(self) -> int: ...

def card_times(design: str, settings: list[tuple[str, str]], log_sizes: list[int]) -> tuple[str, int, list[float]]: ...

class Mask:
    def __init__(self, curve: str, part: str, alpha: int) -> None: ...
    def points(self, points: Source, key: bytes, first: int) -> bytes: ...
    def inner(self, scalars: Source, key: bytes, first: int) -> bytes: ...
    def holds(self, sums: bytes, inner: bytes) -> bool: ...

class Stream:
    def __init__(
        self,
        curve: str,
        group: str,
        points: int | None,
        memory: int | None,
        check: str,
        threads: int | None,
        resume: tuple[int, Sequence[bytes]] | None,
    ) -> None: ...
    def update(self, points: Sequence[Source], scalars: Source, form: str) -> None: ...
    def flush(self) -> Sums: ...
    def __len__(self) -> int: ...

class Prover:
    def __init__(self, key: Source, retain: bool) -> None: ...
    def prove(
        self,
        witness: Source,
        verify: bool,
        memory: int | None,
        insecure_seed: int | None,
        sums: list[bytes] | None,
        progress: Progress | None,
    ) -> tuple[str, str]: ...
    def scalars(self, witness: Source, quotient: bool) -> bytes: ...
    @property
    def curve(self) -> str: ...
    @property
    def public(self) -> int: ...
    def verification_key(self) -> str: ...

def verify(key: Source, public: Source, proof: Source) -> bool: ...
def verify_many(key: Source, claims: list[tuple[Source, Source]]) -> int | None: ...
def witness(
    circuit: Source,
    inputs: Source,
    memory: int,
    seconds: float,
    sym: Source | None,
    log: Callable[[str], object] | None,
) -> bytes: ...
def setup(
    circuit: Source, path: str | PathLike[str], insecure_seed: int | None, progress: Progress | None
) -> str: ...
def check_witness(circuit: Source, witness: Source, sym: Source | None, progress: Progress | None) -> int: ...
