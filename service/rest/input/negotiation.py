"""Content negotiation by `Accept` (RFC 9110, section 12.5.1)."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from service.api.problems import NotAcceptable, ProblemError, malformed_request
from service.server.request import LazyRequest

_WEIGHT = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?")

MAX_RANGES = 50
"""The largest number of media ranges in `Accept`."""


class MediaRange(NamedTuple):
    """A media range of `Accept` with its weight, from 0 to 1."""

    kind: str
    subkind: str
    weight: float

    def covers(self, media_type: str) -> bool:
        kind, _, subkind = media_type.partition("/")
        return self.kind in (kind, "*") and self.subkind in (subkind, "*")

    @property
    def specificity(self) -> int:
        return (self.kind != "*") + (self.subkind != "*")


def preferred_type(request: LazyRequest, offered: Sequence[str]) -> str:
    """The offered media type that the client prefers; without `Accept` the first one.

    Of two types with the same weight, the one with the more specific range wins, then the one that is offered first.
    Raises a `ProblemError` if no type is acceptable or `Accept` has too many ranges.
    """
    accept = ",".join(request.headers.getall("accept", []))
    if accept.count(",") >= MAX_RANGES:
        raise malformed_request("Accept", f"has more than {MAX_RANGES} media ranges")
    ranges = list(_ranges(accept))
    if not ranges:
        return offered[0]
    best = max(offered, key=lambda media_type: _preference(media_type, ranges))
    if _preference(best, ranges)[0] == 0:
        raise ProblemError(NotAcceptable(detail=f"Available: {', '.join(offered)}."))
    return best


def _ranges(accept: str) -> Iterator[MediaRange]:
    for part in accept.lower().split(","):
        media_range, *parameters = (piece.strip() for piece in part.split(";"))
        if media_range:
            kind, _, subkind = media_range.partition("/")
            yield MediaRange(kind, subkind, _weight(parameters))


def _weight(parameters: Sequence[str]) -> float:
    """The weight `q`, 1 by default. An invalid weight is ignored."""
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q" and _WEIGHT.fullmatch(value.strip()):
            return float(value)
    return 1.0


def _preference(media_type: str, ranges: Sequence[MediaRange]) -> tuple[float, int]:
    """The weight and specificity of the type, both from the most specific range that covers it."""
    covering = [(each.specificity, each.weight) for each in ranges if each.covers(media_type)]
    specificity, weight = max(covering, default=(0, 0.0))
    return weight, specificity
