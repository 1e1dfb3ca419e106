"""What precedes a review."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from domain.game import Rules
from domain.messages import Value
from domain.review import Review
from service.reviews.job import Progress


class ReviewPending(Value):
    """The review waits in the queue, or the first pass is under way."""

    state: Literal["pending"]
    progress: Progress
    place: Annotated[int, Meta(description="The number of reviews that are made before this one.")]
    wait: Annotated[int, Meta(description="Seconds until it is likely to be finished: an estimate, rather too high.")]


def review_type(rules: Rules) -> Any:
    return Review[rules.move]  # type: ignore[name-defined]
