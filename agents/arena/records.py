"""Games of the arena as records, which `verify` accepts and `replay` shows."""

from collections.abc import Sequence
from typing import Any

from agents.table import Table
from domain import game
from domain.codec import encode
from domain.fairness import chain, record
from domain.game import log
from domain.game.commands import Join

WHEN = "1970-01-01T00:00:00.000000Z"
"""The arena has no clock: the same games are the same bytes."""


def record_of(table: Table, options: Any, names: Sequence[str]) -> bytes:
    """The finished game of the table, with these names at its seats, as a line of JSON."""
    rules, players = table.rules, [f"arena:{seat}" for seat in range(len(names))]
    deck = next(iter(rules.decks.values())).data
    opened = game.terms(rules, len(names), options, deck, players[0], table.secret)
    decisions = [game.open_game(rules, table.id, opened, sit=True, entropy="")]
    for player in players[1:]:
        decisions.append(game.decide(rules, decisions[-1].game, player, Join()))
    for seat, move in table.moves:
        decisions.append(game.moved(rules, decisions[-1].game, seat, move))
    entries: list[log.Stored[Any, Any]] = []
    head = chain.root(table.id)
    for decided in decisions:
        entries += log.written(rules, decided, head, WHEN)
        head = bytes.fromhex(entries[-1].head)
    made = record.of(table.id, entries, dict(zip(players, names, strict=True)))
    return encode(record.complete(made)) + b"\n"
