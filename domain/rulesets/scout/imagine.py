"""Histories in which a seat has seen exactly what it has seen."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, cast

from msgspec.structs import replace

from domain.fairness.chance import Chance
from domain.imagining import Contradiction, drawn_again, less
from domain.ruleset import Seat
from domain.rulesets.scout import rules
from domain.rulesets.scout.rules import Card, ScoutEvent, State


def imagine(initial: State, seen: Sequence[ScoutEvent], seat: Seat, chance: Chance) -> list[ScoutEvent]:
    """The hands of now are filled with unseen cards; then all that happened is undone, which leads to the deal.

    A hidden choice (turned, put where) is drawn by lot: the rules allow each.
    """
    history = [*seen]
    rounds = rounds_of(initial, seen)
    one_shuffle = 2 if rules.for_two(initial) else 1
    for first in range(0, len(rounds), one_shuffle):
        dealt = rounds[first : first + one_shuffle]
        for place, event in dealt_to_fit(dealt, seat, chance):
            history[place] = event
    return history


def rounds_of(state: State, seen: Sequence[ScoutEvent]) -> list["Round"]:
    rounds: list[Round] = []
    for place, event in enumerate(seen):
        state = rules.evolve(state, event)
        if isinstance(event, rules.Dealt):
            rounds.append(Round(place, event, state))
        elif rounds:
            rounds[-1].happened(place, event, state)
    return rounds


class Round:
    """The part of the history that begins with a deal, as one seat has seen it."""

    def __init__(self, place: int, dealt: rules.Dealt, state: State) -> None:
        self.place, self.dealt, self.last = place, dealt, state
        self.events: list[list[tuple[int, Any]]] = [[] for _ in dealt.hands]
        """By seat: what it did, and where in the history."""
        self.stuck: Seat | None = None

    def happened(self, place: int, event: ScoutEvent, state: State) -> None:
        self.last = state
        match event:
            case rules.Oriented(seat) | rules.Shown(seat) | rules.Scouted(seat):
                self.events[seat].append((place, event))
            case rules.Stuck(seat):
                self.stuck = seat

    def first_held(self, seat: Seat) -> list[Card]:
        """The cards, the lower number up, that the seat is known to have had in its hand from the deal on."""
        had: list[Card] = []
        scouted: list[Card] = []
        for _, event in self.events[seat]:
            match event:
                case rules.Scouted(card=card):
                    scouted.append(rules.lying(card))
                case rules.Shown(cards=cards):
                    for card in map(rules.lying, cards):
                        if card in scouted:
                            scouted.remove(card)
                        else:
                            had.append(card)
        return had

    def still_held(self, seat: Seat) -> list[Card]:
        """The scouted cards that the seat has not shown since."""
        scouted: list[Card] = []
        for _, event in self.events[seat]:
            match event:
                case rules.Scouted(card=card):
                    scouted.append(rules.lying(card))
                case rules.Shown(cards=cards):
                    scouted = [card for card in scouted if card not in [rules.lying(each) for each in cards]]
        return scouted


def dealt_to_fit(rounds: Sequence[Round], seat: Seat, chance: Chance) -> list[tuple[int, ScoutEvent]]:
    """In the official game for two a hand may have to hold a set that beats, or none: mostly one try, 84 were seen.
    What needs 10,000 happens once in 10,000 such positions.
    """
    return drawn_again(lambda: dealt_again(rounds, seat, chance))


def dealt_again(rounds: Sequence[Round], seat: Seat, chance: Chance) -> list[tuple[int, ScoutEvent]]:
    """The events of the rounds of one shuffle with all hidden cards filled in, each with its place in the history.

    Raises `Contradiction` if the rules demand something else of a hand.
    """
    seats = range(len(rounds[0].dealt.hands))
    known = [[known_cards(each, other, seat) for other in seats] for each in rounds]
    seen = [card for hands in known for hand in hands for card in hand]
    unseen = iter(chance.shuffled(less(rounds[0].last.deck.in_play(len(seats)), seen)))
    filled: list[tuple[int, ScoutEvent]] = []
    aside: tuple[Card, ...] | None = None
    for each, first in zip(reversed(rounds), reversed(known), strict=True):
        hands: list[Any] = [*each.dealt.hands]
        for other in seats:
            if other != seat:
                more = either_way(islice(unseen, len(hands[other]) - len(first[other])), chance)
                hands[other], events = hand_again(each, other, more, chance)
                filled += events
        if aside is None:
            aside = either_way(islice(unseen, len(each.dealt.aside)), chance)
        filled.append((each.place, rules.Dealt(tuple(hands), aside)))
        aside = either_way(chance.shuffled([rules.lying(card) for hand in hands for card in hand]), chance)
    return filled


def known_cards(each: Round, other: Seat, seat: Seat) -> list[Card]:
    if other == seat:
        return [rules.lying(cast("Card", card)) for card in each.dealt.hands[seat]]
    return each.first_held(other)


def hand_again(
    each: Round, seat: Seat, more: tuple[Card, ...], chance: Chance
) -> tuple[tuple[Card, ...], list[tuple[int, ScoutEvent]]]:
    """The hand that was dealt to the seat, and what it did with it."""
    hand = [*chance.shuffled([*more, *either_way(each.still_held(seat), chance)])]
    check(each, seat, hand)
    done: list[tuple[int, ScoutEvent]] = []
    for place, event in reversed(each.events[seat]):
        match event:
            case rules.Shown(cards=cards):
                start = chance.below(len(hand) + 1)
                hand[start:start] = cards
                done.append((place, replace(event, start=start)))
            case rules.Scouted(card=card):
                position = next(i for i, held in enumerate(hand) if rules.lying(held) == rules.lying(card))
                done.append((place, replace(event, flip=hand.pop(position) != card, position=position)))
            case rules.Oriented():
                turned = bool(chance.below(2))
                if turned:
                    hand = [rules.upside_down(card) for card in reversed(hand)]
                done.append((place, rules.Oriented(seat, turned)))
    return tuple(hand), done


def check(each: Round, seat: Seat, hand: list[Card]) -> None:
    """Raises `Contradiction` if the seat could, or could not, show something, and the history says otherwise."""
    state = each.last
    on_turn = state.turn == seat and each.stuck is None
    if on_turn and state.phase == "combo":  # it has scouted a card in order to show
        _, scouted = each.events[seat][-1]
        inserted = next(i for i, held in enumerate(hand) if rules.lying(held) == rules.lying(scouted.card))
        owed = any(rules.fits(replace(state, inserted=inserted), show) for show in beating(state, hand))
        if not owed:
            raise Contradiction
    elif each.stuck == seat:
        if beating(state, hand):
            raise Contradiction
    elif (
        on_turn
        and state.phase == "turn"
        and rules.for_two(state)
        and not state.chips[seat]
        and not beating(state, hand)
    ):
        raise Contradiction  # it would be stuck


def beating(state: State, hand: list[Card]) -> list[rules.Show]:
    return rules.shows_that_beat(rules.upper(tuple(hand)), rules.strength(state.active))


def either_way(cards: Iterable[Card], chance: Chance) -> tuple[Card, ...]:
    return tuple([rules.upside_down(card) if chance.below(2) else card for card in cards])
