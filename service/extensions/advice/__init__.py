"""Advice of the house at a table that one player plays alone: how a house player would choose for a seat.

The page of a *What if?* asks for it and makes the move, so that the others go on as the house plays. The record has
nothing of it: the moves are those of the player, who has all seats.
"""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from service.extension import Extension, Serving

if TYPE_CHECKING:
    from domain.game import Rules
    from service.api.operations import Operation
    from service.core import Core


BRANCH = {"text": "whatif.title", "module": "pages/whatif.js"}


def serve(core: "Core", _: "Mapping[str, Rules]") -> Serving:
    from service.extensions.advice.routes import advice_routes

    return Serving(of_games=partial(advice_routes, core=core), places={"branch": [BRANCH]})


def rows() -> "tuple[Operation, ...]":
    from service.extensions.advice.row import ADVISE

    return (ADVISE,)


ADVICE = Extension(name="advice", home=__name__, operations=("advise",), rows=rows, serve=serve)
