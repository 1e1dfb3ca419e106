"""Histories in which a seat has seen exactly what it has seen."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from domain.cards import known, put
from domain.fairness.chance import Chance
from domain.imagining import Covered, Eras, Layer, Moved, Shuffles, imagined, one_way, open_
from domain.ruleset import Seat, clockwise
from domain.rulesets.scandaroon import table
from domain.rulesets.scandaroon.deck import SYMBOLS, Symbol
from domain.rulesets.scandaroon.table import Card, ScandaroonEvent, State


def imagine(initial: State, seen: Sequence[ScandaroonEvent], seat: Seat, chance: Chance) -> list[ScandaroonEvent]:
    """A card that another seat lays down was one of the hidden cards in its hand: how likely each of them is to be it
    depends on the shuffle that it came out of.
    """
    return World(initial, seat, chance).history(seen)


Places: TypeAlias = tuple[Covered[Card], ...]


class Left(NamedTuple):
    """A hidden card left the hand, and was this one."""

    card: Card
    entry: int
    """The shuffle into which it had gone openly."""
    among: Places | None
    """It was one of these; None: any one."""


class World:
    """The table with covered cards in place of hidden ones."""

    def __init__(self, initial: State, seat: Seat, chance: Chance) -> None:
        self.state, self.seat, self.chance = initial, seat, chance
        self.shuffles, self.trumps = Shuffles[Card](), Shuffles[Symbol]()
        self.eras = Eras[Card]()
        self.hidden: list[list[Places | Left]] = [[] for _ in initial.hands]
        """By seat: the covered cards that came into its hand, and those that left it."""

    def history(self, seen: Sequence[ScandaroonEvent]) -> list[ScandaroonEvent]:
        history = []
        for event in seen:
            history.append(followed := self.follow(event))
            self.state = table.evolve(self.state, followed)
        self.place()
        self.trumps.settle(self.chance)
        self.shuffles.settle(self.chance)
        return [imagined(event) for event in history]

    def follow(self, event: ScandaroonEvent) -> ScandaroonEvent:
        """The event with covered cards in place of hidden ones. Notes the faces that it opens."""
        state = self.state
        match event:
            case table.Played(seat, _, card):
                pending = state.pending
                self.leave(seat, card, None if pending is None else pending.drawn)
            case table.StonePlayed(seat, _, _, card) if event.position is UNSET:
                self.leave(seat, card)
            case table.Exchanged(seat, card):
                self.leave(seat, card)
            case table.Drawn(seat, cards):
                return table.Drawn(seat, self.drawn(seat, cards, state.draw[: -len(cards) - 1 : -1]))
            case table.HandsDealt(hands):
                return table.HandsDealt(self.dealt(hands))
            case table.Prepared():
                trumps: tuple[Any, ...] = self.trumps.shuffle(SYMBOLS)
                open_(trumps[-1], event.trump)
                self.eras.shuffled(state.deck.cards, 0)
                draw: tuple[Any, ...] = self.shuffles.shuffle(state.deck.cards)
                return replace(event, trump_cards=trumps[:-1], draw=draw)
            case table.Reshuffled():
                self.eras.shuffled(state.discard, len(state.draw))
                again: tuple[Any, ...] = self.shuffles.shuffle(state.draw + state.discard)
                return table.Reshuffled(again)
            case table.TrumpRevealed(trump):
                open_(state.trump_cards[-2], trump)
        return event

    def drawn(self, seat: Seat, seen: Sequence[Card | None], covered: Sequence[Any]) -> tuple[Any, ...]:
        """The drawn cards, which the seat itself has seen."""
        if seat != self.seat:
            self.hidden[seat].append(tuple(covered))
            return tuple(covered)
        for place, card in zip(covered, seen, strict=True):
            open_(place, card)
            self.eras.seen_in(known(card), place.shuffle)
        return tuple(seen)

    def dealt(self, hands: tuple[tuple[Card | None, ...], ...]) -> tuple[tuple[Any, ...], ...]:
        """One card at a time clockwise from the starting seat (SD-72)."""
        starter, draw = self.state.starter, [*self.state.draw]
        assert starter is not None
        given: list[list[Any]] = [[] for _ in hands]
        for number in range(max(map(len, hands))):
            for seat in clockwise(starter, len(hands)):
                if number < len(hands[seat]):
                    given[seat].append(draw.pop())
        return tuple([self.drawn(seat, seen, given[seat]) for seat, seen in enumerate(hands)])

    def leave(self, seat: Seat, card: Card, among: Any = None) -> None:
        """The card leaves the seat's hand. If it was hidden, the state shows it in place of any hidden card."""
        hand: tuple[Any, ...] = self.state.hands[seat]
        if card not in hand:
            self.hidden[seat].append(Left(card, self.eras.seen(card), among))
            place = next(place for place, held in enumerate(hand) if type(held) is Covered)
            self.state = replace(self.state, hands=put(self.state.hands, seat, put(hand, place, card)))

    def place(self) -> None:
        """Choose for each card that left a hand where it had lain."""
        came_from = iter(self.shuffles_of_cards())
        for steps in self.hidden:
            hand: list[list[Covered[Card]]] = [[] for _ in self.eras.entered]
            for step in steps:
                if not isinstance(step, Left):
                    for covered in step:
                        hand[covered.shuffle].append(covered)
                    continue
                here = hand[next(came_from)]
                can = here if step.among is None else [covered for covered in here if covered in step.among]
                covered = can[self.chance.below(len(can))]
                here.remove(covered)
                open_(covered, step.card)

    def shuffles_of_cards(self) -> list[int]:
        """For each card that left a hand, seat by seat, the shuffle that it came out of."""
        layers: list[Layer[Taken, int]] = []
        eras = len(self.eras.entered)
        if eras == 1:
            return [0 for steps in self.hidden for step in steps if isinstance(step, Left)]
        for steps in self.hidden:
            came, first = [0] * eras, True
            for step in steps:
                if isinstance(step, Left):
                    layers.append(self.layer(step, tuple(came), first))
                    first = False
                else:
                    for covered in step:
                        came[covered.shuffle] += 1
        start = (0,) * eras, tuple(self.eras.moved)
        return one_way(layers, start, lambda taken: self.eras.ways(taken[1]), self.chance)

    def layer(self, left: Left, came: tuple[int, ...], first: bool) -> Layer["Taken", int]:
        """The shuffles that the card can have come out of: each as many times as cards of it are in the hand."""
        _, entry, among = left
        shuffles = range(entry, len(came)) if among is None else (among[0].shuffle,)
        none = (0,) * len(came)

        def options(taken: Taken) -> list[tuple[int, Taken, int]]:
            out, moved = taken
            out = none if first else out
            found = []
            for shuffle in shuffles:
                if came[shuffle] > out[shuffle]:
                    more = self.eras.through(moved, entry, shuffle)
                    if more is not None:
                        there = came[shuffle] - out[shuffle] if among is None else 1
                        found.append((there, (put(out, shuffle, out[shuffle] + 1), more), shuffle))
            return found

        return options


Taken: TypeAlias = tuple[tuple[int, ...], Moved]
"""By shuffle how many cards left the hand, and the cards that went on covered."""
