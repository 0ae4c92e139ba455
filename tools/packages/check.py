"""Installs the packages in a clean Debian without a compiler, by the lines of README.md and docs/packages.md, and runs them there.

The root has Python and curl, and no network. Programs run a second time in an emulator of a CPU without AVX.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from time import monotonic
from typing import Any

from common import BUILT, FOLDER, GLIBC, PARTS, ROOT, TOOLS, VERSION, run, text_of, timed

RELEASE = "bookworm"
BASE = BUILT / "packages-root/base"
EMULATOR = "qemu-x86_64-static"
# A CPU of 2008, without AVX, ADX and BMI.
OLD = f"{EMULATOR} -cpu Nehalem"
COMPILERS = ("as", "c++", "cargo", "cc", "clang", "gcc", "ld", "make", "rustc")


def expect(holds: bool, message: str) -> None:
    """Ends the test with a message unless something holds."""
    if not holds:
        raise SystemExit(f"packages: {message}")


def blocks(document: str, heading: str = "", language: str = "sh") -> list[str]:
    """Returns the blocks of a document in a language, or those blocks of the section with a heading."""
    text = (ROOT / document).read_text(encoding="utf-8")
    if heading:
        text = re.split(r"^## ", text.partition(f"\n## {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    expect(bool(found), f"{document} {heading} has no block that begins with ```{language}")
    return found


def make_base() -> None:
    """Makes the clean Debian once."""
    if BASE.exists():
        return
    # The mirror that this machine has its packages from; otherwise debootstrap knows one.
    mirrors = []
    if shutil.which("apt-get"):
        query = ("Created-By: Packages", f"Codename: {RELEASE}", "Component: main")
        mirrors = text_of("apt-get", "indextargets", "--format", "$(REPO_URI)", *query).split()
    unfinished = BASE.with_name("unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    run("debootstrap", "--variant=minbase", "--include=python3,python3-venv,curl", RELEASE, unfinished, *mirrors[:1])
    unfinished.rename(BASE)


class Root:
    """A copy of the clean Debian, with the packages in /packages."""

    def __init__(self, name: str) -> None:
        self.folder = BASE.with_name(name)
        shutil.rmtree(self.folder, ignore_errors=True)
        run("cp", "--archive", "--reflink=auto", BASE, self.folder)
        shutil.copytree(FOLDER, self.folder / "packages")
        emulator = shutil.which(EMULATOR)
        if not emulator:
            raise SystemExit(f"packages: {EMULATOR} is missing; tools/setup.sh packages installs it")
        shutil.copy(emulator, self.folder / "usr/local/bin")
        for program in COMPILERS:
            expect(
                not any((self.folder / place / program).exists() for place in ("usr/bin", "usr/local/bin")),
                f"the clean root has {program}",
            )

    def run(self, lines: str) -> str:
        """Runs shell lines in /packages without a network, and returns their standard output."""
        enter = (
            'ip link set lo up; mount -t proc proc "$1/proc"; mount -t devpts devpts "$1/dev/pts"; '
            'exec chroot "$1" env --ignore-environment HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin '
            'DEBIAN_FRONTEND=noninteractive sh -euc "cd /packages\n$2"'
        )
        command = [
            "unshare",
            "--net",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "sh",
            "-euc",
            enter,
            "sh",
            str(self.folder),
            lines,
        ]
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        expect(ended.returncode == 0, f"these lines ended with status {ended.returncode}:\n{lines}\n{ended.stdout}{ended.stderr}")
        return ended.stdout

    def remove(self) -> None:
        """Removes the copy."""
        shutil.rmtree(self.folder)


def check_shell(root: Root) -> None:
    """Asks bash for a completion, and reads a manual page."""
    root.run("""bash -euc '. /usr/share/bash-completion/completions/bucketwheel
COMP_WORDS=(bucketwheel ver) COMP_CWORD=1
_bucketwheel bucketwheel ver bucketwheel
[[ " ${COMPREPLY[*]} " == *" verify "* ]]'
zcat /usr/share/man/man1/bucketwheel-verify.1.gz | grep -q "EXIT STATUS"
""")


def check_sums(root: Root) -> None:
    """Compares sums by the command, the Python package and a program in C, on this CPU and on one without AVX."""
    root.run("bucketwheel generate --curve bn254 --group g1 --size 2^10 --seed 7 --points /p.bin --scalars /s.bin")
    python = 'env/bin/python -c \'import bucketwheel; sum = bucketwheel.Bases.open("/p.bin").msm("/s.bin"); print(sum.x, sum.y)\''
    found = set()
    for emulated in ("", OLD):
        for program in ("/usr/bin/bucketwheel", f"bucketwheel-{VERSION}-x86_64-linux/bin/bucketwheel"):
            (result,) = json.loads(root.run(f"{emulated} {program} msm --json --curve bn254 --group g1 /p.bin /s.bin"))
            expect(("avx" in result["backend"]) <= (emulated == ""), f"{result['backend']} is not the backend of a CPU without AVX")
            found.add((int(result["x"], 16), int(result["y"], 16)))
        x, y = map(int, root.run(f"{emulated} {python}").split())
        found.add((x, y))
    expect(len(found) == 1, f"expected one sum by all packages, with and without AVX; the sums are {found}")


def check_proofs(root: Root) -> None:
    """Proves and verifies on a CPU without AVX, and verifies snarkjs' proof; a wrong proof must not hold."""
    members = "/usr/share/bucketwheel/members"
    for program in ("bucketwheel", "env/bin/python -m bucketwheel"):
        program = f"{OLD} {program if '/' in program else '/usr/bin/' + program}"
        root.run(
            f"{program} prove {members}/circuit.zkey {members}/witness.wtns /proof.json /public.json\n"
            f"{program} verify {members}/verification_key.json /public.json /proof.json\n"
            f"{program} verify {members}/verification_key.json /public.json {members}/proof.json\n"
            f"sed 's/1/2/' /public.json > /wrong.json\n"
            f"! {program} verify {members}/verification_key.json /wrong.json {members}/proof.json"
        )


def check_libraries(root: Root) -> None:
    """Compiles programs of docs/c.md on this machine with each library of the tarball, and runs them in the root.

    Their last lines, the sum's last coordinate and the proof's public signals, must agree.
    """
    folder = root.folder / f"packages/bucketwheel-{VERSION}-x86_64-linux"
    members = "/usr/share/bucketwheel/members"
    for name, header, arguments in (
        ("bucketwheel", "bucketwheel.h", "/p.bin"),
        ("rapidsnark", "prover.h", f"{members}/circuit.zkey {members}/witness.wtns {members}/verification_key.json"),
    ):
        (program,) = [block for block in blocks("docs/c.md", language="c") if block.startswith(f"#include <{header}>")]
        source = root.folder / f"{name}.c"
        source.write_text(program, encoding="utf-8")
        static = (
            f"$(pkg-config --libs-only-L {name}) -l:lib{name}.a $(pkg-config --static --libs-only-l {name} | sed 's/-l{name} //')"
        )
        found = {}
        for kind, libraries in (("shared", f"$(pkg-config --libs {name})"), ("static", static)):
            compiler = f"cc {source} $(pkg-config --cflags {name}) {libraries} -o {root.folder}/{name}-{kind}"
            run("sh", "-euc", compiler, PKG_CONFIG_PATH=str(folder / "lib/pkgconfig"))
            for emulated in ("", OLD):
                path = f"export LD_LIBRARY_PATH=/packages/{folder.name}/lib"
                found[kind, emulated] = root.run(f"{path}\n{emulated} /{name}-{kind} {arguments}").splitlines()[-1]
        expect(len(set(found.values())) == 1, f"expected the same results of all programs with {name}; they are {found}")


def check_service(root: Root) -> None:
    """Starts the server as the unit of the Debian package does, and asks for a proof with the token and the name."""
    unit = (root.folder / "usr/lib/systemd/system/bucketwheel.service").read_text(encoding="utf-8")
    start = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)[0]
    answers = root.run(f"""mkdir -p /etc/bucketwheel/circuits
cp -r /usr/share/bucketwheel/members /etc/bucketwheel/circuits/
echo secret-of-thirty-two-characters-00 > /etc/bucketwheel/token
chmod 600 /etc/bucketwheel/token
CREDENTIALS_DIRECTORY=/etc/bucketwheel
name=prover.example
{start} > /dev/null &
{ASK}
kill $!
wait $!""")
    expect(json.loads(answers)["valid"], f"the service's proof does not hold: {answers}")


# Proves and verifies by HTTP, with the token of a file and the name that $name is.
ASK = """server=http://127.0.0.1:9080
authorization="Authorization: Bearer $(cat /etc/bucketwheel/token)"
curl -fsS --retry 30 --retry-delay 1 --retry-connrefused $server/v1/health -H "$authorization" > /dev/null
curl -fsS $server/v1/prove/members -H "$authorization" -H 'Content-Type: application/octet-stream' \\
    --data-binary @/usr/share/bucketwheel/members/witness.wtns > /answer.json
curl -fsS $server/v1/verify/members -H "$authorization" -H "Host: $name" --json @/answer.json"""


def check_image(root: Root) -> None:
    """Runs the image that the lines of the document unpacked: its own arguments, its user, nothing but its files."""
    layout = root.folder / "packages/image"

    def read(entry: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((layout / "blobs" / entry["digest"].replace(":", "/")).read_text(encoding="utf-8"))
        return found

    index = json.loads((layout / "index.json").read_text(encoding="utf-8"))
    settings = read(read(index["manifests"][0])["config"])["config"]
    inner = root.folder / "packages/server"
    shutil.copytree(root.folder / "usr/share/bucketwheel/members", inner / "circuits/members")
    (inner / "run/secrets").mkdir(parents=True)
    shutil.copy(root.folder / "etc/bucketwheel/token", inner / "run/secrets/token")
    os.chown(inner / "run/secrets/token", *map(int, settings["User"].split(":")))
    shutil.copy(root.folder / "usr/local/bin" / EMULATOR, inner)
    for emulated in ("", "/" + OLD):
        answers = root.run(f"""name=localhost
chroot --userspec={settings["User"]} server {emulated} {" ".join(settings["Entrypoint"])} > /dev/null &
{ASK}
kill $!
wait $!""")
        expect(json.loads(answers)["valid"], f"the image's proof does not hold: {answers}")
    if shutil.which("skopeo"):
        text_of("skopeo", "inspect", "--config", f"oci-archive:{FOLDER}/bucketwheel-{VERSION}-image.tar:{VERSION}")


def milliseconds(*command: str | Path) -> float:
    """Runs a program, and returns the time that it takes."""
    begin = monotonic()
    text_of(*command)
    return 1000 * (monotonic() - begin)


def check_binaries(root: Root) -> None:
    """Checks what the files ask of a system: the command nothing, the libraries a glibc that is old enough.

    The command starts in less than 10 ms.
    """
    tarball = root.folder / f"packages/bucketwheel-{VERSION}-x86_64-linux"
    command = tarball / "bin/bucketwheel"
    fastest = min(milliseconds(command, "--version") for _ in range(20))
    expect(fastest < 10, f"the command starts in {fastest:.1f} ms; expected less than 10 ms")
    expect("NEEDED" not in text_of("readelf", "--dynamic", command), "the command is not static")
    oldest = tuple(map(int, GLIBC.split(".")))
    modules = list((root.folder / "packages/env/lib").rglob("bucketwheel/*.so"))
    expect(len(modules) == 1, f"expected one module of the Python package, not {modules}")
    for library in (tarball / f"lib/libbucketwheel.so.{VERSION}", tarball / "lib/librapidsnark.so", *modules):
        versions = {
            tuple(map(int, found.split(".")))
            for found in re.findall(r"GLIBC_([0-9.]+)", text_of("readelf", "--version-info", library))
        }
        expect(
            bool(versions) and max(versions) <= oldest, f"{library.name} asks for glibc {max(versions)}; expected {GLIBC} or older"
        )


def check_bills() -> None:
    """Checks that each bill of materials is valid CycloneDX, and that each package has the licences."""
    run(TOOLS / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "cyclonedx-python-lib[json-validation]")
    validate = (
        "import sys; from cyclonedx.schema import SchemaVersion; from cyclonedx.validation.json import JsonStrictValidator\n"
        "error = JsonStrictValidator(SchemaVersion.V1_5).validate_str(open(sys.argv[1]).read())\n"
        "sys.exit(str(error) if error else 0)"
    )
    for part in PARTS:
        run(TOOLS / "bin/python", "-c", validate, FOLDER / f"{part.name}-{VERSION}.cdx.json")
    names = zipfile.ZipFile(next(FOLDER.glob("*.whl"))).namelist()
    expect(any(name.endswith("licenses/LICENSE-THIRD-PARTY") for name in names), "the wheel has no licences of its crates")
    with tarfile.open(FOLDER / f"bucketwheel-{VERSION}-x86_64-linux.tar.gz") as archive:
        expect(any(name.endswith("LICENSES.txt.gz") for name in archive.getnames()), "the tarball has no licences of its crates")


def main() -> None:
    """Tests the packages in target/packages."""
    expect(os.geteuid() == 0, "the test needs root, because it changes the root folder of programs")
    expect((FOLDER / "SHA256SUMS").exists(), f"{FOLDER} has no packages; make packages builds them")

    timed("clean Debian", make_base)
    root = timed("README.md: root", Root, "readme")
    for lines in blocks("README.md", "Install"):
        timed("README.md: " + lines.splitlines()[0], root.run, lines)
    root.remove()
    root = timed("docs/packages.md: root", Root, "packages")
    for lines in blocks("docs/packages.md"):
        timed("docs/packages.md: " + lines.splitlines()[0], root.run, lines)
    for name, check in (
        ("completions, manual pages", check_shell),
        ("sums", check_sums),
        ("proofs", check_proofs),
        ("libraries for C", check_libraries),
        ("service", check_service),
        ("image", check_image),
        ("binaries", check_binaries),
    ):
        timed(name, check, root)
    timed("bills of materials", check_bills)
    root.remove()
    print("packages: all checks hold", file=sys.stderr)
