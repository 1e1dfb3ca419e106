"""The row of texts in the table of operations."""

from service.api import problems
from service.api.contract import Answer
from service.api.operations import GAME, Operation

COST = 10
"""Requests that one counts for: a text takes 2 ms of the process."""

TEXT = Operation(
    id="text",
    path=f"{GAME}/text",
    public=True,
    cost=COST,
    answers=lambda _: (
        Answer(200, str, "The game as text, at most 4 kB.", media="text/plain", headers=("ETag", "Cache-Control")),
        Answer(304),
    ),
    refuses=(problems.Forbidden,),
    summary="Read a game as text",
    text="""
    Returns the game as plain text as the caller may see it: what has happened since their last move, the table, and
    their legal moves with numbers. Move number n is item n - 1 of the legal moves.""",
)
