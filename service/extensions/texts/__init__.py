"""Games as texts: for a terminal, chat programs and language models that read the API directly."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from service.extension import Extension, Serving

if TYPE_CHECKING:
    from domain.game import Rules
    from service.api.operations import Operation
    from service.core import Core


def serve(core: "Core", _: "Mapping[str, Rules]") -> Serving:
    from service.extensions.texts.routes import text_routes

    return Serving(of_games=partial(text_routes, core=core))


def rows() -> "tuple[Operation, ...]":
    from service.extensions.texts.row import TEXT

    return (TEXT,)


TEXTS = Extension(name="texts", home=__name__, operations=("text",), rows=rows, serve=serve)
