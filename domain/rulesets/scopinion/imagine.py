"""Histories in which a seat has seen exactly what it has seen.

Which cards a seat owns is public; hidden is only where they lie: in hand, deck or vault. At the end of a turn all cards
of the hand but one are laid open, so what is to be imagined is which card was held, which targets were secured, and the
order of the decks. A card whose place is unknown belongs to the *era* in which it was last shuffled. How many cards of
each era a turn must have left over is public, too, which settles most choices before they are made.
"""

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from msgspec.structs import replace

from domain.fairness.chance import Chance
from domain.imagining import Contradiction, Covered, Shuffles, faces, open_, repeated
from domain.ruleset import Seat
from domain.rulesets.scopinion.evolve import evolve
from domain.rulesets.scopinion.table import (
    DISPLAY,
    HAND,
    OUT_OF_SUPPLY,
    OUT_OF_TARGETS,
    Bought,
    Card,
    CardsRevealed,
    Dealt,
    Drawn,
    DrawnAside,
    Kept,
    PikOffMade,
    Played,
    Rejected,
    ScopinionDeck,
    ScopinionEvent,
    Secured,
    Shuffled,
    State,
    Trashed,
    TurnEnded,
)

MANY_TRIES = 500
"""A seat that reshuffles its deck early makes it necessary to guess which card it held: mostly one try, 50 are seen."""

Kind: TypeAlias = int | Card
"""What is known of a card in a hand: the era that it was drawn in, or which card it is."""


def imagine(initial: State, seen: Sequence[ScopinionEvent], seat: Seat, chance: Chance) -> list[ScopinionEvent]:
    """Each seat's cards are imagined by themselves: nothing but the middle is shared, and that is open or untouched."""
    story = Story(initial, seen, seat)
    history = [*seen]
    for place, event in story.middle(chance).items():
        history[place] = event
    for steps in story.steps:
        if hides(steps):
            places = repeated(lambda: Cards(initial.deck, steps, chance).placed(), MANY_TRIES)  # noqa: B023
        else:
            places = decks_of(steps, chance)
        for place, cards in places.items():
            history[place] = with_cards(history[place], cards)
    return history


def with_cards(event: Any, cards: tuple[Card, ...]) -> ScopinionEvent:
    """The event with the hidden cards of one seat."""
    changed: ScopinionEvent
    match event:
        case TurnEnded():
            changed = replace(event, drawn=cards)
        case Drawn():
            changed = replace(event, cards=cards)
        case Shuffled():
            changed = replace(event, deck=cards)
        case DrawnAside() | Secured():
            changed = replace(event, card=cards[0])
        case Dealt(decks=decks):
            seat = next(number for number, deck in enumerate(decks) if None in deck)
            changed = replace(
                event,
                decks=(*decks[:seat], cards[:-HAND], *decks[seat + 1 :]),
                hands=(*event.hands[:seat], cards[: -HAND - 1 : -1], *event.hands[seat + 1 :]),
            )
    return changed


# --- what a seat did with its cards, as another one saw it ----------------------------------------------------------


class Shuffle(NamedTuple):
    """A deck was made of what was left of the old one and of these cards."""

    place: int
    cards: tuple[Card, ...]


class Draw(NamedTuple):
    """Cards came from the deck into the hand, or aside; None: hidden ones."""

    place: int
    cards: tuple[Card | None, ...]
    aside: bool = False


class Gain(NamedTuple):
    """Cards that everybody knows came into the hand, or aside."""

    place: int | None
    cards: tuple[Card, ...]
    aside: bool = False


class Keep(NamedTuple):
    """The card that was drawn aside came into the hand."""


class Reject(NamedTuple):
    """The card that was drawn aside was this one."""

    card: Card


class Leave(NamedTuple):
    """The cards left the hand."""

    cards: tuple[Card, ...]


class Secure(NamedTuple):
    """A target left the hand; None: a hidden one."""

    place: int
    card: Card | None


class End(NamedTuple):
    """The turn ended: these cards left the hand in their order, and at most one stayed."""

    cards: tuple[Card, ...]
    stays: int


class Reveal(NamedTuple):
    """At the end of the game hand and deck were laid open."""

    hand: tuple[Card, ...]
    deck: tuple[Card, ...]


Step: TypeAlias = Shuffle | Draw | Gain | Keep | Reject | Leave | Secure | End | Reveal


class Story:
    """The history by seats, and the middle of the table."""

    def __init__(self, initial: State, seen: Sequence[ScopinionEvent], seat: Seat) -> None:
        seats = len(initial.hands)
        self.seat, self.deck, self.seats = seat, initial.deck, seats
        self.steps: list[list[Step]] = [[] for _ in range(seats)]
        self.dealt: tuple[int, Dealt] | None = None
        self.filled: list[Card] = []
        """The cards of the supply in the order in which they were laid open."""
        self.turned: list[tuple[int, Card]] = []
        """The targets that were turned up, each with the number of targets below it."""
        state = initial
        for place, event in enumerate(seen):
            self.happened(state, place, event)
            state = evolve(state, event)

    def happened(self, state: State, place: int, event: ScopinionEvent) -> None:
        steps = self.steps
        match event:
            case TurnEnded(seat, staged, drawn, filled, turned):
                self.filled += filled
                self.turned += [(len(state.targets) - 1, card) for card in turned]
                steps[seat].append(End(staged, len(state.hands[seat]) - len(staged)))
                if drawn:
                    steps[seat].append(Draw(place, drawn))
            case Bought(seat, card, _, laid, to):
                steps[seat].append(Leave(laid))
                if to == "hand":
                    steps[seat].append(Gain(None, (card,)))
            case Played(seat, card):
                steps[seat].append(Leave((card,)))
            case Trashed(seat, by, card):
                steps[seat].append(Leave((by, card)))
            case Drawn(seat, cards, source):
                here = source == "deck"
                steps[seat].append(Draw(place, cards) if here else Gain(place, state.graveyard[: len(cards)]))
            case DrawnAside(seat, drawn_card, source):
                here = source == "deck"
                steps[seat].append(
                    Draw(place, (drawn_card,), aside=True) if here else Gain(place, state.graveyard[:1], aside=True)
                )
            case Kept(seat):
                steps[seat].append(Keep())
            case Rejected(seat, card):
                steps[seat].append(Reject(card))
            case Secured(seat, secured):
                steps[seat].append(Secure(place, secured))
            case PikOffMade(filled=filled):
                self.filled += filled
            case Shuffled(seat):
                steps[seat].append(Shuffle(place, state.discards[seat]))
            case Dealt(hands=hands):
                self.dealt = place, event
                for each, start in enumerate(state.deck.starts[: self.seats]):
                    steps[each] += [Shuffle(place, start), Draw(place, hands[each])]
            case CardsRevealed(hands, decks, vaults):
                for each, vault in enumerate(vaults):
                    steps[each] = [*vaulted(steps[each], vault), Reveal(hands[each], decks[each])]

    def middle(self, chance: Chance) -> dict[int, Dealt]:
        """The deal with supply, targets and the cards out of the game."""
        if self.dealt is None:
            return {}
        (place, dealt), deck, seats = self.dealt, self.deck, self.seats
        shuffles = Shuffles[Card]()
        supply, targets = shuffles.shuffle(deck.supply), shuffles.shuffle(deck.covered)
        cut, least = len(supply) - OUT_OF_SUPPLY[seats], len(targets) - OUT_OF_TARGETS[seats]
        for covered, card in zip(reversed(supply[:cut]), (*dealt.display, *self.filled), strict=False):
            open_(covered, card)
        first = [(len(deck.purple) + least - 1, card) for card in dealt.turned]
        for below, card in (*first, *self.turned):
            open_(targets[below - len(deck.purple)], card)
        shuffles.settle(chance)
        return {
            place: replace(
                dealt,
                supply=faces(supply[: cut - DISPLAY]),
                targets=faces(targets[:least][:-1]),
                removed=faces(supply[cut:] + targets[least:]),
            )
        }


def vaulted(steps: Iterable[Step], vault: Sequence[Card]) -> list[Step]:
    """The steps with the cards that were secured, in this order."""
    cards = iter(vault)
    return [step._replace(card=next(cards)) if isinstance(step, Secure) else step for step in steps]


# --- a seat that hides nothing: the viewer's ------------------------------------------------------------------------


def hides(steps: Sequence[Step]) -> bool:
    """Whether some card came into the hand, or left it, unseen."""
    return any(
        (isinstance(step, Draw) and None in step.cards) or (isinstance(step, Secure) and step.card is None)
        for step in steps
    )


def decks_of(steps: Sequence[Step], chance: Chance) -> dict[int, tuple[Card, ...]]:
    """The decks at these places in the history, the first with the first hand. Every draw opens their top cards."""
    shuffles, shuffled = Shuffles[Card](), dict[int, tuple[Covered[Card], ...]]()
    deck: list[Covered[Card]] = []
    for step in steps:
        match step:
            case Draw(cards=cards):
                for card in cards:
                    open_(deck.pop(), card)
            case Shuffle(place, cards):
                deck = [*shuffles.shuffle((*deck, *cards))]
                shuffled[place] = tuple(deck)
            case Reveal(deck=lying):
                for covered, card in zip(deck, lying, strict=True):
                    open_(covered, card)
    shuffles.settle(chance)
    return {place: faces(cards) for place, cards in shuffled.items()}


# --- one seat's cards -----------------------------------------------------------------------------------------------


class Turn:
    """What a turn takes from the hand, by kind."""

    def __init__(self) -> None:
        self.came: dict[Kind, int] = {}
        """How many more cards of the kind came into the hand than left it openly."""
        self.secured = 0
        """The number of hidden cards that went to the vault."""
        self.stays: int | None = None
        """The number of cards in the hand at the end; None if the turn has not ended."""
        self.rest: list[Kind] = []
        """The cards that came and did not leave openly."""
        self.short: list[Kind] = []
        """The cards that left and had not come."""

    def arrive(self, kinds: Iterable[Kind]) -> None:
        came = self.came
        for kind in kinds:
            came[kind] = came.get(kind, 0) + 1

    def leave(self, kinds: Iterable[Kind]) -> None:
        came = self.came
        for kind in kinds:
            came[kind] = came.get(kind, 0) - 1

    def count(self) -> None:
        """Everything has happened."""
        for kind, many in self.came.items():
            if many > 0:
                self.rest += [kind] * many
            elif many:
                self.short += [kind] * -many

    def left_over(self, held: Kind | None) -> list[Kind] | None:
        """What it leaves in the hand or takes into the vault, if this card was held before; None if it needs cards
        that are not there.
        """
        if self.short:
            return self.rest if self.short == [held] else None
        return self.rest if held is None else [*self.rest, held]


class Held(NamedTuple):
    """A card in the hand."""

    kind: Kind
    covered: Covered[Card]


class Cards:
    """One attempt to imagine a seat's cards."""

    def __init__(self, deck: ScopinionDeck, steps: Sequence[Step], chance: Chance) -> None:
        self.targets, self.steps, self.chance = deck.targets, steps, chance
        self.eras: dict[Card, tuple[int, int]] = {}
        """Of each card whose place is unknown at the end: the first and the last era that it can belong to."""
        self.kinds: list[tuple[Kind, ...]] = []
        """For each step the kinds of the cards that it names."""
        self.turns = [Turn()]
        self._sort()
        targets = chance.shuffled([card for card in self.eras if card in self.targets])
        self.hidden_targets = {card: self.eras[card] for card in targets}
        self.possible: dict[tuple[int, Kind | None, tuple[int, ...]], bool] = {}
        self.shuffles = Shuffles[Card]()
        self.hand: list[Held] = []
        self.vault: list[Held] = []

    # First all steps are read once: what is known of the cards that they name.

    def _sort(self) -> None:
        known: dict[Card, Kind] = {}
        first: dict[Card, int] = {}
        era, in_deck, stays = -1, 0, 0
        for at, step in enumerate(self.steps):
            turn = self.turns[-1]
            kinds: tuple[Kind, ...] = ()
            match step:
                case Shuffle(_, cards):
                    era += 1
                    if in_deck:  # only at the end of a turn
                        self._shuffled_again(known, era, at, stays)
                    for card in cards:
                        known[card] = first[card] = era
                    in_deck += len(cards)
                case Draw(_, cards, aside):
                    in_deck -= len(cards)
                    known.update({card: card for card in cards if card is not None})
                    kinds = tuple([era if card is None else card for card in cards])
                    turn.arrive(() if aside else kinds)
                    pending = kinds
                case Gain(_, cards, aside):
                    known.update({card: card for card in cards})
                    kinds = cards
                    turn.arrive(() if aside else kinds)
                    pending = kinds
                case Keep():
                    turn.arrive(pending)
                case Reject(card):
                    known.pop(card)
                case Leave(cards):
                    kinds = tuple([known.pop(card) for card in cards])
                    turn.leave(kinds)
                case Secure(_, None):
                    turn.secured += 1
                case Secure(_, card) if card is not None:
                    kinds = (known.pop(card),)
                    turn.leave(kinds)
                case End(cards, stays):
                    kinds = tuple([known.pop(card) for card in cards])
                    turn.leave(kinds)
                    turn.stays = stays
                    self.turns.append(Turn())
                case Reveal(hand=shown):
                    kinds = tuple([known[card] for card in shown])
            self.kinds.append(kinds)
        for turn in self.turns:
            turn.count()
        self.eras = {
            card: (min(first.get(card, kind), kind), kind) for card, kind in known.items() if isinstance(kind, int)
        }

    def _shuffled_again(self, known: dict[Card, Kind], era: int, at: int, stays: int) -> None:
        """What was left of the deck is in the new one. Which card was held instead is guessed."""
        hidden = [card for card, kind in known.items() if isinstance(kind, int)]
        held = [card for card in hidden if self._could_be_held(card, at)]
        staying = held[self.chance.below(len(held))] if held and stays else None
        for card in hidden:
            if card != staying:
                known[card] = era

    def _could_be_held(self, card: Card, at: int) -> bool:
        """Whether a hand is never empty from this step on until the card leaves it, or a hidden target."""
        for step in self.steps[at:]:
            match step:
                case End(cards, stays):
                    if card in cards or not stays:
                        return card in cards
                case Leave(cards):
                    if card in cards:
                        return True
                case Secure(_, secured):
                    if secured == card or (secured is None and card in self.targets):
                        return True
                case Reveal(hand):
                    return card in hand
        return True

    def feasible(self, number: int, held: Kind | None, vault: tuple[int, ...]) -> bool:
        """Whether the turns from this one on are possible with a card of that kind in the hand, and others secured.

        `vault` are the eras of the hidden targets there, rising.
        """
        key = number, held, vault
        if key not in self.possible:
            if self.turns[number].stays is None:
                self.possible[key] = self.turns[number].left_over(held) is not None
            else:
                ways = self._ways(number, held, vault)
                self.possible[key] = any(self.feasible(number + 1, out, more) for out, more in ways)
        return self.possible[key]

    def _ways(
        self, number: int, held: Kind | None, vault: tuple[int, ...]
    ) -> Sequence[tuple[Kind | None, tuple[int, ...]]]:
        """The kinds of cards that can stay in the hand at the end of the turn, each with the vault then."""
        turn = self.turns[number]
        over, stays = turn.left_over(held), turn.stays
        if over is None or stays is None or len(over) != turn.secured + stays:
            return ()
        if not turn.secured:
            return ((over[0] if stays else None, vault),)
        outs: list[Kind | None] = [*dict.fromkeys(over)] if stays else [None]
        return [(out, more) for out in outs if (more := self._secured_beside(out, over, vault)) is not None]

    def _secured_beside(self, out: Kind | None, over: Sequence[Kind], vault: tuple[int, ...]) -> tuple[int, ...] | None:
        """The vault if all of these cards but one go there; None if one of them cannot be a target."""
        secured = [*over]
        if out is not None:
            secured.remove(out)
        eras = [kind for kind in secured if isinstance(kind, int)]
        if not all(kind in self.targets for kind in secured if isinstance(kind, str)):
            return None
        more = tuple(sorted((*vault, *eras)))
        return more if not eras or self._targets_for(more) is not None else None

    def _targets_for(self, eras: Iterable[int]) -> list[Card] | None:
        """A hidden target for each of the eras, which rise; None if there are not enough."""
        free, found = self.hidden_targets.copy(), list[Card]()
        for era in eras:
            can = [card for card, (first, last) in free.items() if first <= era <= last]
            if not can:
                return None
            card = min(can, key=lambda each: free[each][1])
            found.append(card)
            del free[card]
        return found

    # Then the steps are taken, with covered cards in place of hidden ones.

    def placed(self) -> dict[int, tuple[Card, ...]]:
        """The cards of the events at these places in the history. Raises `Contradiction`."""
        drawn: list[tuple[int, tuple[Covered[Card], ...]]] = []
        deck: list[Covered[Card]] = []
        aside: Held | None = None
        number, held = 0, None
        out, over = self._planned(number, held)
        for step, kinds in zip(self.steps, self.kinds, strict=True):
            match step:
                case Shuffle(place, cards):
                    deck = [*self.shuffles.shuffle((*deck, *cards))]
                    drawn.append((place, tuple(deck)))
                case Draw(place, cards, to_side):
                    covered = [deck.pop() for _ in cards]
                    for each, card in zip(covered, cards, strict=True):
                        if card is not None:
                            open_(each, card)
                    came = [Held(kind, each) for kind, each in zip(kinds, covered, strict=True)]
                    if place != drawn[-1][0]:  # the first hands are part of the deal
                        drawn.append((place, tuple(covered)))
                    aside = self._came(came, to_side)
                case Gain(place, cards, to_side):
                    came = [Held(card, shown(card)) for card in cards]
                    if place is not None:
                        drawn.append((place, tuple([each.covered for each in came])))
                    aside = self._came(came, to_side)
                case Keep():
                    assert aside is not None
                    self.hand.append(aside)
                case Reject(card):
                    assert aside is not None
                    open_(aside.covered, card)
                case Leave(cards):
                    for kind, card in zip(kinds, cards, strict=True):
                        open_(self._taken(kind).covered, card)
                case Secure(place, card):
                    secured = self._taken(kinds[0]) if card is not None else self._secured(over)
                    if card is not None:
                        open_(secured.covered, card)
                    self.vault.append(secured)
                    drawn.append((place, (secured.covered,)))
                case End(cards):
                    held = self._ended(kinds, cards, out)
                    number += 1
                    out, over = self._planned(number, held)
                case Reveal(hand, lying):
                    self._laid_open(kinds, hand)
                    for each, card in zip(deck, lying, strict=True):
                        open_(each, card)
        self._fill_vault()
        self.shuffles.settle(self.chance)
        return {place: faces(cards) for place, cards in drawn}

    def _came(self, cards: list[Held], aside: bool) -> Held | None:
        if aside:
            return cards[0]
        self.hand += cards
        return None

    def _planned(self, number: int, held: Kind | None) -> tuple[Kind | None, list[Kind]]:
        """The kind of card that will stay in the hand at the end of this turn, and those that go to the vault."""
        over = self.turns[number].left_over(held)
        if over is None:
            raise Contradiction
        if self.turns[number].stays is None:
            return None, [*over]
        hidden = [each.kind for each in self.vault if isinstance(each.kind, int) and each.covered.face is None]
        vault = tuple(sorted(hidden))
        outs = [out for out, more in self._ways(number, held, vault) if self.feasible(number + 1, out, more)]
        if not outs:
            raise Contradiction
        out = outs[self.chance.below(len(outs))]
        secured = [*over]
        if out is not None:
            secured.remove(out)
        return out, secured

    def _taken(self, kind: Kind) -> Held:
        """One of the cards of that kind leaves the hand."""
        return self._one_of([place for place, held in enumerate(self.hand) if held.kind == kind])

    def _secured(self, over: list[Kind]) -> Held:
        """One of the cards that are left over is a target and leaves the hand."""
        can = [
            place
            for place, held in enumerate(self.hand)
            if held.kind in over and (isinstance(held.kind, int) or held.kind in self.targets)
        ]
        secured = self._one_of(can)
        over.remove(secured.kind)
        return secured

    def _one_of(self, places: Sequence[int]) -> Held:
        if not places:
            raise Contradiction
        return self.hand.pop(places[self.chance.below(len(places))])

    def _ended(self, kinds: tuple[Kind, ...], cards: tuple[Card, ...], out: Kind | None) -> Kind | None:
        """The cards left in the order in which they had come. Returns the kind of the one that stays."""
        if out is None:
            self._laid_open(kinds, cards)
            self.hand = []
            return None
        there = [held.kind for held in self.hand]
        can = [
            place for place, kind in enumerate(there) if kind == out and (*there[:place], *there[place + 1 :]) == kinds
        ]
        stays = self._one_of(can)
        self._laid_open(kinds, cards)
        self.hand = [stays]
        return stays.kind

    def _laid_open(self, kinds: tuple[Kind, ...], cards: tuple[Card, ...]) -> None:
        if tuple([held.kind for held in self.hand]) != kinds:
            raise Contradiction
        for held, card in zip(self.hand, cards, strict=True):
            open_(held.covered, card)

    def _fill_vault(self) -> None:
        """Targets that were never seen again, each in an era in which it could be drawn."""
        hidden = [(held.kind, held) for held in self.vault if isinstance(held.kind, int) and held.covered.face is None]
        hidden.sort(key=itemgetter(0))
        cards = self._targets_for([era for era, _ in hidden])
        if cards is None:
            raise Contradiction
        for (_, held), card in zip(hidden, cards, strict=True):
            open_(held.covered, card)


def shown(card: Card) -> Covered[Card]:
    """A card that everybody knows, as it lies in the hand."""
    covered: Covered[Card] = Covered(-1)
    covered.face = card
    return covered
