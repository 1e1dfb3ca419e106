"""The problems of requests about pairings."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from service.api.problems import NotFound, Problem, ProblemError
from service.extensions.pairings import rows
from service.extensions.pairings.pairings import InvitedTooOften, NoSuchPairing


class TooManyPairings(Problem, tag="too-many-pairings"):
    """The caller has reached a limit of pairings or of their tables."""

    title: str = "You have too many pairings or tables."
    status: Literal[409] = 409


class TooManyInvitations(Problem, tag="too-many-invitations"):
    """Somebody to invite has too many invitations that they have not answered. The problem does not say who."""

    title: str = "Somebody has too many invitations."
    status: Literal[409] = 409


PROBLEMS: Mapping[type[Exception], Callable[[Any], ProblemError]] = {
    rows.TooMany: lambda error: ProblemError(TooManyPairings(detail=str(error))),
    InvitedTooOften: lambda _: ProblemError(TooManyInvitations()),
    NoSuchPairing: lambda _: ProblemError(NotFound(detail="This pairing does not exist.")),
    rows.Closed: lambda _: ProblemError(NotFound(detail="No table of this pairing can begin now.")),
}
