"""Pairings: several tables that are opened together. With the same deal all of them play the same cards: duplicate
rounds, challenges, and the deal of the day. A tournament is a program that opens pairings.

The term `deal` of a game is part of the format of records, so it is the domain's. Who may see such a game is core, too.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from service.core import Core
from service.extension import Arg, Command, Extension, Serving
from service.extensions.pairings.settings import PairingSettings

if TYPE_CHECKING:
    from argparse import Namespace

    from sqlalchemy import Connection

    from domain.game import Rules
    from service.api.operations import Exchange


def serve(core: Core, rulesets: "Mapping[str, Rules]") -> Serving:
    from service.extensions.pairings.desk import Desk
    from service.extensions.pairings.follow import Follows
    from service.extensions.pairings.messages import FollowPairing, UnfollowPairing
    from service.extensions.pairings.problems import PROBLEMS
    from service.extensions.pairings.routes import pairing_routes

    desk = Desk(core, rulesets)
    follows = Follows(desk)
    return Serving(
        routes=[pairing_routes(rulesets, desk)], running=desk.running, problems=PROBLEMS,
        places=PLACES | {"lobby": [DAY, CHALLENGE] if desk.daily else [CHALLENGE]},
        answers={FollowPairing: follows.follow, UnfollowPairing: follows.unfollow},
    )  # fmt: skip


def exchanges() -> "tuple[Exchange, ...]":
    from service.extensions.pairings.messages import EXCHANGES

    return EXCHANGES


def forget(connection: "Connection", player: str) -> None:
    from service.clock import now
    from service.extensions.pairings import rows

    rows.cancel_of(connection, player, now())
    rows.dismiss(connection, player)


def held(connection: "Connection", player: str) -> Mapping[str, Any]:
    from service.extensions.pairings import rows

    return rows.held(connection, player)


def run(arguments: "Namespace") -> int:
    from service.extensions.pairings import command

    return command.run(arguments)


DAY = {"title": "ui.deal", "text": "ui.deal_how", "go": "ui.deal_play", "href": "day"}
CHALLENGE = {"title": "ui.challenge", "text": "ui.challenge_how", "go": "ui.challenge_go", "href": "same"}
PLACES = {"finished": [{"module": "pages/board.js", "sealed": True}]}
PAGE = {"script": "same", "styles": ["base", "cards", "table", "people", "same"], "body": ""}

PAIRINGS = Extension(
    name="pairings",
    home=__name__,
    settings=PairingSettings,
    operations=(
        "open_pairing", "pairings", "pairing", "play_pairing", "pairing_events", "cancel_pairing", "pairing_difference",
    ),
    tags=[("Pairings", "Tables that are opened together, with the same deal or each its own; deals of the day.")],
    rows=exchanges,
    serve=serve,
    pages={"same": PAGE, "day": PAGE},
    forget=forget,
    ban=forget,
    held=held,
    commands={
        "organiser": Command(
            help="let players open pairings of up to 100 tables",
            arguments=[
                Arg("players", nargs="+", metavar="ID", help="id of a player"),
                Arg("--remove", action="store_true", help="they no longer may"),
                Arg("--database", help="path of an SQLite file, or postgresql://..."),
            ],
            run=run,
        )
    },
)  # fmt: skip
