"""Which of several media types a client wants (RFC 9110, 12.5.1)."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from service.api.problems import NotAcceptable, Refusal, malformed
from service.http.request import LazyRequest

WEIGHT = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?")

MOST = 50
"""So many types a client may name."""


class Range(NamedTuple):
    """What a part of `Accept` says: how welcome these types are, from 0 to 1."""

    kind: str
    subkind: str
    welcome: float

    def covers(self, media_type: str) -> bool:
        kind, _, subkind = media_type.partition("/")
        return self.kind in (kind, "*") and self.subkind in (subkind, "*")

    @property
    def exactness(self) -> int:
        return (self.kind != "*") + (self.subkind != "*")


def wanted(request: LazyRequest, offered: Sequence[str]) -> str:
    """The type that the client likes best of those that are offered, the first of them if it says nothing.

    Of two that are equally welcome it is the one that is named more exactly, then the one that comes first here.
    Raises a `Refusal` when none will do, or when too many are named.
    """
    accept = ",".join(request.headers.getall("accept", []))
    if accept.count(",") >= MOST:
        raise malformed("Accept", f"names more than {MOST} types")
    ranges = list(_ranges(accept))
    if not ranges:
        return offered[0]
    best = max(offered, key=lambda media_type: _liking(media_type, ranges))
    if _liking(best, ranges)[0] == 0:
        raise Refusal(NotAcceptable(detail=f"There is {', '.join(offered)}."))
    return best


def _ranges(accept: str) -> Iterator[Range]:
    for part in accept.lower().split(","):
        media_range, *parameters = (piece.strip() for piece in part.split(";"))
        if media_range:
            kind, _, subkind = media_range.partition("/")
            yield Range(kind, subkind, _welcome(parameters))


def _welcome(parameters: Sequence[str]) -> float:
    """The weight `q`; what is none counts as no word about it."""
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q" and WEIGHT.fullmatch(value.strip()):
            return float(value)
    return 1.0


def _liking(media_type: str, ranges: Sequence[Range]) -> tuple[float, int]:
    """The most exact range that covers the type decides."""
    covering = [(each.exactness, each.welcome) for each in ranges if each.covers(media_type)]
    exactness, welcome = max(covering, default=(0, 0.0))
    return welcome, exactness
