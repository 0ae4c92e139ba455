"""Builds the parts, and makes the packages of them."""

import os
import shutil
import tempfile
import venv
from email.utils import formatdate
from pathlib import Path

import archives
import bill
from common import BUILT, COMMAND, FOLDER, GLIBC, LIBRARY, ROOT, SHARED, STATIC, TIME, TOOLS, VERSION, WORKSPACE
from common import run, text_of, timed

# Packages of PyPI: zig is the C compiler and linker for a libc that is not this machine's.
REQUIREMENTS = ("maturin>=1.9,<2", "cargo-zigbuild", "ziglang")
# Settings of the image; deploy/Dockerfile has the same user and arguments.
SERVER = {
    "User": "65532:65532",
    "ExposedPorts": {"9080/tcp": {}},
    "StopSignal": "SIGTERM",
    "Entrypoint": "/usr/bin/bucketwheel serve /circuits --listen 0.0.0.0:9080 --token-file /run/secrets/token --log json".split(),
    "Labels": {
        "org.opencontainers.image.title": "bucketwheel",
        "org.opencontainers.image.description": "Groth16 proofs over HTTP",
        "org.opencontainers.image.version": VERSION,
        "org.opencontainers.image.licenses": WORKSPACE["license"],
    },
}
# Who builds packages for others puts an address of their own here.
MAINTAINER = "The authors of Bucketwheel <bucketwheel@example.invalid>"
LINKER = TOOLS / "bin/bucketwheel-linker"
# Cargo compiles a crate again for another linker or C compiler, so the libraries and the wheel have one environment.
VARIABLES = {
    "PATH": f"{TOOLS / 'bin'}:{os.environ['PATH']}",
    "CARGO_PROFILE_RELEASE_STRIP": "symbols",
    f"CARGO_TARGET_{SHARED.upper().replace('-', '_')}_LINKER": str(LINKER),
}


def prepare() -> None:
    """Makes the environment of Python with the tools and the linker, and adds the target of the static command to Rust."""
    if not (TOOLS / "bin/pip").exists():
        venv.create(TOOLS, with_pip=True)
    run(TOOLS / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *REQUIREMENTS)
    linker = f"{TOOLS / 'bin/cargo-zigbuild'} zig cc -- -target x86_64-linux-gnu.{GLIBC}"
    LINKER.write_text(f'#!/bin/sh\nexec {linker} "$@"\n', encoding="utf-8")
    LINKER.chmod(0o755)
    sysroot = Path(text_of("rustc", "--print", "sysroot").strip())
    if not (sysroot / "lib/rustlib" / STATIC / "lib").is_dir():
        run("rustup", "--quiet", "target", "add", STATIC)


def command() -> Path:
    """Builds the static command, and returns its path."""
    features = ",".join(COMMAND.features)
    run(*f"cargo zigbuild --release --locked --target {STATIC} --package {COMMAND.crate} --features {features}".split(), **VARIABLES)
    return BUILT / STATIC / "release/bucketwheel"


def libraries() -> Path:
    """Builds the libraries for C, and returns the folder that tools/capi.sh makes."""
    folder = TOOLS / "capi"
    shutil.rmtree(folder, ignore_errors=True)
    run("tools/capi.sh", folder, "--locked", "--features", ",".join(LIBRARY.features), CARGO_BUILD_TARGET=SHARED, **VARIABLES)
    return folder


def wheel(licences: Path) -> None:
    """Builds the wheel. It has the licences of all parts beside those of the package."""
    # pyproject.toml names all licences beside it.
    copy = ROOT / "crates/python/LICENSE-THIRD-PARTY"
    shutil.copyfile(licences, copy)
    try:
        options = f"--release --locked --quiet --target {SHARED} --compatibility manylinux_{GLIBC.replace('.', '_')}".split()
        project = ("--manifest-path", "crates/python/Cargo.toml", "--out", FOLDER)
        run(TOOLS / "bin/maturin", "build", *options, *project, **VARIABLES)
    finally:
        copy.unlink()
    # SOURCE_DATE_EPOCH would do the same, but compiles C code again, and all crates above it.
    archives.settle_zip(next(FOLDER.glob("*.whl")))


def write(path: Path, content: str | bytes) -> None:
    """Writes a file, and makes its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def install(program: Path, folder: Path) -> None:
    """Puts the command with everything that belongs to it into a folder such as /usr or /usr/local."""
    (folder / "bin").mkdir(parents=True)
    shutil.copy(program, folder / "bin/bucketwheel")
    share = folder / "share"
    for shell, file in (
        ("bash", "bash-completion/completions/bucketwheel"),
        ("zsh", "zsh/vendor-completions/_bucketwheel"),
        ("fish", "fish/vendor_completions.d/bucketwheel.fish"),
    ):
        write(share / file, text_of(program, "completions", shell))
    with tempfile.TemporaryDirectory() as pages:
        text_of(program, "man", pages)
        for page in Path(pages).iterdir():
            write(share / f"man/man1/{page.name}.gz", archives.compress(page.read_bytes()))
    # A key, a witness and a proof to begin with.
    for name in ("circuit.zkey", "witness.wtns", "verification_key.json", "public.json", "proof.json"):
        write(share / "bucketwheel/members" / name, (ROOT / "crates/cli/data/members" / name).read_bytes())
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        write(share / "doc/bucketwheel" / name, (ROOT / name).read_bytes())
    write(share / "doc/bucketwheel/LICENSES.txt.gz", archives.compress((FOLDER / "LICENSES.txt").read_bytes()))
    write(share / "doc/bucketwheel/changelog.gz", archives.compress((ROOT / "CHANGELOG.md").read_bytes()))
    write(share / "doc/bucketwheel/examples/nginx.conf", (ROOT / "deploy/nginx.conf").read_bytes())


def unit(program: str) -> str:
    """Returns the unit of systemd for a command in another folder than the repository's example."""
    return (ROOT / "deploy/bucketwheel.service").read_text(encoding="utf-8").replace("/usr/local/bin/bucketwheel", program)


def tarball(program: Path, library: Path, folder: Path) -> None:
    """Makes the tarball: command, libraries, headers, pkg-config files."""
    name = f"bucketwheel-{VERSION}-x86_64-linux"
    install(program, folder)
    shutil.copytree(library / "lib", folder / "lib", symlinks=True)
    shutil.copytree(library / "include", folder / "include")
    write(folder / "share/doc/bucketwheel/examples/bucketwheel.service", unit("/usr/local/bin/bucketwheel"))
    (FOLDER / f"{name}.tar.gz").write_bytes(archives.compress(archives.tar(folder, f"{name}/")))


def deb(program: Path, folder: Path) -> None:
    """Makes the Debian package: command and service."""
    install(program, folder / "usr")
    write(folder / "usr/lib/systemd/system/bucketwheel.service", unit("/usr/bin/bucketwheel"))
    documents = folder / "usr/share/doc/bucketwheel"
    # Debian has the text of Apache's licence.
    (documents / "LICENSE-APACHE").unlink()
    mit = (documents / "LICENSE-MIT").read_text(encoding="utf-8")
    (documents / "LICENSE-MIT").unlink()
    indented = "\n".join(f" {line}" if line else " ." for line in mit.strip().splitlines())
    write(
        documents / "copyright",
        f"""Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: bucketwheel
Comment: LICENSES.txt.gz in this folder has the licences of the Rust crates that the command contains.

Files: *
Copyright: The authors of Bucketwheel
License: MIT or Apache-2.0

License: MIT
{indented}

License: Apache-2.0
 On Debian systems, /usr/share/common-licenses/Apache-2.0 has the text of this licence.
""",
    )
    write(
        documents / "changelog.Debian.gz",
        archives.compress(f"""bucketwheel ({VERSION}) unstable; urgency=medium

  * The changes are in changelog.gz.

 -- {MAINTAINER}  {formatdate(TIME)}
""".encode()),
    )
    archives.debian(
        folder,
        {
            "Package": "bucketwheel",
            "Version": VERSION,
            "Architecture": "amd64",
            "Maintainer": MAINTAINER,
            "Section": "math",
            "Priority": "optional",
            "Description": "multi-scalar multiplication and Groth16 proofs\n"
            " The command bucketwheel computes sums of points of elliptic curves, makes and\n"
            " verifies Groth16 proofs for the files of circom and snarkjs, and serves proofs\n"
            " over HTTP. It is static, and chooses the CPU's instructions at run time.",
        },
        FOLDER / f"bucketwheel_{VERSION}_amd64.deb",
    )


def image(program: Path, folder: Path) -> None:
    """Makes the image of the server: the command, its licences, and the folder of circuits to mount."""
    (folder / "usr/bin").mkdir(parents=True)
    shutil.copy(program, folder / "usr/bin/bucketwheel")
    (folder / "circuits").mkdir()
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        write(folder / "usr/share/doc/bucketwheel" / name, (ROOT / name).read_bytes())
    write(folder / "usr/share/doc/bucketwheel/LICENSES.txt.gz", archives.compress((FOLDER / "LICENSES.txt").read_bytes()))
    archives.image(folder, f"bucketwheel:{VERSION}", SERVER, FOLDER / f"bucketwheel-{VERSION}-image.tar")


def sums() -> None:
    """Writes SHA256SUMS, and prints the size of each package."""
    files = sorted(path for path in FOLDER.iterdir())
    write(FOLDER / "SHA256SUMS", "".join(f"{archives.sha256(path.read_bytes())}  {path.name}\n" for path in files))
    for path in files:
        print(f"{path.stat().st_size / 1e6:8.2f} MB  {path.name}")


def main() -> None:
    """Builds all packages, and prints the minutes of each step."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    timed("tools", prepare)
    timed("bills of materials, licences", bill.write, FOLDER)
    program = timed("command", command)
    library = timed("libraries for C", libraries)
    timed("wheel", wheel, FOLDER / "LICENSES.txt")
    for name, make in (
        ("tarball", lambda folder: tarball(program, library, folder)),
        ("Debian package", lambda folder: deb(program, folder)),
        ("image", lambda folder: image(program, folder)),
    ):
        with tempfile.TemporaryDirectory() as folder:
            timed(name, make, Path(folder))
    sums()
