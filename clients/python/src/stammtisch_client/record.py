"""Records of games, verified without trusting the service."""

from pathlib import Path
from typing import Any, Literal

import msgspec

from . import verifier as untyped

verifier: Any = untyped


def seal(game: str, seat: int, entropy: str) -> str:
    """What fixes the entropy of a seat in a sealed game."""
    return str(verifier.seal(game, seat, entropy))


class Check(msgspec.Struct, frozen=True):
    """A check of a record. `ok` is None if it could not be made; `version` is the first wrong event."""

    name: str
    ok: bool | None
    version: int | None
    detail: str | None


class Verification(msgspec.Struct, frozen=True):
    """The checks of a record. `verdict`: `ok`, `wrong`, or `incomplete` if nothing is wrong but some checks could not
    be made, for example because the game is not over."""

    verdict: Literal["ok", "wrong", "incomplete"]
    checks: list[Check]


class Record:
    """The portable record of a game: everything that is needed to replay and verify it."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        """The record as the service sent it."""

    @property
    def fields(self) -> dict[str, Any]:
        """The decoded record. Raises ValueError if an object in it has a key twice."""
        (found,) = verifier.read(self.content.decode())
        return found  # type: ignore[no-any-return]

    def verify(self, head: str | None = None) -> Verification:
        """Check hashes, lifecycle and deals with the verifier that is a part of this package.

        `head`: the `head` of the game at some version, which you kept while it was played. Only a kept head shows that
        the record was not changed as a whole.
        """
        (record,) = verifier.read(self.content.decode())
        checks = verifier.verify(record, head)
        found = {0: "ok", 1: "wrong", 3: "incomplete"}[verifier.status(checks)]
        return msgspec.convert({"verdict": found, "checks": checks}, Verification)

    def save(self, path: Path | str) -> None:
        """Write the record to a file, which `stammtisch verify` and `stammtisch replay` read."""
        Path(path).write_bytes(self.content)

    @classmethod
    def load(cls, path: Path | str) -> "Record":
        """The record in a file."""
        return cls(Path(path).read_bytes())
