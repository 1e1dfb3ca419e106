"""The row of reviews in the table of operations."""

from domain.game import Rules
from service.api import problems
from service.api.contract import QUERY, Answer
from service.api.operations import DOWNLOADED, GAME, UNCHANGED, Operation
from service.extensions.review.problems import TooLong
from service.extensions.review.resources import ReviewPending, review_type


def _reviewed(rules: Rules) -> tuple[Answer, ...]:
    return (
        Answer(200, review_type(rules), headers=DOWNLOADED),
        Answer(202, ReviewPending, headers=("Retry-After", "Cache-Control", "Vary")),
        UNCHANGED,
    )


REVIEW = Operation(
    id="review",
    cost=QUERY,
    path=f"{GAME}/review",
    public=True,
    answers=_reviewed,
    refuses=(problems.NotFinished, TooLong),
    summary="Review a finished game",
    text="""
    Returns what each choice of a finished game was worth, in deals that agree with what its seat had seen, and how
    the results come from luck, own choices and those of others.

    The first request queues it: 202 with the progress. The client asks again after `Retry-After` seconds; a review
    that nobody asks for is dropped after a minute. Then comes a first answer without categories (`state` is
    `first`), and at last the final one, which never changes.

    A long game at a large table gets a quick review (`plan` is `quick`), and no review by the service if it is much
    longer still.

    One review is made at a time, and networks take turns. A caller can let two of them wait: more are 429. If the
    queue is full, or the review could not be made, the response is 503.""",
)
