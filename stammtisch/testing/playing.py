"""Random play: the games that laws are checked in, and how two of them are compared."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from random import Random
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import inspect as kinds

from domain import game as aggregate
from domain.game import Decision, Game
from domain.ruleset import Illegal, Ruleset, Seat, Viewer
from stammtisch.testing import doing
from stammtisch.testing.broken import Refused

C = TypeVar("C")
Rules = Ruleset[Any, Any, Any]

ID = "018f3c2e-7b1a-7c3d-9e4f-0123456789ab"
AT = "2026-01-01T00:00:00.000000Z"


class Table(NamedTuple):
    """All inputs of a play."""

    seats: int
    options: Any
    seed: int
    moves: int = 400
    """The play stops after this many moves."""
    strangers: tuple[Any, ...] = ()
    """Arbitrary well-formed moves, for law 6."""
    exchange: tuple[int, int, int] = (0, 0, 1)
    """For law 8: the number of a shuffle, and two positions whose cards are exchanged in it."""


class Lots:
    """Random numbers that are cheaper than those of a game."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)

    def below(self, n: int) -> int:
        return self.dice.randrange(n)

    def shuffled(self, items: Sequence[C]) -> tuple[C, ...]:
        cards = [*items]
        self.dice.shuffle(cards)
        return tuple(cards)


# --- playing ------------------------------------------------------------------------------------------------------

Choice = tuple[Seat, Any]
Choose = Callable[[Rules, Game], Choice | None]


def at_random(dice: Random) -> Choose:
    """Choose every type of move equally often: a layout full of swaps must not crowd out the toss."""

    def choose(rules: Rules, game: Game) -> Choice | None:
        if not (acting := aggregate.to_act(rules, game)):
            return None
        seat = dice.choice(acting)
        moves = aggregate.legal(rules, game, seat)
        if not moves:
            raise Refused("the seat is to act and has no legal move", f"event {game.version}", seat)
        kind = dice.choice(sorted({type(move).__name__ for move in moves}))
        return seat, dice.choice([move for move in moves if type(move).__name__ == kind])

    return choose


def again(choices: Sequence[Choice]) -> Choose:
    """Repeat the same moves as long as they are legal."""
    script = iter(choices)

    def choose(rules: Rules, game: Game) -> Choice | None:
        match next(script, None):
            case (seat, move) if move in aggregate.legal(rules, game, seat):
                return seat, move
        return None

    return choose


def sitting_down(rules: Rules, table: Table) -> Iterator[Decision]:
    """Open the game and seat all players. With more than two seats one player also leaves and joins again."""
    players = [f"p{seat}" for seat in range(table.seats)]
    deck = next(iter(rules.decks.values())).data
    secret = Random(table.seed).randbytes(32)
    terms = aggregate.terms(rules, table.seats, table.options, deck, players[0], secret)
    yield (last := doing.open_game(rules, ID, terms, sit=True, entropy="entropy"))
    if table.seats > 2:
        yield (last := doing.join(rules, last.game, players[1], 2, "soon gone"))
        yield (last := doing.leave(rules, last.game, players[1], 2))
    for player in players[1:]:
        yield (last := doing.join(rules, last.game, player, None, ""))


def record(rules: Rules, table: Table, choose: Choose) -> tuple[list[Decision], list[Choice]]:
    """Play a game. Returns all decisions, including those before the first move, and the moves."""
    choices: list[Choice] = []
    return [*played(rules, table, choose, choices)], choices


def played(rules: Rules, table: Table, choose: Choose, choices: list[Choice]) -> Iterator[Decision]:
    """As `record`, decision by decision. The moves are appended to `choices`."""
    decisions: list[Decision] = []
    for decision in sitting_down(rules, table):
        decisions.append(decision)
        yield decision
    while len(choices) < table.moves and (choice := choose(rules, decisions[-1].game)):
        choices.append(choice)
        try:
            decisions.append(doing.move(rules, decisions[-1].game, *choice))
        except Illegal:
            seat, move = choice
            at = place(decisions, len(decisions) - 1)
            raise Refused(f"the listed move {move} was refused", at, seat) from None
        yield decisions[-1]


def place(decisions: Sequence[Decision], number: int) -> str:
    """The last event of a decision, as a message names it."""
    return nth(sum(len(each.events) for each in decisions[: number + 1]) - 1, tag(decisions[number].events[-1]))


def nth(number: int, kind: str | None) -> str:
    """The event with this number, from 0 on, as a message names it."""
    return f"event {number + 1} of the game, {kind or 'nothing'}"


class Play:
    """A random game and every viewer's events and views."""

    def __init__(self, rules: Rules, table: Table) -> None:
        self.rules, self.table = rules, table
        self.decisions, self.choices = record(rules, table, at_random(Random(table.seed)))

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        return (None, *range(self.table.seats))

    @cached_property
    def events(self) -> list[Any]:
        return [event for decision in self.decisions for event in decision.events]

    @cached_property
    def games(self) -> list[Game]:
        """The full game after every decision."""
        return [decision.game for decision in self.decisions]

    @cached_property
    def states(self) -> list[Any]:
        """The ruleset's state after each of its events."""
        states: list[Any] = []
        game = Game(ID)
        for event in self.events:
            game = aggregate.evolve(self.rules, game, event)
            if game.state is not None and (not states or game.state is not states[-1]):
                states.append(game.state)
        return states

    @cached_property
    def seen(self) -> dict[Viewer, list[Any]]:
        """Every event as redacted for each viewer."""
        return {v: [aggregate.redact(self.rules, event, v) for event in self.events] for v in self.viewers}

    @cached_property
    def views(self) -> dict[Viewer, list[Game]]:
        """Each viewer's view after every decision."""
        return {viewer: list(self.develop(viewer)) for viewer in self.viewers}

    def at(self, number: int) -> str:
        """The last event of the decision with this number, as a message names it."""
        return place(self.decisions, number)

    def event(self, number: int) -> str:
        """The event with this number, from 0 on, as a message names it."""
        return nth(number, tag(self.events[number]))

    def develop(self, viewer: Viewer) -> Iterator[Game]:
        view, seen = Game(ID), iter(self.seen[viewer])
        for decision in self.decisions:
            view = aggregate.fold(self.rules, view, [next(seen) for _ in decision.events])
            yield view


# --- comparing ----------------------------------------------------------------------------------------------------


def first_difference(ours: Any, theirs: Any, path: str = "") -> str:
    """Where two values differ first: `hands/0: ours instead of theirs`."""
    mine, other = parts(ours), parts(theirs)
    if type(ours) is type(theirs) and mine is not None and other is not None and len(mine) == len(other):
        names: Sequence[Any] = range(len(mine))
        if isinstance(ours, msgspec.Struct | dict):
            names = [*ours, *ours] if isinstance(ours, dict) else ours.__struct_fields__
        for name, one, two in zip(names, mine, other, strict=False):
            if one != two:
                return first_difference(one, two, f"{path}/{name}" if path else str(name))
    return f"{path}: {ours!r} instead of {theirs!r}"


def parts(value: Any) -> Sequence[Any] | None:
    """The parts of a value; None if it has none."""
    if isinstance(value, msgspec.Struct):
        return [getattr(value, field) for field in value.__struct_fields__]
    if isinstance(value, dict):
        return [*map(str, value), *value.values()]
    return value if isinstance(value, tuple | list) else None


def agrees(view: Any, truth: Any, agreed: set[tuple[int, int]] | None = None) -> bool:
    """Whether the view equals the truth except for hidden cards.

    `agreed` caches the ids of compared tuples: many stay the same objects from one view to the next.
    """
    if view is None or view is truth or view == truth:
        return True
    if type(view) is not type(truth):
        return False
    if isinstance(view, msgspec.Struct):
        fields = view.__struct_fields__
        return all(agrees(getattr(view, field), getattr(truth, field), agreed) for field in fields)
    if isinstance(view, dict):
        return view.keys() == truth.keys() and all(agrees(view[key], truth[key], agreed) for key in view)
    if isinstance(view, tuple):
        if agreed is not None and (id(view), id(truth)) in agreed:
            return True
        same = len(view) == len(truth) and (
            all(agrees(ours, theirs, agreed) for ours, theirs in zip(view, truth, strict=True)) or among(view, truth)
        )
        if same and agreed is not None:
            agreed.add((id(view), id(truth)))
        return same
    return False


def among(view: tuple[Any, ...], truth: tuple[Any, ...]) -> bool:
    """Whether the known cards of a partly known hand are in the true hand, in any order."""
    if None not in view or None in truth or any(isinstance(face, tuple) for face in view):
        return False
    return Counter(face for face in view if face is not None) <= Counter(truth)


@cache
def type_info(cls: Any) -> kinds.Type:
    return kinds.type_info(cls)


def type_of(value: Any) -> kinds.Type:
    cls: Any = type(value)
    return type_info(cls)


def hidden(kind: kinds.Type) -> bool:
    """Whether the type allows None, the back of a card."""
    return isinstance(kind, kinds.UnionType) and any(isinstance(t, kinds.NoneType) for t in kind.types)


def places(kind: kinds.Type, *values: Any) -> Iterator[tuple[kinds.Type, tuple[Any, ...]]]:
    """Walk values of one type in parallel, as deep as their shapes agree: yield the type and values of each leaf."""
    match kind:
        case kinds.Metadata(type=inner):
            yield from places(inner, *values)
        case kinds.StructType(fields=fields):
            for field in fields:
                inner_values = [getattr(value, field.name) for value in values]
                if msgspec.UNSET not in inner_values:  # absent fields are skipped
                    yield from places(field.type, *inner_values)
        case kinds.VarTupleType(item_type=item) if len(set(map(len, values))) == 1:
            for items in zip(*values, strict=True):
                yield from places(item, *items)
        case kinds.UnionType() if not hidden(kind) and len(classes := set(map(type, values))) == 1:
            inner = type_info(classes.pop())
            yield from places(inner, *values) if isinstance(inner, kinds.StructType) else [(kind, values)]
        case _:
            yield kind, values


def tag(event: Any) -> str | None:
    return None if event is None else tag_of(event)


def tag_of(message: Any) -> str:
    return str(message.__struct_config__.tag)
