"""Opponents for `careful/1`: one rule for each ruleset, as somebody plays who has just read the rules."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from domain.bots import at_random, best
from domain.fairness.chance import Chance
from domain.ruleset import Choose, Seat
from domain.rulesets.scandaroon import table as scandaroon
from domain.rulesets.scopinion import table as scopinion
from domain.rulesets.scout import rules as scout
from domain.rulesets.skyjo import rules as skyjo
from domain.rulesets.skyjo_action import table as action

RANDOM = 0.97
"""The victories of `careful/1` against two `random/1` that most rulesets allow."""

DOWN = 5
"""What a face-down card is taken for."""


def plain_skyjo(state: skyjo.State, seat: Seat, moves: Sequence[skyjo.SkyjoMove], chance: Chance) -> int:
    """Take a discard of at most 3; lay where most is gained, a face-down card counting 5; toss what gains nothing."""

    def worth(move: skyjo.SkyjoMove) -> int:
        match move:
            case skyjo.Take():
                return 1 if state.discard[-1] <= 3 else -1
            case skyjo.Swap():
                slot = state.layouts[seat][move.slot]
                assert slot is not None
                assert state.held is not None
                return 2 * ((slot.card if slot.up and slot.card is not None else DOWN) - state.held)
            case skyjo.Toss():
                return 1  # less than the smallest gain
            case _:
                return 0

    return best(map(worth, moves), chance)


def plain_skyjo_action(
    state: action.State, seat: Seat, moves: Sequence[action.SkyjoActionMove], chance: Chance
) -> int:  # fmt: skip
    """The same with a star counting 0. Takes no action card, and discards those that it has to take."""

    def number(card: action.Card | None) -> int:
        return DOWN if card is None else 0 if card == action.STAR else card

    def worth(move: action.SkyjoActionMove) -> int:
        match move:
            case action.Take():
                return 1 if number(state.discard[-1]) <= 3 else -1
            case action.Swap():
                slot = state.layouts[seat][move.slot]
                assert slot is not None
                return 2 * (number(slot.card if slot.up else None) - number(state.held))
            case action.Toss():
                return 1  # less than the smallest gain
            case action.Discard():
                return 2
            case action.TakeAction() | action.Play():
                return -2
            case action.Keep():
                slot = state.three[move.place]
                return -number(None if slot is None else slot.card)
            case _:
                return 0

    return best(map(worth, moves), chance)


def plain_scout(_: scout.State, _seat: Seat, moves: Sequence[scout.ScoutMove], chance: Chance) -> int:
    """Show as many cards as possible, else scout anywhere."""
    return best([move.count if isinstance(move, scout.Show) else 0 for move in moves], chance)


def plain_scopinion(state: scopinion.State, _: Seat, moves: Sequence[scopinion.ScopinionMove], chance: Chance) -> int:
    """Secure, draw, buy the dearest card, hold the highest."""

    def worth(move: scopinion.ScopinionMove) -> int:
        printed = state.deck.printed
        match move:
            case scopinion.Secure():
                return 400
            case scopinion.DrawTwo() | scopinion.DrawOne():
                return 300
            case scopinion.Buy(card) | scopinion.Triple(card) | scopinion.Take(card):
                return 100 + printed[card].value
            case scopinion.EndTurn(hold):
                return 0 if hold is None else 1 + printed[hold].value
            case scopinion.KeepDrawn(keep):
                return int(keep)
            case _:
                return -1

    return best(map(worth, moves), chance)


def plain_scandaroon(
    state: scandaroon.State, seat: Seat, moves: Sequence[scandaroon.ScandaroonMove], chance: Chance
) -> int:  # fmt: skip
    """The highest card first, end cards last, no abilities."""

    def worth(move: scandaroon.ScandaroonMove) -> int:
        match move:
            case scandaroon.Play(card, row) if row == seat:
                return state.deck.bases[card] + (1 if card in state.deck.ends else 100)
            case scandaroon.Pass():
                return 0
            case _:
                return -1

    return best(map(worth, moves), chance)


def lasting_scandaroon(
    state: scandaroon.State, seat: Seat, moves: Sequence[scandaroon.ScandaroonMove], chance: Chance
) -> int:  # fmt: skip
    """Random play that passes only if nothing else is legal. `random/1` passes so early that its rounds are short."""
    goes_on = [place for place, move in enumerate(moves) if not isinstance(move, scandaroon.Pass)]
    if not goes_on:
        return 0
    return goes_on[at_random(state, seat, [moves[place] for place in goes_on], chance)]


class Opponent(NamedTuple):
    """What `careful/1` is measured against, and the lower bounds of its share of victories over two of them."""

    plain: Choose[Any, Any]
    against_plain: float
    against_random: float = RANDOM


PLAIN: Mapping[str, Opponent] = {
    "skyjo": Opponent(plain_skyjo, 0.50),
    "skyjo_action": Opponent(plain_skyjo_action, 0.75),
    "scout": Opponent(plain_scout, 0.90),
    "scopinion": Opponent(plain_scopinion, 0.90),
    "scandaroon": Opponent(plain_scandaroon, 0.50),
}
"""By ruleset."""

LASTING: Mapping[str, Choose[Any, Any]] = {"scandaroon": lasting_scandaroon}
"""By ruleset, random play whose rounds are as long as the rules allow, where those of `random/1` are not."""
