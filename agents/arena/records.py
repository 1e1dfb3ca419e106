"""Games of the arena as records, which `verify` accepts and `replay` shows."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from agents.table import Table
from domain import game
from domain.codec import encode
from domain.fairness import chain, record
from domain.game import Agreed, Deal, log
from domain.game.commands import Join, Reveal

WHEN = "1970-01-01T00:00:00.000000Z"
"""The arena has no clock: the same games are the same bytes."""


def record_of(
    table: Table, options: Any, names: Sequence[str], players: Sequence[str] = (), *, id: str = "",
    deal: Deal | UnsetType = UNSET,
) -> bytes:  # fmt: skip
    """The finished game of the table, with these names at its seats, as a line of JSON.

    `players` are their ids. A game of a common `deal` has an `id` of its own, and its cards follow from the deal's.
    """
    rules, players, own = table.rules, players or [f"arena:{seat}" for seat in range(len(names))], id or table.id
    deck, common = next(iter(rules.decks.values())).data, deal is not UNSET
    agreed = Agreed(private=common, deal=deal)
    opened = game.terms(rules, len(names), options, deck, players[0], table.secret, agreed)
    decisions = [game.open_game(rules, own, opened, sit=True, entropy="")]
    for player in players[1:]:
        decisions.append(game.decide(rules, decisions[-1].game, player, Join()))
    for seat, move in table.moves:
        decisions.append(game.moved(rules, decisions[-1].game, seat, move))
    if common:  # otherwise the secret follows with the end
        decisions.append(game.decide(rules, decisions[-1].game, None, Reveal()))
    entries: list[log.Stored[Any, Any]] = []
    head = chain.root(own)
    for decided in decisions:
        entries += log.written(rules, decided, head, WHEN)
        head = bytes.fromhex(entries[-1].head)
    made = record.of(own, entries, dict(zip(players, names, strict=True)))
    return encode(record.complete(made)) + b"\n"
