"""Writes `openapi.json`, the contract as it is served: `python -m openapi.build`, or `make openapi`.

With `--check` nothing is written: the exit status says whether the committed document is what the service makes.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from domain.rulesets import RULESETS
from service.api.contract import document
from service.api.openapi import HEADERS
from service.app import rest_api
from service.runtime import Runtime
from service.settings import Settings

FILE = Path(__file__).with_name("openapi.json")


def built() -> dict[str, Any]:
    """The document. Nothing is served and no database is opened for it."""
    with TemporaryDirectory() as folder:
        return document(rest_api(Runtime(Settings(database=f"{folder}/unused.db"))), RULESETS, HEADERS)


def written(made: dict[str, Any]) -> bytes:
    """As it is committed: in a form whose differences can be read."""
    return msgspec.json.format(msgspec.json.encode(made, order="sorted"), indent=2) + b"\n"


def main(arguments: list[str]) -> int:
    made = written(built())
    if arguments != ["--check"]:
        FILE.write_bytes(made)
        return 0
    if FILE.read_bytes() == made:
        return 0
    sys.stderr.write(f"{FILE.name} is not what the service serves: run `make openapi` and look at the difference\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
