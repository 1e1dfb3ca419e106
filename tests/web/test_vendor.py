"""What is vendored is what npm published."""

import io
import json
import tarfile
from base64 import b64encode
from hashlib import sha256, sha512

import pytest

from tests.web.vendor import FOLDER, LOCK, Mismatch, extract

PACKAGES = json.loads(LOCK.read_text())["packages"]


@pytest.mark.parametrize("package", PACKAGES, ids=[package["name"] for package in PACKAGES])
def test_files_are_the_locked_ones(package):
    folder = FOLDER / package["name"]
    found = {str(file.relative_to(folder)): file for file in folder.rglob("*") if file.is_file()}
    assert {name: sha256(file.read_bytes()).hexdigest() for name, file in found.items()} == package["files"]


def test_nothing_else_is_vendored():
    assert {file.name for file in FOLDER.iterdir()} == {LOCK.name, *[package["name"] for package in PACKAGES]}


def test_another_tarball_is_refused():
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        info = tarfile.TarInfo("package/a.js")
        info.size = 1
        archive.addfile(info, io.BytesIO(b"1"))
    tarball = stream.getvalue()
    integrity = "sha512-" + b64encode(sha512(tarball).digest()).decode()
    package = {"name": "a", "version": "1", "integrity": integrity, "files": {"a.js": ""}}
    assert extract(tarball, package) == {"a.js": b"1"}
    with pytest.raises(Mismatch):
        extract(tarball + b" ", package)
