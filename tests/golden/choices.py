"""Golden choices: positions, and what each published bot chooses there. A published version never chooses differently.

A file for each bot of each version of the rules: `skyjo-1/choices/careful-1.jsonl`. A line holds the arguments of the
bot's function and the index of its choice. `python -m tests.golden` adds the files of new bots and never changes one.
"""

from collections.abc import Iterator
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path

import msgspec
from msgspec import Struct

from domain.codec import encode
from domain.game import Rules
from domain.ruleset import BotName, InvalidSetup, Seat
from tests.golden import FOLDER, folder, plan
from tests.kit.bot_table import Question, questions

ENOUGH = 60
"""Positions for each bot."""


class Position(Struct):
    """A line. `secret` and `events` give the dice: those of the game "bots" without entropies."""

    seat: Seat
    secret: str
    events: int
    view: msgspec.Raw
    legal: msgspec.Raw
    chosen: int


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
