"""What precedes a review."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from domain.game import Rules
from domain.means import FEWEST, PlayerMean
from domain.messages import Value
from domain.review import Review
from service.extensions.review.job import Progress


class ReviewPending(Value):
    """The review waits in the queue, or the first pass is under way."""

    state: Literal["pending"]
    progress: Progress
    place: Annotated[int, Meta(description="The number of reviews that are made before this one.")]
    wait: Annotated[int, Meta(description="Seconds until it is likely to be finished: an estimate, rather too high.")]


class OwnReviews(Value, kw_only=True):
    """The reviews of the caller's choices in their latest games of a ruleset, together. Nobody else can see it."""

    ruleset: str
    """The name of the ruleset."""
    finished: Annotated[int, Meta(description="The caller's finished games that count: the latest 50 at most.")]
    reviewed: Annotated[int, Meta(description="The number of those with a quick review.")]
    pending: Annotated[int, Meta(description="The number of reviews in the queue, those of this request included.")] = 0
    mean: (
        Annotated[
            PlayerMean,
            Meta(description=f"The mean of those with choices of the caller. Absent if they are fewer than {FEWEST}."),
        ]
        | UnsetType
    ) = UNSET


def review_type(rules: Rules) -> Any:
    return Review[rules.move]  # type: ignore[name-defined]
