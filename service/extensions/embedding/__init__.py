"""Embedding: tables in pages of other sites (docs/embedding.md)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from service.core import Core
from service.extension import Extension, Serving
from service.extensions.embedding.settings import EmbeddingSettings

if TYPE_CHECKING:
    from domain.game import Rules


def serve(core: Core, _rulesets: "Mapping[str, Rules]") -> Serving:
    from service.extensions.embedding.routes import script_route

    if core.settings.web == "off":
        return Serving()
    return Serving(routes=[script_route()], framed={"/embed": core.settings.of(EmbeddingSettings).embedders})


EMBEDDING = Extension(
    name="embedding",
    home=__name__,
    serve=serve,
    settings=EmbeddingSettings,
    pages={"embed": {"script": "embed", "styles": ["base", "cards", "table"], "body": "at-table embedded"}},
)
