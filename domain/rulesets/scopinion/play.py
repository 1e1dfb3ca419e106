"""What may be done, what follows from it, and what the dealer does."""

from collections.abc import Sequence
from functools import reduce
from typing import Literal, assert_never

from domain.cards import known
from domain.chance import Chance
from domain.messages import cases
from domain.ruleset import Illegal, Result, Seat, highest
from domain.rulesets.scopinion.history import evolve, fill
from domain.rulesets.scopinion.payments import FEW, from_few, from_many, pays
from domain.rulesets.scopinion.table import (
    DISPLAY,
    HAND,
    KEEP,
    OMEN,
    OUT_OF_SUPPLY,
    OUT_OF_TARGETS,
    PURPLE,
    REJECT,
    Bought,
    Buy,
    Card,
    Cards,
    CardsRevealed,
    Dealt,
    Drawn,
    DrawnAside,
    DrawOne,
    DrawTwo,
    EndTriggered,
    EndTurn,
    Function,
    KeepDrawn,
    Kept,
    PikOff,
    PikOffMade,
    Played,
    PrintedCard,
    Rejected,
    ScopinionEvent,
    ScopinionMove,
    Score,
    Scored,
    Secure,
    Secured,
    Shuffled,
    State,
    Take,
    Trash,
    Trashed,
    Triple,
    TurnBegan,
    TurnEnded,
    Won,
)

# --- what may be done ---------------------------------------------------------------------------------------------


def to_act(state: State) -> tuple[Seat, ...]:
    """SP-6."""
    return () if state.turn is None or state.phase not in ("act", "keep") else (state.turn,)


def legal(state: State, seat: Seat) -> list[ScopinionMove]:
    """To end the turn is always among them (SP-96)."""
    if seat != state.turn:
        return []
    match state.phase:
        case "act":
            return actions(state, seat)
        case "keep":
            return [KEEP, REJECT]
        case _:
            return []


def actions(state: State, seat: Seat) -> list[ScopinionMove]:
    """What may be done in a turn."""
    deck, hand = state.deck, state.hands[seat]
    moves = with_hand(state, seat) if hand else []
    if state.pik_off:
        moves += [PikOff(card) for card in state.display if card is not None]
    held = (None,) if nothing_held(state) else (None, *hand)
    moves += map(deck.ends.__getitem__, held)
    if state.mix:
        moves += [EndTurn(hold, reshuffle=True) for hold in held]
    return moves


def with_hand(state: State, seat: Seat) -> list[ScopinionMove]:
    """What may be done with the cards of the hand."""
    hand, targets, functions = state.hands[seat], state.deck.targets, state.deck.functions
    numbers = [card for card in hand if card is not None and card not in targets]
    wanted = open_cards(state)
    moves = buys(state, numbers, wanted) if numbers else []
    used_up = spent(state, seat) if state.used else ()
    for by in numbers:
        for function in functions[by]:
            if function not in used_up:
                moves += uses(state, seat, function, by, numbers, wanted)
    if len(numbers) < len(hand):
        moves += with_targets(state, [known(card) for card in hand if card in targets], wanted)
    return moves


def open_cards(state: State) -> list[PrintedCard]:
    """SP-10."""
    printed = state.deck.printed
    cards = [printed[card] for card in state.display if card is not None]
    if state.top_open:
        cards.append(printed[known(state.targets[-1])])
    return cards


def buys(state: State, numbers: list[Card], wanted: list[PrintedCard]) -> list[ScopinionMove]:
    """With every legal payment (SP-20)."""
    if len(numbers) > FEW:
        return buys_with_many(state, numbers, wanted)
    weights = state.deck.weights
    cards = sorted(numbers, key=weights.__getitem__)  # then equal hands have equal payments: they are remembered
    ways = from_few(tuple(map(weights.__getitem__, cards)))
    moves: list[ScopinionMove] = []
    for card in wanted:
        if card.value < len(ways):
            name, places = card.id, where_to(state, card)
            for way in ways[card.value]:
                pay = (cards[way[0]],) if len(way) == 1 else tuple(sorted(map(cards.__getitem__, way)))
                # A loop: mostly it is about one move.
                for to in places:
                    moves.append(Buy(name, pay, to))  # noqa: PERF401
    return moves


def buys_with_many(state: State, numbers: list[Card], wanted: list[PrintedCard]) -> list[ScopinionMove]:
    found = from_many(sorted(numbers), state.deck.weights, [card.value for card in wanted])
    moves: list[ScopinionMove] = []
    for card in wanted:
        if pays := found.get(card.value):
            for to in where_to(state, card):
                moves += [Buy(card.id, pay, to) for pay in pays]
    return moves


def with_targets(state: State, targets: list[Card], wanted: list[PrintedCard]) -> list[ScopinionMove]:
    """SP-27, SP-64."""
    moves: list[ScopinionMove] = [Secure(card) for card in targets]
    for card in wanted:
        if target_pays(state, card):
            moves += [Buy(card.id, (target,)) for target in targets if value(state, target) >= card.value]
    return moves


def uses(
    state: State, seat: Seat, function: Function, by: Card, numbers: list[Card], wanted: list[PrintedCard]
) -> Sequence[ScopinionMove]:
    """What may be done with the function of the card."""
    match function:
        case "take":
            return [Take(card.id, by) for card in wanted if card.group is None]
        case "draw_one":
            return [DrawOne(by)] if drawable(state, seat) else []
        case "draw_two":
            return [DrawTwo(by)] if drawable(state, seat) else []
        case "triple":
            return [
                Triple(card.id, by, other, to)
                for other in numbers
                if other != by
                for card in tripled(value(state, other), wanted)
                for to in where_to(state, card)
            ]
        case "trash":
            return [Trash(card, by) for card in numbers if card != by]
    assert_never(function)


def value(state: State, card: Card) -> int:
    return state.deck.printed[card].value


def where_to(state: State, card: PrintedCard) -> tuple[Literal["stage", "showcase"] | None, ...]:
    """In expert mode whoever buys a target says where it goes (SP-62)."""
    return (None,) if card.group is None or state.options.mode == "base" else ("stage", "showcase")


def target_pays(state: State, wanted: PrintedCard) -> bool:
    """SP-13, SP-64."""
    return state.options.mode == "expert" and wanted.kind == "central"


def tripled(other: int, wanted: Sequence[PrintedCard]) -> list[PrintedCard]:
    """Those for which three times the other card is enough, and neither it nor the 3 would be alone (SP-21)."""
    return [card for card in wanted if other < card.value <= 3 * other and card.value > 3]


def nothing_held(state: State) -> bool:
    """SP-65."""
    return state.bought and state.options.mode == "expert"


def spent(state: State, seat: Seat) -> tuple[Function, ...]:
    """The functions that the seat may not use any more in this turn (SP-40, SP-61)."""
    return state.used if state.options.mode == "expert" or seat in state.options.handicap else ()


def drawable(state: State, seat: Seat) -> bool:
    """There is a card that the seat can draw (SP-33)."""
    return bool(state.decks[seat] or state.discards[seat] or state.graveyard)


def open_card(state: State, name: Card) -> PrintedCard | None:
    """The open card of that name."""
    is_open = name in state.display or (state.top_open and name == state.targets[-1])
    return state.deck.printed[name] if is_open else None


def has(state: State, seat: Seat, function: Function, by: Card) -> bool:
    """The card is in the hand, and its function may be used."""
    in_hand = by in state.hands[seat] and function in state.deck.functions[by]
    return in_hand and function not in spent(state, seat)


def has_other(state: State, seat: Seat, card: Card, by: Card) -> bool:
    """The card is another one in the hand, and no target."""
    return card != by and card in state.hands[seat] and card not in state.deck.targets


def may_buy(state: State, hand: Cards, move: Buy) -> bool:
    """SP-20."""
    card = open_card(state, move.card)
    pay, different = move.pay, set(move.pay)
    if card is None or move.to not in where_to(state, card) or not different.issubset(hand):
        return False
    if len(pay) > 1 and [*pay] != sorted(different):
        return False
    if not different.isdisjoint(state.deck.targets):
        return len(pay) == 1 and target_pays(state, card) and value(state, pay[0]) >= card.value
    return pays([state.deck.weights[each] for each in pay], card.value)


def decide(state: State, seat: Seat, move: ScopinionMove) -> list[ScopinionEvent]:
    if seat != state.turn or state.phase != ("keep" if type(move) is KeepDrawn else "act"):
        raise Illegal
    return DECISIONS[type(move)](state, seat, move)


def buy(state: State, seat: Seat, move: Buy) -> list[ScopinionEvent]:
    if not may_buy(state, state.hands[seat], move):
        raise Illegal
    return buying(state, seat, "pay", move.pay, move.card, move.to)


def triple(state: State, seat: Seat, move: Triple) -> list[ScopinionEvent]:
    card = open_card(state, move.card)
    if card is None or move.to not in where_to(state, card) or not has(state, seat, "triple", move.by):
        raise Illegal
    if not has_other(state, seat, move.other, move.by) or not tripled(value(state, move.other), [card]):
        raise Illegal
    return buying(state, seat, "triple", (move.by, move.other), move.card, move.to)


def take(state: State, seat: Seat, move: Take) -> list[ScopinionEvent]:
    if move.card not in state.display or move.card in state.deck.targets or not has(state, seat, "take", move.by):
        raise Illegal
    return buying(state, seat, "take", (move.by,), move.card, None)


def draw_one(state: State, seat: Seat, move: DrawOne) -> list[ScopinionEvent]:
    if not has(state, seat, "draw_one", move.by) or not drawable(state, seat):
        raise Illegal
    return still_owed(state, [Played(seat, move.by, "draw_one")], seat)


def keep_drawn(state: State, seat: Seat, move: KeepDrawn) -> list[ScopinionEvent]:
    return [Kept(seat)] if move.keep else still_owed(state, [Rejected(seat, known(state.drawn))], seat)


def draw_two(state: State, seat: Seat, move: DrawTwo) -> list[ScopinionEvent]:
    if not has(state, seat, "draw_two", move.by) or not drawable(state, seat):
        raise Illegal
    return still_owed(state, [Played(seat, move.by, "draw_two")], seat)


def trash(state: State, seat: Seat, move: Trash) -> list[ScopinionEvent]:
    if not has(state, seat, "trash", move.by) or not has_other(state, seat, move.card, move.by):
        raise Illegal
    return [Trashed(seat, move.by, move.card)]


def secure(state: State, seat: Seat, move: Secure) -> list[ScopinionEvent]:
    if move.card not in state.hands[seat] or move.card not in state.deck.targets:
        raise Illegal
    return [Secured(seat, move.card)]


def pik_off(state: State, seat: Seat, move: PikOff) -> list[ScopinionEvent]:
    if not state.pik_off or move.card not in state.display:
        raise Illegal
    made = PikOffMade(seat, move.card, opened(state.supply[-1:]))
    return [made, *end_test(evolve(state, made))]


def end_turn(state: State, seat: Seat, move: EndTurn) -> list[ScopinionEvent]:
    """SP-30."""
    hand, hold = state.hands[seat], move.hold
    if (hold is not None and (hold not in hand or nothing_held(state))) or (move.reshuffle and not state.mix):
        raise Illegal
    drawn = () if move.reshuffle else state.decks[seat][: -HAND - 1 : -1]
    display = state.display
    filled: tuple[Card, ...] = ()
    if None in display:
        filled = opened(state.supply[: -display.count(None) - 1 : -1])
        display = fill(display, filled)
    goes_on = len(drawn) == HAND and state.final != 0  # as most turns do
    ended = TurnEnded(
        seat,
        tuple([card for card in hand if card is not None and card != hold]),
        drawn,
        filled,
        () if state.top_open else opened(state.targets[-1:]),
        move.reshuffle,
        goes_on,
        goes_on and only_spades(state, display),
    )
    if goes_on or (len(drawn) < HAND and (state.discards[seat] or state.stage or ended.staged or move.reshuffle)):
        return [ended]  # in most turns, or until a shuffle has come
    return still_owed(state, [ended], seat)


DECISIONS = cases(
    ScopinionMove, buy, triple, take, draw_one, keep_drawn, draw_two, trash, secure, pik_off, end_turn
)  # fmt: skip


def buying(
    state: State,
    seat: Seat,
    how: Literal["pay", "triple", "take"],
    laid: tuple[Card, ...],
    card: Card,
    to: Literal["stage", "showcase"] | None,
) -> list[ScopinionEvent]:
    """SP-15."""
    bought = Bought(seat, card, how, laid, "hand" if state.deck.printed[card].bolt else to or "stage")
    if state.final is not None or (state.supply and len(state.targets) > len(PURPLE)):
        return [bought]  # the end is known to be near, or far
    return [bought, *end_test(evolve(state, bought))]


def end_test(state: State) -> list[ScopinionEvent]:
    """The end is near when the 27 is the top target, or nothing is left in the middle (SP-50)."""
    if state.final is not None:
        return []
    omen = state.targets and value(state, known(state.targets[-1])) == OMEN
    if not omen and (state.supply or any(state.display)):
        return []
    seats = len(state.hands)
    gone = (known(state.turn) - known(state.start)) % seats
    return [EndTriggered(seats - 1 - gone + seats)]


def draw_aside(state: State, seat: Seat) -> DrawnAside:
    """The card that may be rejected. No shuffle is needed first (SP-32)."""
    if state.decks[seat]:
        return DrawnAside(seat, state.decks[seat][-1], "deck")
    return DrawnAside(seat, state.graveyard[0], "graveyard")


def draws(state: State, seat: Seat) -> list[ScopinionEvent]:
    """The owed cards, as far as no shuffle is needed (SP-32)."""
    events: list[ScopinionEvent] = []
    owed = state.owed
    if top := state.decks[seat][: -owed - 1 : -1]:
        events.append(Drawn(seat, top, "deck"))
        owed -= len(top)
    if owed and not state.discards[seat]:
        events.append(Drawn(seat, state.graveyard[:owed], "graveyard"))
    return events


def still_owed(state: State, events: list[ScopinionEvent], seat: Seat) -> list[ScopinionEvent]:
    """The events, and what follows from them unless a shuffle comes first (SP-32)."""
    state = reduce(evolve, events, state)
    if shuffle_due(state):
        return events
    news: list[ScopinionEvent] = [draw_aside(state, seat)] if state.phase == "aside" else draws(state, seat)
    if state.phase != "end":
        return events + news
    # No shuffle is due behind these: either the deck has been empty before them, or all that was discarded is in it.
    return [*events, *news, *next_turn(reduce(evolve, news, state))]


def next_turn(state: State) -> list[ScopinionEvent]:
    """The next seat's turn, after the last one the end (SP-30)."""
    if state.final == 0:
        return game_end(state)
    return [TurnBegan((known(state.turn) + 1) % len(state.hands), only_spades(state, state.display))]


def only_spades(state: State, display: tuple[Card | None, ...]) -> bool:
    """Who has a turn now may make a Pik-off (SP-7)."""
    return state.deck.spaded.issuperset(display) and any(display)


def opened(cards: Cards) -> tuple[Card, ...]:
    return tuple([known(card) for card in cards])


def game_end(state: State) -> list[ScopinionEvent]:
    """SP-5, SP-52, SP-53."""
    hands, decks, vaults = (tuple(map(opened, zone)) for zone in (state.hands, state.decks, state.vaults))
    scores = tuple(score(state, seat) for seat in range(len(hands)))
    winners = highest([(each.total, each.hearts) for each in scores])
    return [CardsRevealed(hands, decks, vaults), Scored(scores), Won(winners)]


def score(state: State, seat: Seat) -> Score:
    """SP-52, SP-66."""
    vault, showcase = state.vaults[seat], state.showcases[seat]
    green, red, spades = symbols(state, state.decks[seat] + state.discards[seat] + state.hands[seat])
    green_there, red_there, _ = symbols(state, vault)
    return Score(
        vault=green_there + 2 * red_there,
        showcase=sum(symbols(state, showcase)),
        pairs=min(len(vault), len(showcase)),
        red=red,
        spades=-2 * max(spades - green, 0),
        hearts=green + red,
    )


def symbols(state: State, cards: Cards) -> tuple[int, int, int]:
    """How many green hearts, red hearts and spades."""
    printed = [state.deck.printed[known(card)] for card in cards]
    return sum(card.green for card in printed), sum(card.red for card in printed), sum(card.spades for card in printed)


# --- the dealer ---------------------------------------------------------------------------------------------------


def deal(state: State, chance: Chance) -> list[ScopinionEvent]:
    if state.phase == "setup":
        return laying(state, chance)
    if not shuffle_due(state):
        return []
    seat = known(state.turn)
    shuffled = Shuffled(seat, chance.shuffled(state.decks[seat] + state.discards[seat]))  # SP-42
    return still_owed(state, [shuffled], seat)


def shuffle_due(state: State) -> bool:
    """The seat wants one, or is to draw and has nothing but its discard (SP-30, SP-32)."""
    if not state.owed or state.turn is None:
        return False
    return state.shuffle or (not state.decks[state.turn] and state.discards[state.turn] != ())


def laying(state: State, chance: Chance) -> list[ScopinionEvent]:
    """SP-41."""
    deck, seats = state.deck, len(state.hands)
    start = chance.below(seats)
    decks = tuple(chance.shuffled(cards) for cards in deck.starts[:seats])
    supply, targets = chance.shuffled(deck.supply), chance.shuffled(deck.covered)
    cut, least = len(supply) - OUT_OF_SUPPLY[seats], len(targets) - OUT_OF_TARGETS[seats]
    dealt = Dealt(
        start,
        decks=tuple(cards[:-HAND] for cards in decks),
        hands=tuple(cards[: -HAND - 1 : -1] for cards in decks),
        supply=supply[: cut - DISPLAY],
        display=tuple(reversed(supply[cut - DISPLAY : cut])),
        purple=deck.purple,
        targets=targets[:least][:-1],
        turned=targets[:least][-1:],
        removed=supply[cut:] + targets[least:],
    )
    return [dealt, TurnBegan(start, only_spades(state, dealt.display))]


def result(state: State) -> Result | None:
    return None if state.winners is None else Result(tuple(each.total for each in state.scores), state.winners)
