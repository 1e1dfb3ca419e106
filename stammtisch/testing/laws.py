"""The laws of every ruleset: functions of a play that raise AssertionError if the law is broken.

A play is a random game from its opening on, so the laws cover the events of the aggregate too. The laws are plain
functions of a ruleset and a table, so tests can check with planted faults that the laws find them.
"""

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count, zip_longest
from random import Random
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from domain import game as aggregate
from domain.codec import encode
from domain.fairness.chain import entry
from domain.fairness.chance import Chance, Dealer
from domain.game import Decision, Game, log
from domain.game.log import Entry, Stored
from domain.messages import Dealing
from domain.ruleset import UNDRAWN, Illegal, Result, Seat, Viewer, step_of
from domain.sentences import sentence
from stammtisch.testing import doing
from stammtisch.testing.asking import prompts
from stammtisch.testing.broken import Fault, Inapplicable
from stammtisch.testing.playing import (
    AT,
    ID,
    Choice,
    Lots,
    Play,
    Rules,
    Table,
    again,
    agrees,
    at_random,
    first_difference,
    hidden,
    nth,
    parts,
    place,
    places,
    played,
    record,
    tag,
    tag_of,
    type_of,
)

ENOUGH = 20_000
"""Upper limit of the moves of a random game (law 9)."""
MANY = 40
"""Number of moves, legal at some time in the game, that law 6 tries in each state."""

# --- the laws -----------------------------------------------------------------------------------------------------


def playing(play: Play) -> None:
    """Every seat to act has a legal move, and every listed move is accepted: else there is no play to look at."""


def replay(play: Play) -> None:
    """Law 1. Folding the stored events gives the state. The same moves and secret give the same events."""
    stored: Any = msgspec.json.Decoder(list[aggregate.event_type(play.rules)]).decode(encode(play.events))  # type: ignore[misc]
    game, events = Game(ID), iter(stored)
    for number, decision in enumerate(play.decisions):
        game = aggregate.fold(play.rules, game, [next(events) for _ in decision.events])
        if game != decision.game:
            raise Fault(f"the stored events give {first_difference(game, decision.game)}", play.at(number))
    decisions, choices = record(play.rules, play.table, again(play.choices))
    for number, (ours, theirs) in enumerate(zip(decisions, play.decisions, strict=False)):
        if ours != theirs:
            raise Fault(f"played again: {first_difference(ours.events, theirs.events)}", play.at(number))
    if (choices, decisions) != (play.choices, play.decisions):
        raise Fault("the same moves are no longer legal when they are played again", play.at(len(decisions) - 1))


def shadow(play: Play) -> None:
    """Law 2. Each view has the shape of the truth and agrees with it wherever it shows a face."""
    agreed: set[tuple[int, int]] = set()  # the play keeps all views, so ids are unique
    for viewer, views in play.views.items():
        for number, (view, truth) in enumerate(zip(views, play.games, strict=True)):
            if not agrees(view, truth, agreed):
                raise Fault(f"the view has {wrong(view.state, truth.state)}", play.at(number), viewer)


def wrong(view: Any, truth: Any, path: str = "") -> str:
    """Where a view does not agree with the truth."""
    for name in view.__struct_fields__ if type(view) is type(truth) and isinstance(view, msgspec.Struct) else ():
        ours, theirs = getattr(view, name), getattr(truth, name)
        if not agrees(ours, theirs):
            return wrong(ours, theirs, f"{path}{name}/")
    return f"{path.rstrip('/')}: {view!r} instead of {truth!r}"


def legality(play: Play) -> None:
    """Law 3. Every view yields the seats to act, and the seat's own view yields its legal moves."""
    rules, seats = play.rules, range(play.table.seats)
    for number, truth in enumerate(play.games):
        moves = [aggregate.legal(rules, truth, seat) for seat in seats]
        acting = tuple(seat for seat in seats if moves[seat])
        if (named := aggregate.to_act(rules, truth)) != acting:
            raise Fault(f"`to_act` gives {named}, legal moves have {acting}", play.at(number))
        for viewer in play.viewers:
            view = play.views[viewer][number]
            if (named := aggregate.to_act(rules, view)) != acting:
                raise Fault(f"`to_act` of the view gives {named} instead of {acting}", play.at(number), viewer)
            if viewer is not None and (listed := aggregate.legal(rules, view, viewer)) != moves[viewer]:
                raise Fault(f"`legal` of the view: {first_difference(listed, moves[viewer])}", play.at(number), viewer)


def redaction(play: Play) -> None:
    """Law 4. Redaction hides faces and changes nothing else. It is idempotent, and a bystander sees least."""
    rules = play.rules
    for viewer, seen in play.seen.items():
        for number, (event, shown, public) in enumerate(zip(play.events, seen, play.seen[None], strict=True)):
            open_event = type(event) in rules.open_events  # the service does not redact these
            broken = {
                "an open event is redacted": open_event and rules.redact(event, viewer) is not event,
                "the type of the event changes": type(shown) is not type(event),
                "more than faces changes": not agrees(shown, event),
                "a bystander sees more than this seat": not agrees(public, shown),
                "redacting twice hides more": aggregate.redact(rules, shown, viewer) != shown,
                "a bystander sees another event after this seat": aggregate.redact(rules, shown, None) != public,
                "an event with nothing hidden must stay the same object": shown is not event and shown == event,
            }
            if why := next((text for text, is_so in broken.items() if is_so), None):
                raise Fault(f"{why}: {shown}", play.event(number), viewer)


def secrecy(play: Play) -> None:
    """Law 5. None means hidden: wherever the type of an event allows it, a bystander sees None. What is absent is
    UNSET."""
    for number, event in enumerate(play.seen[None]):
        for kind, (face,) in places(type_of(event), event):
            if face is not None and hidden(kind):
                why = "None means hidden; use UNSET for what is absent"
                raise Fault(f"a bystander sees the face {face!r} in {event}: {why}", play.event(number), None)


def wire(play: Play) -> None:
    """Law 6, first half. Events, states, views and moves survive JSON."""
    rules = play.rules
    deck = next(iter(rules.decks.values()))
    events = msgspec.json.Decoder(aggregate.event_type(rules))
    # A state contains the name of its deck; the cards are in `opened`.
    states = msgspec.json.Decoder(rules.state, dec_hook=lambda _, name: {deck.name: deck}[name])
    moves = msgspec.json.Decoder(rules.move)
    for seen in (play.events, play.seen[None]):
        for number, event in enumerate(seen):
            survives(events, event, play.event(number))
    for games in (play.games, *play.views.values()):
        for number, game in enumerate(games):
            if game.state is not None:
                survives(states, game.state, play.at(number))
    for number, (_, move) in enumerate(play.choices, len(play.decisions) - len(play.choices)):
        survives(moves, move, play.at(number))


def survives(decoder: Any, value: Any, at: str) -> None:
    try:
        decoded = decoder.decode(encode(value))
    except (msgspec.MsgspecError, TypeError) as error:
        raise Fault(f"{error}: {value}", at) from None
    if decoded != value:
        raise Fault(f"JSON gives {first_difference(decoded, value)}", at)


def accepted(rules: Rules, state: Any, seat: Seat, move: Any) -> bool:
    try:
        return bool(rules.decide(state, seat, move))
    except Illegal as refusal:
        if refusal.args:
            raise Fault(f"{move}: Illegal has a reason, which can betray a hidden card") from None
        return False
    except Exception as error:
        raise Fault(f"{move} raised {error!r} instead of Illegal") from error


def completeness(play: Play) -> None:
    """Law 6, second half. Every listed move is accepted, every other well-formed move raises Illegal."""
    rules, seats = play.rules, range(play.table.seats)
    numbers = [number for number, game in enumerate(play.games) if game.state is not None]
    states = [play.games[number].state for number in numbers]
    known = list(dict.fromkeys(move for state in states for seat in seats for move in rules.legal(state, seat)))
    dice = Random(play.table.seed)
    for number, state in zip(numbers, states, strict=True):
        for seat in seats:
            listed = rules.legal(state, seat)
            if len(set(listed)) < len(listed):
                raise Fault("a move is listed twice", play.at(number), seat)
            some = dice.sample(known, min(MANY if listed else MANY // 8, len(known)))
            for move in dict.fromkeys((*listed, *some, *play.table.strangers)):
                try:
                    taken = accepted(rules, state, seat, move)
                except Fault as fault:
                    raise Fault(fault.what, play.at(number), seat) from fault.__cause__
                if taken != (move in listed):
                    why = "is accepted, and not listed" if taken else "is listed, and not accepted"
                    raise Fault(f"{move} {why}", play.at(number), seat)


def conservation(play: Play) -> None:
    """Law 7. From the first deal on the zones together hold exactly the deck, after every event.

    Cards that the rules only count (None) stand for the missing ones.
    """
    cards = play.rules.cards
    deck = Counter(deck_of(play.rules))
    if not deck:
        raise Inapplicable("the deck has no cards")
    begun = next(number for number, game in enumerate(play.games) if game.state)
    if not [*cards(play.games[begun].state)]:
        raise Fault("there are no cards after the first deal", play.at(begun))
    state, dealt, game = None, False, Game(ID)
    for number, event in enumerate(play.events):
        game = aggregate.evolve(play.rules, game, event)
        if game.state is None or game.state is state:
            continue
        state = game.state
        zones = Counter(cards(state))
        if not (dealt := dealt or bool(zones)):
            continue
        total = zones.total()
        del zones[None]
        if total != deck.total() or not zones <= deck:
            amiss = {"missing": deck - zones, "too many": zones - deck}
            which = "; ".join(f"{text}: {sorted(map(str, some.elements()))}" for text, some in amiss.items() if some)
            raise Fault(f"{total} cards instead of {deck.total()}; {which}", play.event(number))


def deck_of(rules: Rules) -> Sequence[Any]:
    """The cards of the default deck; none if it has no cards."""
    cards: Sequence[Any] = getattr(next(iter(rules.decks.values())), "cards", ())
    return cards


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
    happened = [event for decision in decisions for event in decision.events]
    for events in steps:
        if not isinstance(events[0], Dealing):
            number = next((at for at, event in enumerate(happened) if event is events[0]), len(happened) - 1)
            raise Fault(f"a step of the dealer begins with {events[0]}", nth(number, tag(events[0])))
    dealt = {number: event for number, event in enumerate(happened) if isinstance(event, Dealing)}
    if not len(dealt) == len(steps) == decisions[-1].game.dealt:
        last = max(dealt, default=len(happened) - 1)
        why = f"{len(steps)} steps of the dealer, and {len(dealt)} events that are a Dealing: {happened[last]}"
        raise Fault(why, nth(last, tag(happened[last])))
    for number, game in enumerate(play.games):
        if aggregate.to_act(play.rules, game) and (early := play.rules.deal(game.state, UNDRAWN)):
            raise Fault(f"while a seat has a legal move, `deal` gives {early[0]}", play.at(number))


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
            number = game.deals.get(kind, 0)
            derived = play.rules.deal(game.state, Dealer(secret, ID, entropies, kind, number))
            if events[: len(derived)] != derived:
                at = play.event(len(play.events) - len(events))
                raise Fault(f"the deal {kind}:{number} is another one when it is dealt again", at)
            done = derived
        else:
            done = events[:1]
        game, events = aggregate.fold(play.rules, game, done), events[len(done) :]


def tally(play: Play) -> None:
    """Every viewer gets the tally of the truth, or null where it depends on hidden cards."""
    rules = play.rules
    for number, truth in enumerate(play.games):
        if truth.state is None:
            continue
        full = rules.tally(truth.state)
        if len(full.points) != play.table.seats or None in full.points:
            raise Fault(f"the tally of the truth is {full.points}", play.at(number))
        for viewer in play.viewers:
            seen = rules.tally(play.views[viewer][number].state)
            pairs = [*zip(seen.points, full.points, strict=False)]
            if len(seen.points) != len(full.points) or any(ours not in (None, theirs) for ours, theirs in pairs):
                raise Fault(f"{seen.points} instead of {full.points}", play.at(number), viewer)
            if viewer is not None and seen.points[viewer] is None:
                raise Fault("the seat cannot count its own cards", play.at(number), viewer)
            if seen.values != full.values:
                raise Fault(f"values {seen.values} instead of {full.values}", play.at(number), viewer)


def features(play: Play) -> None:
    """Features are always as many whole numbers, and views of a seat with other legal moves have other features."""
    rules, seats = play.rules, range(play.table.seats)
    length, known = 0, dict[tuple[int, ...], Any]()
    for number, truth in enumerate(play.games):
        for seat in seats if truth.state is not None else ():
            view = play.views[seat][number].state
            numbers = tuple(rules.features(view, seat))
            length = length or len(numbers)
            if len(numbers) != length or not {*map(type, numbers)} <= {int, bool}:
                raise Fault(f"{len(numbers)} numbers instead of {length}, or not whole ones", play.at(number), seat)
            moves = rules.legal(view, seat)
            if sorted(map(repr, known.setdefault(numbers, moves))) != sorted(map(repr, moves)):
                raise Fault(f"the same features for {known[numbers]} and for {moves}", play.at(number), seat)


def bots(play: Play) -> None:
    """Every bot chooses an index of its legal moves from its view, and the same dice give the same choice."""
    rules = play.rules
    for number, game in enumerate(play.games):
        for seat in aggregate.to_act(rules, game):
            view = play.views[seat][number].state
            moves = rules.legal(view, seat)
            for name, choose in rules.bots.items():
                chosen = [choose(view, seat, moves, Lots(number)) for _ in range(2)]
                if chosen[0] != chosen[1]:
                    raise Fault(f"{name} chooses {chosen} with the same dice", play.at(number), seat)
                if type(chosen[0]) is not int or not 0 <= chosen[0] < len(moves):
                    raise Fault(f"{name} chooses {chosen[0]!r} of {len(moves)} moves", play.at(number), seat)


def labels(play: Play) -> None:
    """Every event of the rules becomes a sentence in both languages, and no label names what does not exist."""
    rules, names = play.rules, [f"Player {seat}" for seat in range(play.table.seats)]
    tags = {part: {str(tag_of(kind)) for kind in members(getattr(rules, part))} for part in ("move", "event")}
    for language, found in rules.labels.items():
        given = {"moves": tags["move"], "events": tags["event"], "sentences": tags["event"]}
        given |= {"options": {*rules.options.__struct_fields__}, "bots": {*rules.house}, "quiet": tags["event"]}
        for part, there in given.items():
            if strange := {*getattr(found, part)} - there:
                raise Fault(f"{language}/{part} names {min(strange)!r}, which does not exist", "labels.json")
        for number, event in enumerate(play.events):
            if tag(event) not in tags["event"]:
                continue
            for seen in (event, play.seen[None][number]):
                try:
                    sentence(found, seen, names)
                except Exception as error:
                    raise Fault(f"the sentence {language}/{tag(event)}: {error!r}", play.event(number)) from None
    prompts(play)


def members(union: Any) -> tuple[Any, ...]:
    return get_args(union) or (union,)


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
        self.happened = 0
        self.at = ""

    def happen(self, a: Any, b: Any) -> None:
        """Add one event of each world."""
        self.happened += 1
        self.at = f"event {self.happened} of the game, {tag(a)}"
        if type(a) is not type(b):
            raise Fault(f"the type of an event depends on a hidden card: {a} or {b}", self.at)
        if isinstance(a, Dealing):
            self.faces.update(pair for x, y in unlike(a, b) for pair in ((x, y), (y, x)))
        looks = {v: tuple(aggregate.redact(self.rules, event, v) for event in (a, b)) for v in self.views}
        told = {viewer for viewer, (x, y) in looks.items() if x != y and self.secretly(x, y)}
        if None in told:
            raise Fault(f"a bystander sees a hidden card: {a} or {b}", self.at, None)
        if self.table.seats > 2 and len(told) == self.table.seats:
            raise Fault(f"every seat sees a hidden card: {a} or {b}", self.at)
        for viewer in list(self.blind):
            x, y = looks[viewer]
            ours, theirs = self.views[viewer]
            self.views[viewer] = aggregate.evolve(self.rules, ours, x), aggregate.evolve(self.rules, theirs, y)
            if x != y:
                strange = [pair for pair in unlike(x, y) if pair not in self.faces]
                if strange:
                    raise Fault(f"{strange[0][0]!r} or {strange[0][1]!r} in {x}", self.at, viewer)
                self.blind.discard(viewer)

    @staticmethod
    def secretly(a: Any, b: Any) -> bool:
        """Whether they differ in a field that can be hidden."""
        return type(a) is type(b) and any(
            hidden(kind) and len(set(faces)) > 1 for kind, faces in places(type_of(a), a, b)
        )

    def compare(self, a: Decision, b: Decision) -> None:
        """Compare everything else that a viewer receives: actors, views, seats to act, legal moves, hashes."""
        if a.by != b.by:
            raise Fault(f"events are by {a.by} or {b.by}", self.at)
        ours, theirs = entries_of(self.rules, a), entries_of(self.rules, b)
        for viewer in self.blind:
            x, y = self.views[viewer]
            if encode(x) != encode(y):
                raise Fault(f"the views differ, {first_difference(x.state, y.state)}", self.at, viewer)
            if told(self.rules, ours, viewer) != told(self.rules, theirs, viewer):
                raise Fault("the entries of the log differ", self.at, viewer)
            if aggregate.to_act(self.rules, a.game) != aggregate.to_act(self.rules, b.game):
                raise Fault("other seats are to act", self.at, viewer)
            if viewer is not None and self.legal(a, viewer) != self.legal(b, viewer):
                raise Fault("the legal moves differ", self.at, viewer)

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
            if shown != [move if viewer == seat else msgspec.UNSET, *rest]:
                raise Fault(f"of the move of seat {seat} this viewer is shown {shown}", play.at(number), viewer)
        for each in entries:
            public = log.redacted(rules, each, None)
            text = entry(each.version, each.at, each.by, public.event, each.more, each.acting)
            if sha256(text).hexdigest() != each.public:
                raise Fault("the public hash depends on what a bystander does not see", play.at(number), None)
        another = dice.choice(aggregate.legal(rules, before, seat))
        elsewhere = entries_of(rules, doing.move(rules, before, seat, another))
        for viewer in play.viewers:
            one, other = ([log.redacted(rules, e, viewer) for e in each] for each in (entries, elsewhere))
            alike = viewer != seat and [(e.event, e.acting) for e in one] == [(e.event, e.acting) for e in other]
            if alike and told(rules, entries, viewer) != told(rules, elsewhere, viewer):
                raise Fault(f"{move} leaves other entries than {another}", play.at(number), viewer)


def two_worlds(rules: Rules, table: Table) -> None:
    """Law 8. With two cards exchanged and the same moves, no viewer can tell the worlds apart without seeing one.

    A leak to exactly one wrong seat looks like the owner's knowledge here. One example for each secret event covers it.
    """
    if not hides(rules):
        raise Inapplicable("no event hides anything")
    if not deals(rules):
        raise Inapplicable("nothing is dealt, so no two cards can be exchanged")
    choices: list[Choice] = []
    ours = played(rules, table, at_random(Random(table.seed)), choices)
    theirs = played(exchanging(rules, *table.exchange), table, again(choices), [])
    worlds = Worlds(rules, table)
    for a, b in zip(ours, theirs, strict=False):  # the second world ends when a move is illegal there
        for x, y in zip_longest(a.events, b.events):
            if not worlds.blind or (x != y and {tag(x), tag(y)} & rules.telling):
                return
            worlds.happen(x, y)
        worlds.compare(a, b)


def hides(rules: Rules) -> bool:
    """Whether some event can hide something."""
    return len(rules.open_events) < len(members(rules.event))


def deals(rules: Rules) -> bool:
    return any(issubclass(kind, Dealing) for kind in members(rules.event))


def termination(rules: Rules, table: Table) -> None:
    """Law 9. Random play ends: with a result, with winners among the seats, with no seat to act."""
    decisions, choices = record(rules, table._replace(moves=ENOUGH), at_random(Random(table.seed)))
    game, at = decisions[-1].game, place(decisions, len(decisions) - 1)
    result = game.result
    if game.status != "finished" or result is None:
        raise Fault(f"after {len(choices)} moves: {game.status}, {game.state}", at)
    if why := unfit(result, table.seats):
        raise Fault(f"{why}: {result}", at)
    if acting := aggregate.to_act(rules, game):
        raise Fault(f"the game is over, and the seats {acting} are to act", at)


def unfit(result: Result, seats: int) -> str | None:
    """What is wrong with a result; None if nothing is. The standings rely on it.

    All winners have the best score, highest or lowest; a tie-break may choose among them. Ranks say it otherwise.
    """
    scores, winners = result.scores, {*result.winners}
    ranks = () if isinstance(result.ranks, msgspec.UnsetType) else result.ranks
    teams = [(seat,) for seat in range(seats)] if isinstance(result.teams, msgspec.UnsetType) else result.teams
    if len(scores) != seats or not winners <= {*range(seats)}:
        return "not one score for each seat, or winners that are no seats"
    if ranks and len(ranks) != seats:
        return "not one rank for each seat"
    if sorted([seat for team in teams for seat in team]) != [*range(seats)]:
        return "the teams do not have every seat once"
    if any(winners & {*team} not in (set(), {*team}) for team in teams):
        return "a team has won in part"
    if any(len({scores[seat] for seat in team}) > 1 for team in teams):
        return "the seats of a team have different scores"
    if not winners:
        return None if len(teams) == 1 else "nobody has won, and the seats are no single team"
    if ranks:
        return None if {ranks[seat] for seat in winners} == {min(ranks)} else "somebody wins without the first rank"
    best = {scores[seat] for seat in winners} in ({max(scores)}, {min(scores)})
    return None if best else "somebody wins without the best score"


OF_ONE_PLAY = (
    playing, replay, shadow, legality, redaction, secrecy, wire, completeness, conservation, dealing, fairness, moves,
    tally,
)  # fmt: skip
FOR_AUTHORS = (features, bots, labels)
"""What other tests of this project check at length."""
