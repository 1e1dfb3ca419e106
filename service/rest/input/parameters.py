"""Types of the parameters that several handlers take, with their constraints and descriptions."""

import re
from typing import Annotated, Any, Literal, TypeAlias

from litestar.di import NamedDependency
from litestar.params import HeaderParameter, PathParameter, QueryParameter, SkipValidation

As = Annotated[
    str | None,
    QueryParameter(
        name="as", pattern=r"^(0|[1-9][0-9]{0,2}|bystander|all)$(?!\n)",
        description="The perspective: a seat number, `bystander` or `all`. Default: the caller's seat, or `all` when "
        "the game is over.",
    ),
]  # fmt: skip
Invite = Annotated[
    str | None,
    QueryParameter(
        name="invite", max_length=64,
        description="The invite code of a private game. The header `Invite` keeps it out of URLs.",
    ),
]  # fmt: skip
InviteHeader = Annotated[
    str | None,
    HeaderParameter(
        name="Invite", pattern=r"^[!-~]{1,64}$(?!\n)",
        description="The invite code of a private game. Takes precedence over the parameter `invite`.",
    ),
]  # fmt: skip
Names = Annotated[
    bool,
    QueryParameter(
        name="names",
        description="`false`: `names` is empty. The record of a game that is over is then always the same bytes.",
    ),
]
At = Annotated[int | None, QueryParameter(name="at", ge=1, description="Returns the game as of this version.")]
With = Annotated[
    Literal["tally"] | None,
    QueryParameter(name="with", description="`tally`: the response also says what the cards on the table count now."),
]
IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key", pattern=r"^[!-~]{1,128}$(?!\n)",
        description="1 to 128 visible ASCII characters. Repeating the request with the same key has no further effect.",
    ),
]  # fmt: skip
IfMatch = Annotated[
    str | None,
    HeaderParameter(
        name="If-Match",
        description="The ETag of the game on which the client decided. Fails with 412 if the caller's choice has "
        "changed since then.",
    ),
]
IfNoneMatch = Annotated[
    str | None, HeaderParameter(name="If-None-Match", description="ETags of cached responses. A match returns 304.")
]
Prefer = Annotated[
    str | None, HeaderParameter(name="Prefer", description="`return=minimal` omits the game from the response.")
]
GameId = Annotated[str, PathParameter(description="The id of the game.")]
Running = Annotated[bool, QueryParameter(name="running", description="Leave also if the game is running.")]
SeatPath = Annotated[str, PathParameter(description="The number of the seat, from 0.")]
VersionPath = Annotated[str, PathParameter(description="The version that ended the move.")]

OfRules: TypeAlias = NamedDependency[SkipValidation[Any]]
"""The rules of the request's ruleset."""
Given: TypeAlias = NamedDependency[SkipValidation[Any]]
"""What the path and the query say of a command."""

RETURN_MINIMAL = "return=minimal"

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*+)"?')
"""A quoted string, or everything after a quote that is never closed: so no text is searched twice."""
_SEPARATOR = re.compile(r"[,;=\s]")

_VERSION = re.compile(r'"([0-9]{1,9})\.')


def decided_version(if_match: str | None) -> int | None:
    """The version of the ETag in `If-Match`, the highest of several; None without a precondition.

    0 for an ETag that the service never issued: at that version no seat had a choice, so the move is stale.
    """
    if if_match is None or if_match.strip() == "*":
        return None
    return max((int(version) for version in _VERSION.findall(if_match)), default=0)


def prefers_minimal(prefer: str | None) -> bool:
    """Whether `Prefer` (RFC 7240) has the preference `return=minimal`. Of several with this name the first counts."""
    if prefer is None or prefer == RETURN_MINIMAL:  # the latter is what clients send
        return prefer is not None
    unquoted = _QUOTED.sub(lambda quoted: _SEPARATOR.sub("_", quoted[1]), prefer)
    for each in unquoted.lower().split(","):
        name, _, value = each.partition(";")[0].partition("=")
        if name.strip() == "return":
            return value.strip() == "minimal"
    return False
