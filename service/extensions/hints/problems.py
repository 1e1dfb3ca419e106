"""The problems of requests for hints."""

from typing import Literal

from service.api.problems import Problem


class NoHint(Problem, tag="no-hint"):
    """The game was opened without hints, or the caller has no choice now."""

    title: str = "There is no hint."
    status: Literal[409] = 409
