"""Legal moves, their consequences, and the dealer."""

# Loops instead of comprehensions: in Python 3.11 a comprehension costs as much as four more items, and most lists have
# two or three.
# ruff: noqa: PERF401

from functools import reduce
from typing import Literal, assert_never

from domain.cards import known, without_one
from domain.fairness.chance import Chance
from domain.messages import by_type
from domain.ruleset import Illegal, Result, Seat, Tally, highest
from domain.rulesets.scopinion import table
from domain.rulesets.scopinion.payments import FEW, Payment, from_few, from_many, pays
from domain.rulesets.scopinion.table import Card, Cards, PrintedCard, ScopinionEvent, ScopinionMove, State, evolve

# --- legal moves --------------------------------------------------------------------------------------------------


def to_act(state: State) -> tuple[Seat, ...]:
    """SP-6."""
    return () if state.turn is None or state.phase not in ("turn", "keep") else (state.turn,)


def legal(state: State, seat: Seat) -> list[ScopinionMove]:
    """Ending the turn is always legal (SP-96)."""
    if seat != state.turn:
        return []
    if state.phase != "turn":
        return [table.KEEP, table.REJECT] if state.phase == "keep" else []
    hand = state.hands[seat]
    moves = with_hand(state, seat, hand) if hand else []
    if state.pik_off:
        moves += [table.PikOff(card) for card in state.display if card is not None]
    ends, holds = state.deck.ends, () if state.bought and nothing_held(state) else hand
    moves.append(ends[None])
    for hold in holds:
        moves.append(ends[hold])
    if state.mix:
        moves += [table.EndTurn(hold, reshuffle=True) for hold in (None, *holds)]
    return moves


def with_hand(state: State, seat: Seat, hand: Cards) -> list[ScopinionMove]:
    all_targets, functions = state.deck.targets, state.deck.functions
    numbers: list[Card] = []
    targets: list[Card] = []
    for card in hand:
        if card in all_targets:
            targets.append(card)
        elif card is not None:
            numbers.append(card)
    wanted = open_cards(state)
    moves = buys(state, numbers, wanted) if numbers else []
    used_up = spent(state, seat) if state.used else ()
    for by in numbers:
        for function in functions[by]:
            if function in used_up:
                continue
            match function:
                case "take":
                    for each in wanted:
                        if each.group is None:
                            moves.append(table.Take(each.id, by))
                case "draw_one":
                    if drawable(state, seat):
                        moves.append(table.DrawOne(by))
                case "draw_two":
                    if drawable(state, seat):
                        moves.append(table.DrawTwo(by))
                case "triple":
                    for other in numbers:
                        if other != by:
                            moves += triples(state, by, other, wanted)
                case "trash":
                    for other in numbers:
                        if other != by:
                            moves.append(table.Trash(other, by))
                case _:
                    assert_never(function)
    if targets:
        moves += with_targets(state, targets, wanted)
    return moves


def open_cards(state: State) -> list[PrintedCard]:
    """SP-10."""
    printed = state.deck.printed
    cards = []
    for card in state.display:
        if card is not None:
            cards.append(printed[card])
    if state.top_open:
        cards.append(printed[known(state.targets[-1])])
    return cards


def buys(state: State, numbers: list[Card], wanted: list[PrintedCard]) -> list[ScopinionMove]:
    """With every legal payment (SP-20)."""
    match len(numbers):
        case 1:
            return buys_with_one(state, numbers[0], wanted)
        case 2:
            return buys_with_two(state, numbers, wanted)
        case few if few <= FEW:
            return buys_with_few(state, numbers, wanted)
    return buys_with_many(state, numbers, wanted)


def buys_with_one(state: State, payer: Card, wanted: list[PrintedCard]) -> list[ScopinionMove]:
    enough = state.deck.printed[payer].value
    moves: list[ScopinionMove] = []
    for card in wanted:
        if card.value <= enough:
            for to in where_to(state, card):
                moves.append(table.Buy(card.id, (payer,), to))
    return moves


def buys_with_two(state: State, numbers: list[Card], wanted: list[PrintedCard]) -> list[ScopinionMove]:
    """As from a few, but this is the commonest hand: each card alone pays up to its value, then only both do."""
    low, high = numbers
    weights = state.deck.weights
    if weights[low] > weights[high]:
        low, high = high, low
    (less, border), (more, other_border) = weights[low], weights[high]
    both = 2 * (less + more) if border and other_border else less + more
    moves: list[ScopinionMove] = []
    for card in wanted:
        price = card.value
        if price > both:
            continue
        pays: tuple[Payment, ...]
        if price > more:
            pays = ((low, high) if low < high else (high, low),)
        else:
            pays = ((high,),) if price > less else ((low,), (high,))
        places = where_to(state, card)
        for pay in pays:
            for to in places:
                moves.append(table.Buy(card.id, pay, to))
    return moves


def buys_with_few(state: State, numbers: list[Card], wanted: list[PrintedCard]) -> list[ScopinionMove]:
    weights = state.deck.weights
    cards = [*numbers]
    cards.sort(key=weights.__getitem__)  # then equal hands have equal payments: they are remembered
    weighed = []
    for each in cards:
        weighed.append(weights[each])
    ways = from_few(tuple(weighed))
    most = len(ways)
    moves: list[ScopinionMove] = []
    for card in wanted:
        if card.value < most:
            name, places = card.id, where_to(state, card)
            for way in ways[card.value]:
                if len(way) == 1:
                    pay: Payment = (cards[way[0]],)
                elif len(way) == 2:
                    one, other = cards[way[0]], cards[way[1]]
                    pay = (one, other) if one < other else (other, one)
                else:
                    pay = tuple(sorted(map(cards.__getitem__, way)))
                for to in places:
                    moves.append(table.Buy(name, pay, to))
    return moves


def buys_with_many(state: State, numbers: list[Card], wanted: list[PrintedCard]) -> list[ScopinionMove]:
    found = from_many(sorted(numbers), state.deck.weights, [card.value for card in wanted])
    moves: list[ScopinionMove] = []
    for card in wanted:
        if pays := found.get(card.value):
            for to in where_to(state, card):
                moves += [table.Buy(card.id, pay, to) for pay in pays]
    return moves


def with_targets(state: State, targets: list[Card], wanted: list[PrintedCard]) -> list[ScopinionMove]:
    """SP-27, SP-64."""
    moves: list[ScopinionMove] = [table.Secure(card) for card in targets]
    for card in wanted:
        if target_pays(state, card):
            moves += [table.Buy(card.id, (target,)) for target in targets if value(state, target) >= card.value]
    return moves


def triples(state: State, by: Card, other: Card, wanted: list[PrintedCard]) -> list[ScopinionMove]:
    """SP-21."""
    prices = state.deck.tripled[other]
    moves: list[ScopinionMove] = []
    for card in wanted:
        if card.value in prices:
            for to in where_to(state, card):
                moves.append(table.Triple(card.id, by, other, to))
    return moves


def value(state: State, card: Card) -> int:
    return state.deck.printed[card].value


def where_to(state: State, card: PrintedCard) -> tuple[table.Place, ...]:
    """In expert mode the buyer of a target says where it goes (SP-62)."""
    return NOWHERE if card.group is None or state.options.mode == "base" else ("stage", "showcase")


NOWHERE: tuple[table.Place, ...] = (None,)
"""Nothing is to be said about it."""


def target_pays(state: State, wanted: PrintedCard) -> bool:
    """SP-13, SP-64."""
    return state.options.mode == "expert" and wanted.kind == "central"


def nothing_held(state: State) -> bool:
    """SP-65."""
    return state.bought and state.options.mode == "expert"


def spent(state: State, seat: Seat) -> tuple[table.Function, ...]:
    """The functions that the seat can no longer use in this turn (SP-40, SP-61)."""
    return state.used if state.options.mode == "expert" or seat in state.options.handicap else ()


def drawable(state: State, seat: Seat) -> bool:
    """There is a card that the seat can draw (SP-33)."""
    return bool(state.decks[seat] or state.discards[seat] or state.graveyard)


def open_card(state: State, name: Card) -> PrintedCard | None:
    is_open = name in state.display or (state.top_open and name == state.targets[-1])
    return state.deck.printed[name] if is_open else None


def has(state: State, seat: Seat, function: table.Function, by: Card) -> bool:
    """The card is in the hand, and its function may be used."""
    in_hand = by in state.hands[seat] and function in state.deck.functions[by]
    return in_hand and function not in spent(state, seat)


def has_other(state: State, seat: Seat, card: Card, by: Card) -> bool:
    """The card is another one in the hand, and no target."""
    return card != by and card in state.hands[seat] and card not in state.deck.targets


def may_buy(state: State, hand: Cards, move: table.Buy) -> bool:
    """SP-20."""
    card, pay, targets = open_card(state, move.card), move.pay, state.deck.targets
    if card is None or move.to not in where_to(state, card):
        return False
    if len(pay) == 1:
        [payer] = pay
        may_pay = payer not in targets or target_pays(state, card)
        return may_pay and payer in hand and value(state, payer) >= card.value
    different = set(pay)
    if [*pay] != sorted(different) or not different.issubset(hand) or not different.isdisjoint(targets):
        return False
    return pays(tuple(map(state.deck.weights.__getitem__, pay)), card.value)


def decide(state: State, seat: Seat, move: ScopinionMove) -> list[ScopinionEvent]:
    if seat != state.turn or state.phase != ("keep" if type(move) is table.KeepDrawn else "turn"):
        raise Illegal
    return DECISIONS[type(move)](state, seat, move)


def buy(state: State, seat: Seat, move: table.Buy) -> list[ScopinionEvent]:
    if not may_buy(state, state.hands[seat], move):
        raise Illegal
    return buying(state, seat, "pay", move.pay, move.card, move.to)


def triple(state: State, seat: Seat, move: table.Triple) -> list[ScopinionEvent]:
    card = open_card(state, move.card)
    if card is None or move.to not in where_to(state, card) or not has(state, seat, "triple", move.by):
        raise Illegal
    if not has_other(state, seat, move.other, move.by) or card.value not in state.deck.tripled[move.other]:
        raise Illegal
    return buying(state, seat, "triple", (move.by, move.other), move.card, move.to)


def take(state: State, seat: Seat, move: table.Take) -> list[ScopinionEvent]:
    if move.card not in state.display or move.card in state.deck.targets or not has(state, seat, "take", move.by):
        raise Illegal
    return buying(state, seat, "take", (move.by,), move.card, None)


def draw_one(state: State, seat: Seat, move: table.DrawOne) -> list[ScopinionEvent]:
    if not has(state, seat, "draw_one", move.by) or not drawable(state, seat):
        raise Illegal
    return [table.Played(seat, move.by, "draw_one"), *draw_aside(state, seat)]


def keep_drawn(state: State, seat: Seat, move: table.KeepDrawn) -> list[ScopinionEvent]:
    return [table.Kept(seat)] if move.keep else [table.Rejected(seat, known(state.drawn)), *draws(state, seat, 1)]


def draw_two(state: State, seat: Seat, move: table.DrawTwo) -> list[ScopinionEvent]:
    if not has(state, seat, "draw_two", move.by) or not drawable(state, seat):
        raise Illegal
    return [table.Played(seat, move.by, "draw_two"), *draws(state, seat, 2)]


def trash(state: State, seat: Seat, move: table.Trash) -> list[ScopinionEvent]:
    if not has(state, seat, "trash", move.by) or not has_other(state, seat, move.card, move.by):
        raise Illegal
    return [table.Trashed(seat, move.by, move.card)]


def secure(state: State, seat: Seat, move: table.Secure) -> list[ScopinionEvent]:
    if move.card not in state.hands[seat] or move.card not in state.deck.targets:
        raise Illegal
    return [table.Secured(seat, move.card)]


def pik_off(state: State, seat: Seat, move: table.PikOff) -> list[ScopinionEvent]:
    if not state.pik_off or move.card not in state.display:
        raise Illegal
    made = table.PikOffMade(seat, move.card, opened(state.supply[-1:]))
    return [made, *end_test(evolve(state, made))]


def end_turn(state: State, seat: Seat, move: table.EndTurn) -> list[ScopinionEvent]:
    """SP-30."""
    hand, hold = state.hands[seat], move.hold
    if (hold is not None and (hold not in hand or nothing_held(state))) or (move.reshuffle and not state.mix):
        raise Illegal
    drawn = () if move.reshuffle else state.decks[seat][: -table.HAND - 1 : -1]
    staged = opened(hand if hold is None else without_one(hand, hold))
    display = state.display
    filled = opened(state.supply[: -display.count(None) - 1 : -1]) if None in display else ()
    turned = () if state.top_open else opened(state.targets[-1:])
    goes_on = len(drawn) == table.HAND and state.final != 0  # as most turns do
    pik_off = goes_on and only_spades(state, display + filled)
    ended = table.TurnEnded(seat, staged, drawn, filled, turned, move.reshuffle, goes_on, pik_off)
    if goes_on or (len(drawn) < table.HAND and (state.discards[seat] or state.stage or staged or move.reshuffle)):
        return [ended]  # in most turns, or until a shuffle has come
    return [ended, *draws_between(evolve(state, ended), seat)]


DECISIONS = by_type(
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
    bought = table.Bought(seat, card, how, laid, "hand" if state.deck.printed[card].bolt else to or "stage")
    if state.final is not None or (state.supply and len(state.targets) > len(table.PURPLE)):
        return [bought]  # the end is known to be near, or far
    return [bought, *end_test(evolve(state, bought))]


def end_test(state: State) -> list[ScopinionEvent]:
    """The end is near when the 27 is the top target, or nothing is left in the middle (SP-50)."""
    if state.final is not None:
        return []
    omen = state.targets and value(state, known(state.targets[-1])) == table.OMEN
    if not omen and (state.supply or any(state.display)):
        return []
    seats = len(state.hands)
    gone = (known(state.turn) - known(state.starter)) % seats
    return [table.EndTriggered(seats - 1 - gone + seats)]


def draw_aside(state: State, seat: Seat) -> list[ScopinionEvent]:
    """The card that may be rejected, unless a shuffle comes first (SP-32)."""
    if top := state.decks[seat][-1:]:
        return [table.DrawnAside(seat, top[0], "deck")]
    return [] if state.discards[seat] else [table.DrawnAside(seat, state.graveyard[0], "graveyard")]


def draws(state: State, seat: Seat, owed: int) -> list[ScopinionEvent]:
    """The draw of `owed` cards, up to where a shuffle is needed (SP-32)."""
    events: list[ScopinionEvent] = []
    if top := state.decks[seat][: -owed - 1 : -1]:
        events.append(table.Drawn(seat, top, "deck"))
        owed -= len(top)
    if owed and not state.discards[seat]:
        events.append(table.Drawn(seat, state.graveyard[:owed], "graveyard"))
    return events


def draws_between(state: State, seat: Seat) -> list[ScopinionEvent]:
    """What is still owed at the end of a turn, and the next seat's turn, after the last one the end (SP-30).

    No shuffle is due any more: either the deck and the discard are empty, or all that was discarded is in the deck.
    """
    drawn = draws(state, seat, state.owed)
    if state.final == 0:
        return drawn + game_end(reduce(evolve, drawn, state))
    return [*drawn, table.TurnBegan((seat + 1) % len(state.hands), only_spades(state, state.display))]


def only_spades(state: State, display: tuple[Card | None, ...]) -> bool:
    """Whether the seat on turn can make a Pik-off (SP-7)."""
    return state.deck.spaded.issuperset(display) and any(display)


def opened(cards: Cards) -> tuple[Card, ...]:
    """The cards as open cards. Decisions are made from the full state only, where no card is hidden."""
    assert None not in cards, "decided from a view, not from the truth"
    return cards  # type: ignore[return-value]


def game_end(state: State) -> list[ScopinionEvent]:
    """SP-5, SP-52, SP-53."""
    hands, decks, vaults = (tuple(map(opened, zone)) for zone in (state.hands, state.decks, state.vaults))
    breakdown = tuple(counted(state, seat) for seat in range(len(hands)))
    winners = highest([(each.total, each.hearts) for each in breakdown])
    return [table.CardsRevealed(hands, decks, vaults), table.Scored(breakdown), table.Won(winners)]


def counted(state: State, seat: Seat) -> table.Breakdown:
    """SP-52, SP-66."""
    vault, showcase = state.vaults[seat], state.showcases[seat]
    green, red, spades = symbols(state, state.decks[seat] + state.discards[seat] + state.hands[seat])
    green_there, red_there, _ = symbols(state, vault)
    return table.Breakdown(
        vault=green_there + 2 * red_there,
        showcase=sum(symbols(state, showcase)),
        pairs=min(len(vault), len(showcase)),
        red=red,
        spades=-2 * max(spades - green, 0),
        hearts=green + red,
    )


def symbols(state: State, cards: Cards) -> tuple[int, int, int]:
    """The numbers of green hearts, red hearts and spades."""
    printed = state.deck.printed
    green = red = spades = 0
    for each in opened(cards):
        card = printed[each]
        green, red, spades = green + card.green, red + card.red, spades + card.spades
    return green, red, spades


# --- the dealer ---------------------------------------------------------------------------------------------------


def deal(state: State, chance: Chance) -> list[ScopinionEvent]:
    if state.phase == "deal":
        return laying(state, chance)
    if not shuffle_due(state):
        return []
    seat = known(state.turn)
    shuffled = table.Shuffled(seat, chance.shuffled(state.decks[seat] + state.discards[seat]))  # SP-42
    state = evolve(state, shuffled)
    match state.phase:
        case "aside":
            return [shuffled, *draw_aside(state, seat)]
        case "draw":
            return [shuffled, *draws(state, seat, state.owed)]
        case _:
            return [shuffled, *draws_between(state, seat)]


def shuffle_due(state: State) -> bool:
    """The seat wants one, or is to draw and has nothing but its discard (SP-30, SP-32)."""
    if not state.owed or state.turn is None:
        return False
    return state.shuffle or (not state.decks[state.turn] and state.discards[state.turn] != ())


def laying(state: State, chance: Chance) -> list[ScopinionEvent]:
    """SP-41."""
    deck, seats = state.deck, len(state.hands)
    starter = chance.below(seats)
    decks = tuple(chance.shuffled(cards) for cards in deck.starts[:seats])
    supply, targets = chance.shuffled(deck.supply), chance.shuffled(deck.covered)
    cut, least = len(supply) - table.OUT_OF_SUPPLY[seats], len(targets) - table.OUT_OF_TARGETS[seats]
    dealt = table.Dealt(
        starter,
        decks=tuple(cards[: -table.HAND] for cards in decks),
        hands=tuple(cards[-table.HAND :] for cards in decks),
        supply=supply[: cut - table.DISPLAY],
        display=supply[cut - table.DISPLAY : cut],
        purple=deck.purple,
        targets=targets[:least][:-1],
        turned=targets[:least][-1:],
        removed=supply[cut:],
        removed_targets=targets[least:],
    )
    return [dealt, table.TurnBegan(starter, only_spades(state, dealt.display))]


def result(state: State) -> Result | None:
    return None if state.winners is None else Result(tuple(each.total for each in state.breakdown), state.winners)


def standing(state: State) -> tuple[int, ...]:
    """Nothing is scored before the end."""
    return tuple([each.total for each in state.breakdown]) or (0,) * len(state.hands)


def tally(state: State) -> Tally:
    """The lines that nothing hidden in decks can change: vault, showcase and pairs (SP-52, SP-66)."""
    return Tally(tuple([None if None in vault else laid_down(state, seat) for seat, vault in enumerate(state.vaults)]))


def laid_down(state: State, seat: Seat) -> int:
    """The points of the seat's vault and showcase, pairs included."""
    vault, showcase = state.vaults[seat], state.showcases[seat]
    green, red, _ = symbols(state, vault)
    return green + 2 * red + sum(symbols(state, showcase)) + min(len(vault), len(showcase))
