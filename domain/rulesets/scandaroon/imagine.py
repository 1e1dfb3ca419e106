"""Histories in which a seat has seen exactly what it has seen."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from domain.cards import put
from domain.fairness.chance import Chance
from domain.imagining import Contradiction, Covered, Shuffles, faces, open_, repeated
from domain.ruleset import Seat
from domain.rulesets.scandaroon.deck import SYMBOLS, Symbol
from domain.rulesets.scandaroon.evolve import evolve
from domain.rulesets.scandaroon.table import (
    Card,
    Drawn,
    Exchanged,
    HandsDealt,
    Played,
    Prepared,
    Reshuffled,
    ScandaroonEvent,
    State,
    StonePlayed,
    TrumpRevealed,
)


def imagine(initial: State, seen: Sequence[ScandaroonEvent], seat: Seat, chance: Chance) -> list[ScandaroonEvent]:
    """A card that another seat lays down was one of the hidden cards in its hand, each as likely as any other."""
    return repeated(lambda: World(initial, seat, chance).history(seen))


class World:
    """One attempt: the table with covered cards in place of hidden ones."""

    def __init__(self, initial: State, seat: Seat, chance: Chance) -> None:
        self.state, self.seat, self.chance = initial, seat, chance
        self.shuffles, self.trumps = Shuffles[Card](), Shuffles[Symbol]()
        self.returned: frozenset[Card] = frozenset()
        """The cards that went into the second shuffle openly."""

    def history(self, seen: Sequence[ScandaroonEvent]) -> list[ScandaroonEvent]:
        """Raises `Contradiction` if the choices made at random do not lead to what was seen."""
        history = []
        for event in seen:
            history.append(followed := self.follow(event))
            self.state = evolve(self.state, followed)
        self.trumps.settle(self.chance)
        self.shuffles.settle(self.chance)
        return [imagined(event) for event in history]

    def follow(self, event: ScandaroonEvent) -> ScandaroonEvent:
        """The event with covered cards in place of hidden ones. Notes the faces that it opens."""
        state = self.state
        match event:
            case Played(seat, _, card):
                pending = state.pending
                self.leave(seat, card, None if pending is None else pending.drawn)
            case StonePlayed(seat, _, _, card) if event.position is UNSET:
                self.leave(seat, card)
            case Exchanged(seat, card):
                self.leave(seat, card)
            case Drawn(seat, cards):
                return Drawn(seat, self.drawn(seat, cards, state.draw[: -len(cards) - 1 : -1]))
            case HandsDealt(hands):
                return HandsDealt(self.dealt(hands))
            case Prepared():
                trumps: tuple[Any, ...] = self.trumps.shuffle(SYMBOLS)
                open_(trumps[-1], event.trump)
                draw: tuple[Any, ...] = self.shuffles.shuffle(state.deck.cards)
                return replace(event, trump_cards=trumps[:-1], draw=draw)
            case Reshuffled():
                self.returned = frozenset(state.discard)
                again: tuple[Any, ...] = self.shuffles.shuffle(state.draw + state.discard)
                return Reshuffled(again)
            case TrumpRevealed(trump):
                open_(state.trump_cards[-2], trump)
        return event

    def drawn(self, seat: Seat, seen: Sequence[Card | None], covered: Sequence[Any]) -> tuple[Any, ...]:
        """The drawn cards, which the seat itself has seen."""
        if seat != self.seat:
            return tuple(covered)
        for place, card in zip(covered, seen, strict=True):
            open_(place, card)
        return tuple(seen)

    def dealt(self, hands: tuple[tuple[Card | None, ...], ...]) -> tuple[tuple[Any, ...], ...]:
        """One card at a time clockwise from the starting seat (SD-72)."""
        starter, draw = self.state.starter, [*self.state.draw]
        assert starter is not None
        given: list[list[Any]] = [[] for _ in hands]
        for number in range(max(map(len, hands))):
            for seat in (*range(starter, len(hands)), *range(starter)):
                if number < len(hands[seat]):
                    given[seat].append(draw.pop())
        return tuple([self.drawn(seat, seen, given[seat]) for seat, seen in enumerate(hands)])

    def leave(self, seat: Seat, card: Card, among: Sequence[Any] | None = None) -> None:
        """The card leaves the seat's hand: if it was hidden, it was one of the cards there, or one of those just drawn.

        The state then shows its face, so that it can leave.
        """
        hand: tuple[Any, ...] = self.state.hands[seat]
        if card in hand:
            return
        places = [
            place
            for place, held in enumerate(hand)
            if type(held) is Covered and (among is None or held in among) and self.could_be(held, card)
        ]
        if not places:
            raise Contradiction
        place = places[self.chance.below(len(places))]
        open_(hand[place], card)
        self.state = replace(self.state, hands=put(self.state.hands, seat, put(hand, place, card)))

    def could_be(self, held: Covered[Card], card: Card) -> bool:
        """A card that was a discard at the second shuffle can only have been drawn after it."""
        return held.shuffle == 1 or card not in self.returned


def imagined(event: Any) -> ScandaroonEvent:
    """The event with the faces that were imagined."""
    match event:
        case Drawn(seat, cards):
            return Drawn(seat, faces(cards))
        case HandsDealt(hands):
            return HandsDealt(tuple(map(faces, hands)))
        case Reshuffled(draw):
            return Reshuffled(faces(draw))
        case Prepared(trump_cards=trump_cards, draw=draw):
            return replace(event, trump_cards=faces(trump_cards), draw=faces(draw))
    shown: ScandaroonEvent = event
    return shown
