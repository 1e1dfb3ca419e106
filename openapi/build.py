"""Writes `openapi.json`, the document that the service serves: `python -m openapi.build`, or `make openapi`.

With `--check` it writes nothing; exit status 1 means that the committed document is out of date.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from domain.rulesets import RULESETS
from service.api.openapi.config import HEADERS
from service.api.openapi.document import document
from service.app import rest_api
from service.runtime import Runtime
from service.settings import Settings

FILE = Path(__file__).with_name("openapi.json")


def built() -> dict[str, Any]:
    """The document, built without a server and without opening a database."""
    with TemporaryDirectory() as folder:
        return document(rest_api(Runtime(Settings(database=f"{folder}/unused.db"))), RULESETS, HEADERS)


def written(made: dict[str, Any]) -> bytes:
    """The committed form: sorted and indented for readable diffs."""
    return msgspec.json.format(msgspec.json.encode(made, order="sorted"), indent=2) + b"\n"


def main(arguments: list[str]) -> int:
    made = written(built())
    if arguments != ["--check"]:
        FILE.write_bytes(made)
        return 0
    if FILE.read_bytes() == made:
        return 0
    sys.stderr.write(f"{FILE.name} is out of date: run `make openapi` and review the difference\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
