"""The published bots. Worths are in hundredths of a point."""

from collections.abc import Iterable, Sequence

from domain.bots import at_random, best
from domain.fairness.chance import Chance
from domain.messages import Value, by_type
from domain.ruleset import Budget, Seat
from domain.rulesets.scopinion import table

HEART, RED_HEART, SPADE = 200, 100, -200
"""In the own cards: a green heart, which makes up for a spade, a red one, a spade."""
TARGET, MIX = 200, 60
"""A target bought, besides its hearts; the symbol for shuffling."""
VALUE, BORDER, BOLT = 10, 30, 100
USES: dict[table.Function, int] = {"trash": 100, "take": 40, "draw_one": 40, "draw_two": 140, "triple": 60}
"""The worth of a card's functions, while there is time to use them."""
TRASHED = 300
"""A card less in the own deck, besides its spades."""
KEPT = 4
"""The least value for which a drawn card is kept."""
HELD_BORDER = 5
"""The worth of a red border on a card that is held, in values."""

FEW = 6
"""The number of own cards up to which a deck cannot pay for anything expensive any more."""
PATIENCE = 3
"""One in this number of choices with nothing worth buying buys all the same: else two such decks could
wait for each other."""

SECURE, DRAW_TWO, DRAW_ONE = 3 * 10**6, 2 * 10**6, 10**6
"""First what costs nothing."""
END = -(10**6)
"""The last thing to do."""
RESHUFFLE = 1000
NEVERTHELESS = -(10**5)
"""Better than the end of the turn, worse than all that is worth something."""
NEVER = -(10**12)


class Outlook(Value):
    """What a choice is based on."""

    state: table.State
    seat: Seat
    final: bool
    """The end is near."""
    impatient: bool
    """Rather a card that is worth nothing than none."""


def careful(state: table.State, seat: Seat, moves: Sequence[table.ScopinionMove], chance: Chance) -> int:
    """Secure, draw, then the most hearts for the least payment; the dearest card left is held."""
    final = state.final is not None
    impatient = not final and own_cards(state, seat) <= FEW and chance.below(PATIENCE) == 0
    outlook = Outlook(state, seat, final, impatient)
    return best([WORTH[type(move)](outlook, move) for move in moves], chance)


def own_cards(state: table.State, seat: Seat) -> int:
    """The number of the cards that come to the hand of the seat, whose turn it is."""
    return len(state.hands[seat]) + len(state.decks[seat]) + len(state.discards[seat]) + len(state.stage)


def owned(outlook: Outlook, card: table.PrintedCard) -> int:
    if card.kind == "target":
        there, here = 2 * RED_HEART * card.red + RED_HEART * card.green, RED_HEART * card.red + HEART * card.green
        return max(there, here) + TARGET + MIX * card.mix
    worth = HEART * card.green + RED_HEART * card.red + SPADE * card.spades + BOLT * card.bolt
    if outlook.final:
        return worth
    uses = sum([USES[function] for function in outlook.state.deck.functions[card.id]])
    return worth + VALUE * card.value + BORDER * card.border + uses


def secure(_: Outlook, _move: table.Secure) -> int:
    return SECURE


def draw_two(outlook: Outlook, move: table.DrawTwo) -> int:
    return DRAW_TWO - payment(outlook, [move.by])


def draw_one(outlook: Outlook, move: table.DrawOne) -> int:
    return DRAW_ONE - payment(outlook, [move.by])


def keep_drawn(outlook: Outlook, move: table.KeepDrawn) -> int:
    """Keep what can be used in this turn, and every target."""
    drawn = outlook.state.drawn
    assert drawn is not None
    card = outlook.state.deck.printed[drawn]
    useful = card.kind == "target" or card.value >= KEPT or card.border or outlook.state.deck.functions[drawn]
    return int(move.keep == bool(useful))


def trash(outlook: Outlook, move: table.Trash) -> int:
    card = outlook.state.deck.printed[move.card]
    return TRASHED - SPADE * card.spades - card.value if card.spades else NEVER


def buy(outlook: Outlook, move: table.Buy) -> int:
    return bought(outlook, move.card, move.pay, move.to)


def triple(outlook: Outlook, move: table.Triple) -> int:
    return bought(outlook, move.card, [move.by, move.other], move.to)


def take(outlook: Outlook, move: table.Take) -> int:
    return bought(outlook, move.card, [move.by], None)


def bought(outlook: Outlook, name: table.Card, pay: Iterable[table.Card], to: str | None) -> int:
    card = outlook.state.deck.printed[name]
    worth = shown(card) if to == "showcase" else owned(outlook, card)
    if worth > 0:
        return worth - payment(outlook, pay)
    return NEVERTHELESS + worth if outlook.impatient else NEVER


def shown(card: table.PrintedCard) -> int:
    """In the showcase every symbol counts at once, and each target that has one in the vault beside it (SP-66)."""
    return RED_HEART * (card.green + card.red) + TARGET + MIX * card.mix


def payment(outlook: Outlook, cards: Iterable[table.Card]) -> int:
    """A little: the cards come back."""
    printed = [outlook.state.deck.printed[card] for card in cards]
    return sum([3 * card.value // 2 if card.border else card.value for card in printed])


def pik_off(outlook: Outlook, move: table.PikOff) -> int:
    worth = owned(outlook, outlook.state.deck.printed[move.card])
    return -worth if worth < 0 else NEVER


def end_turn(outlook: Outlook, move: table.EndTurn) -> int:
    """The card that is held pays in the next turn."""
    held = 0
    if move.hold is not None:
        card = outlook.state.deck.printed[move.hold]
        held = 1 + card.value + HELD_BORDER * card.border
    return END + held + RESHUFFLE * move.reshuffle


WORTH = by_type(
    table.ScopinionMove, secure, draw_two, draw_one, keep_drawn, trash, buy, triple, take, pik_off, end_turn
)  # fmt: skip

# --- easy ---------------------------------------------------------------------------------------------------------


def easy(state: table.State, _: Seat, moves: Sequence[table.ScopinionMove], chance: Chance) -> int:
    """Secure, draw, buy the dearest card, whatever its hearts and spades, and hold the highest. It trashes nothing."""
    printed = state.deck.printed

    def worth(move: table.ScopinionMove) -> int:
        match move:
            case table.Secure():
                return 400
            case table.DrawTwo() | table.DrawOne():
                return 300
            case table.Buy(card) | table.Triple(card) | table.Take(card):
                return 100 + printed[card].value
            case table.EndTurn(hold):
                return 0 if hold is None else 1 + printed[hold].value
            case table.KeepDrawn(kept):
                return int(kept)
            case _:
                return -1

    return best(map(worth, moves), chance)


BOTS = {"random/1": at_random, "easy/1": easy, "careful/1": careful}


SEARCHES = {"deep/1": Budget(worlds=24, moves=4, policy="careful/1")}
