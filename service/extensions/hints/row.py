"""The row of hints in the table of operations."""

from typing import Any

from domain.game import Rules
from domain.review import Hint
from service.api.contract import Answer
from service.api.operations import GAME, REPLAYED, SEATED, Exchange, Operation
from service.extensions.hints.messages import AskForHint, Hinted
from service.extensions.hints.problems import NoHint


def _advised(rules: Rules) -> tuple[Answer, ...]:
    hint_type: Any = Hint[rules.move]  # type: ignore[name-defined]
    return (Answer(200, hint_type, headers=(REPLAYED, "Cache-Control")),)


def hinted(rules: Rules) -> Any:
    return Hinted[rules.move]  # type: ignore[name-defined]


HINT = Operation(
    id="hint",
    method="POST",
    path=f"{GAME}/hints",
    said=lambda _, __: ("ask for a hint",),
    answers=_advised,
    refuses=(*SEATED, NoHint),
    summary="Ask for a hint",
    text="""
    Records that the caller asks, as the event `hinted`, and returns the moves that nothing speaks against in deals
    that agree with what their seat has seen. That is possible in a game against bots that was opened with `hints`,
    while the caller has a choice.

    A choice has one hint: a repeated request records nothing, and returns the same. After too many hints, or while
    too many players wait for one, the response is 429 or 503, and nothing is recorded. If the hint cannot be
    computed, the response is 503: repeat the request.""",
    message="hint",
    exchange=Exchange(AskForHint, Hinted, hinted),
)
