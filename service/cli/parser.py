"""The arguments of every command. A command's module is imported when the command runs."""

import argparse
import asyncio
from typing import Any

import msgspec

from service import settings
from service.settings import Settings


def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(prog="stammtisch", description="Hosts card games over REST.")
    commands = whole.add_subparsers(required=True, metavar="COMMAND")
    serve_ = commands.add_parser(
        "serve", help="serve games", formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Settings are environment variables; the options above win over them.\n\n" + described_settings(),
    )  # fmt: skip
    serve_.add_argument("--host", help="the address to listen on")
    serve_.add_argument("--port", type=int, help="the port to listen on; 0 takes a free one")
    serve_.add_argument("--database", help="the path of an SQLite file, or postgresql://...")
    serve_.add_argument("--redis", help="redis://..., for several processes")
    serve_.add_argument("--workers", type=int, help="how many processes serve")
    serve_.set_defaults(run=serve)
    migrate = commands.add_parser("migrate", help="make the tables of a PostgreSQL database, or bring them up to date")
    migrate.add_argument("--database", help="postgresql://...")
    migrate.set_defaults(run=migrate_database)
    verify = commands.add_parser("verify", help="check records: hashes, deals, and the rules carried out again")
    verify.add_argument("files", nargs="+", metavar="FILE", help="a record, or one a line; .gz or not; - is stdin")
    verify.add_argument("--head", metavar="HEX", help="a head that was seen and must be in the record")
    verify.add_argument("--json", action="store_true", help="one JSON object for each record, with all checks")
    verify.set_defaults(run=verify_records)
    replay = commands.add_parser("replay", help="show a recorded game step by step")
    replay.add_argument("file", metavar="FILE", help="a record, or one a line; .gz or not; - is stdin")
    replay.add_argument("--game", metavar="ID", help="which game, if there are several")
    replay.add_argument("--seat", default="all", metavar="S", help="as seat S saw it, or `bystander`; default: all")
    replay.add_argument(
        "--at", type=int, metavar="N", help="begin at version N; without terminal and speed show no other"
    )
    replay.add_argument("--speed", type=positive, metavar="X", help="go on by itself, X steps a second (up to 1000)")
    replay.add_argument("--language", default="en", choices=("en", "de"))
    replay.set_defaults(run=replay_record)
    export = commands.add_parser("export", help="write games that are over as records, one a line")
    export.add_argument("games", nargs="*", metavar="GAME_ID", help="which games; all that are over by default")
    export.add_argument("--output", default="-", metavar="FILE", help="compressed if it ends in .gz; - is stdout")
    export.add_argument("--database", help="the path of an SQLite file, or postgresql://...")
    export.set_defaults(run=export_games)
    import_ = commands.add_parser("import", help="take in games from records, each of them verified")
    import_.add_argument("files", nargs="+", metavar="FILE", help="records, one a line; .gz or not; - is stdin")
    import_.add_argument("--database", help="the path of an SQLite file, or postgresql://...")
    import_.set_defaults(run=import_games)
    rebuild_ = commands.add_parser("rebuild", help="make lobby, players and standings anew, of the log alone")
    rebuild_.add_argument("--database", help="the path of an SQLite file, or postgresql://...")
    rebuild_.set_defaults(run=rebuild)
    deck = commands.add_parser("deck", help="decks of your own: check a file, or begin one")
    deck_commands = deck.add_subparsers(required=True, metavar="COMMAND")
    check = deck_commands.add_parser("check", help="say what is in deck files, or what is wrong with them")
    check.add_argument("files", nargs="+", metavar="FILE")
    check.set_defaults(run=check_decks)
    show = deck_commands.add_parser("show", help="write down a deck that comes with us")
    show.add_argument("ruleset")
    show.add_argument("name", nargs="?", help="the ruleset's first deck by default")
    show.set_defaults(run=show_deck)
    schema = deck_commands.add_parser("schema", help="write down the JSON Schema of a ruleset's deck files")
    schema.add_argument("ruleset")
    schema.set_defaults(run=deck_schema)
    return whole


def positive(text: str) -> float:
    number = float(text)
    if not 0 < number <= 1000:
        raise ValueError
    return number


def serve(given: argparse.Namespace) -> int:
    from service.cli.serve import run

    names = ("host", "port", "database", "redis", "workers")
    run(settings.read(**{name: getattr(given, name) for name in names}))
    return 0


def migrate_database(given: argparse.Namespace) -> int:
    from service.store import databases

    databases.migrate(settings.read(database=given.database))
    return 0


def verify_records(given: argparse.Namespace) -> int:
    from service.cli.verify import verify_files

    return verify_files(given.files, head=given.head, as_json=given.json)


def replay_record(given: argparse.Namespace) -> int:
    from service.cli.replay import replay

    return replay(
        given.file, which=given.game, seat=given.seat, at=given.at, speed=given.speed, language=given.language
    )


def export_games(given: argparse.Namespace) -> int:
    from service.cli import archive

    outcome = asyncio.run(archive.export_games(settings.read(database=given.database), given.games, given.output))
    return archive.told(outcome, "exported")


def import_games(given: argparse.Namespace) -> int:
    from service.cli import archive

    outcome = asyncio.run(archive.import_games(settings.read(database=given.database), given.files))
    return archive.told(outcome, "imported")


def rebuild(given: argparse.Namespace) -> int:
    from service.cli.rebuild import rebuild_all

    return asyncio.run(rebuild_all(settings.read(database=given.database)))


def check_decks(given: argparse.Namespace) -> int:
    from service.cli import decks

    return decks.check(given.files)


def show_deck(given: argparse.Namespace) -> int:
    from service.cli import decks

    return decks.show(given.ruleset, given.name)


def deck_schema(given: argparse.Namespace) -> int:
    from service.cli import decks

    return decks.schema(given.ruleset)


def described_settings() -> str:
    """Every setting with its default and meaning, one a paragraph."""
    return "\n".join(
        f"{settings.variable(field.name)} (default: {_shown(field.default)})\n    {_meaning(field)}"
        for field in msgspec.inspect.type_info(Settings).fields  # type: ignore[attr-defined]
    )


def _shown(default: Any) -> str:
    return settings.text(default) or "none"


def _meaning(field: Any) -> str:
    return str(field.type.extra_json_schema["description"])
