"""The arguments of all commands. Each command names its module, `module`, which is imported when the command runs."""

import argparse
import textwrap
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from msgspec.structs import fields

from service import settings
from service.cli.exit_status import MEANINGS
from service.extension import REGISTERED, Arg, besides
from service.field_docs import field_docs
from service.limits import Limits


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


DATABASE = Arg("--database", help="path of an SQLite file, or postgresql://...")
REASON = Arg("--reason", metavar="TEXT", help="recorded for the operator, never served")
PLAYERS = Arg("players", nargs="+", metavar="PLAYER_ID")
OUTPUT = Arg("--output", default="-", metavar="FILE", help="compressed if it ends in .gz or .zst; - is stdout")
RECORDS = "file with a record, or with one record per line, optionally gzip; - is stdin"
LINES = "one record per line, also gzip or zstd; - is stdin"

COMMANDS: Mapping[str, tuple[str, list[Arg]]] = {
    "serve": ("run the service", [
        Arg("--host", help="address to listen on"),
        Arg("--port", type=int, help="port to listen on; 0 selects a free port"),
        DATABASE,
        Arg("--redis", help="redis://..., for several processes"),
        Arg("--workers", type=int, help="number of processes that serve requests"),
    ]),
    "migrate": ("create or update the tables of a PostgreSQL database", [Arg("--database", help="postgresql://...")]),
    "verify": ("verify records: hashes, deals, and all moves replayed by the rules", [
        Arg("files", nargs="+", metavar="FILE", help=RECORDS),
        Arg("--head", metavar="HEX", help="a head that you kept; the record must contain it"),
        Arg("--same-deal", action="store_true", help="the records are of games of one deal: compare them"),
        Arg("--hints", action="store_true", help="compute the hints that players got again, and print them"),
        Arg("--json", action="store_true", help="print one JSON object per record, with all checks"),
    ]),
    "replay": ("show a recorded game step by step", [
        Arg("file", metavar="FILE", help=RECORDS),
        Arg("--game", metavar="ID", help="the game to show, if the file has several"),
        Arg("--seat", default="all", metavar="S", help="show what seat S or `bystander` saw; default: all"),
        Arg("--at", type=int, metavar="N", help="start at version N; non-interactive: print only version N"),
        Arg("--speed", type=steps_per_second, metavar="X", help="play X steps per second (up to 1000)"),
        Arg("--language", default="en", choices=("en", "de"), help="language of the labels; default: en"),
    ]),
    "export": ("write finished and aborted games as records, one per line", [
        Arg("games", nargs="*", metavar="GAME_ID", help="games to export; default: all that are over"),
        OUTPUT,
        DATABASE,
    ]),
    "import": ("verify records and store their games", [
        Arg("files", nargs="+", metavar="FILE", help=LINES),
        DATABASE,
    ]),
    "bot": ("play at a service: take open seats, and go on after every interruption", [
        Arg("--url", help="of the service; default: http://127.0.0.1:8000"),
        Arg("--bot", metavar="BOT", help="as in `arena`: a published bot, deep:WORLDSxMOVES[xTURNS] or "
            "MODULE:FUNCTION; default: careful"),
        Arg("--name", help="display name of a new player; default: Bot"),
        Arg("--rulesets", metavar="A,B", help="rulesets of which seats are taken; default: all"),
        Arg("--games", type=int, metavar="N", help="games at once; default: 1"),
        Arg("--total", type=int, metavar="N", help="stop after N games; default: never"),
        Arg("--token", metavar="FILE", help="file of the player's token, written at the first start"),
        Arg("--config", metavar="FILE", help="TOML file with the same options; those given here win"),
    ]),
    "play": ("play at a service in this terminal: plain lines and numbers, also for screen readers", [
        Arg("ruleset", metavar="RULESET", help="the game"),
        Arg("others", nargs="*", metavar="BOT", help="the other seats, a house player or `open`; default: careful/1"),
        Arg("--game", metavar="ID", help="sit down at this game, or go on with it"),
        Arg("--url", default="http://127.0.0.1:8000", help="of the service; default: http://127.0.0.1:8000"),
        Arg("--name", default="Player", help="display name of a new player; default: Player"),
        Arg("--token", default="stammtisch-play.token", metavar="FILE", help="file of the player's token, written at "
            "the first start"),
        Arg("--language", default="en", choices=("en", "de"), help="default: en"),
        Arg("--option", action="append", default=[], metavar="NAME=VALUE", help="of the game; repeat it for several"),
    ]),
    "mcp": ("a seat at a service for language models, over the Model Context Protocol", [
        Arg("--url", default="http://127.0.0.1:8000", help="of the service; default: http://127.0.0.1:8000"),
        Arg("--name", default="Agent", help="display name of a new player; default: Agent"),
        Arg("--token", default="stammtisch-mcp.token", metavar="FILE", help="file of the player's token, written at "
            "the first start"),
        Arg("--http", type=int, metavar="PORT", help="serve /mcp on this port of loopback instead of stdio; each "
            "caller sends the token of a player"),
        Arg("--language", default="en", choices=("en", "de"), help="default: en"),
    ]),
    "player": ("find, show, rename, ban and forget players", []),
    "game": ("abort games", []),
    "rebuild": ("rebuild lobby, players, standings and quotas from the log", [
        DATABASE,
        Arg("--restart", action="store_true", help="begin again instead of going on where a rebuild was interrupted"),
    ]),
    "deck": ("check and create deck files", []),
    "new": ("write a package with a game that runs, to make it your own", [
        Arg("name", metavar="NAME", help="of the game: hearts, or with a domain of yours, org.example.hearts"),
        Arg("folder", nargs="?", metavar="FOLDER", help="default: the name of the game"),
    ]),
    "types": ("write the types of a picture beside it, for editors and type checkers", [
        Arg("folder", metavar="FOLDER", help="of the package's table.js"),
    ]),
    "check": ("play games of a ruleset and report which laws it breaks", [
        Arg("ruleset", help="its name, or the end of it; its package must be installed"),
        Arg("--law", action="append", metavar="LAW", help="only this law; repeatable"),
        Arg("--seats", type=int, metavar="N", help="default: every number of seats"),
        Arg("--seed", type=int, metavar="N", help="only the game that follows from it; default: many games"),
        Arg("--games", type=int, default=20, metavar="N", help="games of each law and number of seats; default: 20"),
        Arg("--golden", metavar="FOLDER", help="instead of the laws, compare the golden games in this folder"),
        Arg("--game", metavar="NAME", help="only this golden game"),
        Arg("--write", action="store_true", help="freeze the golden games that are missing; existing ones stay"),
    ]),
    "arena": ("measure bots by duplicate deals", [
        Arg("ruleset"),
        Arg("--bots", nargs="+", required=True, metavar="BOT", help="random, careful, NAME/VERSION, "
            "deep:WORLDSxMOVES[xTURNS], erring:PERCENT, MODULE:FUNCTION, http://HOST:PORT"),
        Arg("--seats", type=int, metavar="N", help="default: as many as bots"),
        Arg("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the games"),
        Arg("--boards", type=int, default=200, metavar="N", help="the most boards to play; default: 200"),
        Arg("--seed", type=int, default=0, metavar="N", help="the deals follow from it; default: 0"),
        Arg("--until", type=float, metavar="POINTS", help="stop when all differences are known that well"),
        Arg("--sprt", type=bounds, metavar="LOW,HIGH", help="stop when the first bot is that much better"),
        Arg("--processes", type=int, default=1, choices=range(1, 65), metavar="N", help="default: 1"),
        Arg("--think", type=float, default=1.0, metavar="SECONDS", help="for a choice of a bot over HTTP; default: 1"),
        Arg("--retries", type=int, default=0, choices=range(11), metavar="N", help="how often it is asked again; "
            "default: 0"),
        Arg("--strikes", type=int, default=1, choices=range(1, 1001), metavar="N", help="with N choices without a "
            "legal answer in a game it forfeits the game; until then random/1 makes them; default: 1"),
        Arg("--text", choices=("en", "de"), help="bots over HTTP also get the table as text"),
        Arg("--at-once", type=int, default=1, choices=range(1, 257), metavar="N", help="games at once, for bots over "
            "HTTP; default: 1"),
        Arg("--resume", action="store_true", help="go on with the report of a run that was interrupted"),
        Arg("--review", action="store_true", help="also compare the bots by choices alone, without luck, and say how "
            "many boards that saves"),
        Arg("--report", metavar="FOLDER", help="write report.md, results.json and pictures to a new folder"),
        Arg("--records", action="store_true", help="write games.ndjson.gz there, too"),
        Arg("--json", action="store_true", help="print the content of results.json"),
    ]),
    "league": ("let people, bots, programs and agents play the same deals, and publish a table that can be checked", [
        Arg("terms", metavar="TERMS.toml", help="who plays what, and how"),
        Arg("folder", nargs="?", metavar="FOLDER", help="new; of the secret, the answers, the records and the page"),
        Arg("--announce", action="store_true", help="only write the terms and the commitment to the secret, so that "
            "entrants can choose their entropies; then --resume"),
        Arg("--resume", action="store_true", help="go on where the league was interrupted or announced"),
        Arg("--review", action="store_true", help="weigh own play, without luck; seconds a game"),
        Arg("--check", action="store_true", help="make everything of a finished league again and compare; then only "
            "FOLDER is given"),
        Arg("--desk", type=int, metavar="PORT", help="of loopback, for the entrants with the bot `desk:`"),
        Arg("--service", metavar="URL", help="where people play, the entrants with the bot `player:ID`"),
        Arg("--organiser", metavar="FILE", help="with the token of the player who opens the tables at the service; "
            "default: the league registers one"),
    ]),
    "compare": ("list recorded games that would go differently under changed rules", [
        Arg("old", metavar="OLD", help="the rules of the games, NAME/VERSION; others are left out"),
        Arg("new", metavar="NEW", help="the changed rules, NAME/VERSION or MODULE:RECORD; may be the same"),
        Arg("files", nargs="*", metavar="FILE", help=LINES),
        DATABASE,
        Arg("--option", action="append", default=[], metavar="NAME=VALUE", help="a changed option"),
        Arg("--deck", metavar="FILE", help="another deck"),
        Arg("--sample", type=int, metavar="N", help="compare N games, drawn by their ids"),
        Arg("--json", action="store_true", help="print one JSON object per game"),
    ]),
}  # fmt: skip

ACTIONS: Mapping[str, Mapping[str, tuple[str, list[Arg]]]] = {
    "player": {
        "find": ("print the players whose names contain a text, as lines of JSON", [
            Arg("name", metavar="TEXT"), DATABASE,
        ]),
        "banned": ("print the banned players, as lines of JSON", [DATABASE]),
        "show": ("print what the service holds of players, as JSON", [PLAYERS, DATABASE]),
        "ban": ("refuse the tokens of players, who also leave all games", [PLAYERS, REASON, DATABASE]),
        "unban": ("lift the bans of players", [PLAYERS, DATABASE]),
        "forget": ("erase the names of players and make their tokens invalid, for ever", [PLAYERS, DATABASE]),
        "rename": ("give a guest another name", [
            Arg("players", nargs=1, metavar="PLAYER_ID"), Arg("name", metavar="NAME"), DATABASE,
        ]),
    },
    "game": {
        "abort": ("end games without a result; the service does it within a second", [
            Arg("games", nargs="+", metavar="GAME_ID"), REASON, DATABASE,
        ]),
    },
    "deck": {
        "check": ("report the deck in each file, or what is wrong with it", [Arg("files", nargs="+", metavar="FILE")]),
        "show": ("print a bundled deck", [
            Arg("ruleset"), Arg("name", nargs="?", help="default: the ruleset's first deck"),
        ]),
        "schema": ("print the JSON Schema of a ruleset's deck files", [Arg("ruleset")]),
    },
}  # fmt: skip
"""The commands below a command."""


def parser(given: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser. Its result has the name of a module below `service.cli` in `module`.

    `given`: what it will parse. If it begins with a command, the arguments of others are left out: all of them take
    longer than most commands.
    """
    root = argparse.ArgumentParser(
        prog="stammtisch", description="Host card games over a REST API.",
        formatter_class=argparse.RawDescriptionHelpFormatter, epilog=f"exit status:\n{exit_statuses()}",
    )  # fmt: skip
    root.add_argument("--version", action="version", version=f"stammtisch {version('stammtisch')}")
    extended = {name: command for each in REGISTERED.values() for name, command in each.commands.items()}
    commands = {**COMMANDS, **{name: (command.help, command.arguments) for name, command in extended.items()}}
    if given and given[0] in commands:
        commands = {given[0]: commands[given[0]]}
    added = _add(root.add_subparsers(required=True, metavar="COMMAND"), commands)
    for name, command in added.items():
        if name in extended:
            command.set_defaults(run=extended[name].run, module=name)
            continue
        command.set_defaults(run=None, module="import_" if name == "import" else name)
        if name == "serve":
            _serving(command, bool(given) and not any(each.startswith(("-h", "--he")) for each in given))
        if name in ACTIONS:
            _add(command.add_subparsers(required=True, metavar="COMMAND", dest="action"), ACTIONS[name])
    return root


def _serving(command: argparse.ArgumentParser, briefly: bool) -> None:
    for each in besides():
        command.add_argument(f"--{each.option}", action="store_true", help=each.help)
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    if not briefly:
        command.epilog = f"Settings are environment variables. The options above override them.\n\n{_settings()}"


def _add(below: Any, commands: Mapping[str, tuple[str, Sequence[Arg]]]) -> dict[str, argparse.ArgumentParser]:
    added = {}
    for name, (words, arguments) in commands.items():
        added[name] = below.add_parser(name, help=words)
        for each in arguments:
            added[name].add_argument(*each.names, **each.how)
    return added


def exit_statuses() -> str:
    return "\n".join(f"  {status:<5}{meaning}" for status, meaning in MEANINGS.items())


def _settings() -> str:
    meanings = settings.meanings()
    parts = [_described(field, settings.variable(field.name), meanings[field.name]) for field in settings.fields()]
    limits = field_docs(Limits)
    parts += ["", f"limits, of {settings.LIMITS}:", ""]
    parts += [_described(field, field.name, limits[field.name]) for field in fields(Limits)]
    return "\n".join(parts)


def _described(field: Any, name: str, meaning: str) -> str:
    text = textwrap.fill(meaning, 100, break_long_words=False, break_on_hyphens=False)
    default = settings.default(field) or "none"
    return f"{name} (default: {default})\n" + textwrap.indent(text, "    ")
