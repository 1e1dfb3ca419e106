"""The library that the pages import, as npm publishes it. `python -m tests.web.vendor [TARBALL]` fetches and locks it.

`web/vendor/lock.json` has the name, the version and npm's hash of each package, and the SHA-256 of each file taken
from it. The files are never edited.
"""

import io
import json
import sys
import tarfile
from base64 import b64encode
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any
from urllib.request import urlopen

FOLDER = Path(__file__).parents[2] / "web" / "vendor"
LOCK = FOLDER / "lock.json"
REGISTRY = "https://registry.npmjs.org"


class Mismatch(Exception):
    """The tarball is not the one that was locked."""


def extract(tarball: bytes, package: dict[str, Any]) -> dict[str, bytes]:
    """The locked files of the package's tarball. Raises `Mismatch`."""
    found = "sha512-" + b64encode(sha512(tarball).digest()).decode()
    if found != package["integrity"]:
        raise Mismatch(f"{package['name']}: the tarball has {found}, locked is {package['integrity']}")
    with tarfile.open(fileobj=io.BytesIO(tarball)) as archive:
        members = {name: archive.extractfile(f"package/{name}") for name in package["files"]}
        return {name: member.read() for name, member in members.items() if member is not None}


def address(package: dict[str, Any]) -> str:
    return f"{REGISTRY}/{package['name']}/-/{package['name']}-{package['version']}.tgz"


def main(*tarballs: str) -> None:
    lock = json.loads(LOCK.read_text())
    for package, given in zip(lock["packages"], tarballs or [None] * len(lock["packages"]), strict=True):
        tarball = Path(given).read_bytes() if given else urlopen(address(package)).read()
        for name, content in extract(tarball, package).items():
            file = FOLDER / package["name"] / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            package["files"][name] = sha256(content).hexdigest()
    LOCK.write_text(json.dumps(lock, indent=2) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
