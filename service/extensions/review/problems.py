"""The problems of requests for reviews."""

from typing import Literal

from service.api.problems import Problem


class TooLong(Problem, tag="too-long"):
    """The game is too long for a review by the service. `stammtisch review` makes one from its record."""

    title: str = "The game is too long for this."
    status: Literal[409] = 409
