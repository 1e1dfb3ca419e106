"""Writes the documents that the service serves: `python -m openapi.build`, or `make openapi`.

`openapi.json` documents the REST API, `asyncapi.json` the play channel. With `--check` nothing is written, and exit
status 1 means that a committed document is out of date.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from domain.rulesets import RULESETS
from service.app import rest_api
from service.channel import asyncapi
from service.documents.config import HEADERS
from service.documents.document import document
from service.runtime import Runtime
from service.settings import Settings

FILE = Path(__file__).with_name("openapi.json")
ASYNCAPI = Path(__file__).with_name("asyncapi.json")


def built() -> dict[str, Any]:
    """The OpenAPI document, built without a server and without opening a database."""
    with TemporaryDirectory() as folder:
        return document(rest_api(Runtime(Settings(database=f"{folder}/unused.db"))), RULESETS, HEADERS)


def built_asyncapi() -> dict[str, Any]:
    """The AsyncAPI document."""
    return asyncapi.document(RULESETS)


DOCUMENTS: Mapping[Path, Callable[[], dict[str, Any]]] = {FILE: built, ASYNCAPI: built_asyncapi}


def written(made: dict[str, Any]) -> bytes:
    """The committed form: sorted and indented for readable diffs."""
    return msgspec.json.format(msgspec.json.encode(made, order="sorted"), indent=2) + b"\n"


def main(arguments: list[str]) -> int:
    outdated = []
    for file, build in DOCUMENTS.items():
        made = written(build())
        if arguments != ["--check"]:
            file.write_bytes(made)
        elif not file.exists() or file.read_bytes() != made:
            outdated.append(file.name)
    for name in outdated:
        sys.stderr.write(f"{name} is out of date: run `make openapi` and review the difference\n")
    return 1 if outdated else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
