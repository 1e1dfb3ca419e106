"""Positions of real games for the laws in `laws.test.js`: written here, read by deno.

`python -m tests.web.positions FOLDER [GAMES]` plays all golden games and as many random ones of each ruleset, and
writes one file of JSON lines for each game: first the ruleset, its deck and the seats, then each version with the
patches and the legal moves of every perspective, and what the text asks those who are to act. Some versions also have
the views in full.
"""

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from domain import game
from domain.codec import encode
from domain.game import Game, Rules
from domain.game.log import redacted
from domain.rulesets import VERSIONS
from domain.tellers import teller
from domain.telling import Table
from projections.patches import step
from service.api.description import described
from tests.golden import Golden, folder, play, read

EVERY = 23
"""Every so many versions the views are written in full."""


def positions(golden: Golden) -> Iterator[dict[str, Any]]:
    rules, log = golden.rules, golden.log
    opened = log[0].event
    yield {
        "ruleset": rules.name, "seats": opened.seats, "deck": opened.deck, "last": len(log),
    }  # fmt: skip
    viewers: dict[str, Any] = {"bystander": None, **{str(seat): seat for seat in range(opened.seats)}}
    truth, seen = Game(golden.id), {name: Game(golden.id) for name in ("all", *viewers)}
    for entry in log:
        truth = game.evolve(rules, truth, entry.event)
        patches = {}
        for name in seen:
            shown = entry if name == "all" else redacted(rules, entry, viewers[name])
            seen[name], patches[name] = step(rules, seen[name], shown.event)
        acting = game.to_act(rules, truth)
        line = {
            "version": entry.version, "by": entry.by, "event": entry.event, "more": entry.more, "patches": patches,
            "legal": {str(seat): game.legal(rules, truth, seat) for seat in acting},
            "questions": {
                str(seat): questions(rules, seen[str(seat)].state, game.legal(rules, truth, seat), seat)
                for seat in acting
            },
        }  # fmt: skip
        if entry.version % EVERY == 0 or entry.version == len(log):
            line["views"] = {name: encode(each.state).decode() for name, each in seen.items()}
        yield line


def questions(rules: Rules, view: Any, legal: list[Any], seat: int) -> dict[str, str]:
    """What the text of the table asks the seat, by language."""
    plain, moves = (msgspec.json.decode(encode(each)) for each in (view, legal))
    return {each: Table(teller(rules, each), plain, seat, (), {}).question(moves) for each in rules.labels}


def random_games(rules: Rules, games: int) -> Iterator[tuple[str, Golden]]:
    """Games with every number of seats in turn and random options."""
    from tests.golden import classes  # every class of values of every option

    every = classes(rules)
    for number in range(games):
        dice = Random(f"{rules.rules} {number}")
        options = {name: dice.choice(values) for name, values in every.items()}
        seats = rules.seats[number % len(rules.seats)]
        if played := play(rules, f"web-{number}", seats, options):
            yield f"random-{number}", played


def golden_games(rules: Rules) -> Iterator[tuple[str, Golden]]:
    for file in sorted(folder(rules).glob("*.jsonl")):
        yield file.stem, read(rules, file)[0]


def write(place: Path, games: Iterable[tuple[str, Golden]]) -> int:
    count = 0
    for name, golden in games:
        file = place / f"{golden.rules.name}-{name}.jsonl"
        file.write_bytes(b"\n".join(encode(line) for line in positions(golden)))
        count += 1
    return count


def write_all(place: Path, games: int, golden: int | None = None) -> None:
    """Positions of this number of random games of each ruleset, and of this number of golden ones, or of all."""
    for rules in VERSIONS.values():
        decks = {name: deck.data for name, deck in rules.decks.items()}
        text = msgspec.json.encode({**msgspec.to_builtins(described(rules)), "deck_data": decks})
        (place / f"{rules.name}.ruleset.json").write_bytes(text)
        write(place, islice(golden_games(rules), golden))
        write(place, random_games(rules, games))


if __name__ == "__main__":
    write_all(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 2)
