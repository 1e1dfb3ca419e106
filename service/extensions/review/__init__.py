"""Reviews of finished games: what each choice was worth, as far as its player could know.

Their document, and what `agents` computes, do without the service.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from service.core import Core
from service.extension import Arg, Command, Extension, Serving
from service.extensions.review.settings import ReviewSettings

if TYPE_CHECKING:
    from argparse import Namespace

    from domain.game import Rules
    from projections.projection import Projection
    from service.api.operations import Operation


def serve(core: Core, rulesets: "Mapping[str, Rules]") -> Serving:
    from service.extensions.review.routes import serving

    return serving(core, rulesets)


def rows() -> "tuple[Operation, ...]":
    from service.extensions.review.row import REVIEW

    return (REVIEW,)


def tables() -> "tuple[Projection, ...]":
    from service.extensions.review.table import REVIEWS

    return (REVIEWS,)


def run(arguments: "Namespace") -> int:
    from service.extensions.review import command

    return command.run(arguments)


COMMAND = Command(
    help="verify a record and weigh every choice: which moments cost most, and how much was luck",
    arguments=[
        Arg("file", metavar="RECORD", help="file with a record, or with one record per line, optionally gzip; - is "
            "stdin"),
        Arg("--game", metavar="ID", help="the game to review, if the file has several"),
        Arg("--seat", type=int, action="append", default=[], metavar="N", help="weigh only the choices of this seat; "
            "repeatable"),
        Arg("--plan", choices=("quick", "standard", "full"), default="standard", help="how many worlds are imagined; "
            "default: standard"),
        Arg("--top", type=int, default=8, metavar="N", help="how many moments are listed; default: 8"),
        Arg("--language", default="en", choices=("en", "de"), help="language of the text; default: en"),
        Arg("--processes", type=int, default=1, choices=range(1, 65), metavar="N", help="default: 1"),
        Arg("--json", action="store_true", help="print the review as JSON"),
        Arg("--page", metavar="FILE", help="write one self-contained page"),
        Arg("--stream", action="store_true", help="print progress, the first and the final review as lines of JSON"),
    ],
    run=run,
)  # fmt: skip

REVIEW = Extension(
    name="review",
    home=__name__,
    operations=("own_reviews", "review_own", "review"),
    rows=rows,
    serve=serve,
    tables=tables,
    commands={"review": COMMAND},
    settings=ReviewSettings,
)
