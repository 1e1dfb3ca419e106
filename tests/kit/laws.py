"""The laws of every ruleset: functions of a play that raise AssertionError if the law is broken.

A play is a random game from its opening on, so the laws cover the events of the aggregate too. The laws are plain
functions of a ruleset and a table, so tests can check with planted faults that the laws find them.
"""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from hashlib import sha256
from itertools import count, dropwhile, zip_longest
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect as kinds
from msgspec.structs import replace

from domain import game as aggregate
from domain.codec import encode
from domain.fairness.chain import entry
from domain.fairness.chance import Chance, Dealer
from domain.game import Decision, Game, log
from domain.game.log import Entry, Stored
from domain.messages import Dealing
from domain.ruleset import UNDRAWN, Illegal, Ruleset, Seat, Viewer, step_of
from tests.kit import doing
from tests.kit.zones import CARDS, TELLING

Rules = Ruleset[Any, Any, Any]

ID = "018f3c2e-7b1a-7c3d-9e4f-0123456789ab"
AT = "2026-01-01T00:00:00.000000Z"
ENOUGH = 20_000
"""Upper limit of the moves of a random game (law 9)."""
MANY = 40
"""Number of moves, legal at some time in the game, that law 6 tries in each state."""


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
        assert moves, f"seat {seat} is to act and has no move"
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
    decisions = list(sitting_down(rules, table))
    choices: list[Choice] = []
    while len(choices) < table.moves and (choice := choose(rules, decisions[-1].game)):
        choices.append(choice)
        try:
            decisions.append(doing.move(rules, decisions[-1].game, *choice))
        except Illegal:
            raise AssertionError(f"a listed move was refused: {choice}") from None
    return decisions, choices


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
        states = []
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

    def develop(self, viewer: Viewer) -> Iterator[Game]:
        view, seen = Game(ID), iter(self.seen[viewer])
        for decision in self.decisions:
            view = aggregate.fold(self.rules, view, [next(seen) for _ in decision.events])
            yield view


# --- comparing ----------------------------------------------------------------------------------------------------


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
def type_info(cls: type[Any]) -> kinds.Type:
    return kinds.type_info(cls)


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


# --- the laws -----------------------------------------------------------------------------------------------------


def replay(play: Play) -> None:
    """Law 1. Folding the stored events gives the state. The same moves and secret give the same events."""
    stored = msgspec.json.Decoder(list[aggregate.event_type(play.rules)]).decode(encode(play.events))
    game, events = Game(ID), iter(stored)
    for decision in play.decisions:
        game = aggregate.fold(play.rules, game, [next(events) for _ in decision.events])
        assert game == decision.game
    decisions, choices = record(play.rules, play.table, again(play.choices))
    assert (choices, decisions) == (play.choices, play.decisions)


def shadow(play: Play) -> None:
    """Law 2. Each view has the shape of the truth and agrees with it wherever it shows a face."""
    agreed: set[tuple[int, int]] = set()  # the play keeps all views, so ids are unique
    for viewer, views in play.views.items():
        for view, truth in zip(views, play.games, strict=True):
            assert agrees(view, truth, agreed), (
                f"the view of seat {viewer} is wrong: {view.state} instead of {truth.state}"
            )


def legality(play: Play) -> None:
    """Law 3. Every view yields the seats to act, and the seat's own view yields its legal moves."""
    rules, seats = play.rules, range(play.table.seats)
    for number, truth in enumerate(play.games):
        moves = [aggregate.legal(rules, truth, seat) for seat in seats]
        acting = tuple(seat for seat in seats if moves[seat])
        assert aggregate.to_act(rules, truth) == acting
        for viewer in play.viewers:
            view = play.views[viewer][number]
            assert aggregate.to_act(rules, view) == acting
            assert viewer is None or aggregate.legal(rules, view, viewer) == moves[viewer]


def redaction(play: Play) -> None:
    """Law 4. Redaction hides faces and changes nothing else. It is idempotent, and a bystander sees least."""
    for viewer, seen in play.seen.items():
        for event, shown, public in zip(play.events, seen, play.seen[None], strict=True):
            if type(event) in play.rules.open_events:  # the service does not redact these
                assert play.rules.redact(event, viewer) is event
            assert type(shown) is type(event)
            assert agrees(shown, event)
            assert agrees(public, shown)
            assert aggregate.redact(play.rules, shown, viewer) == shown
            assert aggregate.redact(play.rules, shown, None) == public
            assert shown is event or shown != event, "an event with nothing hidden must stay the same object"


def secrecy(play: Play) -> None:
    """Law 5. Wherever a type allows None, the bystander sees None."""
    for event in play.seen[None]:
        for kind, (face,) in places(type_info(type(event)), event):
            assert face is None or not hidden(kind), f"a bystander sees {face} in {event}"


def wire(play: Play) -> None:
    """Law 6, first half. Events, states, views and moves survive JSON."""
    rules = play.rules
    deck = next(iter(rules.decks.values()))
    events = msgspec.json.Decoder(aggregate.event_type(rules))
    # A state contains the name of its deck; the cards are in `opened`.
    states = msgspec.json.Decoder(rules.state, dec_hook=lambda _, name: {deck.name: deck}[name])
    moves = msgspec.json.Decoder(rules.move)
    for event in [*play.events, *play.seen[None]]:
        assert events.decode(encode(event)) == event
    for game in [game for games in (play.games, *play.views.values()) for game in games if game.state is not None]:
        assert states.decode(encode(game.state)) == game.state
    for _, move in play.choices:
        assert moves.decode(encode(move)) == move


def accepted(rules: Rules, state: Any, seat: Seat, move: Any) -> bool:
    try:
        return bool(rules.decide(state, seat, move))
    except Illegal as refusal:
        assert not refusal.args, "a reason can betray a hidden card"
        return False
    except Exception as error:
        raise AssertionError(f"{move} raised {error!r} instead of Illegal") from error


def completeness(play: Play) -> None:
    """Law 6, second half. Every listed move is accepted, every other well-formed move raises Illegal."""
    rules, seats = play.rules, range(play.table.seats)
    states = [game.state for game in play.games if game.state is not None]
    known = list(dict.fromkeys(move for state in states for seat in seats for move in rules.legal(state, seat)))
    dice = Random(play.table.seed)
    for state in states:
        for seat in seats:
            listed = rules.legal(state, seat)
            assert len(set(listed)) == len(listed), "a move is listed twice"
            some = dice.sample(known, min(MANY if listed else MANY // 8, len(known)))
            for move in dict.fromkeys((*listed, *some, *play.table.strangers)):
                assert accepted(rules, state, seat, move) == (move in listed), f"seat {seat}: {move}"


def conservation(play: Play) -> None:
    """Law 7. From the first deal on the zones together hold exactly the deck, after every event.

    Cards that the rules only count (None) stand for the missing ones.
    """
    cards = CARDS[play.rules.name]
    deck = Counter(next(iter(play.rules.decks.values())).cards)
    assert [*cards(next(game.state for game in play.games if game.state))], "there are no cards after the first deal"
    for zones in dropwhile(lambda zones: not zones, (Counter(cards(state)) for state in play.states)):
        assert zones.total() == deck.total()
        del zones[None]
        assert zones <= deck


def dealing(play: Play) -> None:
    """Chance enters through steps of the dealer only: the first event of each is a Dealing, and no other event is.

    The dealer does nothing while a seat has a legal move.
    """
    steps: list[list[Any]] = []

    def watched(state: Any, chance: Chance) -> list[Any]:
        events = play.rules.deal(state, chance)
        if events and chance is not UNDRAWN:
            steps.append(events)
        return events

    decisions, _ = record(dataclasses.replace(play.rules, deal=watched), play.table, again(play.choices))
    assert all(isinstance(events[0], Dealing) for events in steps)
    assert sum(isinstance(event, Dealing) for decision in decisions for event in decision.events) == len(steps)
    assert decisions[-1].game.dealt == len(steps)
    for game in play.games:
        if aggregate.to_act(play.rules, game):
            assert not play.rules.deal(game.state, UNDRAWN), "dealt while a seat has a move"


def fairness(play: Play) -> None:
    """Every step of the dealer follows from the secret, the entropies, the step's event and its number.

    So the n-th deal of a kind is the same, whatever else was shuffled before.
    """
    game, events = Game(ID), list(play.events)
    terms = play.events[0]
    while events:
        if isinstance(events[0], Dealing):
            secret, entropies = bytes.fromhex(terms.secret), game.entropies
            kind = step_of(events[0])
            count = game.deals.get(kind, 0)
            derived = play.rules.deal(game.state, Dealer(secret, ID, entropies, kind, count))
            assert events[: len(derived)] == derived, f"step {kind}:{count} does not follow from the secret"
            done = derived
        else:
            done = events[:1]
        game, events = aggregate.fold(play.rules, game, done), events[len(done) :]


def exchanging(rules: Rules, nth: int, one: int, other: int) -> Rules:
    """The same rules with two cards exchanged in the n-th shuffle."""
    shuffles = count()

    class Exchanged:
        def __init__(self, chance: Chance) -> None:
            self.chance, self.below = chance, chance.below

        def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
            cards = list(self.chance.shuffled(items))
            if next(shuffles) == nth and len(set(cards)) > 1:
                i, j = one % len(cards), other % len(cards)
                while cards[i] == cards[j]:  # an exchange of equal cards would change nothing
                    j = (j + 1) % len(cards)
                cards[i], cards[j] = cards[j], cards[i]
            return tuple(cards)

    def deal(state: Any, chance: Chance) -> list[Any]:
        return rules.deal(state, chance if chance is UNDRAWN else Exchanged(chance))

    return dataclasses.replace(rules, deal=deal)


def unlike(a: Any, b: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the pairs of smallest parts in which two values differ."""
    if a == b:
        return
    ours, theirs = parts(a), parts(b)
    if type(a) is type(b) and ours is not None and theirs is not None and len(ours) == len(theirs):
        for pair in zip(ours, theirs, strict=True):
            yield from unlike(*pair)
    else:
        yield a, b


class Worlds:
    """Two worlds side by side, and the viewers who must not be able to tell them apart yet (`blind`).

    A viewer who sees one of the exchanged faces where the rules show it may tell the worlds apart from then on. Until
    then the viewer's whole transcript must be the same in both worlds.
    """

    def __init__(self, rules: Rules, table: Table) -> None:
        self.rules, self.table = rules, table
        self.blind: set[Viewer] = {None, *range(table.seats)}
        self.faces: set[tuple[Any, Any]] = set()
        self.views: dict[Viewer, tuple[Game, Game]] = {viewer: (Game(ID), Game(ID)) for viewer in self.blind}

    def happen(self, a: Any, b: Any) -> None:
        """Add one event of each world."""
        assert type(a) is type(b), f"the type of an event depends on a hidden card: {a}, {b}"
        if isinstance(a, Dealing):
            self.faces.update(pair for x, y in unlike(a, b) for pair in ((x, y), (y, x)))
        looks = {v: tuple(aggregate.redact(self.rules, event, v) for event in (a, b)) for v in self.views}
        told = {viewer for viewer, (x, y) in looks.items() if x != y and self.secretly(x, y)}
        assert None not in told, f"a bystander sees a hidden card: {a}, {b}"
        assert self.table.seats == 2 or len(told) < self.table.seats, f"every seat sees a hidden card: {a}, {b}"
        for viewer in list(self.blind):
            x, y = looks[viewer]
            self.views[viewer] = tuple(
                aggregate.evolve(self.rules, view, event)
                for view, event in zip(self.views[viewer], looks[viewer], strict=True)
            )
            if x != y:
                strange = [pair for pair in unlike(x, y) if pair not in self.faces]
                assert not strange, f"seat {viewer} tells the worlds apart by {strange}: {x}, {y}"
                self.blind.discard(viewer)

    @staticmethod
    def secretly(a: Any, b: Any) -> bool:
        """Whether they differ in a field that can be hidden."""
        return type(a) is type(b) and any(
            hidden(kind) and len(set(faces)) > 1 for kind, faces in places(type_info(type(a)), a, b)
        )

    def compare(self, a: Decision, b: Decision) -> None:
        """Compare everything else that a viewer receives: actors, views, seats to act, legal moves, hashes."""
        assert a.by == b.by
        ours, theirs = entries_of(self.rules, a), entries_of(self.rules, b)
        for viewer in self.blind:
            x, y = self.views[viewer]
            assert encode(x) == encode(y)
            assert told(self.rules, ours, viewer) == told(self.rules, theirs, viewer)
            assert aggregate.to_act(self.rules, a.game) == aggregate.to_act(self.rules, b.game)
            assert viewer is None or self.legal(a, viewer) == self.legal(b, viewer)

    def legal(self, decision: Decision, seat: Seat) -> list[Any]:
        return aggregate.legal(self.rules, decision.game, seat)


def entries_of(rules: Rules, decision: Decision) -> tuple[Stored[Any, Any], ...]:
    """The entries that the service would append. The head before them makes no difference to a viewer."""
    return log.written(rules, decision, b"", AT)


def told(rules: Rules, entries: Sequence[Stored[Any, Any]], viewer: Viewer) -> list[Entry[Any, Any]]:
    """What the viewer gets of the entries, without the hashes that differ by design: those of the salted events, and
    for a seat the public ones, because a bystander may know a card that the seat does not know yet."""
    shown = [log.redacted(rules, entry, viewer) for entry in entries]
    return [replace(e, secret="", head="", public=e.public if viewer is None else "") for e in shown]


def moves(play: Play) -> None:
    """A move is shown to the seat that made it and to nobody else, and the public hash follows from what a bystander
    gets. A viewer who is told the same about two choices gets the same entries."""
    rules, dice = play.rules, Random(play.table.seed)
    made = len(play.decisions) - len(play.choices)
    for number, (seat, move) in enumerate(play.choices, made):
        before, decision = play.games[number - 1], play.decisions[number]
        entries = entries_of(rules, decision)
        for viewer in play.viewers:
            shown = [log.redacted(rules, each, viewer).move for each in entries]
            rest = [msgspec.UNSET] * (len(entries) - 1)
            assert shown == [move if viewer == seat else msgspec.UNSET, *rest], f"seat {viewer} is shown {shown}"
        for each in entries:
            public = log.redacted(rules, each, None)
            text = entry(each.version, each.at, each.by, public.event, each.more, each.acting)
            assert sha256(text).hexdigest() == each.public, "the public hash depends on what a bystander does not see"
        another = dice.choice(aggregate.legal(rules, before, seat))
        elsewhere = entries_of(rules, doing.move(rules, before, seat, another))
        for viewer in play.viewers:
            one, other = ([log.redacted(rules, e, viewer) for e in each] for each in (entries, elsewhere))
            if viewer != seat and [(e.event, e.acting) for e in one] == [(e.event, e.acting) for e in other]:
                assert told(rules, entries, viewer) == told(rules, elsewhere, viewer), f"{move} differs from {another}"


def two_worlds(rules: Rules, table: Table) -> None:
    """Law 8. With two cards exchanged and the same moves, no viewer can tell the worlds apart without seeing one.

    A leak to exactly one wrong seat looks like the owner's knowledge here. One example for each secret event covers it.
    """
    ours, choices = record(rules, table, at_random(Random(table.seed)))
    theirs, _ = record(exchanging(rules, *table.exchange), table, again(choices))
    telling = TELLING.get(rules.name, frozenset())
    worlds = Worlds(rules, table)
    for a, b in zip(ours, theirs, strict=False):  # the second world ends when a move is illegal there
        for x, y in zip_longest(a.events, b.events):
            if not worlds.blind or (x != y and {tag(x), tag(y)} & telling):
                return
            worlds.happen(x, y)
        worlds.compare(a, b)


def tag(event: Any) -> str | None:
    return None if event is None else event.__struct_config__.tag


def termination(rules: Rules, table: Table) -> None:
    """Law 9. Random play ends: with a result, with winners among the seats, with no seat to act."""
    decisions, choices = record(rules, table._replace(moves=ENOUGH), at_random(Random(table.seed)))
    game = decisions[-1].game
    assert game.status == "finished", f"after {len(choices)} moves: {game.state}"
    assert game.result is not None
    assert len(game.result.scores) == table.seats
    assert game.result.winners
    assert set(game.result.winners) <= set(range(table.seats))
    # The standings rely on it: all winners have the best score, highest or lowest. A tie-break may choose among them.
    winning = {game.result.scores[seat] for seat in game.result.winners}
    assert winning in ({max(game.result.scores)}, {min(game.result.scores)}), "somebody wins without the best points"
    assert not aggregate.to_act(rules, game)


OF_ONE_PLAY = (
    replay, shadow, legality, redaction, secrecy, wire, completeness, conservation, dealing, fairness, moves,
)  # fmt: skip
