"""The resource of a review, as `stammtisch review` writes it, and what comes before it."""

from typing import Annotated, Any, Generic, Literal, TypeVar

from msgspec import UNSET, Meta, UnsetType

from domain.game import Rules
from domain.messages import Value
from domain.ruleset import Seat
from service.reviews.job import Progress

M = TypeVar("M")

Points = Annotated[float, Meta(description="Points ahead of the mean of the other seats. More is better.")]
StandardError = Annotated[float, Meta(description="A standard error. The range that pages show is 1.96 times that.")]


class ReviewPending(Value):
    """The review waits in the queue, or the first pass is under way."""

    state: Literal["pending"]
    progress: Progress
    place: Annotated[int, Meta(description="The number of reviews that are made before this one.")]
    wait: Annotated[int, Meta(description="Seconds until it is likely to be finished. An estimate, rather too high.")]


class ReviewAccount(Value):
    """Where the result of a seat comes from. `result` is the sum of the four parts."""

    result: Points
    luck: Annotated[float, Meta(description="Deals and draws: what is left.")]
    errors: Annotated[float, Meta(description="Own choices that are worse than those of the house player; 0 or less.")]
    finds: Annotated[float, Meta(description="Own choices that are better than those of the house player.")]
    others: Annotated[float, Meta(description="The choices of the other seats.")]
    error: StandardError


class ReviewMoment(Value, Generic[M], kw_only=True):
    """A choice of a player between several legal moves.

    The fields from `loss` on are absent if nothing better than the made move was found. `category` is absent before the
    review is final.
    """

    version: Annotated[int, Meta(description="The first one of the move. The choice is at the one before.")]
    number: Annotated[int, Meta(description="Of the move in the game, from 0.")]
    round: Annotated[int, Meta(description="From 0.")]
    seat: Seat
    expected: Annotated[float, Meta(description="What the seat could expect, in points ahead.")]
    as_house: Annotated[bool, Meta(description="Whether the house player does the same.")]
    loss: Annotated[float | UnsetType, Meta(description="What the move has cost, in points.")] = UNSET
    error: StandardError | UnsetType = UNSET
    least: Annotated[float | UnsetType, Meta(description="The lower bound of the loss: 9 in 10 are higher.")] = UNSET
    worlds: Annotated[int | UnsetType, Meta(description="The number of imagined deals behind the loss.")] = UNSET
    category: Annotated[
        int | UnsetType,
        Meta(description="Of the lower bound: 0 nothing is claimed, 1 an inaccuracy, 2 a mistake, 3 a blunder."),
    ] = UNSET
    made: M | UnsetType = UNSET
    best: M | UnsetType = UNSET


class ReviewCurvePoint(Value, array_like=True):
    """A point of a seat's curve: `[number, expected, luck]`. The steps of luck and the effects of all choices add up to
    the result."""

    number: Annotated[int, Meta(description="Of the move before which it stands; -1 at the end.")]
    expected: Points
    luck: Annotated[float, Meta(description="What luck has changed since the point before.")]


class ReviewRound(Value):
    """A round; or the whole game, where points of a round can be lost in a later one."""

    accounts: Annotated[tuple[ReviewAccount, ...], Meta(description="By seat.")]
    curves: Annotated[tuple[tuple[ReviewCurvePoint, ...], ...], Meta(description="By seat, one point for each choice.")]


class Review(Value, Generic[M], kw_only=True):
    """What each choice of a finished game was worth, as far as its seat could know.

    The same record, plan and format give the same document for everybody. It contains no names.
    """

    state: Annotated[
        Literal["first", "final"],
        Meta(description="`first`: losses without categories; accounts still move by points. `final` never changes."),
    ]
    format: Literal["stammtisch-review/1"]
    head: Annotated[str, Meta(description="That of the record. All random numbers of the review follow from it.")]
    rules: str
    plan: Annotated[str, Meta(description="How many worlds are imagined.")]
    house: Annotated[str, Meta(description="The house player that luck is measured by, and that plays worlds on.")]
    thresholds: Annotated[
        tuple[float, ...], Meta(description="The points from which on a loss is an inaccuracy, a mistake, a blunder.")
    ]
    accounts: Annotated[tuple[ReviewAccount, ...], Meta(description="By seat, of the whole game.")]
    rounds: tuple[ReviewRound, ...]
    moments: Annotated[tuple[ReviewMoment[M], ...], Meta(description="The choices of players, in their order.")]
    unimagined: Annotated[
        tuple[int, ...], Meta(description="The numbers of moves that could not be weighed: no deal fits them.")
    ]


def review_type(rules: Rules) -> Any:
    return Review[rules.move]  # type: ignore[name-defined]
