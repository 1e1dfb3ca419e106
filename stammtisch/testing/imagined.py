"""The laws of imagined worlds: functions that raise AssertionError if a law is broken."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from domain.fairness.chance import Dealer
from domain.ruleset import Ruleset, Seat
from stammtisch.testing.broken import Fault
from stammtisch.testing.laws import deck_of
from stammtisch.testing.playing import Lots, Table

Rules = Ruleset[Any, Any, Any]
Imagine = Callable[[Any, Sequence[Any], Seat, Any], list[Any]]


class Append(NamedTuple):
    """The events of one move, or of one step of the dealer (`by` None)."""

    by: Seat | None
    events: list[Any]
    move: Any = None


def appends(
    rules: Rules, initial: Any, seed: int, bots: Sequence[str], moves: int = 20_000, dealer: Any = None
) -> Iterator[Append]:
    """A game of these bots, from the first deal on."""
    state, views, dice, steps = initial, [initial] * len(bots), Lots(seed), 0
    while True:
        if acting := rules.to_act(state):
            if not moves:
                return
            moves -= 1
            seat = acting[dice.below(len(acting))]
            legal = rules.legal(views[seat], seat)
            chosen = rules.bots[bots[seat]](views[seat], seat, legal, dice)
            append = Append(seat, rules.decide(state, seat, legal[chosen]), legal[chosen])
        else:
            append = Append(None, rules.deal(state, dealer or Dealer(b"imagined", str(seed), (), "step", steps)))
            steps += 1
            if not append.events:
                return
        state = rules.fold(state, append.events)
        views = [rules.view(view, append.events, seat) for seat, view in enumerate(views)]
        yield append


def seen_by(rules: Rules, events: Sequence[Any], seat: Seat) -> list[Any]:
    return [rules.redact(event, seat) for event in events]


def at(events: Sequence[Any], number: int) -> str:
    return f"event {number + 1} of the imagined history, {events[number].__struct_config__.tag}"


def inverse(rules: Rules, imagined: Sequence[Any], seen: Sequence[Any], seat: Seat) -> None:
    """Law 1: the seat sees in the imagined world exactly what it has seen."""
    again = seen_by(rules, imagined, seat)
    for number, (one, other) in enumerate(zip(again, seen, strict=True)):
        if one != other:
            raise Fault(f"the seat has seen {other}, and sees {one}", at(imagined, number), seat)


def possible(rules: Rules, initial: Any, imagined: Sequence[Any], really: Sequence[Append]) -> None:
    """Law 2: behind every append stands a legal move that is decided in exactly these events.

    Deals are believed: law 3 checks their cards.
    """
    state, place = initial, 0
    for append in really:
        events = [*imagined[place : place + len(append.events)]]
        if append.by is None:
            if rules.to_act(state):
                raise Fault("a seat has a legal move, and the dealer deals", at(imagined, place))
        else:
            if append.by not in rules.to_act(state):
                raise Fault("the seat moved, and is not to act", at(imagined, place), append.by)
            moves = rules.legal(state, append.by)
            if not any(rules.decide(state, append.by, move) == events for move in moves):
                raise Fault(f"no legal move leads to {events}", at(imagined, place), append.by)
        state = rules.fold(state, events)
        place += len(append.events)
    if place != len(imagined):
        raise Fault(f"{len(imagined)} events instead of {place}", at(imagined, place))


def conserved(rules: Rules, initial: Any, imagined: Sequence[Any]) -> None:
    """Law 3: after every event the cards of all zones are the deck."""
    state = initial
    deck = Counter(deck_of(rules))
    for number, event in enumerate(imagined):
        state = rules.evolve(state, event)
        if deck and (there := Counter(rules.cards(state))):
            surplus = there - deck
            surplus.pop(None, None)
            if surplus or there.total() != deck.total():
                why = f"{there.total()} cards instead of {deck.total()}; too many: {[*surplus]}"
                raise Fault(why, at(imagined, number))


def of_a_game(rules: Rules, table: Table) -> None:
    """A game of published bots, cut off somewhere, as one of the seats imagines it."""
    initial = rules.initial(table.seats, table.options, next(iter(rules.decks.values())))
    dice = Random(table.seed)
    bots = [dice.choice([*rules.bots]) for _ in range(table.seats)]
    played = [*appends(rules, initial, table.seed, bots, dice.randrange(1, 250))]
    events = [event for append in played for event in append.events]
    seat = dice.randrange(table.seats)
    seen = seen_by(rules, events, seat)
    world = rules.imagine(initial, seen, seat, Lots(table.seed))
    if len(world) != len(seen):
        raise Fault(f"{len(world)} imagined events instead of {len(seen)}", at(seen, len(seen) - 1), seat)
    inverse(rules, world, seen, seat)
    conserved(rules, initial, world)
    possible(rules, initial, world, played)
    if rules.imagine(initial, seen, seat, Lots(table.seed)) != world:
        raise Fault("with the same dice another history", at(seen, len(seen) - 1), seat)


def chi_squared(free: int, deviations: float = 3.09) -> float:
    """What the statistic exceeds as seldom as a normal one these deviations, by Wilson and Hilferty: 0.001."""
    spread = 2 / (9 * free)
    return float(free * (1 - spread + deviations * spread**0.5) ** 3)


def uniform(counts: Sequence[int]) -> None:
    """The counts are those of equally likely outcomes."""
    assert len(counts) > 1
    expected = sum(counts) / len(counts)
    found = sum([(count - expected) ** 2 / expected for count in counts])
    assert found < chi_squared(len(counts) - 1), f"not uniform: {counts}"


def hidden(whole: Any, seen: Any) -> list[Any]:
    """The faces in an event that somebody else sees as None. Of cards with two ends, either end."""
    if seen is None and whole is not None:
        return [frozenset(whole) if isinstance(whole, tuple) else whole]
    if isinstance(whole, tuple):
        return [face for one, other in zip(whole, seen, strict=True) for face in hidden(one, other)]
    return []


def fair(rules: Rules, imagine: Imagine, initial: Any, seats: int, worlds: int) -> None:
    """Law 4, of a first deal: a card that was not seen lies at each place where it can lie equally often."""
    events: list[Any] = []
    for append in appends(rules, initial, 0, [next(iter(rules.bots))] * seats):
        events += append.events
        if (seen := seen_by(rules, events, 0)) != events:
            break
    places: Counter[int] = Counter()
    card: Any = None
    for world in range(worlds):
        history = imagine(initial, seen, 0, Lots(world))
        faces = [
            face
            for one, other in zip(history, seen, strict=True)
            for field in one.__struct_fields__
            for face in hidden(getattr(one, field), getattr(other, field))
        ]
        card = faces[0] if card is None else card
        places.update([place for place, face in enumerate(faces) if face == card])
    assert max(places.values()) < worlds, "some deals never come"
    uniform([*places.values()])
