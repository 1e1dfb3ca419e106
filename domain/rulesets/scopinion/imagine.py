"""Histories in which a seat has seen exactly what it has seen.

Which cards a seat owns is public; hidden is only where they lie: in hand, deck or vault. At the end of a turn all cards
of the hand but one are laid open, so what is to be imagined is which card was held, which targets were secured, and the
order of the decks. A hidden card in the hand belongs to the *era* of its deck: the shuffle that it came out of.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec.structs import replace

from domain.cards import put
from domain.fairness.chance import Chance
from domain.imagining import Covered, Eras, Layer, Moved, Shuffles, faces, one_way, open_
from domain.ruleset import Seat
from domain.rulesets.scopinion import table
from domain.rulesets.scopinion.table import Card, ScopinionEvent, State

Kind: TypeAlias = int | Card
"""What is known of a card in a hand: the era that it was drawn in, or which card it is."""


def imagine(initial: State, seen: Sequence[ScopinionEvent], seat: Seat, chance: Chance) -> list[ScopinionEvent]:
    """Each seat's cards are imagined by themselves: nothing but the middle is shared, and that is open or untouched."""
    story = Story(initial, seen, seat)
    history = [*seen]
    for place, event in story.middle(chance).items():
        history[place] = event
    for owner, steps in enumerate(story.steps):
        placed = Cards(initial.deck, steps).placed(chance) if hides(steps) else decks_of(steps, chance)
        for place, cards in placed:
            history[place] = with_cards(history[place], owner, cards)
    return history


def with_cards(event: Any, seat: Seat, cards: tuple[Card, ...]) -> ScopinionEvent:
    """The event with the hidden cards of one seat."""
    changed: ScopinionEvent
    match event:
        case table.TurnEnded():
            changed = replace(event, drawn=cards)
        case table.Drawn():
            changed = replace(event, cards=cards)
        case table.Shuffled():
            changed = replace(event, deck=cards)
        case table.DrawnAside() | table.Secured():
            changed = replace(event, card=cards[0])
        case table.Dealt(decks=decks, hands=hands):
            cut = len(decks[seat])
            changed = replace(event, decks=put(decks, seat, cards[:cut]), hands=put(hands, seat, cards[cut:]))
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
        self.dealt: tuple[int, table.Dealt] | None = None
        self.filled: list[Card] = []
        """The cards of the supply in the order in which they were laid open."""
        self.turned: list[tuple[int, Card]] = []
        """The targets that were turned up, each with the number of targets below it."""
        state = initial
        for place, event in enumerate(seen):
            self.happened(state, place, event)
            state = table.evolve(state, event)

    def happened(self, state: State, place: int, event: ScopinionEvent) -> None:
        steps = self.steps
        match event:
            case table.TurnEnded(seat, staged, drawn, filled, turned):
                self.filled += filled
                self.turned += [(len(state.targets) - 1, card) for card in turned]
                steps[seat].append(End(staged, len(state.hands[seat]) - len(staged)))
                if drawn:
                    steps[seat].append(Draw(place, drawn))
            case table.Bought(seat, card, _, laid, to):
                steps[seat].append(Leave(laid))
                if to == "hand":
                    steps[seat].append(Gain(None, (card,)))
            case table.Played(seat, card):
                steps[seat].append(Leave((card,)))
            case table.Trashed(seat, by, card):
                steps[seat].append(Leave((by, card)))
            case table.Drawn(seat, cards, source):
                here = source == "deck"
                steps[seat].append(Draw(place, cards) if here else Gain(place, state.graveyard[: len(cards)]))
            case table.DrawnAside(seat, drawn_card, source):
                here = source == "deck"
                steps[seat].append(
                    Draw(place, (drawn_card,), aside=True) if here else Gain(place, state.graveyard[:1], aside=True)
                )
            case table.Kept(seat):
                steps[seat].append(Keep())
            case table.Rejected(seat, card):
                steps[seat].append(Reject(card))
            case table.Secured(seat, secured):
                steps[seat].append(Secure(place, secured))
            case table.PikOffMade(filled=filled):
                self.filled += filled
            case table.Shuffled(seat):
                steps[seat].append(Shuffle(place, state.discards[seat]))
            case table.Dealt(hands=hands):
                self.dealt = place, event
                for each, start in enumerate(state.deck.starts[: self.seats]):
                    steps[each] += [Shuffle(place, start), Draw(place, hands[each][::-1])]
            case table.CardsRevealed(hands, decks, vaults):
                for each, vault in enumerate(vaults):
                    steps[each] = [*vaulted(steps[each], vault), Reveal(hands[each], decks[each])]

    def middle(self, chance: Chance) -> dict[int, table.Dealt]:
        """The deal with supply, targets and the cards out of the game."""
        if self.dealt is None:
            return {}
        (place, dealt), deck, seats = self.dealt, self.deck, self.seats
        shuffles = Shuffles[Card]()
        supply, targets = shuffles.shuffle(deck.supply), shuffles.shuffle(deck.covered)
        cut, least = len(supply) - table.OUT_OF_SUPPLY[seats], len(targets) - table.OUT_OF_TARGETS[seats]
        for covered, card in zip(reversed(supply[:cut]), (*reversed(dealt.display), *self.filled), strict=False):
            open_(covered, card)
        first = [(len(deck.purple) + least - 1, card) for card in dealt.turned]
        for below, card in (*first, *self.turned):
            open_(targets[below - len(deck.purple)], card)
        shuffles.settle(chance)
        return {
            place: replace(
                dealt,
                supply=faces(supply[: cut - table.DISPLAY]),
                targets=faces(targets[:least][:-1]),
                removed=faces(supply[cut:]),
                removed_targets=faces(targets[least:]),
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


def decks_of(steps: Sequence[Step], chance: Chance) -> list[tuple[int, tuple[Card, ...]]]:
    """The decks at these places in the history, the first with the first hand. Every draw opens their top cards."""
    shuffles, placed = Shuffles[Card](), list[tuple[int, tuple[Covered[Card], ...]]]()
    deck: list[Covered[Card]] = []
    for step in steps:
        match step:
            case Draw(cards=cards):
                for card in cards:
                    open_(deck.pop(), card)
            case Shuffle(place, cards):
                deck = [*shuffles.shuffle((*deck, *cards))]
                placed.append((place, tuple(deck)))
            case Reveal(deck=lying):
                for covered, card in zip(deck, lying, strict=True):
                    open_(covered, card)
    shuffles.settle(chance)
    return [(place, faces(cards)) for place, cards in placed]


# --- one seat's cards -----------------------------------------------------------------------------------------------


class Hidden(NamedTuple):
    """What is hidden of a seat's cards, as far as it matters for what is still to come."""

    hand: tuple[Kind, ...]
    vault: tuple[int, ...]
    """The eras of the cards there that nobody has seen."""
    moved: Moved
    free: tuple[int, ...]
    """By era how many targets were not seen again after they were shuffled, nor chosen for the vault."""


Places: TypeAlias = tuple[int, int]
"""The first of some places in the hand that hold the same kind, and how many they are."""
Options: TypeAlias = list[tuple[int, Hidden, Places]]


class Cards:
    """What can have lain where. Read step by step: each that takes a card from the hand is a layer of choices."""

    def __init__(self, deck: table.ScopinionDeck, steps: Sequence[Step]) -> None:
        self.targets, self.steps = deck.targets, steps
        self.eras = Eras[Card]()
        self.layers: list[Layer[Hidden, Places]] = []
        self._came: tuple[Kind, ...] = ()
        """The cards that have come since the last layer."""
        aside: tuple[Kind, ...] = ()
        in_deck = hidden = 0
        for step in steps:
            match step:
                case Shuffle(_, cards):
                    self.eras.shuffled(cards, in_deck)
                    in_deck += len(cards)
                case Draw(_, cards, to_side):
                    in_deck -= len(cards)
                    kinds = tuple([self._drawn(card) for card in cards])
                    if to_side:
                        aside = kinds
                    else:
                        self._came += kinds
                case Gain(_, kinds, to_side):
                    if to_side:
                        aside = kinds
                    else:
                        self._came += kinds
                case Keep():
                    self._came += aside
                case Reject(card):
                    if isinstance(aside[0], int):
                        self.eras.seen_in(card, aside[0])
                case Leave(cards):
                    for card in cards:
                        self._layer(self._taken, card, self._entry(card))
                case Secure(_, None):
                    hidden += 1
                    self._layer(self._secured)
                case Secure(_, card) if card is not None:
                    self._layer(self._taken, card, self._entry(card))
                case End(cards, stays):
                    self._layer(self._ended, cards, [self._entry(card) for card in cards], stays)
                case Reveal(hand, cards):
                    self._layer(self._ended, hand, [self._entry(card) for card in hand], 0)
                    for card in cards:
                        self._drawn(card)
        self.free: list[list[Card]] = [[] for _ in self.eras.entered]
        if hidden:
            for card, era in self.eras.entry.items():
                if card in self.targets:
                    self.free[era].append(card)
        self.layers += [self._known] * hidden

    def _drawn(self, card: Card | None) -> Kind:
        era = len(self.eras.entered) - 1
        if card is None:
            return era
        self.eras.seen_in(card, era)
        return card

    def _entry(self, card: Card) -> int | None:
        """Of a hidden card that is seen now; None: it was known to be in the hand."""
        return self.eras.seen(card) if card in self.eras.entry else None

    def _layer(self, options: Callable[..., Options], *seen: Any) -> None:
        came, self._came = self._came, ()

        def layer(hidden: Hidden) -> Options:
            return options(hidden, hidden.hand + came, *seen)

        self.layers.append(layer)

    def _after(self, moved: Moved, kind: Kind, card: Card, entry: int | None) -> Moved | None:
        """If this card was seen in place of that kind; None: it cannot be."""
        if entry is None or isinstance(kind, str):
            return moved if kind == card else None
        return self.eras.through(moved, entry, kind)

    def _taken(self, hidden: Hidden, hand: tuple[Kind, ...], card: Card, entry: int | None) -> Options:
        """The places in the hand from which this card can have come."""
        found: Options = []
        for place, many in alike(hand):
            moved = self._after(hidden.moved, hand[place], card, entry)
            if moved is not None:
                rest = hand[:place] + hand[place + 1 :]
                found.append((many, Hidden(rest, hidden.vault, moved, hidden.free), (place, many)))
        return found

    def _secured(self, hidden: Hidden, hand: tuple[Kind, ...]) -> Options:
        """The places in the hand from which a hidden target can have come."""
        found: Options = []
        for place, many in alike(hand):
            kind, rest = hand[place], hand[:place] + hand[place + 1 :]
            vault = (*hidden.vault, kind) if isinstance(kind, int) else hidden.vault
            if isinstance(kind, int) or kind in self.targets:
                found.append((many, Hidden(rest, vault, hidden.moved, hidden.free), (place, many)))
        return found

    def _ended(
        self,
        hidden: Hidden,
        hand: tuple[Kind, ...],
        cards: tuple[Card, ...],
        entries: list[int | None],
        stays: int,
    ) -> Options:
        """The places in the hand of the card that can have stayed, while these left it in their order."""
        found: Options = []
        for place, many in alike(hand) if stays else ((len(hand), 1),):
            moved = hidden.moved
            for kind, card, entry in zip(hand[:place] + hand[place + 1 :], cards, entries, strict=True):
                after = self._after(moved, kind, card, entry)
                if after is None:
                    break
                moved = after
            else:
                found.append((many, Hidden(hand[place : place + 1], hidden.vault, moved, hidden.free), (place, many)))
        return found

    def _known(self, hidden: Hidden) -> Options:
        """The entries of the targets that the first of the hidden cards in the vault can be."""
        vault, moved, free = hidden.vault, hidden.moved, hidden.free
        if not vault:
            return [(1, hidden, (0, 0))]
        found: Options = []
        for entry, many in enumerate(free):
            if many and entry <= vault[0]:
                after = self.eras.through(moved, entry, vault[0])
                if after is not None:
                    left = Hidden(hidden.hand, vault[1:], after, put(free, entry, many - 1))
                    found.append((many, left, (entry, many)))
        return found

    def _ways(self, hidden: Hidden) -> int:
        return self.eras.ways(
            hidden.moved, [len(all_) - many for all_, many in zip(self.free, hidden.free, strict=True)]
        )

    def placed(self, chance: Chance) -> list[tuple[int, tuple[Card, ...]]]:
        """The cards of the events at these places in the history, with covered cards first."""
        start = Hidden((), (), tuple(self.eras.moved), tuple(map(len, self.free)))
        chosen = iter(one_way(self.layers, start, self._ways, chance))
        shuffles, placed = Shuffles[Card](), list[tuple[int, tuple[Covered[Card], ...]]]()
        deck, hand, vault = list[Covered[Card]](), list[Covered[Card]](), list[Covered[Card]]()
        aside: list[Covered[Card]] = []

        def chosen_place() -> int:
            place, many = next(chosen)
            return place + chance.below(many) if many > 1 else place

        for step in self.steps:
            match step:
                case Shuffle(place, cards):
                    deck = [*shuffles.shuffle((*deck, *cards))]
                    placed.append((place, tuple(deck)))
                case Draw(place, cards, to_side):
                    came = [deck.pop() for _ in cards]
                    for covered, card in zip(came, cards, strict=True):
                        if card is not None:
                            open_(covered, card)
                    if place != placed[-1][0]:  # the first hands are part of the deal
                        placed.append((place, tuple(came)))
                    if to_side:
                        aside = came
                    else:
                        hand += came
                case Gain(place, cards, to_side):
                    came = [shown(card) for card in cards]
                    if place is not None:
                        placed.append((place, tuple(came)))
                    if to_side:
                        aside = came
                    else:
                        hand += came
                case Keep():
                    hand += aside
                case Reject(card):
                    open_(aside[0], card)
                case Leave(cards):
                    for card in cards:
                        open_(hand.pop(chosen_place()), card)
                case Secure(place, card):
                    covered = hand.pop(chosen_place())
                    if card is not None:
                        open_(covered, card)
                    placed.append((place, (covered,)))
                    vault.append(covered)
                case End(cards, _):
                    stayed = chosen_place()
                    rest = hand[:stayed] + hand[stayed + 1 :]
                    for covered, card in zip(rest, cards, strict=True):
                        open_(covered, card)
                    hand = hand[stayed : stayed + 1]
                case Reveal(shown_, lying):
                    next(chosen)
                    for covered, card in zip((*hand, *deck), (*shown_, *lying), strict=True):
                        open_(covered, card)
        free = [[*chance.shuffled(cards)] for cards in self.free]
        for covered, (entry, _) in zip([each for each in vault if each.face is None], chosen, strict=False):
            open_(covered, free[entry].pop())
        shuffles.settle(chance)
        return [(place, faces(cards)) for place, cards in placed]


def alike(hand: tuple[Kind, ...]) -> list[Places]:
    """Cards of the same kind that came one after the other can have been exchanged."""
    found: list[Places] = []
    for place, kind in enumerate(hand):
        if place and kind == hand[place - 1]:
            first, many = found[-1]
            found[-1] = first, many + 1
        else:
            found.append((place, 1))
    return found


def shown(card: Card) -> Covered[Card]:
    """A card that everybody knows, as it lies in the hand."""
    covered: Covered[Card] = Covered(-1)
    covered.face = card
    return covered
