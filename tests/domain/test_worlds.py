"""Imagined worlds are as likely as they should be: small games, in which all worlds can be counted."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from domain.ruleset import Seat
from domain.rulesets import RULESETS
from domain.rulesets.scandaroon import play as scandaroon_play
from domain.rulesets.scandaroon import table as scandaroon_table
from domain.rulesets.scandaroon.deck import SYMBOLS
from domain.rulesets.scopinion.table import PrintedCard
from domain.rulesets.scout import rules as scout_rules
from tests.kit.enumerated import Dealt, Hidden, Partly, TooMany, concealed, deviation, every_world
from tests.kit.imagined import Append, Imagine, Lots, Rules, appends, seen_by


class Small(NamedTuple):
    """A game with a small deck, and perhaps with small hands."""

    ruleset: str
    seats: int
    deck: Mapping[str, Any]
    """What is different in the deck."""
    dealt: Dealt = lambda _: True
    """What is dealt at random; the rest comes as in the deck file."""
    options: Mapping[str, Any] = {}
    hands: Sequence[tuple[Any, str, Any]] = ()
    """Numbers of cards in a hand."""
    apart: Sequence[str] = ()
    """Fields of events that are not compared, for they are not dealt at random."""
    open_moves: bool = False
    """Everybody sees which moves are made."""

    @contextmanager
    def opened(self) -> Iterator[tuple[Rules, Any]]:
        """Its rules and the initial state."""
        rules = RULESETS[self.ruleset]
        data = replace(next(iter(rules.decks.values())).data, name="small", **self.deck)
        deck = rules.deck(data)
        patches: list[Any] = [
            patch.dict(where, {name: value}) if isinstance(where, dict) else patch.object(where, name, value)
            for where, name, value in self.hands
        ]
        for each in patches:
            each.start()
        try:
            yield rules.with_deck(deck), rules.initial(self.seats, rules.options(**self.options), deck)
        finally:
            for each in patches:
                each.stop()

    def played(self, rules: Rules, initial: Any, seed: int, moves: int) -> list[Append]:
        bots = ["random/1"] * self.seats
        return [*appends(rules, initial, seed, bots, moves, Partly(seed, self.dealt))]


def scandaroon(cards: str, seats: int = 3, hand: int = 1, **options: Any) -> Small:
    faces = next(iter(RULESETS["scandaroon"].decks.values())).data.cards
    deck = {"cards": tuple([face for face in faces if face.id in cards.split()])}
    hands = [(module, "HAND", hand) for module in (scandaroon_play, scandaroon_table)]
    return Small("scandaroon", seats, deck, lambda cards: not isinstance(cards, int) and cards != SYMBOLS,
                 options, hands=hands, apart=["trump_cards"])  # fmt: skip


def scopinion(start: int, targets: int, mode: str = "base") -> Small:
    """Cheap targets are what the supply has most of."""
    old = next(iter(RULESETS["scopinion"].decks.values())).data.cards
    cards = [
        PrintedCard(f"{colour[0]}{value}-{number}", "start", value, colour)
        for colour in ("green", "blue")
        for number, value in enumerate((4, 1, 2, 4, 0, 3)[:start])
    ]
    for number in range(20):
        kind = "target" if number % 6 < targets else "central"
        group = "A" if kind == "target" else None
        value = number % 3 + 1
        cards.append(PrintedCard(f"{kind[0]}{value}-{number}", kind, value, group=group))
    cards += [card for card in old if card.group in ("B", "C")]
    middle = {card.id for card in cards if card.kind != "start" and card.group in (None, "A")}
    below = {card.id for card in cards if card.group == "B"}
    whole = (middle, below)
    return Small(
        "scopinion", 2, {"cards": tuple(cards)}, lambda cards: not isinstance(cards, int) and set(cards) not in whole,
        {"mode": mode}, apart=["supply", "targets", "removed"],
    )  # fmt: skip


def scout(seats: int, hand: int, cards: int, **options: Any) -> Small:
    numbers = [(1, 2), (2, 4), (3, 5), (1, 3), (2, 3), (4, 5), (1, 4), (3, 4), (2, 5), (1, 5)][:cards]
    printed = tuple([scout_rules.PrintedCard(each, (seats,)) for each in sorted(numbers)])
    hands = [(scout_rules.HAND, seats, hand), (scout_rules, "HAND_FOR_TWO", hand // 2)]
    return Small("scout", seats, {"cards": printed}, lambda asked: asked in (1, 2) or not isinstance(asked, int),
                 options, hands)  # fmt: skip


SMALL: dict[str, Small] = {
    "skyjo": Small("skyjo", 2, {"numbers": {"0": 25, "3": 2, "7": 1}}, open_moves=True),
    "skyjo_action": Small(
        "skyjo_action",
        2,
        {"numbers": {"0": 26, "3": 2}, "stars": 0, "actions": {"remove_one_each": 6, "look_line": 1}},
        open_moves=True,
    ),
    "scandaroon": scandaroon("S2b S3a S5 M2b T2b T3a X1 X2b", tied_last_bonus="none"),
    "scopinion": scopinion(4, 3),
    "scout": scout(3, 2, 6),
}
