"""The arguments of all commands. Each command names its module, `module`, which is imported when the command runs."""

import argparse
import textwrap
from importlib.metadata import version
from typing import Any

import msgspec

from service import settings
from service.cli.exit_status import MEANINGS
from service.settings import Settings

DATABASE = "path of an SQLite file, or postgresql://..."
RECORDS = "file with a record, or with one record per line, optionally gzip; - is stdin"


def parser() -> argparse.ArgumentParser:
    """The parser. Its result has the name of a module below `service.cli` in `module`."""
    root = argparse.ArgumentParser(
        prog="stammtisch", description="Host card games over a REST API.",
        formatter_class=argparse.RawDescriptionHelpFormatter, epilog=f"exit status:\n{exit_statuses()}",
    )  # fmt: skip
    root.add_argument("--version", action="version", version=f"stammtisch {version('stammtisch')}")
    commands = root.add_subparsers(required=True, metavar="COMMAND")
    _serve(commands)
    deliver = commands.add_parser("deliver", help="send events of games to webhooks, beside a running service")
    deliver.add_argument("--database", help=DATABASE)
    deliver.set_defaults(module="deliver")
    migrate = commands.add_parser("migrate", help="create or update the tables of a PostgreSQL database")
    migrate.add_argument("--database", help="postgresql://...")
    migrate.set_defaults(module="migrate")
    _verify(commands)
    _replay(commands)
    _film(commands)
    export = commands.add_parser("export", help="write finished and aborted games as records, one per line")
    export.add_argument("games", nargs="*", metavar="GAME_ID", help="games to export; default: all that are over")
    export.add_argument("--output", default="-", metavar="FILE", help="compressed if it ends in .gz; - is stdout")
    export.add_argument("--database", help=DATABASE)
    export.set_defaults(module="export")
    import_ = commands.add_parser("import", help="verify records and store their games")
    import_.add_argument(
        "files", nargs="+", metavar="FILE", help="one record per line; .gz is decompressed; - is stdin"
    )
    import_.add_argument("--database", help=DATABASE)
    import_.set_defaults(module="import_")
    _bot(commands)
    _player(commands)
    _game(commands)
    rebuild = commands.add_parser("rebuild", help="rebuild lobby, players, standings and quotas from the log")
    rebuild.add_argument("--database", help=DATABASE)
    rebuild.set_defaults(module="rebuild")
    _deck(commands)
    _arena(commands)
    _compare(commands)
    return root


def _serve(commands: Any) -> None:
    serve = commands.add_parser(
        "serve", help="run the service", formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Settings are environment variables. The options above override them.\n\n" + described_settings(),
    )  # fmt: skip
    serve.add_argument("--host", help="address to listen on")
    serve.add_argument("--port", type=int, help="port to listen on; 0 selects a free port")
    serve.add_argument("--database", help=DATABASE)
    serve.add_argument("--redis", help="redis://..., for several processes")
    serve.add_argument("--workers", type=int, help="number of processes that serve requests")
    serve.add_argument("--deliver", action="store_true", help="also run `stammtisch deliver`, as a process beside it")
    serve.set_defaults(module="serve")


def _verify(commands: Any) -> None:
    verify = commands.add_parser("verify", help="verify records: hashes, deals, and all moves replayed by the rules")
    verify.add_argument("files", nargs="+", metavar="FILE", help=RECORDS)
    verify.add_argument("--head", metavar="HEX", help="a head that you kept; the record must contain it")
    verify.add_argument("--json", action="store_true", help="print one JSON object per record, with all checks")
    verify.set_defaults(module="verify")


def _replay(commands: Any) -> None:
    replay = commands.add_parser("replay", help="show a recorded game step by step")
    replay.add_argument("file", metavar="FILE", help=RECORDS)
    replay.add_argument("--game", metavar="ID", help="the game to show, if the file has several")
    replay.add_argument("--seat", default="all", metavar="S", help="show what seat S or `bystander` saw; default: all")
    replay.add_argument("--at", type=int, metavar="N", help="start at version N; non-interactive: print only version N")
    replay.add_argument("--speed", type=steps_per_second, metavar="X", help="play X steps per second (up to 1000)")
    replay.add_argument("--language", default="en", choices=("en", "de"), help="language of the labels; default: en")
    replay.set_defaults(module="replay")


def _film(commands: Any) -> None:
    film = commands.add_parser("film", help="verify a record and make a film of it, which plays in the browser")
    film.add_argument("file", metavar="RECORD", help=RECORDS)
    film.add_argument("--game", metavar="ID", help="the game to film, if the file has several")
    film.add_argument("--output", default="-", metavar="FILE", help="compressed if it ends in .gz; - is stdout")
    film.set_defaults(module="film")


def _bot(commands: Any) -> None:
    bot = commands.add_parser("bot", help="play at a service: take open seats, and go on after every interruption")
    bot.add_argument("--url", help="of the service; default: http://127.0.0.1:8000")
    bot.add_argument(
        "--bot",
        metavar="BOT",
        help="as in `arena`: a published bot, deep:WORLDSxMOVES[xTURNS] or MODULE:FUNCTION; default: careful",
    )
    bot.add_argument("--name", help="display name of a new player; default: Bot")
    bot.add_argument("--rulesets", metavar="A,B", help="rulesets of which seats are taken; default: all")
    bot.add_argument("--games", type=int, metavar="N", help="games at once; default: 1")
    bot.add_argument("--total", type=int, metavar="N", help="stop after N games; default: never")
    bot.add_argument("--token", metavar="FILE", help="file of the player's token, written at the first start")
    bot.add_argument("--config", metavar="FILE", help="TOML file with the same options; those given here win")
    bot.set_defaults(module="bot")


def _player(commands: Any) -> None:
    player = commands.add_parser("player", help="show, rename, ban and forget players")
    player.set_defaults(module="player")
    actions = player.add_subparsers(required=True, metavar="COMMAND", dest="action")
    for name, words in (
        ("show", "print what the service holds of players, as JSON"),
        ("ban", "refuse the tokens of players, who also leave all games"),
        ("unban", "lift the bans of players"),
        ("forget", "erase the names of players and make their tokens invalid, for ever"),
    ):
        action = actions.add_parser(name, help=words)
        action.add_argument("players", nargs="+", metavar="PLAYER_ID")
        if name == "ban":
            action.add_argument("--reason", metavar="TEXT", help="recorded for the operator, never served")
        action.add_argument("--database", help=DATABASE)
    rename = actions.add_parser("rename", help="give a guest another name")
    rename.add_argument("players", nargs=1, metavar="PLAYER_ID")
    rename.add_argument("name", metavar="NAME")
    rename.add_argument("--database", help=DATABASE)


def _game(commands: Any) -> None:
    game = commands.add_parser("game", help="abort games")
    game.set_defaults(module="game")
    actions = game.add_subparsers(required=True, metavar="COMMAND", dest="action")
    abort = actions.add_parser("abort", help="end games without a result; the service does it within a second")
    abort.add_argument("games", nargs="+", metavar="GAME_ID")
    abort.add_argument("--reason", metavar="TEXT", help="recorded for the operator, never served")
    abort.add_argument("--database", help=DATABASE)


def _deck(commands: Any) -> None:
    deck = commands.add_parser("deck", help="check and create deck files")
    deck.set_defaults(module="deck")
    actions = deck.add_subparsers(required=True, metavar="COMMAND", dest="action")
    check = actions.add_parser("check", help="report the deck in each file, or what is wrong with it")
    check.add_argument("files", nargs="+", metavar="FILE")
    show = actions.add_parser("show", help="print a bundled deck")
    show.add_argument("ruleset")
    show.add_argument("name", nargs="?", help="default: the ruleset's first deck")
    schema = actions.add_parser("schema", help="print the JSON Schema of a ruleset's deck files")
    schema.add_argument("ruleset")


def _arena(commands: Any) -> None:
    arena = commands.add_parser("arena", help="measure bots by duplicate deals")
    arena.add_argument("ruleset")
    arena.add_argument(
        "--bots", nargs="+", required=True, metavar="BOT",
        help="random, careful, NAME/VERSION, deep:WORLDSxMOVES[xTURNS], erring:PERCENT, MODULE:FUNCTION, http://HOST:PORT",
    )  # fmt: skip
    arena.add_argument("--seats", type=int, metavar="N", help="default: as many as bots")
    arena.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the games")
    arena.add_argument("--boards", type=int, default=200, metavar="N", help="the most boards to play; default: 200")
    arena.add_argument("--seed", type=int, default=0, metavar="N", help="the deals follow from it; default: 0")
    arena.add_argument("--until", type=float, metavar="POINTS", help="stop when all differences are known that well")
    arena.add_argument("--sprt", type=bounds, metavar="LOW,HIGH", help="stop when the first bot is that much better")
    arena.add_argument("--processes", type=int, default=1, choices=range(1, 65), metavar="N", help="default: 1")
    arena.add_argument("--report", metavar="FOLDER", help="write report.md, results.json and pictures to a new folder")
    arena.add_argument("--records", action="store_true", help="write games.ndjson.gz there, too")
    arena.add_argument("--json", action="store_true", help="print the content of results.json")
    arena.set_defaults(module="arena")


def _compare(commands: Any) -> None:
    compare = commands.add_parser("compare", help="list recorded games that would go differently under changed rules")
    compare.add_argument("old", metavar="OLD", help="the rules of the games, NAME/VERSION; others are left out")
    compare.add_argument("new", metavar="NEW", help="the changed rules, NAME/VERSION or MODULE:RECORD; may be the same")
    compare.add_argument(
        "files", nargs="*", metavar="FILE", help="one record per line; .gz is decompressed; - is stdin"
    )
    compare.add_argument("--database", help=DATABASE)
    compare.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a changed option")
    compare.add_argument("--deck", metavar="FILE", help="another deck")
    compare.add_argument("--sample", type=int, metavar="N", help="compare N games, drawn by their ids")
    compare.add_argument("--json", action="store_true", help="print one JSON object per game")
    compare.set_defaults(module="compare")


def bounds(text: str) -> tuple[float, float]:
    """Two numbers. Raises `ValueError`."""
    low, high = map(float, text.split(","))
    return low, high


def steps_per_second(text: str) -> float:
    """A number above 0, at most 1000. Raises `ValueError`."""
    number = float(text)
    if not 0 < number <= 1000:
        raise ValueError
    return number


def exit_statuses() -> str:
    """Every exit status with its meaning, one per line."""
    return "\n".join(f"  {status:<5}{meaning}" for status, meaning in MEANINGS.items())


def described_settings() -> str:
    """Every setting with its default and meaning, one per paragraph."""
    return "\n".join(
        f"{settings.variable(field.name)} (default: {settings.text(field.default) or 'none'})\n{_meaning(field)}"
        for field in msgspec.inspect.type_info(Settings).fields  # type: ignore[attr-defined]
    )


def _meaning(field: Any) -> str:
    words = str(field.type.extra_json_schema["description"])
    return textwrap.indent(textwrap.fill(words, 100, break_long_words=False, break_on_hyphens=False), "    ")
