"""Counts the games that players have opened: an extension with a route, a table, a projection, a command, a page and
a place in the bar."""

from argparse import Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING

from service.core import Core
from service.extension import Arg, Command, Extension, Serving

if TYPE_CHECKING:
    from domain.game import Rules
    from projections.projection import Projection


BAR = {"page": "openings", "glyph": "list", "text": "openings.page"}


def serve(core: Core, _: "Mapping[str, Rules]") -> Serving:
    from service.extensions.openings.routes import openings_route

    return Serving(routes=[openings_route(core)], places={"bar": [BAR]})


def tables() -> "tuple[Projection, ...]":
    from service.extensions.openings.table import OPENINGS

    return (OPENINGS,)


def run(arguments: Namespace) -> int:
    from service.extensions.openings import table

    return table.print_openings(arguments.database)


OPENINGS = Extension(
    name="openings",
    home=__name__,
    operations=("openings",),
    serve=serve,
    tables=tables,
    commands={
        "openings": Command(
            help="print how many games the players have opened",
            arguments=[Arg("--database", help="path of an SQLite file, or postgresql://...")],
            run=run,
        )
    },
    pages={"openings": {"script": "openings", "styles": ["base"], "body": ""}},
)
