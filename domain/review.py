"""The document of a review: `agents.review` makes it, and the service serves it. It has moves, not sentences."""

from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import UNSET, Meta, UnsetType

from domain.game import Hex
from domain.messages import Value
from domain.ruleset import BotName, Ruleset, Seat
from domain.searching import Lots, ruler

M = TypeVar("M")

FORMAT: Literal["stammtisch-review/1"] = "stammtisch-review/1"

Category: TypeAlias = Literal["inaccuracy", "mistake", "blunder"]
CATEGORIES: tuple[Category, ...] = ("inaccuracy", "mistake", "blunder")

HALF = 1.96
"""Standard errors of half an interval of 95 %."""


class Account(Value):
    """The points of a seat by their causes, in a round or in the game: `result = luck + errors + finds + others`.

    All in points ahead of the mean of the other seats, in tenths that add up.
    """

    result: float
    """The points ahead of the mean of the other seats."""
    luck: float
    """Deals and draws."""
    errors: float
    """Own choices that are worse than those of the house player."""
    finds: float
    """Own choices that are better than those of the house player."""
    others: float
    """The choices of others."""
    error: float
    """The standard error of `luck`, of the effects that count: smaller ones, which may be chance, stay in luck."""


class Point(Value):
    """A point of a seat's curve, in points ahead."""

    version: Annotated[int, Meta(description="The version of the choice before which it stands; 0: the end.")]
    expected: float
    """The result that the seat could expect then, in points ahead."""
    luck: float
    """The luck since the point before, in points ahead."""


class ReviewedRound(Value):
    """A round; the whole game, where the points of a round can be lost again later."""

    accounts: tuple[Account, ...]
    """By seat."""
    curves: tuple[tuple[Point, ...], ...]
    """By seat: a point for each of its choices that is weighed, and one for the end."""


class Choice(Value, Generic[M], kw_only=True):
    """A choice of a player between several legal moves, weighed in worlds that its seat could imagine."""

    version: int
    """The version of the first event that it caused. The choice was made at the version before."""
    round: int
    """Rounds are numbered from 0."""
    seat: Seat
    """The seat that chose."""
    made: M
    """The move that was made."""
    expected: float
    """The result that the seat could expect before, in points ahead."""
    as_house: bool
    """The house player might have made the same move."""
    hinted: bool
    """The player had a hint."""
    best: M | UnsetType = UNSET
    """The move that seems to be better. Absent: none was found among the moves and worlds that were tried; this does
    not show that there is none."""
    loss: float = 0
    """The points by which that move is better. It may be chance: see `error`. Without `best` it is 0 and was not
    measured."""
    error: float = 0
    """The standard error of `loss`; the range of 95 % is `loss` ± 1.96 times this."""
    worlds: int = 0
    """The number of worlds in which `loss` was measured."""
    refined: bool = False
    """The loss was measured in worlds that neither the best move nor the choice was picked by."""
    category: Annotated[
        Category | UnsetType,
        Meta(
            description="The category of the least that the choice has cost with nine chances in ten. "
            "Absent: too close to tell."
        ),
    ] = UNSET


class Hint(Value, Generic[M], kw_only=True):
    """The moves that nothing speaks against, in worlds that the seat can imagine."""

    seat: Seat
    """The seat that asked."""
    version: int
    """The version of the table that it is about: that of the last event of the ruleset that stands."""
    moves: tuple[M, ...]
    """The best first. The others of them are too close to it to tell."""
    against: M | UnsetType = UNSET
    """The move that the first one is compared with. Absent: it is the only legal move, or that of the house player,
    because no world could be imagined."""
    ahead: float = 0
    """The points by which the first one is better than `against`. It may be chance: see `error`."""
    error: float = 0
    """The standard error of `ahead`; the range of 95 % is `ahead` ± 1.96 times this."""
    worlds: int = 0
    """The number of worlds in which `ahead` was measured. None of the moves was picked by them."""


def house_hint(rules: Ruleset[Any, Any, Any], view: Any, seat: Seat, version: int) -> Hint[Any]:
    """In a game that is too long to imagine worlds: the move of the house player, without figures."""
    legal = rules.legal(view, seat)
    chosen = rules.bots[ruler(rules)](view, seat, legal, Lots(0))
    return Hint(seat=seat, version=version, moves=(legal[chosen],))


class Mean(Value):
    """The choices of a seat as a part of its player's mean over many games: unbiased, but noisy in a single game."""

    seat: Seat
    """The seat."""
    choices: int
    """The number of choices that were weighed. Choices with a hint and those of house players are left out."""
    loss: float
    """The mean loss of a choice, in points."""
    own: float
    """The points that all choices of the seat in the game have brought beside those of the house player."""


class Review(Value, Generic[M], kw_only=True):
    """Every choice of a finished game, weighed as far as its seat could know, and where the results come from."""

    format: Literal["stammtisch-review/1"] = FORMAT
    state: Literal["first", "final"]
    """`first`: accounts are provisional, and no choice has a category yet."""
    head: Hex
    """The head of the record. All random numbers of the review follow from it."""
    rules: str
    """The ruleset and the version of its rules."""
    plan: str
    """The number of worlds that were imagined: `quick`, `standard` or `full`."""
    house: BotName
    """The house player that plays on in the imagined worlds."""
    thresholds: tuple[float, ...]
    """The losses, in points, from which on a choice is an inaccuracy, a mistake, a blunder. Empty: not measured yet."""
    accounts: tuple[Account, ...]
    """The accounts of the whole game, by seat."""
    rounds: tuple[ReviewedRound, ...]
    """The rounds in their order."""
    choices: tuple[Choice[M], ...]
    """The choices of the reviewed seats, in their order. Forced moves and those of house players are left out."""
    unweighed: tuple[int, ...]
    """The versions of choices for which no world could be imagined."""
    means: tuple[Mean, ...]
    """By reviewed seat with choices."""
