"""Legal moves, their consequences, and the dealer."""

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import compress
from typing import Literal, assert_never

from domain.cards import known
from domain.fairness.chance import Chance
from domain.messages import by_type
from domain.ruleset import Illegal, Seat, Tally, clockwise, lowest
from domain.rulesets.skyjo_action import table
from domain.rulesets.skyjo_action.table import (
    STAR,
    Action,
    Card,
    Layout,
    Line,
    Options,
    Owed,
    Pending,
    Place,
    SkyjoActionEvent,
    SkyjoActionMove,
    State,
    laid,
)
from domain.rulesets.skyjo_grid import (
    COLUMNS,
    SLOTS,
    Slot,
    all_up,
    dealt_layouts,
    doubled,
    face,
    face_down,
    face_up,
    first_to_play,
    is_down,
    still_turning,
)

LINES: dict[Line, tuple[int, ...]] = {
    "c0": (0, 1, 2),
    "c1": (3, 4, 5),
    "c2": (6, 7, 8),
    "c3": (9, 10, 11),
    "r0": (0, 3, 6, 9),
    "r1": (1, 4, 7, 10),
    "r2": (2, 5, 8, 11),
}
"""The slots of every line, in the order in which lines are cleared (SA-10, SA-44)."""

ALL_LINES = tuple(LINES)
THROUGH = tuple(tuple(line for line in LINES if slot in LINES[line]) for slot in range(SLOTS))
"""The column and the row of every slot."""

BONUS = {3: -10, 4: -15}
"""By the number of stars in a cleared line (SA-47)."""
BY_ITSELF = frozenset(("three", "victims", "moves", "end", "fill"))
"""Kinds of pending steps that are not decisions."""
ADDED: dict[Action, int] = {"double_move": 2, "defence": 1}
"""How many moves these cards add (SA-52, SA-59)."""


# --- legal moves --------------------------------------------------------------------------------------------------


def to_act(state: State) -> tuple[Seat, ...]:
    """SA-20."""
    if state.owed is not None:
        return ()
    if state.stars:
        return state.stars[:1]
    if state.pending is not None:
        return () if state.pending.kind in BY_ITSELF else (state.pending.seat,)
    if state.phase == "setup":
        return tuple(seat for seat, layout in enumerate(state.layouts) if still_turning(layout))
    return ()


def legal(state: State, seat: Seat) -> list[SkyjoActionMove]:
    """At most twelve moves for every seat and a few more: section 6."""
    if state.owed is not None:
        return []
    if state.stars:
        return star_picks(state) if seat == state.stars[0] else []
    pending = state.pending
    if pending is None:
        layout = state.layouts[seat] if state.phase == "setup" else ()
        return [table.FLIPS[slot] for slot in face_down(layout)] if layout and still_turning(layout) else []
    if seat != pending.seat:
        return []
    match pending.kind:
        case "choose":
            return openings(state, seat)
        case "place" | "slot":
            swaps = compress(table.SWAPS, state.layouts[seat])  # where the layout has a card
            return [*swaps, table.TOSS] if state.held_from == "draw" else [*swaps]
        case "flip":
            return [table.FLIPS[slot] for slot in face_down(state.layouts[seat])]
        case "pick":
            return picks(state, pending)
        case "look":
            return [
                table.Look(owner, line) for owner, layout in enumerate(state.layouts) for line in hiding_lines(layout)
            ]
        case "steal":
            return [
                table.Steal(owner, card) for owner, hand in enumerate(state.hands) if owner != seat
                for card in dict.fromkeys(held.card for held in hand)
            ]  # fmt: skip
        case "replay":
            return [table.Replay(card) for card in replayable(state)]
        case "keep":
            return [*table.KEEPS] if all_up(state.layouts[seat]) else [*table.KEEPS, table.KeepNone()]
        case "drop":
            return [table.DROPS[place] for place, card in enumerate(state.three) if card is not None]
        case "lines":
            return [
                *(table.ClearLine(line) for line in joker_lines(state.layouts[seat], state.options)),
                table.KeepLines(),
            ]
        case _:
            return []


def openings(state: State, seat: Seat) -> list[SkyjoActionMove]:
    """How a move begins (SA-30). A draw is always possible (SA-3)."""
    moves: list[SkyjoActionMove] = [table.DRAW, table.TAKE] if can_take(state, seat) else [table.DRAW]
    moves += action_cards(state, from_pile=state.options.take_from_action_pile)
    if state.finisher is not None:  # SA-70
        return moves
    ready: list[Action] = []
    for held in state.hands[seat]:
        card = held.card
        if not held.fresh and card not in ready:
            ready.append(card)
            if card not in PARTICULAR or can_begin(state, seat, card):
                moves.append(table.PLAYS[card])
    return moves + [table.DISCARDS[card] for card in ready]


def can_take(state: State, seat: Seat) -> bool:
    """There is a discard, and a card that it can replace."""
    return bool(state.discard) and any(state.layouts[seat])


def star_picks(state: State) -> list[SkyjoActionMove]:
    """The action cards that can be taken for a star (SA-40)."""
    moves = action_cards(state, from_pile=True)
    return [*moves, table.SKIP_ACTION] if state.options.star_action == "may" else [*moves]


def action_cards(state: State, *, from_pile: bool) -> Sequence[table.TakeAction]:
    """The open ones that may be taken, and the top one of their pile."""
    from_open = (
        table.FROM_OPEN if None not in state.open else [*compress(table.FROM_OPEN, state.open)]
    )  # where a card lies
    return [*from_open, table.FROM_PILE] if from_pile and pile_gives(state) else from_open


def pile_gives(state: State) -> bool:
    """Whether the pile of action cards has a card, after a restock if necessary (SA-67)."""
    return bool(state.action_pile) or len(state.action_discard) > 1


def hidden_slots(layout: Layout, line: Line) -> tuple[int, ...]:
    """The slots of the line with face-down cards."""
    return tuple([slot for slot in LINES[line] if is_down(layout[slot])])


def hiding_lines(layout: Layout) -> list[Line]:
    """The lines with face-down cards."""
    down = frozenset(face_down(layout))
    return [line for line, slots in LINES.items() if not down.isdisjoint(slots)]


def picks(state: State, pending: Pending) -> list[SkyjoActionMove]:
    """All cards that may be picked next; no card is exchanged for itself."""
    owners, first = pickable(state, pending), pending.picked
    moves: list[SkyjoActionMove] = [
        pick for owner in owners for pick in compress(table.PICKS[owner], state.layouts[owner])
    ]
    if first is not None and first.seat in owners:
        moves.remove(table.PICKS[first.seat][first.slot])
    return moves


def pickable(state: State, pending: Pending) -> Sequence[Seat]:
    """The seats whose cards can be picked next (SA-51, SA-55, SA-56)."""
    if pending.victims:
        return pending.victims[:1]
    if pending.card == "swap_own":
        return (pending.seat,)
    return [seat for seat in range(len(state.layouts)) if pending.picked is None or seat != pending.picked.seat]


def replayable(state: State) -> list[Action]:
    """The kinds of discarded action cards that can be played once more, the topmost first (SA-58)."""
    return [card for card in dict.fromkeys(reversed(state.action_discard)) if card != "play_discarded_action"]


PARTICULAR = frozenset(("swap_own", "look_line", "steal_action", "play_discarded_action"))
"""The action cards that cannot always begin."""


def can_begin(state: State, seat: Seat, card: Action) -> bool:
    """The effect finds something to act on (SA-50)."""
    match card:
        case "swap_own":
            cards = iter(state.layouts[seat])
            return any(cards) and any(cards)  # at least two
        case "look_line":
            return not all(map(all_up, state.layouts))
        case "steal_action":
            return any(state.hands[:seat]) or any(state.hands[seat + 1 :])
        case "play_discarded_action":
            return state.action_discard.count(card) < len(state.action_discard)
        case _:
            return True


# --- lines --------------------------------------------------------------------------------------------------------


def complete_lines(layout: Layout, options: Options, lines: Sequence[Line] = ALL_LINES) -> list[tuple[Line, bool]]:
    """Which of these lines are complete, and which of those have a star (SA-11)."""
    found: list[tuple[Line, bool]] = []
    for line in lines:
        number, has_star, gone = None, False, 0
        for place in LINES[line]:  # most lines have a face-down card or two numbers, and no more is asked of them
            slot = layout[place]
            if slot is None:
                gone += 1
                continue
            if not slot.up:
                break
            card = slot.card
            if card == STAR:
                has_star = True
            elif number is None:
                number = card
            elif card != number:
                break
        else:
            if gone == 0 or (gone == 1 and len(LINES[line]) == COLUMNS and options.short_rows):
                found.append((line, has_star))
    return found


def joker_lines(layout: Layout, options: Options) -> list[Line]:
    star: Slot[Card] = Slot(STAR, up=True)
    stars = layout.count(star)
    if stars == 0:
        return []
    lines = THROUGH[layout.index(star)] if stars == 1 else ALL_LINES
    complete = complete_lines(layout, options, lines)
    return [line for line, has_star in complete if has_star] if complete else []


def clear_numbers(state: State, seat: Seat) -> list[SkyjoActionEvent]:
    """Number lines go by themselves, all that are complete at once together, until there is none (SA-44)."""
    events: list[SkyjoActionEvent] = []
    while lines := [line for line, has_star in complete_lines(state.layouts[seat], state.options) if not has_star]:
        for line in lines:  # a card of two lines goes with the first
            cleared = clear(state, seat, line)
            events.append(cleared)
            state = table.evolve(state, cleared)
    return events


def clear(state: State, seat: Seat, line: Line) -> table.LineCleared:
    """The line goes onto the discard pile, stars first (SA-46), and stars alone are worth a bonus (SA-47)."""
    layout = state.layouts[seat]
    places = sorted(
        (place for place in LINES[line] if layout[place] is not None), key=lambda place: face(layout[place]) != STAR
    )
    cards = tuple(face(layout[place]) for place in places)
    bonus = BONUS[len(cards)] if set(cards) == {STAR} and state.options.star_line_bonus else 0
    return table.LineCleared(seat, line, tuple(places), cards, bonus)


# --- decisions ----------------------------------------------------------------------------------------------------


def allowed(state: State, seat: Seat, move: SkyjoActionMove) -> bool:
    """The move is in `legal` (the most common are checked without building the list)."""
    pending = state.pending
    if pending is None or seat != pending.seat or state.owed is not None or state.stars:
        return move in legal(state, seat)
    return MAY[type(move)](state, pending, move)


def may_draw(_state: State, pending: Pending, _: table.Draw) -> bool:
    return pending.kind == "choose"


def may_take(state: State, pending: Pending, _: table.Take) -> bool:
    return pending.kind == "choose" and can_take(state, pending.seat)


def may_swap(state: State, pending: Pending, move: table.Swap) -> bool:
    there = pending.kind == "place" or pending.kind == "slot"
    return there and state.layouts[pending.seat][move.slot] is not None


def may_flip(state: State, pending: Pending, move: table.Flip) -> bool:
    return pending.kind == "flip" and is_down(state.layouts[pending.seat][move.slot])


def may_take_action(state: State, pending: Pending, move: table.TakeAction) -> bool:
    return pending.kind == "choose" and can_take_action(state, move.source)


def may_play(state: State, pending: Pending, move: table.Play) -> bool:
    there = pending.kind == "choose" and is_ready(state, pending.seat, move.card)
    return there and can_begin(state, pending.seat, move.card)


def may_discard(state: State, pending: Pending, move: table.Discard) -> bool:
    return pending.kind == "choose" and is_ready(state, pending.seat, move.card)


def may_pick(state: State, pending: Pending, move: table.Pick) -> bool:
    return pending.kind == "pick" and can_pick(state, pending, Place(move.seat, move.slot))


def may_look(state: State, pending: Pending, move: table.Look) -> bool:
    there = pending.kind == "look" and move.seat < len(state.layouts)
    return there and hidden_slots(state.layouts[move.seat], move.line) != ()


def may_steal(state: State, pending: Pending, move: table.Steal) -> bool:
    there = pending.kind == "steal" and move.seat != pending.seat and move.seat < len(state.hands)
    return there and move.card in [held.card for held in state.hands[move.seat]]


def may_drop(state: State, pending: Pending, move: table.Drop) -> bool:
    return pending.kind == "drop" and state.three[move.place] is not None


def is_listed(
    state: State,
    pending: Pending,
    move: table.Toss
    | table.SkipAction
    | table.Replay
    | table.Keep
    | table.KeepNone
    | table.ClearLine
    | table.KeepLines,
) -> bool:
    return move in legal(state, pending.seat)


MAY = by_type(
    SkyjoActionMove, may_draw, may_take, may_swap, may_flip, may_take_action, may_play, may_discard, may_pick, may_look,
    may_steal, may_drop, is_listed,
)  # fmt: skip


def is_ready(state: State, seat: Seat, card: Action) -> bool:
    """The seat may play or discard such a card: it has a ready one, and the final lap has not begun (SA-70)."""
    return state.finisher is None and table.READY[card] in state.hands[seat]


def can_pick(state: State, pending: Pending, place: Place) -> bool:
    owned = place.seat in pickable(state, pending) and state.layouts[place.seat][place.slot] is not None
    return owned and place != pending.picked


def can_take_action(state: State, source: int | Literal["pile"]) -> bool:
    """As a move (SA-33)."""
    if source == "pile":
        return state.options.take_from_action_pile and pile_gives(state)
    return state.open[source] is not None


def decide(state: State, seat: Seat, move: SkyjoActionMove) -> list[SkyjoActionEvent]:
    if not allowed(state, seat, move):
        raise Illegal
    events = CHOSEN[type(move)](state, seat, move)
    last = events[-1]
    if type(last) in CHOICE_FOLLOWS or (type(move) is table.Play and table.EFFECTS[move.card] in ACTING):
        return events
    end = plain_end(state, seat, last)
    return with_what_follows(state, events) if end is None else [*events, end]


def plain_end(state: State, seat: Seat, last: SkyjoActionEvent) -> SkyjoActionEvent | None:
    """What the end of a move (SA-25) comes to after its last event, where that can be told without folding.

    None where more may follow: in the final lap, for stars and gaps, when a line is complete or a layout all turned up.
    Before a move there was no number line and some card face down in every layout, so only what has changed is looked
    at.
    """
    pending, layouts = state.pending, state.layouts
    if pending is None or state.finisher is not None or state.stars or None in state.open:
        return None
    if type(last) not in LAYOUTS_STAY:
        changed: tuple[tuple[Seat, int], ...]
        if type(last) is table.Exchanged:
            one, other = last.one, last.other
            changed, layouts = ((one.seat, one.slot), (other.seat, other.slot)), table.crossed(layouts, one, other)
        elif (type(last) is table.Swapped or type(last) is table.Flipped) and pending.kind != "slot":
            changed, layouts = ((seat, last.slot),), laid(layouts, last)
        else:
            return None
        for owner, slot in changed:
            if all_up(layouts[owner]) or complete_lines(layouts[owner], state.options, THROUGH[slot]):
                return None
    if joker_lines(layouts[seat], state.options):
        return table.LinesOffered(seat)
    return next_move(state, seat, state.moves - 1)


CHOICE_FOLLOWS = frozenset(
    (
        table.TurnBegan,
        table.Drawn,
        table.Taken,
        table.MoveBegan,
        table.Picked,
        table.Kept,
        table.KeptNone,
        table.LinesOffered,
        table.RanOut,
    )
)
"""After these some seat chooses, always, or the dealer has to restock."""
ACTING = frozenset(("pick", "look", "steal"))
"""So it does when an action card is played that goes on like this: what it acts on was there when it was allowed."""
LAYOUTS_STAY = frozenset((table.ActionTaken, table.Discarded, table.LineLooked, table.Blocked))
"""As the last event of what a seat does, these end the move and change nothing that its end depends on: a gap that an
action card leaves cannot be filled."""


# What the moves themselves do, by kind of move.


def flip(state: State, seat: Seat, move: table.Flip) -> list[SkyjoActionEvent]:
    flipped = table.Flipped(seat, move.slot, face(state.layouts[seat][move.slot]))
    follow = setup_end(table.evolve(state, flipped)) if state.phase == "setup" else granted(seat, flipped.card)
    return [flipped, *follow]


def draw(state: State, seat: Seat, _: table.Draw) -> list[SkyjoActionEvent]:
    return fetch(state, Owed("held", seat, 0))


def take(state: State, seat: Seat, _: table.Take) -> list[SkyjoActionEvent]:
    below = state.discard[-2:-1]
    top: tuple[Card, ...] = (known(below[0]),) if below else ()
    return [table.Taken(seat, known(state.discard[-1]), top)]


def swap(state: State, seat: Seat, move: table.Swap) -> list[SkyjoActionEvent]:
    held: Card = known(state.held)
    return [table.Swapped(seat, move.slot, held, face(state.layouts[seat][move.slot])), *granted(seat, held)]


def toss(state: State, seat: Seat, _: table.Toss) -> list[SkyjoActionEvent]:
    return [table.Tossed(seat, known(state.held))]


def take_action(state: State, seat: Seat, move: table.TakeAction) -> list[SkyjoActionEvent]:
    """An open card is replaced at once if the pile can give one (SA-33)."""
    source = move.source
    if source == "pile":
        return fetch(state, Owed("hand", seat, len(state.hands[seat])))
    laid: tuple[Action, ...] = (known(state.action_pile[-1]),) if state.action_pile else ()
    taken = table.ActionTaken(seat, source, known(state.open[source]), laid)
    return [taken] if laid or not pile_gives(state) else [taken, table.RanOut(Owed("open", seat, source))]


def skip_action(_state: State, seat: Seat, _: table.SkipAction) -> list[SkyjoActionEvent]:
    return [table.PickSkipped(seat)]


def play(_state: State, seat: Seat, move: table.Play) -> list[SkyjoActionEvent]:
    return [table.Played(seat, move.card)]


def discard(_state: State, seat: Seat, move: table.Discard) -> list[SkyjoActionEvent]:
    return [table.Discarded(seat, move.card)]


def pick(state: State, seat: Seat, move: table.Pick) -> list[SkyjoActionEvent]:
    pending = table.pending_in(state)
    if pending.victims:  # SA-55
        return [table.Removed(move.seat, move.slot), *fetch(state, Owed("layout", move.seat, move.slot))]
    if move.seat != seat and protected(state, move.seat):
        return [table.Blocked(move.seat)]
    place = Place(move.seat, move.slot)
    return [table.Picked(seat, place) if pending.picked is None else table.Exchanged(seat, pending.picked, place)]


def look(state: State, seat: Seat, move: table.Look) -> list[SkyjoActionEvent]:
    layout = state.layouts[move.seat]
    slots = hidden_slots(layout, move.line)
    return [table.LineLooked(seat, move.seat, move.line, slots, tuple([face(layout[slot]) for slot in slots]))]


def keep(_state: State, seat: Seat, move: table.Keep) -> list[SkyjoActionEvent]:
    return [table.Kept(seat, move.place)]


def keep_none(_state: State, seat: Seat, _: table.KeepNone) -> list[SkyjoActionEvent]:
    return [table.KeptNone(seat)]


def drop(state: State, seat: Seat, move: table.Drop) -> list[SkyjoActionEvent]:
    return [table.Dropped(seat, move.place, face(state.three[move.place]))]


def steal(state: State, seat: Seat, move: table.Steal) -> list[SkyjoActionEvent]:
    return [table.Blocked(move.seat)] if protected(state, move.seat) else [table.Stolen(seat, move.seat, move.card)]


def replay(_state: State, seat: Seat, move: table.Replay) -> list[SkyjoActionEvent]:
    return [table.Replayed(seat, move.card)]


def clear_line(state: State, seat: Seat, move: table.ClearLine) -> list[SkyjoActionEvent]:
    return [clear(state, seat, move.line)]


def keep_lines(_state: State, seat: Seat, _: table.KeepLines) -> list[SkyjoActionEvent]:
    return [table.LinesKept(seat)]


CHOSEN = by_type(
    SkyjoActionMove, flip, draw, take, swap, toss, take_action, skip_action, play, discard, pick, look, keep, keep_none,
    drop, steal, replay, clear_line, keep_lines,
)  # fmt: skip


def with_what_follows(state: State, events: list[SkyjoActionEvent]) -> list[SkyjoActionEvent]:
    """The events and all consequences that need no choice."""
    before, news = state, events
    while news and type(news[-1]) not in CHOICE_FOLLOWS:
        state = reduce(table.evolve, news, state)
        news = follows(state, before)
        events = events + news
    return events


def follows(state: State, before: State) -> list[SkyjoActionEvent]:
    """The next consequence that needs no choice, after a decision made in the state `before`.

    Nothing does when somebody has a choice, when a card is owed, and when a round is over.
    """
    if state.owed is not None:
        return []
    if state.stars:
        return [] if pile_gives(state) or any(state.open) else [table.PickSkipped(state.stars[0])]
    pending = state.pending
    if pending is None:
        begins = state.phase == "setup" and not any(map(still_turning, state.layouts))
        return [table.TurnBegan(known(state.starter))] if begins else []
    seat = pending.seat
    match pending.kind:
        case "end" | "fill" if state.phase == "reveal":
            return reveal_end(state, pending)
        case "end":
            return move_end(state, seat, changed_since(before, state, seat))
        case "fill":
            return behind_lines(state, seat, changed_since(before, state, seat))
        case "moves":
            return [table.MovesAdded(seat, ADDED[known(pending.card)])]
        case "three":
            return fetch(state, Owed("three", seat, len(state.three)))
        case "victims":
            return [
                table.VictimsNamed(
                    tuple(owner for owner in clockwise(seat, len(state.layouts))[1:] if any(state.layouts[owner]))
                )
            ]
        case "drop":
            places = [place for place, card in enumerate(state.three) if card is not None]
            return [table.Dropped(seat, places[0], face(state.three[places[0]]))] if len(places) == 1 else []
        case "pick" if pending.victims:
            victim = pending.victims[0]
            return [table.Blocked(victim)] if protected(state, victim) else []
        case "pick" | "look" | "steal" | "replay":
            card: Action = known(pending.card)
            if pending.picked is None and not can_begin(state, seat, card):
                return [table.EffectLapsed(seat, card)]
            if pending.kind == "replay" and state.options.discarded_action_choice == "top":
                return [table.Replayed(seat, replayable(state)[0])]
    return []


def numbers(cards: Iterable[Card]) -> list[int]:
    """A star counts nothing (SA-42)."""
    return [card if isinstance(card, int) else 0 for card in cards]


def fetch(state: State, owed: Owed) -> list[SkyjoActionEvent]:
    """The top card of a pile goes where it is owed, unless the pile has run out (SA-65, SA-67)."""
    pile = state.action_pile if owed.to in ("hand", "open") else state.draw
    if not pile:
        return [table.RanOut(owed)]
    seat = owed.seat
    match owed.to:
        case "held":
            return [table.Drawn(seat, state.draw[-1])]
        case "three":
            return [table.DrawnAside(seat, owed.place, state.draw[-1])]
        case "layout":
            card: Card = known(state.draw[-1])
            return [table.Replaced(seat, owed.place, card), *granted(seat, card)]
        case "hand":
            return [table.ActionTaken(seat, "pile", known(state.action_pile[-1]), ())]
        case "open":
            return [table.ActionLaidOpen(owed.place, known(state.action_pile[-1]))]
    assert_never(owed.to)


def granted(seat: Seat, card: Card) -> list[SkyjoActionEvent]:
    """A star that is laid or turned up gives its owner an action card (SA-40)."""
    return [table.PicksGranted((seat,))] if card == STAR else []


def protected(state: State, seat: Seat) -> bool:
    """A defence, fresh or ready, lies in front of the seat (SA-60)."""
    return "defence" in [held.card for held in state.hands[seat]]


def setup_end(state: State) -> list[SkyjoActionEvent]:
    """The starting seat, and the action cards for stars, once all seats have turned up two cards (SA-21, SA-22)."""
    if any(map(still_turning, state.layouts)):
        return []
    starter, events = state.starter, list[SkyjoActionEvent]()
    if starter is None:
        starter = first_to_play([numbers(face_up(layout)) for layout in state.layouts])
        events.append(table.StarterFound(starter))
    stars = [
        seat for seat in clockwise(starter, len(state.layouts)) for card in face_up(state.layouts[seat]) if card == STAR
    ]
    return [*events, table.PicksGranted(tuple(stars))] if stars else events


def move_end(state: State, seat: Seat, changed: list[Seat]) -> list[SkyjoActionEvent]:
    """SA-25, where these layouts have changed in the move."""
    cleared: list[SkyjoActionEvent] = []
    complete = [owner for owner in changed if complete_lines(state.layouts[owner], state.options)]
    if complete:
        cleared = [event for owner in complete for event in clear_numbers(state, owner)]
        state = reduce(table.evolve, cleared, state)
    if (seat in complete or seat not in changed) and joker_lines(state.layouts[seat], state.options):
        return [*cleared, table.LinesOffered(seat)]
    return cleared + behind_lines(state, seat, changed)


def behind_lines(state: State, seat: Seat, changed: list[Seat]) -> list[SkyjoActionEvent]:
    """The part of SA-25 after the lines are settled."""
    events = fill_gaps(state, seat) if None in state.open else []
    if events:
        state = reduce(table.evolve, events, state)
        if state.owed is not None:
            return events
    if state.finisher is None and [owner for owner in changed if all_up(state.layouts[owner])]:
        return [*events, table.FinalLapBegan(seat), next_move(state, seat, 0)]
    return [*events, next_move(state, seat, state.moves - 1)]


def next_move(state: State, seat: Seat, moves: int) -> table.MoveBegan | table.TurnBegan | table.LayoutsRevealed:
    """The consequences of the end of a move, by the number of moves left in the turn."""
    if moves > 0:
        return table.MoveBegan(seat, moves)
    following = (seat + 1) % len(state.layouts)
    return table.TurnBegan(following) if following != state.finisher else revealed(state)


CHANGES_AT_LAST = frozenset(("choose", "place", "flip", "pick", "look", "steal", "replay"))
"""Kinds of decisions before which no layout has changed in this move, unless there are more victims than one."""


def changed_since(before: State, state: State, seat: Seat) -> list[Seat]:
    """Whose layouts may have a number line, or no face-down card any more: those that have changed in this move.

    It saves much looking. Mostly only the last decision has changed any; where others may have it is all of them.
    """
    decided = table.pending_in(before)
    if before.stars == (seat,) and decided.kind == "end":  # for a star that was laid or turned up in the own layout
        return [seat]
    if before.stars or decided.victims or decided.kind not in CHANGES_AT_LAST:
        return clockwise(seat, len(state.layouts))
    if state.layouts is before.layouts:
        return []
    changed = [owner for owner, layout in enumerate(state.layouts) if layout is not before.layouts[owner]]
    return (
        changed if len(changed) == 1 else [owner for owner in clockwise(seat, len(state.layouts)) if owner in changed]
    )


def fill_gaps(state: State, seat: Seat) -> list[SkyjoActionEvent]:
    """Gaps in the open row are filled, the lowest first, while there are cards for them (SA-25)."""
    events: list[SkyjoActionEvent] = []
    for place, card in enumerate(state.open):
        if card is None and state.owed is None and pile_gives(state):
            filled = fetch(state, Owed("open", seat, place))
            events += filled
            state = reduce(table.evolve, filled, state)
    return events


def revealed(state: State) -> table.LayoutsRevealed:
    return table.LayoutsRevealed(
        tuple(
            table.TurnedUp(seat, slot, face(layout[slot]))
            for seat, layout in enumerate(state.layouts)
            for slot in face_down(layout)
        )
    )


def reveal_end(state: State, pending: Pending) -> list[SkyjoActionEvent]:
    """The lines of all seats, from the pending one on, then the points (SA-71 to SA-74)."""
    finisher, events = known(state.finisher), list[SkyjoActionEvent]()
    order = clockwise(finisher, len(state.layouts))
    for seat in order[order.index(pending.seat) + (pending.kind == "fill") :]:
        cleared = clear_numbers(state, seat)
        events += cleared
        state = reduce(table.evolve, cleared, state)
        if joker_lines(state.layouts[seat], state.options):
            return [*events, table.LinesOffered(seat)]
    scored = table.RoundScored(doubled(points(state), finisher, only_positive=state.options.double_only_positive))
    totals = table.evolve(state, scored).totals
    won = [table.Won(lowest(totals))] if max(totals) >= state.options.target_points else []
    return [*events, scored, *won]


def points(state: State) -> tuple[int, ...]:
    """Numbers, ten for every action card, and the bonus (SA-72)."""
    return counted(state, [face_up(layout) for layout in state.layouts])


def counted(state: State, cards: Iterable[Sequence[Card]]) -> tuple[int, ...]:
    by_seat = zip(cards, state.hands, state.star_bonus, strict=True)
    return tuple(sum(numbers(shown)) + 10 * len(hand) + bonus for shown, hand, bonus in by_seat)


# --- the dealer ---------------------------------------------------------------------------------------------------


def deal(state: State, chance: Chance) -> list[SkyjoActionEvent]:
    if state.owed is not None:
        restock: table.Restocked | table.ActionsRestocked
        if state.owed.to in ("hand", "open"):  # SA-67
            restock = table.ActionsRestocked(chance.shuffled(state.action_discard[:-1]))
        else:  # SA-65
            restock = table.Restocked(chance.shuffled(state.discard[:-1]))
        return with_what_follows(state, [restock, *fetch(table.evolve(state, restock), state.owed)])
    if state.phase == "deal":  # SA-66
        cards, actions = chance.shuffled(state.deck.playing), chance.shuffled(state.deck.actions)
        cut = SLOTS * len(state.layouts)
        first = table.OPEN + state.options.seed_action_discard
        return [
            table.Dealt(
                layouts=dealt_layouts(cards, len(state.layouts)),
                draw=cards[cut + 1 :],
                discard=cards[cut],
                open=actions[: table.OPEN],
                action_discard=actions[table.OPEN : first],
                action_pile=actions[first:],
            )
        ]
    return []


def appraise(state: State) -> tuple[int, ...]:
    """As the points, with face-down cards."""
    cards = [[face(slot) for slot in layout if slot is not None] for layout in state.layouts]
    return tuple([-each for each in counted(state, cards)])


def tally(state: State) -> Tally:
    """The cards that lie open, action cards and the bonus (SA-72)."""
    return Tally(points(state))
