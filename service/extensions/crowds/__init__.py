"""Crowds: who is at a table, the phrases that they say, and whom players have blocked.

A `follow` of the play channel with `presence` is the core's, and so are the messages that it gets. Without this
extension it gets none.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from service.core import Core
from service.extension import Extension, Serving

if TYPE_CHECKING:
    from domain.game import Rules
    from service.api.operations import Operation


def serve(core: Core, _: "Mapping[str, Rules]") -> Serving:
    from service.extensions.crowds.desk import serving

    return serving(core)


def rows() -> "tuple[Operation, ...]":
    from service.extensions.crowds.row import SAY

    return (SAY,)


CROWDS = Extension(
    name="crowds", home=__name__, operations=("blocks", "block", "unblock", "say"), rows=rows, serve=serve
)
