"""The published bots. Worths are in hundredths of a point."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import assert_never

from domain.bots import at_random, best
from domain.fairness.chance import Chance
from domain.messages import Value
from domain.ruleset import Seat, clockwise
from domain.rulesets.skyjo import rules
from domain.rulesets.skyjo_grid import COLUMNS, ROWS, face_down, face_up

POINT = 100
TOSS = 120
"""A drawn card goes, and one of the own cards is turned up."""
DRAWING = 50
"""A draw leaves all choices open."""
LEAST_TAKEN = 50
"""The least gain for which a discard is taken."""
PAIRS = (0, 15, 30, 45, 50)
"""What a second card of a number is worth in its column, per point of it, by the number of own face-down cards."""
MARGIN = 6 * POINT
"""How much less than all others a seat must have to end the round: their face-down cards are only estimated."""
PATIENCE = 6
"""Of this many choices in which no seat wants to turn up its last card, one ends the round nevertheless."""
NEVER = -(10**12)


class Place(Value):
    """A slot that holds a card, as a swap sees it."""

    slot: int
    down: bool
    loss: int
    """What leaves with the card, by its number and its pair."""
    others: tuple[rules.Card | None, ...]
    """The other two cards of the column, None if face down."""


class Outlook(Value):
    """What a choice is based on."""

    places: tuple[Place, ...]
    pair: int
    last_lap: bool
    ending: int
    """The price of turning up the last face-down card; 0 if there are more."""

    def toss(self) -> int:
        return 0 if self.last_lap else TOSS - self.ending


def careful(state: rules.State, seat: Seat, moves: Sequence[rules.SkyjoMove], chance: Chance) -> int:
    """The most points saved, and columns; a draw is expected to bring the mean of what is unseen."""
    if state.phase in ("setup", "flip"):
        return best([column_to_open(state, seat, move) for move in moves], chance)
    unseen = unseen_cards(state)
    mean = POINT * sum([card * copies for card, copies in unseen.items()]) // max(unseen.total(), 1)
    outlook = outlook_of(state, seat, mean, chance)
    return best([worth(state, outlook, unseen, move) for move in moves], chance)


def column_to_open(state: rules.State, seat: Seat, move: rules.SkyjoMove) -> int:
    """At first where least is open, later where the sum is highest."""
    assert isinstance(move, rules.Flip)
    column = move.slot // ROWS
    shown = face_up(state.layouts[seat][column * ROWS : (column + 1) * ROWS])
    return -len(shown) if state.phase == "setup" else sum(shown)


def worth(state: rules.State, outlook: Outlook, unseen: Counter[rules.Card], move: rules.SkyjoMove) -> int:
    match move:
        case rules.Swap():
            assert state.held is not None
            return next(gain(outlook, place, state.held) for place in outlook.places if place.slot == move.slot)
        case rules.Toss():
            return outlook.toss()
        case rules.Draw():
            return drawn(outlook, unseen)
        case rules.Take():
            taken = best_gain(outlook, state.discard[-1])
            return taken if taken >= LEAST_TAKEN or outlook.last_lap else NEVER
        case rules.Flip():
            raise AssertionError("turned up by column")
    assert_never(move)


def drawn(outlook: Outlook, unseen: Counter[rules.Card]) -> int:
    """The mean of what each unseen card would be used for."""
    toss = outlook.toss()
    total = sum(copies * max(toss, best_gain(outlook, card)) for card, copies in unseen.items())
    return total // max(unseen.total(), 1) + DRAWING


def best_gain(outlook: Outlook, card: rules.Card) -> int:
    return max([gain(outlook, place, card) for place in outlook.places])


def gain(outlook: Outlook, place: Place, card: rules.Card) -> int:
    """Of a swap: the difference of the numbers, the whole column if it goes, or the hope for that."""
    first, second = place.others
    gained = place.loss - POINT * card
    if card == first:
        gained += ROWS * POINT * card if card == second else outlook.pair * card
    elif card == second:
        gained += outlook.pair * card
    return gained - outlook.ending if place.down else gained


def unseen_cards(state: rules.State) -> Counter[rules.Card]:
    """The cards that lie neither open nor on the discard pile, and are not held."""
    seen = [*state.discard, *chain.from_iterable(map(face_up, state.layouts))]
    if state.held is not None:
        seen.append(state.held)
    unseen = Counter(state.deck.cards)
    unseen.subtract(Counter(seen))
    return unseen


def outlook_of(state: rules.State, seat: Seat, mean: int, chance: Chance) -> Outlook:
    layout, last_lap = state.layouts[seat], state.finisher is not None
    down = [len(face_down(each)) for each in state.layouts]
    pair = 0 if last_lap else PAIRS[min(down[seat], len(PAIRS) - 1)]
    ending = price_of_ending(state, seat, mean) if down[seat] == 1 and not last_lap else 0
    if ending and max(down) == 1 and chance.below(PATIENCE) == 0:  # else nobody might ever do it
        ending = 0
    return Outlook(tuple(places(layout, mean, pair)), pair, last_lap, ending)


def places(layout: rules.Layout, mean: int, pair: int) -> list[Place]:
    found = []
    for first in range(0, ROWS * COLUMNS, ROWS):
        cards = [slot.card if slot is not None and slot.up else None for slot in layout[first : first + ROWS]]
        for row, card in enumerate(cards):
            if layout[first + row] is not None:
                others = (*cards[:row], *cards[row + 1 :])
                loss = mean if card is None else POINT * card - pair * card * others.count(card)
                found.append(Place(first + row, card is None, loss, others))
    return found


def price_of_ending(state: rules.State, seat: Seat, mean: int) -> int:
    """The own points count twice if another seat may have fewer (SK-51)."""
    own, *others = [estimate(state.layouts[each], mean) for each in clockwise(seat, len(state.layouts))]
    return own if own > 0 and own + MARGIN >= min(others) else 0


def estimate(layout: rules.Layout, mean: int) -> int:
    return POINT * sum(face_up(layout)) + mean * len(face_down(layout))


# --- easy ---------------------------------------------------------------------------------------------------------

HIDDEN = 7
"""What `easy` takes a face-down card for: more than most of them are."""
LOW = 5
"""It takes each discard below this."""


def easy(state: rules.State, seat: Seat, moves: Sequence[rules.SkyjoMove], chance: Chance) -> int:
    """Low cards for high ones. It sees no columns, and does not think of the end of the round."""

    def worth(move: rules.SkyjoMove) -> int:
        match move:
            case rules.Take():
                return LOW - state.discard[-1]
            case rules.Swap():
                slot = state.layouts[seat][move.slot]
                assert slot is not None
                assert state.held is not None
                return (slot.card if slot.up and slot.card is not None else HIDDEN) - state.held
            case rules.Draw() | rules.Toss() | rules.Flip():
                return 0
        assert_never(move)

    return best(map(worth, moves), chance)


BOTS = {"random/1": at_random, "easy/1": easy, "careful/1": careful}
