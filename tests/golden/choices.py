"""Golden choices: positions, and what each published bot chooses there. A published version never chooses differently.

A file for each bot of each version of the rules: `skyjo-1/choices/careful-1.jsonl`. A line holds the arguments of the
bot's function and the index of its choice. A bot that searches looks at all that its seat has seen, so its line names a
place in a golden game instead. `python -m tests.golden` adds the files of new bots and never changes one.
"""

import dataclasses
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain import game
from domain.codec import encode
from domain.game import Rules
from domain.game.bots import sight
from domain.ruleset import BotName, InvalidSetup, Seat
from domain.searching import Lots, searched
from tests.golden import FOLDER, folder, plan
from tests.golden import read as read_game
from tests.kit.bot_table import Question, questions

ENOUGH = 60
"""Positions for each bot."""
FEW = 8
"""The same, for each bot that searches: a choice takes up to a fifth of a second."""


class Position(Struct):
    """A line. `secret` and `events` give the dice: those of the game "bots" without entropies."""

    seat: Seat
    secret: str
    events: int
    view: msgspec.Raw
    legal: msgspec.Raw
    chosen: int


class Place(Struct, frozen=True):
    """A line of a bot that searches. `version`: of the golden game. All random numbers follow from `lot`."""

    game: str
    version: int
    seat: Seat
    lot: int
    chosen: int = -1


def file(rules: Rules, bot: BotName, root: Path = FOLDER) -> Path:
    return folder(rules, root) / "choices" / f"{bot.replace('/', '-')}.jsonl"


def read(rules: Rules, path: Path) -> Iterator[tuple[Question, int]]:
    """The positions and the frozen choices."""
    decks = {deck.name: deck for deck in rules.decks.values()}
    states = msgspec.json.Decoder(rules.state, dec_hook=lambda _, name: decks[name])
    moves = msgspec.json.Decoder(list[rules.move])  # type: ignore[name-defined]
    for line in path.read_bytes().splitlines():
        at = msgspec.json.decode(line, type=Position)
        view, legal = states.decode(at.view), moves.decode(at.legal)
        yield Question(view, at.seat, legal, bytes.fromhex(at.secret), at.events), at.chosen


def positions(rules: Rules, bot: BotName) -> list[tuple[Question, int]]:
    """Of games with every number of seats and every option, in turns of every kind of choice."""
    by_kind: dict[tuple[str, ...], list[tuple[Question, int]]] = {}
    for question, chosen in asked(rules, bot):
        if len(question.legal) > 1:
            by_kind.setdefault(kinds(question, chosen), []).append((question, chosen))
    turns = zip_longest(*(sorted(found, key=shuffled) for found in by_kind.values()))
    return [each for turn in turns for each in turn if each is not None][:ENOUGH]


def shuffled(each: tuple[Question, int]) -> bytes:
    return sha256(line(*each)).digest()


def asked(rules: Rules, bot: BotName) -> Iterator[tuple[Question, int]]:
    """The bot's choices against itself and `random/1`."""
    for name, seats, options in plan(rules):
        secret = sha256(f"{rules.rules} {name}".encode()).digest()
        playing = [bot if seat % 2 == 0 else "random/1" for seat in range(seats)]
        try:
            game = list(questions(rules, rules.options(**options), [rules.bots[each] for each in playing], secret))
        except InvalidSetup:
            continue
        yield from ((question, chosen) for question, chosen in game if playing[question.seat] == bot)


def kinds(question: Question, chosen: int) -> tuple[str, ...]:
    listed = tuple(dict.fromkeys(type(move).__name__ for move in question.legal))
    return type(question.legal[chosen]).__name__, *listed


def line(question: Question, chosen: int) -> bytes:
    view, legal = msgspec.Raw(encode(question.view)), msgspec.Raw(encode(list(question.legal)))
    at = Position(question.seat, question.secret.hex(), question.events, view, legal, chosen)
    return msgspec.json.encode(at)


def missing(rules: Rules, root: Path = FOLDER) -> Iterator[tuple[Path, bytes]]:
    """The choices that are not frozen yet: their files and what they would contain."""
    for bot in rules.bots:
        path = file(rules, bot, root)
        if not path.exists():
            yield path, b"".join(line(*each) + b"\n" for each in positions(rules, bot))
    for bot in rules.searches:
        path = file(rules, bot, root)
        if not path.exists():
            yield path, b"".join(msgspec.json.encode(each) + b"\n" for each in searches(rules, bot))


# --- bots that search ---------------------------------------------------------------------------------------------


def places_of(path: Path) -> list[Place]:
    """The frozen choices of a bot that searches."""
    return [msgspec.json.decode(each, type=Place) for each in path.read_bytes().splitlines()]


def places(rules: Rules) -> list[Place]:
    """Choices in the golden games of every number of seats and every option, in turns of every kind of choice."""
    by_kind: dict[tuple[str, ...], list[Place]] = {}
    for name, _, _ in plan(rules):
        if not (path := folder(rules) / f"{name}.jsonl").exists():
            continue
        now = game.Game("")
        for version, entry in enumerate(read_game(rules, path)[0].log, 1):
            now = game.evolve(rules, now, entry.event)
            if entry.more or len(legal := [*choice(rules, now)]) < 2:
                continue
            seat = game.to_act(rules, now)[0]
            lot = int.from_bytes(sha256(f"{rules.rules} {name} {version}".encode()).digest()[:4])
            kinds = tuple(dict.fromkeys(type(move).__name__ for move in legal))
            by_kind.setdefault(kinds, []).append(Place(name, version, seat, lot))
    turns = zip_longest(*(sorted(found, key=lambda place: place.lot) for found in by_kind.values()))
    return [each for turn in turns for each in turn if each is not None]


def searches(rules: Rules, bot: BotName) -> list[Place]:
    """What the bot chooses; in half of the places something else than the bot whose moves it tries."""
    found = places(rules)[: 8 * FEW]
    alone = dataclasses.replace(rules, searches={bot: rules.searches[bot]._replace(moves=1)})
    chosen = zip(found, search(rules, bot, found), search(alone, bot, found), strict=True)
    departs = {replace(at, chosen=choice): choice != first for at, choice, first in chosen}
    other = [at for at, does in departs.items() if does][: FEW // 2]
    same = [at for at, does in departs.items() if not does][: FEW - len(other)]
    return sorted(other + same, key=[*departs].index)


def choice(rules: Rules, now: game.Game) -> Sequence[object]:
    """The moves of the seat that is to act first; none if the game does not run."""
    acting = game.to_act(rules, now)
    return game.legal(rules, now, acting[0]) if acting else ()


def search(rules: Rules, bot: BotName, found: list[Place]) -> Iterator[int]:
    """What the bot chooses in these places."""
    for at in found:
        log = read_game(rules, folder(rules) / f"{at.game}.jsonl")[0].log[: at.version]
        events = [entry.event for entry in log]
        now = game.fold(rules, game.Game(""), events)
        yield searched(rules, rules.searches[bot], sight(rules, now, at.seat, events), Lots(at.lot))
