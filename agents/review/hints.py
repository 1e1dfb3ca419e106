"""Hints: the moves that nothing speaks against, from what a seat has seen and nothing else."""

from collections.abc import Iterator, Sequence
from typing import Any

from agents.review.document import hundredths
from agents.review.moments import Moment, Side
from agents.review.values import Sample, Valuation
from agents.review.weighing import OF_HINTS, Plan, house_move, sift, still_leading
from agents.table import Rules
from domain.fairness.record import Record, hashed
from domain.game import Hinted
from domain.game.log import standing_entries
from domain.imagining import NothingImagined
from domain.registry import VERSIONS
from domain.review import HALF, Hint, house_hint
from domain.ruleset import Seat
from domain.searching import MOST_SEEN

MEASURED = 3
"""How many of the moves that nothing speaks against are compared in fresh worlds."""

ALIKE = 0.0, 0.0
"""The gap between moves that come to the same in every world, for example with two copies of a card."""


def hint(
    rules: Rules, initial: Any, seen: Sequence[Any], seat: Seat, head: bytes, plan: Plan = OF_HINTS,
    *, version: int = 0,
) -> Hint[Any]:  # fmt: skip
    """For a seat that is to act in a running game.

    `initial` is the ruleset's state before the first event, which follows from the terms of the game. `seen` are all
    events of the ruleset since then that stand, as the seat sees them. All random numbers follow from `head`, the
    public head of the game at this version.
    """
    side = Side(rules, initial, seat)
    for event in seen:
        side.tell(event)
    legal = rules.legal(side.view, seat)
    if len(legal) == 1:
        return Hint(seat=seat, version=version, moves=(legal[0],))
    values = Valuation(rules, head)
    moment = Moment(0, version, 0, seat, side.start, tuple(side.seen), side.view, legal, 0)
    try:
        return weighed(values, moment, plan)
    except NothingImagined:
        return Hint(seat=seat, version=version, moves=(legal[house_move(values, moment)],))


def weighed(values: Valuation, moment: Moment, plan: Plan) -> Hint[Any]:
    """The best move of the sift, compared with the others in worlds that it was not picked by. If another one is
    clearly better there, that is compared in fresh worlds again."""
    seat, legal = moment.seat, moment.legal
    ranked = rivals(sift(values, moment, plan).sample, seat)
    first = ranked[0]
    for begin in range(0, MEASURED * plan.check, plan.check):
        ranked = [first, *[move for move in ranked if move != first]]
        fresh = Sample(ranked[:MEASURED])
        for number in range(begin, begin + plan.check):
            fresh.add(fresh.moves, values.tried(moment, fresh.moves, "hint", number))
        gaps = {move: fresh.gap(first, move, seat) for move in fresh.moves[1:]}
        highest = {move: gap + HALF * error for move, (gap, error) in gaps.items()}
        if min(highest.values()) >= 0:
            break
        first = min(highest, key=lambda move: highest[move])
    worse = [move for move, (gap, error) in gaps.items() if gap > HALF * error]
    close = [move for move in ranked[1:] if move not in worse]
    against = next((move for move in close if gaps.get(move, ALIKE) != ALIKE), ranked[1])
    ahead, error = (figure / (len(values.rules.standing(moment.view)) - 1) for figure in gaps[against])
    return Hint(
        seat=seat, version=moment.version, moves=tuple([legal[move] for move in (ranked[0], *close)]),
        against=legal[against], ahead=hundredths(ahead), error=hundredths(error), worlds=len(fresh),
    )  # fmt: skip


def given(record: Record[Any, Any, Any, Any]) -> Iterator[Hint[Any]]:
    """The hints of a game, made again: those that its players got. The record must be complete and verified."""
    rules, entries = VERSIONS[record.rules], hashed(record).events
    initial = rules.initial(len(record.seats), record.options, rules.deck_of(record.deck))
    for asked in entries:
        if not isinstance(asked.event, Hinted):
            continue
        seat = asked.event.seat
        stood = standing_entries(entries[: asked.version])
        seen = [rules.redact(each.event, seat) for each in stood]
        if asked.version > MOST_SEEN:  # as the service does
            yield house_hint(rules, rules.fold(initial, seen), seat, asked.version)
        else:
            about = stood[-1]
            yield hint(rules, initial, seen, seat, bytes.fromhex(str(about.head)), version=about.version)


def rivals(sample: Sample, seat: Seat) -> list[int]:
    """The moves that nothing speaks against, the best first and those that come to the same as this last; or, if
    nothing else is left, the next best one before these."""

    def by_mean(moves: Sequence[int]) -> list[int]:
        return sorted(moves, key=lambda move: -sample.mean(move, seat))

    most = max(map(len, sample.by_move.values()))
    good = by_mean(still_leading(sample, [move for move in sample.moves if len(sample.by_move[move]) == most], seat))
    alike = [move for move in good[1:] if sample.gap(good[0], move, seat) == ALIKE]
    others = [move for move in good[1:] if move not in alike]
    return [good[0], *(others or by_mean([move for move in sample.moves if move not in good])[:1]), *alike]
