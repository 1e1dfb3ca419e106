"""The state after each event, and the redaction of events."""

from msgspec.structs import replace

from domain.cards import hide, put
from domain.messages import Dispatch, Redact, seen_by_all
from domain.ruleset import Seat, Viewer
from domain.rulesets.skyjo_action.table import (
    CHOOSE,
    END,
    FLIP,
    FRESH,
    OPEN,
    PLACE,
    READY,
    THREE,
    Action,
    ActionCard,
    ActionLaidOpen,
    ActionsRestocked,
    ActionTaken,
    Blocked,
    Card,
    Dealt,
    Discarded,
    Drawn,
    DrawnAside,
    Dropped,
    EffectLapsed,
    Exchanged,
    FinalLapBegan,
    Flipped,
    Kept,
    KeptNone,
    Kind,
    Layout,
    LayoutsRevealed,
    LineCleared,
    LineLooked,
    LinesKept,
    LinesOffered,
    MoveBegan,
    MovesAdded,
    Pending,
    Picked,
    PicksGranted,
    PickSkipped,
    Place,
    Played,
    RanOut,
    Removed,
    Replaced,
    Replayed,
    Restocked,
    RoundScored,
    SkyjoActionEvent,
    StarterFound,
    State,
    Stolen,
    Swapped,
    Taken,
    Tossed,
    TurnBegan,
    VictimsNamed,
    Won,
)
from domain.rulesets.skyjo_grid import Slot, all_up, lay

EFFECTS: dict[Action, Kind] = {
    "swap_own": "pick",
    "double_move": "moves",
    "draw_three": "three",
    "look_line": "look",
    "remove_one_each": "victims",
    "swap_players": "pick",
    "steal_action": "steal",
    "play_discarded_action": "replay",
    "defence": "moves",
}
"""The pending decision when the action card takes effect."""


def pending_in(state: State) -> Pending:
    assert state.pending is not None
    return state.pending


def attack(pending: Pending, victims: tuple[Seat, ...]) -> Pending:
    """The pending decision while these seats are still to be attacked."""
    return Pending(pending.seat, "pick", pending.card, victims=victims) if victims else END[pending.seat]


def ready(hand: tuple[ActionCard, ...]) -> tuple[ActionCard, ...]:
    """The same cards, none of them fresh any more: the newest was, and the last ones may have been."""
    others, newest = hand[:-1], READY[hand[-1].card]
    if others and others[-1].fresh:
        others = ready(others)
    return others + (newest,)


def used_up(state: State, seat: Seat, held: ActionCard, pending: Pending) -> State:
    """The action card has gone from the seat's hand onto their discard pile; of several the first (section 6.1)."""
    hand = list(state.hands[seat])
    hand.remove(held)
    hands = put(state.hands, seat, tuple(hand))
    return replace(state, hands=hands, action_discard=state.action_discard + (held.card,), pending=pending)


def oldest(hand: tuple[ActionCard, ...], card: Action) -> ActionCard:
    """The first of such cards: the fresh ones are behind the others."""
    return READY[card] if READY[card] in hand else FRESH[card]


def dealt(state: State, event: Dealt) -> State:
    """The initial state, except options, deck, totals, rounds and the starting seat."""
    seats = len(state.layouts)
    return State(
        state.options,
        state.deck,
        layouts=tuple([tuple([Slot(card, up=False) for card in cards]) for cards in event.layouts]),
        totals=state.totals,
        hands=((),) * seats,
        star_bonus=(0,) * seats,
        phase="setup",
        round=state.round + 1,
        draw=event.draw,
        discard=(event.discard,),
        open=event.open + (None,) * (OPEN - len(event.open)),
        action_pile=event.action_pile,
        action_discard=event.action_discard,
        starter=state.starter,
        rounds=state.rounds,
    )


def laid(layouts: tuple[Layout, ...], event: Flipped | Swapped | Replaced) -> tuple[Layout, ...]:
    """The card lies face up in the slot."""
    return lay(layouts, event.seat, event.slot, Slot(event.card, up=True))


def flipped(state: State, event: Flipped) -> State:
    pending = None if state.phase == "setup" else END[event.seat]
    return replace(state, layouts=laid(state.layouts, event), pending=pending)


def starter_found(state: State, event: StarterFound) -> State:
    return replace(state, starter=event.seat)


def picks_granted(state: State, event: PicksGranted) -> State:
    return replace(state, stars=event.seats)


def pick_skipped(state: State, _: PickSkipped) -> State:
    return replace(state, stars=state.stars[1:])


def turn_began(state: State, event: TurnBegan) -> State:
    hands = state.hands
    hand = hands[event.seat]
    if hand and hand[-1].fresh:
        hands = put(hands, event.seat, ready(hand))
    return replace(state, phase="turn", turn=event.seat, moves=1, hands=hands, pending=CHOOSE[event.seat])


def move_began(state: State, event: MoveBegan) -> State:
    return replace(state, moves=event.moves, pending=CHOOSE[event.seat])


def ran_out(state: State, event: RanOut) -> State:
    return replace(state, owed=event.owed)


def restocked(state: State, event: Restocked) -> State:
    return replace(state, draw=event.draw, discard=state.discard[-1:])


def actions_restocked(state: State, event: ActionsRestocked) -> State:
    return replace(state, action_pile=event.action_pile, action_discard=state.action_discard[-1:])


def drawn(state: State, event: Drawn) -> State:
    draw, pending = state.draw[:-1], PLACE[event.seat]
    return replace(state, draw=draw, held=event.card, held_from="draw", owed=None, pending=pending)


def taken(state: State, event: Taken) -> State:
    discard, pending = state.discard[:-2] + event.top, PLACE[event.seat]
    return replace(state, discard=discard, held=event.card, held_from="discard", pending=pending)


def swapped(state: State, event: Swapped) -> State:
    pending = Pending(event.seat, "drop", kept=True) if state.held_from == "three" else END[event.seat]
    return replace(
        state,
        layouts=laid(state.layouts, event),
        discard=state.discard + (event.out,),
        held=None,
        held_from=None,
        pending=pending,
    )


def tossed(state: State, event: Tossed) -> State:
    pending = END[event.seat] if all_up(state.layouts[event.seat]) else FLIP[event.seat]
    discard = state.discard + (event.card,)
    return replace(state, discard=discard, held=None, held_from=None, pending=pending)


def action_taken(state: State, event: ActionTaken) -> State:
    seat, source, pile, row = event.seat, event.source, state.action_pile, state.open
    pending = state.pending if state.stars else END[seat]  # behind a star goes on what it interrupted
    if state.stars or state.owed is not None:
        state = replace(state, stars=state.stars[1:], owed=None)
    if source == "pile":
        pile = pile[:-1]
    elif event.laid:
        pile, row = pile[:-1], put(row, source, event.laid[0])
    else:
        row = put(row, source, None)
    hands = put(state.hands, seat, state.hands[seat] + (FRESH[event.card],))
    return replace(state, action_pile=pile, open=row, hands=hands, pending=pending)


def action_laid_open(state: State, event: ActionLaidOpen) -> State:
    row = put(state.open, event.place, event.card)
    return replace(state, open=row, action_pile=state.action_pile[:-1], owed=None)


def played(state: State, event: Played) -> State:
    pending = Pending(event.seat, EFFECTS[event.card], event.card)
    return used_up(state, event.seat, READY[event.card], pending)


def discarded(state: State, event: Discarded) -> State:
    return used_up(state, event.seat, READY[event.card], END[event.seat])


def drawn_aside(state: State, event: DrawnAside) -> State:
    three = (*state.three, Slot(event.card, up=False))
    pending = pending_in(state) if len(three) < THREE else Pending(event.seat, "keep")
    return replace(state, draw=state.draw[:-1], three=three, owed=None, pending=pending)


def line_looked(state: State, event: LineLooked) -> State:
    layouts = state.layouts
    for slot, card in zip(event.slots, event.cards, strict=True):
        seen: Slot[Card] = Slot(card, up=False)
        if card is not None and layouts[event.owner][slot] != seen:  # what one has known before one still knows
            layouts = lay(layouts, event.owner, slot, seen)
    return replace(state, layouts=layouts, pending=END[event.seat])


def effect_lapsed(state: State, event: EffectLapsed) -> State:
    return replace(state, pending=END[event.seat])


def moves_added(state: State, event: MovesAdded) -> State:
    return replace(state, moves=state.moves + event.moves, pending=END[event.seat])


def kept(state: State, event: Kept) -> State:
    held = state.three[event.place]
    assert held is not None
    three, pending = put(state.three, event.place, None), Pending(event.seat, "slot")
    return replace(state, three=three, held=held.card, held_from="three", pending=pending)


def kept_none(state: State, event: KeptNone) -> State:
    return replace(state, pending=Pending(event.seat, "drop"))


def dropped(state: State, event: Dropped) -> State:
    three, pending = put(state.three, event.place, None), pending_in(state)
    if three == (None,) * THREE:
        three, pending = (), END[event.seat] if pending.kept else FLIP[event.seat]
    return replace(state, three=three, discard=state.discard + (event.card,), pending=pending)


def victims_named(state: State, event: VictimsNamed) -> State:
    return replace(state, pending=attack(pending_in(state), event.seats))


def picked(state: State, event: Picked) -> State:
    return replace(state, pending=replace(pending_in(state), picked=event.place))


def crossed(layouts: tuple[Layout, ...], one: Place, other: Place) -> tuple[Layout, ...]:
    """The two cards have changed places."""
    this, that = layouts[one.seat][one.slot], layouts[other.seat][other.slot]
    return lay(lay(layouts, one.seat, one.slot, that), other.seat, other.slot, this)


def exchanged(state: State, event: Exchanged) -> State:
    return replace(state, layouts=crossed(state.layouts, event.one, event.other), pending=END[event.seat])


def removed(state: State, event: Removed) -> State:
    gone = state.layouts[event.seat][event.slot]
    assert gone is not None
    layouts = lay(state.layouts, event.seat, event.slot, None)
    return replace(state, layouts=layouts, discard=(gone.card, *state.discard))


def replaced(state: State, event: Replaced) -> State:
    return replace(
        state,
        layouts=laid(state.layouts, event),
        draw=state.draw[:-1],
        owed=None,
        pending=attack(pending_in(state), pending_in(state).victims[1:]),
    )


def blocked(state: State, event: Blocked) -> State:
    pending = attack(pending_in(state), pending_in(state).victims[1:])
    return used_up(state, event.seat, oldest(state.hands[event.seat], "defence"), pending)


def stolen(state: State, event: Stolen) -> State:
    pending = Pending(event.seat, EFFECTS[event.card], event.card)
    return used_up(state, event.victim, oldest(state.hands[event.victim], event.card), pending)


def replayed(state: State, event: Replayed) -> State:
    pile, pending = state.action_discard, Pending(event.seat, EFFECTS[event.card], event.card)
    place = len(pile) - 1 - pile[::-1].index(event.card)  # the topmost
    return replace(state, action_discard=(*pile[:place], *pile[place + 1 :], event.card), pending=pending)


def line_cleared(state: State, event: LineCleared) -> State:
    layouts = state.layouts
    for slot in event.slots:
        layouts = lay(layouts, event.seat, slot, None)
    return replace(
        state,
        layouts=layouts,
        discard=state.discard + event.cards,
        star_bonus=put(state.star_bonus, event.seat, state.star_bonus[event.seat] + event.bonus),
        pending=END[pending_in(state).seat],
    )


def lines_offered(state: State, event: LinesOffered) -> State:
    return replace(state, pending=Pending(event.seat, "lines"))


def lines_kept(state: State, event: LinesKept) -> State:
    return replace(state, pending=Pending(event.seat, "fill"))


def final_lap_began(state: State, event: FinalLapBegan) -> State:
    return replace(state, finisher=event.finisher, moves=0)


def layouts_revealed(state: State, event: LayoutsRevealed) -> State:
    assert state.finisher is not None
    layouts = state.layouts
    for turned in event.cards:
        layouts = lay(layouts, turned.seat, turned.slot, Slot(turned.card, up=True))
    return replace(state, layouts=layouts, phase="reveal", turn=None, moves=0, pending=END[state.finisher])


def round_scored(state: State, event: RoundScored) -> State:
    totals = tuple(total + more for total, more in zip(state.totals, event.points, strict=True))
    rounds = (*state.rounds, event.points)
    return replace(state, totals=totals, rounds=rounds, starter=state.finisher, phase="deal", pending=None)


def won(state: State, event: Won) -> State:
    return replace(state, winners=event.winners, phase="over")


evolve: Dispatch[State] = Dispatch(
    SkyjoActionEvent, dealt, flipped, starter_found, picks_granted, pick_skipped, turn_began, move_began, ran_out,
    restocked, actions_restocked, drawn, taken, swapped, tossed, action_taken, action_laid_open, played, discarded,
    drawn_aside, line_looked, effect_lapsed, moves_added, kept, kept_none, dropped, victims_named, picked,
    exchanged, removed, replaced, blocked, stolen, replayed, line_cleared, lines_offered, lines_kept,
    final_lap_began, layouts_revealed, round_scored, won,
)  # fmt: skip


def seen_drawn(viewer: Viewer, event: Drawn) -> SkyjoActionEvent:
    return event if event.seat == viewer else Drawn(event.seat, None)


def seen_drawn_aside(viewer: Viewer, event: DrawnAside) -> SkyjoActionEvent:
    return event if event.seat == viewer else DrawnAside(event.seat, event.place, None)


def seen_looked(viewer: Viewer, event: LineLooked) -> SkyjoActionEvent:
    return event if event.seat == viewer else replace(event, cards=hide(event.cards))


def seen_restocked(_: Viewer, event: Restocked) -> SkyjoActionEvent:
    return Restocked(hide(event.draw))


def seen_actions_restocked(_: Viewer, event: ActionsRestocked) -> SkyjoActionEvent:
    return ActionsRestocked(hide(event.action_pile))


def seen_dealt(_: Viewer, event: Dealt) -> SkyjoActionEvent:
    layouts = tuple(map(hide, event.layouts))
    return replace(event, layouts=layouts, draw=hide(event.draw), action_pile=hide(event.action_pile))


redact = Redact(
    SkyjoActionEvent, seen_by_all, seen_drawn, seen_drawn_aside, seen_looked, seen_restocked, seen_actions_restocked,
    seen_dealt,
)  # fmt: skip
"""SA-13: a drawn card is shown to its drawer, a face-down card to the seat that looks at it, not to its owner."""
