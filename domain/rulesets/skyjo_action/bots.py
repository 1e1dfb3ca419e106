"""The published bots. Worths are in hundredths of a point."""

from collections.abc import Iterable, Sequence

from domain.bots import at_random, best
from domain.fairness.chance import Chance
from domain.messages import Value, by_type
from domain.ruleset import Seat, clockwise
from domain.rulesets.skyjo_action import table
from domain.rulesets.skyjo_action.play import LINES, THROUGH, protected, replayable
from domain.rulesets.skyjo_action.table import STAR
from domain.rulesets.skyjo_grid import COLUMNS, ROWS, Slot, face_down, face_up

POINT = 100
DRAW = 300
TOSS = 80
"""A drawn card goes, and one of the own cards is turned up."""
NEW_STAR = 100
"""A star on another card brings an action card."""
STAR_LINES = {3: 1000, 4: 1500}
FINISH = 200
"""Ending the round with the fewest points."""
MARGIN = 8 * POINT
"""How much less than all others a seat must have to end the round: their face-down cards are only estimated."""
PATIENCE = 6
"""Of this many choices in which no seat wants to turn up its last card, one ends the round nevertheless."""
IN_HAND = 10 * POINT
"""The price of an action card at the end of the round (SA-72)."""
RID = 300
"""The worth of being rid of an action card before that."""
NEVER = -(10**12)

PRICES: dict[table.Action, int] = {
    "swap_players": 900, "double_move": 400, "remove_one_each": 400, "draw_three": 300, "steal_action": 100,
    "play_discarded_action": 100, "defence": 50, "swap_own": 0, "look_line": -100,
}  # fmt: skip
"""Of action cards that are taken for a star."""
UNKNOWN = 150
"""The price of the top card of their pile."""
PLAYED: dict[table.Action, int] = {"double_move": 650, "draw_three": 500, "defence": 310, "look_line": 0}
"""What these action cards bring. The others depend on the table."""


class Outlook(Value):
    """What a choice is based on."""

    state: table.State
    seat: Seat
    layout: table.Layout
    mean: int
    """Of the cards that do not lie open in a layout."""
    last_lap: bool
    ending: int
    """What turning up the last face-down card costs; 0 if there are more, negative if it pays."""
    fewest: int
    """The number of face-down cards where there are fewest."""


def careful(state: table.State, seat: Seat, moves: Sequence[table.SkyjoActionMove], chance: Chance) -> int:
    """The most points saved, and lines; action cards are taken for stars only, and played or discarded at once."""
    outlook = outlook_of(state, seat, chance)
    return best([WORTH[type(move)](outlook, move) for move in moves], chance)


def outlook_of(state: table.State, seat: Seat, chance: Chance) -> Outlook:
    shown = [card for layout in state.layouts for card in face_up(layout)]
    deck = state.deck
    mean = POINT * (deck.points - total(shown)) // max(len(deck.playing) - len(shown), 1)
    last_lap = state.finisher is not None
    down = [len(face_down(layout)) for layout in state.layouts]
    ending = price_of_ending(state, seat, mean) if down[seat] == 1 and not last_lap else 0
    if ending > 0 and max(down) == 1 and chance.below(PATIENCE) == 0:  # else nobody might ever do it
        ending = 0
    return Outlook(state, seat, state.layouts[seat], mean, last_lap, ending, min(down))


def price_of_ending(state: table.State, seat: Seat, mean: int) -> int:
    """The own points count twice if another seat may have fewer (SA-73)."""
    own, *others = [estimate(state, each, mean) for each in clockwise(seat, len(state.layouts))]
    if own + MARGIN < min(others):
        return -FINISH
    return max(own, 0)


def estimate(state: table.State, seat: Seat, mean: int) -> int:
    layout = state.layouts[seat]
    cards = POINT * total(face_up(layout)) + mean * len(face_down(layout))
    return cards + IN_HAND * len(state.hands[seat]) + POINT * state.star_bonus[seat]


def number(card: table.Card) -> int:
    """A star counts nothing (SA-42)."""
    return 0 if card == STAR else card


def total(cards: Iterable[table.Card]) -> int:
    return sum([card for card in cards if card != STAR])


def value(outlook: Outlook, slot: Slot[table.Card]) -> int:
    """Of a card in a layout or of the three drawn ones; the mean if the seat does not know it."""
    return outlook.mean if slot.card is None else POINT * number(slot.card)


# --- a layout -----------------------------------------------------------------------------------------------------


def best_gain(outlook: Outlook, card: table.Card) -> int:
    return max([gain(outlook, place, card) for place, slot in enumerate(outlook.layout) if slot is not None])


def gain(outlook: Outlook, place: int, card: table.Card) -> int:
    """Of laying the card there: the difference of the numbers and of the lines."""
    layout = outlook.layout
    slot = layout[place]
    assert slot is not None
    gained = value(outlook, slot) - POINT * number(card) + lines_at(outlook, layout, place, card)
    if slot.up and slot.card is not None:
        gained -= lines_at(outlook, layout, place, slot.card)
    if card == STAR and slot.card != STAR:
        gained += NEW_STAR
    return gained if slot.up else gained - outlook.ending


def lines_at(outlook: Outlook, layout: table.Layout, place: int, card: table.Card) -> int:
    """The worth of the better line through that place with the card there."""
    column, row = THROUGH[place]
    return max(line_with(outlook, layout, column, place, card), line_with(outlook, layout, row, place, card))


def line_with(outlook: Outlook, layout: table.Layout, line: table.Line, place: int, card: table.Card) -> int:
    """All points of a complete line, and half a card's for a line that lacks one more card."""
    fits: table.Card = card
    size, stars = 0, 0
    down = False
    for other in LINES[line]:
        slot = layout[other]
        if slot is None:
            continue
        size += 1
        if other == place:
            here: table.Card | None = card
        elif not slot.up:
            if down:
                return 0
            down = True
            continue
        else:
            here = slot.card
        if here == STAR:
            stars += 1
        elif here is not None:
            if fits != STAR and here != fits:
                return 0
            fits = here
    if size < ROWS or (size < len(LINES[line]) and not short_row(outlook, line)):
        return 0
    if fits == STAR:
        return 0 if down else STAR_LINES[size]
    if down:
        return POINT // 2 * max(fits, 0)
    points = POINT * fits * (size - stars)
    return max(points, 0) if stars else points  # such a line need not go


def short_row(outlook: Outlook, line: table.Line) -> bool:
    return len(LINES[line]) == COLUMNS and outlook.state.options.short_rows


def flip(outlook: Outlook, move: table.Flip) -> int:
    """At first where least is open, later in the column with the highest sum."""
    column = move.slot // ROWS
    shown = face_up(outlook.layout[column * ROWS : (column + 1) * ROWS])
    return -len(shown) if outlook.state.phase == "setup" else total(shown)


def swap(outlook: Outlook, move: table.Swap) -> int:
    held = outlook.state.held
    assert held is not None
    return gain(outlook, move.slot, held)


def toss(outlook: Outlook, _: table.Toss | table.KeepNone) -> int:
    return 0 if outlook.last_lap else TOSS - outlook.ending


def draw(_: Outlook, _move: table.Draw) -> int:
    return DRAW


def take(outlook: Outlook, _: table.Take) -> int:
    top = outlook.state.discard[-1]
    assert top is not None
    return best_gain(outlook, top)


def clear_line(outlook: Outlook, move: table.ClearLine) -> int:
    slots = [slot for slot in map(outlook.layout.__getitem__, LINES[move.line]) if slot is not None]
    cards = face_up(slots)
    return POINT * total(cards) if cards.count(STAR) < len(cards) else STAR_LINES[len(cards)]


def nothing(_: Outlook, _move: table.KeepLines | table.SkipAction) -> int:
    return 0


# --- action cards -------------------------------------------------------------------------------------------------


def take_action(outlook: Outlook, move: table.TakeAction) -> int:
    """For a star only, and not shortly before the end."""
    state = outlook.state
    if not state.stars or outlook.last_lap:
        return NEVER
    card = None if move.source == "pile" else state.open[move.source]
    price = UNKNOWN if card is None else PRICES[card]
    return price - (600 if outlook.fewest <= 1 else 200 if outlook.fewest == 2 else 0)


def discard(outlook: Outlook, _: table.Discard) -> int:
    return rid(outlook)


def play(outlook: Outlook, move: table.Play) -> int:
    return rid(outlook) + effect(outlook, move.card)


def rid(outlook: Outlook) -> int:
    """The worth of having an action card less."""
    return IN_HAND if outlook.fewest <= 1 else RID


def effect(outlook: Outlook, card: table.Action) -> int:
    """What the action card brings when it is played now."""
    state, seat = outlook.state, outlook.seat
    match card:
        case "swap_players":
            dearest = max([value(outlook, slot) for slot in outlook.layout if slot is not None], default=0)
            return 6 * (dearest - min(attackable(outlook), default=dearest)) // 5
        case "remove_one_each":
            return sum([outlook.mean - least for least in attackable(outlook)]) // 5
        case "swap_own":
            return max([crossing(outlook, one, other) for one in range(len(outlook.layout)) for other in range(one)])
        case "steal_action":
            hands = [hand for owner, hand in enumerate(state.hands) if owner != seat]
            known = [PLAYED.get(held.card, 0) for hand in hands for held in hand]
            return max(known, default=0) - 500
        case "play_discarded_action":
            return max([PLAYED.get(again, 0) for again in replayable(state)], default=0)
        case _:
            return PLAYED[card]


def attackable(outlook: Outlook) -> list[int]:
    """The lowest card of each other seat without a defence."""
    state = outlook.state
    return [
        min([value(outlook, slot) for slot in layout if slot is not None])
        for owner, layout in enumerate(state.layouts)
        if owner != outlook.seat and any(layout) and not protected(state, owner)
    ]


def crossing(outlook: Outlook, one: int, other: int) -> int:
    """The lines that the exchange of two own cards gives, and those that it takes."""
    seat, layout = outlook.seat, outlook.layout
    if layout[one] is None or layout[other] is None:
        return NEVER
    after = table.crossed(outlook.state.layouts, table.Place(seat, one), table.Place(seat, other))[seat]
    return sum([lines_of(outlook, after, place) - lines_of(outlook, layout, place) for place in (one, other)])


def lines_of(outlook: Outlook, layout: table.Layout, place: int) -> int:
    slot = layout[place]
    return 0 if slot is None or not slot.up or slot.card is None else lines_at(outlook, layout, place, slot.card)


def pick(outlook: Outlook, move: table.Pick) -> int:
    state = outlook.state
    pending, slot = state.pending, state.layouts[move.seat][move.slot]
    assert pending is not None
    assert slot is not None
    if pending.victims:
        return -value(outlook, slot)
    if pending.card == "swap_own":
        others = range(len(outlook.layout)) if pending.picked is None else [pending.picked.slot]
        return max([crossing(outlook, move.slot, other) for other in others if other != move.slot])
    if move.seat == outlook.seat:
        return value(outlook, slot)
    if pending.picked is None or protected(state, move.seat):
        return NEVER
    return -value(outlook, slot)


def look(outlook: Outlook, move: table.Look) -> int:
    slots = [outlook.layout[place] for place in LINES[move.line]]
    return len([slot for slot in slots if slot is not None and slot.card is None]) if move.seat == outlook.seat else -1


def steal(outlook: Outlook, move: table.Steal) -> int:
    return NEVER if protected(outlook.state, move.seat) else PLAYED.get(move.card, 0)


def replay(outlook: Outlook, move: table.Replay) -> int:
    return effect(outlook, move.card)


def keep(outlook: Outlook, move: table.Keep) -> int:
    card = outlook.state.three[move.place]
    assert card is not None
    assert card.card is not None
    return best_gain(outlook, card.card)


def drop(outlook: Outlook, move: table.Drop) -> int:
    """The lowest first: the next seat finds the last one."""
    card = outlook.state.three[move.place]
    assert card is not None
    return -value(outlook, card)


WORTH = by_type(
    table.SkyjoActionMove, flip, swap, toss, draw, take, clear_line, nothing, take_action, discard, play, pick, look,
    steal, replay, keep, drop,
)  # fmt: skip

# --- easy ---------------------------------------------------------------------------------------------------------

HIDDEN = 7
"""What `easy` takes a face-down card for: more than most of them are."""
LOW = 5
"""It takes each discard below this."""
CURIOUS = 20
"""More than any card is worth: it plays its action cards as soon as it can."""


def easy(state: table.State, seat: Seat, moves: Sequence[table.SkyjoActionMove], chance: Chance) -> int:
    """Low cards for high ones, and action cards at once. It sees no lines, and does not think of the end of the
    round.
    """

    def known(slot: Slot[table.Card] | None) -> int:
        return HIDDEN if slot is None or not slot.up or slot.card is None else number(slot.card)

    def worth(move: table.SkyjoActionMove) -> int:
        match move:
            case table.Play():
                return CURIOUS
            case table.TakeAction():
                return 1 if state.stars else -1
            case table.Discard():
                return -1
            case table.Take():
                top = state.discard[-1]
                return LOW - (HIDDEN if top is None else number(top))
            case table.Swap():
                assert state.held is not None
                return known(state.layouts[seat][move.slot]) - number(state.held)
            case table.Keep():
                drawn = state.three[move.place]
                return 0 if drawn is None or drawn.card is None else LOW - number(drawn.card)
            case table.Pick():
                picked = known(state.layouts[move.seat][move.slot])
                return picked if move.seat == seat else -picked
            case table.ClearLine():
                return 1
            case _:
                return 0

    return best(map(worth, moves), chance)


BOTS = {"random/1": at_random, "easy/1": easy, "careful/1": careful}
