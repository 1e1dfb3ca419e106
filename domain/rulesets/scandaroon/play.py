"""Legal moves, their consequences, and the dealer."""

from collections.abc import Iterable, Iterator
from operator import itemgetter

from msgspec import UNSET
from msgspec.structs import replace

from domain.cards import known
from domain.fairness.chance import Chance
from domain.messages import by_type
from domain.ruleset import Illegal, Seat, Tally, clockwise, highest, lowest
from domain.rulesets.scandaroon import table
from domain.rulesets.scandaroon.deck import (
    ANY_CARD,
    SYMBOLS,
    AnyAbility,
    Area,
    Boost,
    ChangeTrump,
    Draw,
    Filter,
    Outcome,
    Remove,
    Return,
    Shift,
    Striking,
    Swap,
)
from domain.rulesets.scandaroon.table import (
    Card,
    Cards,
    Pending,
    ScandaroonEvent,
    ScandaroonMove,
    Slot,
    Spot,
    State,
    pending_in,
    slot_at,
)
from domain.rulesets.scandaroon.values import (
    closed,
    final_values,
    occupied,
    pile_totals,
    reached,
    scores,
    slot_in,
    targets,
)

# --- legal moves --------------------------------------------------------------------------------------------------


def to_act(state: State) -> tuple[Seat, ...]:
    """SD-29."""
    return () if state.turn is None or state.phase != "turn" else (state.turn,)


def legal(state: State, seat: Seat) -> list[ScandaroonMove]:
    if seat != state.turn or state.phase != "turn":
        return []
    if state.pending is not None:
        return answers(state, seat, state.pending)
    abilities, hand = state.deck.abilities, state.hands[seat]
    moves = plays(state, seat, hand)
    for position, slot in enumerate(state.rows[seat]):
        if slot is not None and slot.card in abilities and usable(state, Spot(seat, position), slot):
            moves.append(table.Use(position))
    if state.stones[seat] == "ready":
        moves += stones(state, seat, hand)
    moves.append(table.PASS)
    return moves


def plays(state: State, seat: Seat, cards: Cards) -> list[ScandaroonMove]:
    """Onto the own row, and for some cards onto any (SD-34). The seat knows its cards."""
    shut, anywhere = closed(state.rows[seat], state.deck.ends), state.deck.anywhere
    moves: list[ScandaroonMove] = []
    wild: list[Card] = []
    for card in cards:
        if card is not None:
            if not shut:
                moves.append(table.Play(card, seat))
            if card in anywhere:
                wild.append(card)
    if wild:
        others = [row for row in range(len(state.rows)) if row != seat and may_lay(state, seat, row)]
        moves += [table.Play(card, row) for card in wild for row in others]
    return moves


def may_lay(state: State, seat: Seat, row: Seat) -> bool:
    """The row takes a card of the seat, if it is the seat's own or the card may be laid anywhere (SD-35, SD-36)."""
    if row != seat and not state.options.foreign_empty_row and not any(state.rows[row]):
        return False
    return not closed(state.rows[row], state.deck.ends)


def usable(state: State, spot: Spot, slot: Slot) -> bool:
    """The card there is unprotected and has an ability that finds something to act on (SD-37, SD-38, SD-8)."""
    ability = state.deck.abilities.get(slot.card)
    return ability is not None and slot.protected_by is None and USABLE[type(ability)](state, spot, ability)


def answers(state: State, seat: Seat, pending: Pending) -> list[ScandaroonMove]:
    """The legal answers to the pending decision (SD-32)."""
    match pending.kind:
        case "ability":
            assert pending.position is not None
            return choices(state, Spot(seat, pending.position), pending.first)
        case "may_play":
            return [*plays(state, seat, pending.drawn), table.STOP]
        case "exchange":
            exchanges: list[ScandaroonMove] = [table.Exchange(known(card)) for card in state.hands[seat]]
            return [*exchanges, table.STOP] if pending.out else exchanges
        case "protect":
            return as_moves(targets(state, seat, ANY_CARD, None))
        case "steal":
            return as_moves(targets(state, seat, Filter(max=pending.most), None))


def as_moves(spots: Iterable[Spot]) -> list[ScandaroonMove]:
    return [table.Target(spot.row, spot.position) for spot in spots]


# --- abilities ----------------------------------------------------------------------------------------------------


def can_draw(state: State, _spot: Spot, _: Draw) -> bool:
    return bool(state.draw)


def can_change_trump(state: State, _spot: Spot, ability: ChangeTrump) -> bool:
    return ability.values != (state.trump,)


def can_boost(state: State, spot: Spot, ability: Boost) -> bool:
    return any(strikable(state, spot, ability) if ability.area is UNSET else hit(state, spot, ability.area))


def can_strike(state: State, spot: Spot, ability: Remove | Return) -> bool:
    return any(strikable(state, spot, ability))


def can_swap(state: State, spot: Spot, ability: Swap) -> bool:
    return any(firsts(state, spot, ability))


def can_shift(state: State, spot: Spot, ability: Shift) -> bool:
    return any(movable(state, spot, ability))


USABLE = by_type(AnyAbility, can_draw, can_change_trump, can_boost, can_strike, can_swap, can_shift)


def choices(state: State, spot: Spot, first: Spot | None) -> list[ScandaroonMove]:
    """The legal choices for the ability of the card in that slot."""
    ability = table.ability_at(state, spot.row, spot.position)
    match ability:
        case Remove() | Boost() | Return():
            return as_moves(strikable(state, spot, ability))
        case Swap():
            return as_moves(firsts(state, spot, ability) if first is None else seconds(state, spot, ability, first))
        case Shift():
            if first is None:
                return as_moves(movable(state, spot, ability))
            if ability.to == "same_row":
                return [table.Place(position=to.position) for to in destinations(state, ability, first)]
            return [table.Place(row=to.row) for to in destinations(state, ability, first)]
        case ChangeTrump():
            return [table.SetTrump(trump) for trump in ability.values if trump != state.trump]
        case Draw():
            raise AssertionError("nothing is chosen for a draw")


def strikable(state: State, spot: Spot, ability: Striking) -> Iterator[Spot]:
    """The targets that may be chosen next."""
    chosen = ability.target
    assert chosen is not UNSET  # a boost of an area has no targets
    return targets(state, spot.row, chosen, spot)


def hit(state: State, spot: Spot, area: Area) -> Iterator[Spot]:
    """The unprotected cards in live rows that a boost of the area gets at (SD-8)."""
    for row, places in reached(state, spot.row, spot.position, area):
        if state.passed[row]:
            continue
        for place in places:
            reach = Spot(row, place)
            if slot_at(state, reach).protected_by is None:
                yield reach


def firsts(state: State, spot: Spot, swap: Swap) -> Iterator[Spot]:
    """The cards for which there is another to exchange slots with (SD-90)."""
    for first in targets(state, spot.row, swap.first, spot):
        if any(seconds(state, spot, swap, first)):
            yield first


def seconds(state: State, spot: Spot, swap: Swap, first: Spot) -> Iterator[Spot]:
    base = base_at(state, first)
    for second in targets(state, spot.row, swap.second, spot):
        difference = abs(base_at(state, second) - base)
        if second != first and (swap.max_difference is None or difference <= swap.max_difference):
            yield second


def base_at(state: State, spot: Spot) -> int:
    return state.deck.bases[slot_at(state, spot).card]


def movable(state: State, spot: Spot, shift: Shift) -> Iterator[Spot]:
    """The cards that have somewhere to go."""
    for target in targets(state, spot.row, shift.target, spot):
        if any(destinations(state, shift, target)):
            yield target


def destinations(state: State, shift: Shift, spot: Spot) -> Iterator[Spot]:
    """Where the card may go: another occupied slot of its row, or a new one behind another live row (SD-8, SD-43)."""
    if shift.to == "same_row":
        for position, slot in enumerate(state.rows[spot.row]):
            if slot is not None and position != spot.position:
                yield Spot(spot.row, position)
        return
    for number, row in enumerate(state.rows):
        if number != spot.row and not state.passed[number] and not closed(row, state.deck.ends):
            yield Spot(number, len(row))


# --- the action stone ---------------------------------------------------------------------------------------------


def stones(state: State, seat: Seat, hand: Cards) -> list[ScandaroonMove]:
    """Every discard and symbol with which the action stone has an outcome (SD-48, SD-49, SD-54)."""
    bases, signs, free = state.deck.bases, state.deck.signs, free_bases(state)
    moves: list[ScandaroonMove] = []
    least = least_bases(state, len(hand) - 1, free)
    for card in hand:
        if card is not None:
            for sign, outcome in signs[card]:
                if least[outcome] <= bases[card]:
                    moves.append(table.Stone(sign, card))
    least = least_bases(state, len(hand), free[1:])
    for position, slot in enumerate(state.rows[seat]):
        if slot is not None and slot.protected_by is None:
            for sign, outcome in signs[slot.card]:
                if least[outcome] <= bases[slot.card]:
                    moves.append(table.Stone(sign, UNSET, position))
    return moves


def free_bases(state: State) -> list[int]:
    """The base values, rising, of the unprotected cards in live rows.

    A card of the own row is one of them until it is discarded. Then there is still one as low as it is, or lower, if
    the second of all is.
    """
    bases = state.deck.bases
    return sorted(
        [
            bases[slot.card]
            for row, passed in zip(state.rows, state.passed, strict=True)
            if not passed
            for slot in row
            if slot is not None and slot.protected_by is None
        ]
    )


NEVER = 10**6
"""Higher than every base value."""


def least_bases(state: State, hand: int, free: list[int]) -> dict[Outcome, int]:
    """The minimum base value of a discard for which the stone has the outcome (SD-54).

    After the discard the hand has `hand` cards. `free` are the base values, rising, of the cards that can be protected
    or stolen.
    """
    return {
        "score_pile": 0,
        "exchange": 0 if hand and state.draw else NEVER,
        "protect": 0 if free else NEVER,
        "steal": free[0] if free else NEVER,
    }


# --- decisions ----------------------------------------------------------------------------------------------------


def decide(state: State, seat: Seat, move: ScandaroonMove) -> list[ScandaroonEvent]:
    if seat != state.turn or state.phase != "turn":
        raise Illegal
    if state.pending is not None:
        if move not in answers(state, seat, state.pending):
            raise Illegal
        return ANSWERED[type(move)](state, seat, move)
    return TURNS[type(move)](state, seat, move)


def ended(state: State, seat: Seat) -> list[ScandaroonEvent]:
    """The turn ends, and before it the card whose ability was used is discarded (SD-37)."""
    position = pending_in(state).position
    assert position is not None
    return spent(state, seat, position)


def spent(state: State, seat: Seat, position: int) -> list[ScandaroonEvent]:
    return [table.Spent(seat, position), next_turn(state, seat)]


def next_turn(state: State, seat: Seat) -> table.TurnBegan:
    """Of the next seat clockwise that has not passed, which may be the same one (SD-29)."""
    seats = len(state.passed)
    seat = (seat + 1) % seats
    while state.passed[seat]:
        seat = (seat + 1) % seats
    return table.TurnBegan(seat)


def drawn(state: State, seat: Seat, count: int) -> table.Drawn:
    """From the top, fewer if the pile ends (SD-45)."""
    return table.Drawn(seat, state.draw[: -count - 1 : -1])


# Turns (SD-29): each raises `Illegal` unless the move is in `legal` (checked without building the list).


def played(state: State, seat: Seat, move: table.Play) -> list[ScandaroonEvent]:
    card, row = move.card, move.row
    there = row == seat or (0 <= row < len(state.rows) and card in state.deck.anywhere)
    if card not in state.hands[seat] or not there or not may_lay(state, seat, row):
        raise Illegal
    return [table.Played(seat, row, card), next_turn(state, seat)]


def used(state: State, seat: Seat, move: table.Use) -> list[ScandaroonEvent]:
    """Includes the consequences that need no choice (SD-37)."""
    position = move.position
    spot, slot = Spot(seat, position), slot_in(state.rows[seat], position)
    if slot is None or not usable(state, spot, slot):
        raise Illegal
    use, ability = table.Used(seat, position), state.deck.abilities[slot.card]
    match ability:
        case Draw():
            cards = drawn(state, seat, ability.count)
            return [use, cards] if ability.may_play else [use, cards, *spent(state, seat, position)]
        case Boost() if ability.area is not UNSET:
            spots = tuple(hit(state, spot, ability.area))
            return [use, table.Boosted(seat, spots, ability.amount, 0), *spent(state, seat, position)]
        case _:
            return [use]


def stone(state: State, seat: Seat, move: table.Stone) -> list[ScandaroonEvent]:
    """SD-48."""
    if state.stones[seat] != "ready":
        raise Illegal
    hand, free = state.hands[seat], free_bases(state)
    if move.position is UNSET:
        card, least = move.card, least_bases(state, len(hand) - 1, free)
        if card is UNSET or card not in hand:
            raise Illegal
    else:
        slot, least = slot_in(state.rows[seat], move.position), least_bases(state, len(hand), free[1:])
        if move.card is not UNSET or slot is None or slot.protected_by is not None:
            raise Illegal
        card = slot.card
    outcome = state.deck.stone[move.symbol]
    if (move.symbol, outcome) not in state.deck.signs[card] or state.deck.bases[card] < least[outcome]:
        raise Illegal
    discarded = table.StonePlayed(seat, move.symbol, outcome, card, move.position)
    return [discarded, next_turn(state, seat)] if outcome == "score_pile" else [discarded]


def passed(state: State, seat: Seat, _: table.Pass) -> list[ScandaroonEvent]:
    """When the last seat passes the round ends (SD-31)."""
    event = table.Passed(seat)
    if state.passed.count(False) > 1:
        return [event, next_turn(state, seat)]
    return [event, *round_end(state)]


def unasked(
    _state: State, _seat: Seat, _: table.Target | table.Place | table.SetTrump | table.Exchange | table.Stop
) -> list[ScandaroonEvent]:
    """An answer, and nothing is pending."""
    raise Illegal


TURNS = by_type(ScandaroonMove, played, used, stone, passed, unasked)


# Answers to the pending decision (SD-32), already checked to be legal.


def drawn_played(state: State, seat: Seat, move: table.Play) -> list[ScandaroonEvent]:
    return [table.Played(seat, move.row, move.card), *ended(state, seat)]


def targeted(state: State, seat: Seat, move: table.Target) -> list[ScandaroonEvent]:
    """What a chosen card is chosen for."""
    spot, pending = Spot(move.row, move.position), pending_in(state)
    if pending.kind == "protect":
        return [table.Protected(seat, spot), next_turn(state, seat)]
    if pending.kind == "steal":
        return [table.Stolen(seat, spot), next_turn(state, seat)]
    assert pending.position is not None
    ability, left = table.ability_at(state, seat, pending.position), pending.left - 1
    match ability:
        case Remove():
            return struck(state, seat, table.Removed(seat, spot, left))
        case Boost():
            return struck(state, seat, table.Boosted(seat, (spot,), ability.amount, left))
        case Return():
            to = seat if ability.to == "user" else spot.row
            return struck(state, seat, table.Returned(seat, spot, to, left))
        case Swap() if pending.first is not None:
            return [table.Swapped(seat, pending.first, spot), *ended(state, seat)]
        case _:
            return [table.Targeted(seat, spot)]


def struck(state: State, seat: Seat, hit: table.Removed | table.Boosted | table.Returned) -> list[ScandaroonEvent]:
    """After the last target, or when no other is left, the ability is spent (SD-10)."""
    if hit.left and legal(table.evolve(state, hit), seat):
        return [hit]
    return [replace(hit, left=0), *ended(state, seat)]


def placed(state: State, seat: Seat, move: table.Place) -> list[ScandaroonEvent]:
    """The card goes where it was said; within a row the ability card may move up as well (SD-43)."""
    pending = pending_in(state)
    first, position = pending.first, pending.position
    assert first is not None
    assert position is not None
    if move.row is not UNSET:
        return [table.Shifted(seat, first, Spot(move.row, len(state.rows[move.row]))), *ended(state, seat)]
    assert move.position is not UNSET
    shifted = table.Shifted(seat, first, Spot(first.row, move.position))
    row = table.evolve(state, shifted).rows[seat]
    return [shifted, *spent(state, seat, row.index(state.rows[seat][position]))]


def trump_set(state: State, seat: Seat, move: table.SetTrump) -> list[ScandaroonEvent]:
    return [table.TrumpChanged(seat, move.trump), *ended(state, seat)]


def exchanged(state: State, seat: Seat, move: table.Exchange) -> list[ScandaroonEvent]:
    """When no more cards can be discarded, the replacements are drawn (SD-51)."""
    event, pending = table.Exchanged(seat, move.card), pending_in(state)
    if pending.out + 1 < pending.most:
        return [event]
    return [event, drawn(state, seat, pending.most), next_turn(state, seat)]


def stopped(state: State, seat: Seat, _: table.Stop) -> list[ScandaroonEvent]:
    pending = pending_in(state)
    return [drawn(state, seat, pending.out), next_turn(state, seat)] if pending.out else ended(state, seat)


ANSWERED = by_type(
    table.Play | table.Target | table.Place | table.SetTrump | table.Exchange | table.Stop,
    drawn_played, targeted, placed, trump_set, exchanged, stopped,
)  # fmt: skip


# --- the end of a round -------------------------------------------------------------------------------------------


def round_end(state: State) -> list[ScandaroonEvent]:
    """Section 8, up to the next turn, the reshuffle, or the end of the game."""
    counted = scores(state)
    falling = sorted(counted, reverse=True)
    ranks = [1 + falling.index(score) for score in counted]  # SD-62
    first = [seat for seat, rank in enumerate(ranks) if rank == 1]
    points = tuple([4 - rank for rank in ranks])
    taken = tuple(to_score_piles(state, ranks, len(first) == 1))
    piles, record = pile_places(state, taken), high_score(state.record, counted[first[0]], first)
    scored = table.RoundScored(counted, points, taken, no_trump(state, first), *piles, record)
    if state.round == table.ROUNDS:
        return [scored, won(table.evolve(state, scored))]
    cleared = table.TableCleared(next_starter(state, first))
    if state.round + 1 == table.RESHUFFLED:
        return [scored, cleared]
    return [scored, cleared, *round_begins(state, cleared.starter, counted)]


def to_score_piles(state: State, ranks: list[int], sole: bool) -> Iterator[Spot]:
    """Of every leader the highest base value; of every second to a sole leader the lowest (SD-63)."""
    bases = state.deck.bases
    for seat, rank in enumerate(ranks):
        if rank == 1 or (rank == 2 and sole):
            cards = [(bases[slot.card], place) for place, slot in enumerate(state.rows[seat]) if slot is not None]
            if cards:  # the leftmost of several, here and there
                _, place = max(cards, key=itemgetter(0)) if rank == 1 else min(cards)
                yield Spot(seat, place)


def no_trump(state: State, first: list[Seat]) -> tuple[Seat, ...]:
    """The leaders of a round that began or ended without trump join those who have led one (SD-65)."""
    if "none" in (state.trump, state.trump_at_start):
        return tuple(sorted({*state.no_trump, *first}))
    return state.no_trump


def high_score(record: table.HighScore | None, score: int, first: list[Seat]) -> table.HighScore:
    """After a round that these seats have led with that score (SD-67)."""
    if record is None or record.score < score:
        return table.HighScore(score, tuple(first))
    return table.HighScore(score, tuple(sorted({*first, *record.seats}))) if record.score == score else record


def pile_places(state: State, taken: tuple[Spot, ...]) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
    """The seats with the highest and the second score pile; a pile without card and stone does not count (SD-66)."""
    fresh = [spot.row for spot in taken]
    sharing: dict[int, tuple[Seat, ...]] = {}
    for seat, total in enumerate(pile_totals(state, taken)):
        if state.score_piles[seat] or seat in fresh or state.stones[seat] == "pile":
            sharing[total] = (*sharing.get(total, ()), seat)
    ranked = [sharing[total] for total in sorted(sharing, reverse=True)]
    first, second, *_ = ranked + [(), ()]
    return first, second


def victory_points(state: State) -> tuple[int, ...]:
    """The victory points of each seat if the game ended now (SD-68)."""
    holders = () if state.record is None else state.record.seats
    return tuple(
        [
            points
            + 2 * (seat in state.no_trump)
            + 3 * (seat in state.pile_first)
            + (seat in state.pile_second)
            + 2 * (seat in holders)
            for seat, points in enumerate(state.rank_points)
        ]
    )


def won(state: State) -> table.Won:
    """The most victory points, then the most on the rank track, then the higher score pile (SD-68)."""
    totals, piles = victory_points(state), pile_totals(state)
    standing = list(zip(totals, state.rank_points, piles, strict=True))
    return table.Won(totals, highest(standing))


def next_starter(state: State, first: list[Seat]) -> Seat:
    """The left neighbour of the leader; of several leaders none is: of the seat that began (SD-70)."""
    assert state.starter is not None
    return ((first[0] if len(first) == 1 else state.starter) + 1) % len(state.hands)


# --- the beginning of a round -------------------------------------------------------------------------------------


def round_begins(state: State, starter: Seat, counted: tuple[int, ...]) -> list[ScandaroonEvent]:
    """After a round with these scores hands are filled up, a trump card is revealed, the first turn begins (SD-72)."""
    return [hands_dealt(state, starter, full_hands(state, counted)), trump_turned(state), table.TurnBegan(starter)]


def hands_dealt(state: State, starter: Seat, full: list[int]) -> table.HandsDealt:
    """One card at a time clockwise from who begins, to every hand that is not full, while there are cards (SD-72)."""
    seats, draw = len(state.hands), [*state.draw]
    missing = [most - len(hand) for most, hand in zip(full, state.hands, strict=True)]
    given: list[list[str | None]] = [[] for _ in range(seats)]
    for number in range(max(missing)):
        for seat in clockwise(starter, seats):
            if number < missing[seat] and draw:
                given[seat].append(draw.pop())
    return table.HandsDealt(tuple(map(tuple, given)))


def full_hands(state: State, counted: tuple[int, ...]) -> list[int]:
    """The hand size of each seat at the start of a round: one more in the last place (SD-72, SD-17)."""
    full, last = [table.HAND] * len(counted), lowest(counted)
    if len(last) == 1 or (len(last) < len(counted) and state.options.tied_last_bonus == "all"):
        for seat in last:
            full[seat] += 1
    return full


def trump_turned(state: State) -> table.TrumpRevealed | table.TrumpFlipped:
    """After the Turban comes a round without trump, whatever the trump has become meanwhile (SD-73)."""
    below, revealed = state.trump_cards[-2:]
    if revealed == "turban" and not state.flipped:
        return table.TrumpFlipped()
    assert below is not None
    return table.TrumpRevealed(below)


def deal(state: State, chance: Chance) -> list[ScandaroonEvent]:
    match state.phase:
        case "deal":  # SD-60
            starter = chance.below(len(state.hands))
            *below, trump = chance.shuffled(SYMBOLS)
            prepared = table.Prepared(starter, trump, tuple(below), chance.shuffled(state.deck.cards))
            hands = hands_dealt(table.evolve(state, prepared), starter, [table.HAND] * len(state.hands))
            return [prepared, hands, table.TurnBegan(starter)]
        case "reshuffle":  # SD-61
            reshuffled = table.Reshuffled(chance.shuffled([*map(known, state.draw), *state.discard]))
            assert state.starter is not None
            return [reshuffled, *round_begins(table.evolve(state, reshuffled), state.starter, state.rounds[-1].scores)]
        case _:
            return []


def tally(state: State) -> Tally:
    """The current value of each row, and of each card in it, of trumps twice (SD-26)."""
    values = final_values(state)
    return Tally(
        tuple(map(sum, values)),
        {
            f"rows/{seat}/{position}": values[seat][position]
            for seat, row in enumerate(state.rows)
            for position in occupied(row)
        },
    )
