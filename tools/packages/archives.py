"""Archives of a folder that repeat byte for byte: tar, Debian package, container image."""

import gzip
import hashlib
import io
import json
import os
import tarfile
import zipfile
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from common import TIME, run


def settle(folder: Path) -> None:
    """Gives everything in a folder the time of the packages, and the modes that root's files have."""
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
        os.utime(path, (TIME, TIME), follow_symlinks=False)


def tar(folder: Path, prefix: str = "") -> bytes:
    """Returns a tar archive of a folder's content, owned by root. Its names begin with the prefix."""
    settle(folder)
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(folder.rglob("*")):
            entry = archive.gettarinfo(path, prefix + str(path.relative_to(folder)))
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            with path.open("rb") if entry.isreg() else io.BytesIO() as content:
                archive.addfile(entry, content)
    return out.getvalue()


def compress(content: bytes) -> bytes:
    """Returns the bytes as gzip writes them, without name and time."""
    return gzip.compress(content, 9, mtime=0)


def settle_zip(file: Path) -> None:
    """Gives all files of a zip archive the time of the packages."""
    with zipfile.ZipFile(file) as archive:
        contents = [(entry, archive.read(entry)) for entry in archive.infolist()]
    time = datetime.fromtimestamp(TIME, timezone.utc)
    with zipfile.ZipFile(file, "w") as archive:
        for entry, content in contents:
            entry.date_time = (time.year, time.month, time.day, time.hour, time.minute, time.second)
            entry.extra = b""
            archive.writestr(entry, content)


def debian(folder: Path, fields: dict[str, str], file: Path) -> None:
    """Makes a Debian package of a folder. The fields are the package's description; sizes and checksums are added."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    sums = "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n" for path in files)
    size = sum(path.stat().st_size for path in files)
    control = folder / "DEBIAN"
    control.mkdir()
    (control / "md5sums").write_text(sums, encoding="utf-8")
    fields = fields | {"Installed-Size": str(-(-size // 1024))}
    (control / "control").write_text("".join(f"{name}: {value}\n" for name, value in fields.items()), encoding="utf-8")
    settle(folder)
    run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", folder, file, SOURCE_DATE_EPOCH=str(TIME))


def image(folder: Path, name: str, settings: dict[str, Any], file: Path) -> None:
    """Makes a container image in the formats of OCI and of Docker. Its single layer is the content of the folder."""
    blobs: dict[str, bytes] = {}

    def add(content: bytes, kind: str) -> dict[str, Any]:
        entry = {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{sha256(content)}", "size": len(content)}
        blobs[path(entry)] = content
        return entry

    def path(entry: dict[str, Any]) -> str:
        return "blobs/" + str(entry["digest"]).replace(":", "/")

    content = tar(folder)
    created = datetime.fromtimestamp(TIME, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    layer = add(compress(content), "layer.v1.tar+gzip")
    config = add(
        as_json(
            {
                "created": created,
                "architecture": "amd64",
                "os": "linux",
                "config": settings,
                "rootfs": {"type": "layers", "diff_ids": [f"sha256:{sha256(content)}"]},
                "history": [{"created": created, "created_by": "tools/packages"}],
            }
        ),
        "config.v1+json",
    )
    manifest = add(
        as_json(
            {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config, "layers": [layer]}
        ),
        "manifest.v1+json",
    )
    index = as_json(
        {
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.index.v1+json",
            "manifests": [
                manifest
                | {
                    "annotations": {
                        "org.opencontainers.image.ref.name": name.partition(":")[2],
                        "io.containerd.image.name": f"localhost/{name}",
                    }
                }
            ],
        }
    )
    docker = as_json([{"Config": path(config), "RepoTags": [name], "Layers": [path(layer)]}])
    entries = {"oci-layout": as_json({"imageLayoutVersion": "1.0.0"}), "index.json": index, "manifest.json": docker}
    with tarfile.open(file, "w", format=tarfile.USTAR_FORMAT) as archive:
        for file_name, content in (entries | dict(sorted(blobs.items()))).items():
            entry = tarfile.TarInfo(file_name)
            entry.size, entry.mtime, entry.mode = len(content), TIME, 0o644
            archive.addfile(entry, io.BytesIO(content))


def as_json(value: dict[str, Any] | list[Any]) -> bytes:
    """Returns a value as JSON."""
    return json.dumps(value, indent=1).encode()


def sha256(content: bytes) -> str:
    """Returns the SHA-256 of bytes in hexadecimal."""
    return hashlib.sha256(content).hexdigest()
