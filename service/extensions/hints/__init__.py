"""Hints for players who are alone with bots.

The term `hints` of a game and the event `hinted` are part of the format of records, so they are the domain's.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from service.core import Core
from service.extension import Extension, Serving

if TYPE_CHECKING:
    from domain.game import Rules
    from service.api.operations import Operation


def serve(core: Core, _: "Mapping[str, Rules]") -> Serving:
    from service.extensions.hints.desk import serving

    return serving(core)


def rows() -> "tuple[Operation, ...]":
    from service.extensions.hints.row import HINT

    return (HINT,)


HINTS = Extension(name="hints", home=__name__, operations=("hint",), rows=rows, serve=serve)
