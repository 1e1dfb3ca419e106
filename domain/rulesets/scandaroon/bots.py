"""The published bots. Worths are in tenths of a point of the round."""

from collections.abc import Sequence

from domain.bots import at_random, best
from domain.fairness.chance import Chance
from domain.messages import by_type
from domain.ruleset import Budget, Seat
from domain.rulesets.scandaroon import table
from domain.rulesets.scandaroon.deck import Outcome, Shift, Swap
from domain.rulesets.scandaroon.play import ANSWERED, decide, legal
from domain.rulesets.scandaroon.values import scores

POINT = 10
OTHERS = 8
"""A point of another seat."""
ABILITY = 30
"""An ability that is not used yet."""
IN_HAND = 5
"""A card of the hand, by its base value."""
UNSEEN = 40
"""A card drawn that is not known yet."""
AFTER_END = 15
"""What an end card costs, by the base values of the cards that cannot follow it."""
STONE = -30
OUTCOMES: dict[Outcome, int] = {"score_pile": 60, "exchange": -80, "protect": -80, "steal": 0}
PASS = -80
"""Time is worth more than a few points: nearly everything is played."""
EXCHANGED = 3
"""Cards of a lower base value are exchanged."""
ALWAYS, NEVER = 10**12, -(10**12)


def careful(state: table.State, seat: Seat, moves: Sequence[table.ScandaroonMove], chance: Chance) -> int:
    """The best position after the move; an ability counts with its best target."""
    return best([WORTH[type(move)](state, seat, move) for move in moves], chance)


def position(state: table.State, seat: Seat) -> int:
    """The rows, the abilities in the own one, and the hand."""
    counted, bases, abilities = scores(state), state.deck.bases, state.deck.abilities
    unused = [slot for slot in state.rows[seat] if slot is not None and slot.card in abilities]
    hand = [UNSEEN if card is None else IN_HAND * bases[card] for card in state.hands[seat]]
    return (POINT + OTHERS) * counted[seat] - OTHERS * sum(counted) + ABILITY * len(unused) + sum(hand)


def after(state: table.State, seat: Seat, move: table.ScandaroonMove) -> table.State:
    """The state after a legal move that does not end the round: nothing hidden is needed for that."""
    # An answer is not decided: that would look for it among all answers, once more for each of them.
    asked = state.pending is not None
    events = ANSWERED[type(move)](state, seat, move) if asked else decide(state, seat, move)
    for event in events:
        state = table.evolve(state, event)
    return state


def play(state: table.State, seat: Seat, move: table.Play) -> int:
    worth = position(after(state, seat, move), seat)
    if move.row == seat and move.card in state.deck.ends:
        bases = state.deck.bases
        worth -= AFTER_END * sum([bases[card] for card in state.hands[seat] if card is not None and card != move.card])
    return worth


def use(state: table.State, seat: Seat, move: table.Use) -> int:
    """With the best choice. To swap and to shift cards gains too little for the time that it takes."""
    if isinstance(table.ability_at(state, seat, move.position), Swap | Shift):
        return NEVER
    return best_answer(after(state, seat, move), seat)


def best_answer(state: table.State, seat: Seat) -> int:
    """The position after the best answer to the pending decision, if there is one."""
    if state.pending is None:
        return position(state, seat)
    return max([position(after(state, seat, answer), seat) for answer in legal(state, seat)])


def stone(state: table.State, seat: Seat, move: table.Stone) -> int:
    outcome = state.deck.stone[move.symbol]
    played = after(state, seat, move)
    worth = best_answer(played, seat) if outcome == "steal" else position(played, seat)
    return worth + STONE + OUTCOMES[outcome]


def answer(state: table.State, seat: Seat, move: table.Target | table.Place | table.SetTrump) -> int:
    """A protected card is the best one of the own row."""
    pending = state.pending
    if pending is not None and pending.kind == "protect" and isinstance(move, table.Target):
        slot = state.rows[move.row][move.position]
        assert slot is not None
        return state.deck.bases[slot.card] if move.row == seat else -1
    return position(after(state, seat, move), seat)


def exchange(state: table.State, _: Seat, move: table.Exchange) -> int:
    return EXCHANGED - state.deck.bases[move.card]


def stop(state: table.State, seat: Seat, move: table.Stop) -> int:
    pending = state.pending
    return 0 if pending is not None and pending.kind == "exchange" else position(after(state, seat, move), seat)


def pass_(state: table.State, seat: Seat, _: table.Pass) -> int:
    """At once when all others have passed and nothing more is to be gained."""
    if state.passed.count(False) == 1:
        others = [*scores(state)]
        if others.pop(seat) > max(others):
            return ALWAYS
    return position(state, seat) + PASS


WORTH = by_type(table.ScandaroonMove, play, use, stone, answer, exchange, stop, pass_)

# --- easy ---------------------------------------------------------------------------------------------------------


def easy(state: table.State, seat: Seat, moves: Sequence[table.ScandaroonMove], chance: Chance) -> int:
    """The highest card into its own row, though an end card closes it. It uses neither abilities nor the stone."""

    def worth(move: table.ScandaroonMove) -> int:
        match move:
            case table.Play(card, row) if row == seat:
                return 1 + state.deck.bases[card]
            case table.Pass():
                return 0
            case _:
                return -1

    return best(map(worth, moves), chance)


BOTS = {"random/1": at_random, "easy/1": easy, "careful/1": careful}


SEARCHES = {"deep/1": Budget(worlds=8, moves=4, policy="careful/1")}
