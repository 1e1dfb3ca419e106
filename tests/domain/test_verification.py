"""The proof of a game: whatever was played honestly is right, and each check finds what it is there for."""

import json
from collections.abc import Callable
from dataclasses import replace as with_
from random import Random
from typing import Any, TypeAlias

import pytest
from msgspec.structs import replace

from domain import chain, game, record, verification
from domain.deck import Deck, DeckData
from domain.game import Left, Player, Rules
from domain.messages import Event, Move, Value
from domain.record import Record, Unreadable, sealed, seen
from domain.ruleset import Illegal, Result, Ruleset
from domain.rulesets import VERSIONS
from domain.verification import Check, flawless, verify
from tests.laws import ID
from tests.verifiers import samples
from tests.verifiers.samples import AnyRecord, plain

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))

RULES = next(iter(VERSIONS.values()))
ALL = ["format", "header", "versions", "times", "public", "secret", "heads", "commitment", "rules", "deals"]


def failures(checks: tuple[Check, ...]) -> dict[str, int | None]:
    """The first bad version by the name of the check."""
    assert all(check.detail for check in checks)
    return {check.name: check.version for check in checks if check.ok is False}


# --- what is right ------------------------------------------------------------------------------------------------


@every_ruleset
def test_whatever_was_played_is_right(rules: Rules):
    """With any number of seats and any options, to the end."""
    for seats in rules.seats:
        for seed in range(3):
            checks = verify(samples.finished(rules, seats, seed))
            assert [check.name for check in checks] == ALL
            assert all(check.ok for check in checks), checks


@every_ruleset
def test_a_branch_is_right_and_so_is_a_table_that_was_given_up(rules: Rules):
    for found in (samples.branched(rules, 0), samples.branched(rules, 1), samples.given_up(rules)):
        assert all(check.ok for check in verify(found)), verify(found)


@every_ruleset
def test_a_game_that_runs_is_right_as_far_as_it_has_come(rules: Rules):
    """For who keeps its log everything, for everybody else what can be known; and no check claims more."""
    for seats in rules.seats:
        whole = samples.running(rules, seats, 0)
        assert all(check.ok for check in verify(whole, running=True))
        assert failures(verify(whole)) == {"rules": len(whole.events) + 1}
        for shown in (seen(rules, whole, None), sealed(rules, whole), *(seen(rules, whole, s) for s in range(seats))):
            found = {check.name: check.ok for check in verify(shown)}
            unknown = dict.fromkeys(("secret", "commitment", "rules", "deals"))
            assert found == {"order": True} | dict.fromkeys(ALL, True) | unknown


@every_ruleset
def test_at_every_version_a_record_is_right(rules: Rules):
    """Wherever a game is looked at between two appends, from the opening on."""
    played = samples.decisions(rules, rules.seats[0], 0)
    log, end = samples.log_of(rules, played), 0
    for decided in played[:12]:
        end += len(decided.events)
        whole = record.of(ID, log[:end])
        assert all(check.ok for check in verify(whole, running=True))
        assert flawless(verify(seen(rules, whole, 0)))


@every_ruleset
def test_of_one_seats_record_of_a_game_that_is_over_the_open_events_are_proved(rules: Rules):
    found = {check.name: check.ok for check in verify(seen(rules, samples.shortest(rules, rules.seats[0]), 0))}
    assert found["commitment"] is True
    assert (found["secret"], found["rules"], found["deals"]) == (None, None, None)


def test_a_head_that_was_seen_is_a_receipt():
    whole = samples.shortest(RULES, RULES.seats[0])
    for entry in whole.events[:: len(whole.events) // 5]:
        assert flawless(verify(whole, head=entry.head))
    assert failures(verify(whole, head="0" * 64)) == {"receipt": None}


# --- what is wrong ------------------------------------------------------------------------------------------------


def changed(whole: AnyRecord, number: int, **fields: Any) -> AnyRecord:
    """With other fields in the entry at that place."""
    events = list(whole.events)
    events[number] = replace(events[number], **fields)
    return replace(whole, events=tuple(events))


def rechained(rules: Rules, whole: AnyRecord) -> AnyRecord:
    """With all hashes computed anew, as everybody can once the secret is known."""
    head, entries = chain.root(whole.id), []
    for version, entry in enumerate(whole.events, 1):
        shown = game.redact(rules, entry.event, None)
        texts = (chain.entry(version, entry.at, entry.by, event) for event in (shown, entry.event))
        link = chain.link(head, bytes.fromhex(whole.secret or ""), version, *texts)
        head = link.head
        entries.append(
            replace(entry, version=version, public=link.public.hex(), secret=link.secret.hex(), head=head.hex())
        )
    return replace(whole, events=tuple(entries), head=head.hex())


WHOLE = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("forge", "found"),
    [
        (lambda r: replace(r, format="x/1"), {"format": None}),
        (lambda r: replace(r, rules="x/1"), {"format": None}),
        (lambda r: replace(r, events=()), {"format": 1}),
        (lambda r: replace(r, events=r.events[1:]), {"format": 1}),
        (lambda r: replace(r, ruleset="x"), {"header": None}),
        (lambda r: replace(r, result=None), {"header": None}),
        (lambda r: replace(r, seats=r.seats[::-1]), {"header": None}),
        (lambda r: replace(r, head=WHOLE), {"header": None}),
        (lambda r: replace(r, secret=None), {"header": None}),
        (lambda r: replace(r, commitment=WHOLE), {"header": None}),
        (lambda r: changed(r, 4, version=6), {"versions": 5}),
        (lambda r: changed(r, 4, public=WHOLE), {"public": 5, "heads": 5}),
        (lambda r: changed(r, 4, secret=WHOLE), {"secret": 5, "heads": 5}),
        (lambda r: changed(r, 4, secret=r.events[4].secret.upper()), {"secret": 5, "heads": 5}),
        (lambda r: changed(r, 4, head=WHOLE), {"heads": 5}),
        (lambda r: changed(r, 4, at="2026-11-20T07:00:00.000000Z"), {"times": 5, "public": 5, "secret": 5}),
        (lambda r: rechained(RULES, changed(r, 4, at="yesterday")), {"times": 5}),
        (lambda r: rechained(RULES, changed(r, 4, at="2026-13-20T08:00:00.000000Z")), {"times": 5}),
        (lambda r: rechained(RULES, changed(r, 4, at="2026-11-20T07:00:00.000000Z")), {"times": 5}),
        (lambda r: rechained(RULES, changed(r, 1, by=1)), {"rules": 2}),
        (lambda r: rechained(RULES, changed(r, -1, by=0)), {"rules": -1}),
        (lambda r: rechained(RULES, replace(r, events=r.events[:-1])), {"rules": 0}),
        (lambda r: rechained(RULES, replace(r, events=(*r.events, r.events[-1]))), {"rules": -1}),
    ],
)  # fmt: skip
def test_each_check_finds_what_it_is_there_for(forge: Callable[[AnyRecord], AnyRecord], found: dict[str, int | None]):
    """Where the hashes are right, too: then the rules tell. A negative version counts from behind the forged end."""
    forged = forge(samples.shortest(RULES, RULES.seats[0]))
    length = len(forged.events)
    expected = {name: length + 1 + at if at is not None and at < 1 else at for name, at in found.items()}
    assert expected.items() <= failures(verify(forged)).items()
    assert len(set(failures(verify(forged))) - set(expected) - {"rules", "deals", "public", "secret", "heads"}) == 0


@every_ruleset
def test_an_invented_event_is_found_where_it_stands_though_every_hash_is_right(rules: Rules):
    """Every event is put in the place of every other one of its kind that is not the same."""
    whole = samples.shortest(rules, rules.seats[0])
    dice = Random(1)
    for number in dice.sample(range(1, len(whole.events) - 1), 12):
        entry = whole.events[number]
        others = [e.event for e in whole.events if type(e.event) is type(entry.event) and e.event != entry.event]
        if others:
            forged = rechained(rules, changed(whole, number, event=dice.choice(others)))
            found = failures(verify(replace(forged, result=record.result([e.event for e in forged.events]))))
            assert set(found) <= {"rules", "deals", "header"}, entry.event
            # Another move may have been as legal; then it is what comes next that does not follow.
            assert min(at or 1 for at in found.values()) >= (1 if "header" in found else number - 8), entry.event
            assert found


@every_ruleset
def test_nonsense_never_raises(rules: Rules):
    """Fields of events that no rules have ever written, whatever can be read: everything is a failed check."""
    dice, tried = Random(2), 0
    whole = samples.shortest(rules, rules.seats[0])
    for _ in range(400):
        base = dice.choice([whole, seen(rules, whole, None)])
        number = dice.randrange(len(base.events))
        event = plain(base)["events"][number]["event"]
        paths = [path for path in samples.places(event) if path and path != ("type",)]
        gone = [entry for entry in base.events[number + 1 : number + 2] if isinstance(entry.event, Left)]
        if not paths or gone:  # it makes no difference who stood up again
            continue
        made = plain(base)
        path = dice.choice(paths)
        inside = samples.at(made["events"][number]["event"], path[:-1])
        inside[path[-1]] = dice.choice([-1, -2, 99, 2**62, None, "x", [], [[]], [None] * 3, True, {}])
        if samples.same(made, plain(base)):
            continue
        try:
            forged = record.decode(json.dumps(made).encode())
        except Unreadable:
            continue
        tried += 1
        assert not flawless(verify(forged)) or plain(seen(rules, forged, None)) == plain(seen(rules, base, None)), path
        assert not flawless(verify(rechained(rules, forged))) or base is not whole, path
        verify(rechained(rules, replace(forged, id="x", seats=())), running=True)
    assert tried > 40


# --- finding the moves --------------------------------------------------------------------------------------------


class Step(Move):
    """Only from the start."""

    card: int


class Leap(Move):
    """Two steps at once. Its `card` is not that of the event."""

    card: int


class Stepped(Event):
    """The beginning of a leap looks like a step."""

    card: int


Moves: TypeAlias = Step | Leap


class Options(Value, forbid_unknown_fields=True):
    pass


class ToyDeck(Deck[DeckData]):
    __slots__ = ()
    data_type = DeckData


class State(Value):
    steps: int = 0


def toy_decide(state: State, _: int, move: Moves) -> list[Any]:
    if move not in toy_legal(state, 0):
        raise Illegal
    return [Stepped(5)] * (2 if isinstance(move, Leap) else 1)


def toy_legal(state: State, seat: int) -> list[Moves]:
    if seat or state.steps >= 5:
        return []
    return [Leap(1), Step(5)] if state.steps == 0 else [Leap(1)]


TOY: Rules = Ruleset(
    name="toy", version=1, seats=range(1, 3), options=Options, deck=ToyDeck, shipped=(), state=State, move=Moves,
    event=Stepped, initial=lambda *_: State(), to_act=lambda state: (0,) if state.steps < 5 else (),
    legal=toy_legal, decide=toy_decide, evolve=lambda state, _: State(state.steps + 1), redact=lambda event, _: event,
    deal=lambda *_: [], result=lambda state: Result((state.steps,), (0,)) if state.steps >= 5 else None,
)  # fmt: skip


def toy(rules: Rules, *moves: Moves) -> Record[Any, Any, Any]:
    """A game of these moves."""
    player = Player("p", "P")
    terms = game.terms(rules, 1, Options(), DeckData("toy", "toy", ""), player, bytes(32))
    made = [game.open_game(rules, ID, terms, sit=True, entropy="")]
    for move in moves:
        made.append(game.move(rules, made[-1].game, 0, move))
    return record.of(ID, samples.log_of(rules, made))


def test_moves_are_found_though_one_looks_like_the_beginning_of_another(monkeypatch: pytest.MonkeyPatch):
    """Step, leap, leap: a leap at the beginning would leave one step too few at the end, and is taken back."""
    monkeypatch.setitem(VERSIONS, "toy/1", TOY)
    checks = {check.name: check for check in verify(toy(TOY, Step(5), Leap(1), Leap(1)))}
    assert all(check.ok for check in checks.values()), checks
    assert checks["rules"].detail.startswith("3 moves")


def test_a_field_that_a_move_and_its_event_share_need_not_mean_the_same(monkeypatch: pytest.MonkeyPatch):
    """It only says what is likely. Here the likelier move is tried first, and is not it."""
    tried: list[Moves] = []

    def watched(state: State, seat: int, move: Moves) -> list[Any]:
        tried.append(move)
        return toy_decide(state, seat, move)

    found = toy(TOY, Leap(1), Leap(1), Leap(1))
    monkeypatch.setitem(VERSIONS, "toy/1", with_(TOY, decide=watched))
    assert all(check.ok for check in verify(found))
    assert tried[0] == Step(5)


def test_nearly_always_the_first_move_that_is_tried_is_the_one():
    """Otherwise the rules would be carried out many times over."""
    tried = 0

    def watched(*arguments: Any) -> list[Any]:
        nonlocal tried
        tried += 1
        return RULES.decide(*arguments)

    whole = samples.finished(RULES, RULES.seats[0], 1)
    again = verification._Again(verification._Proof(whole, False), with_(RULES, decide=watched))
    assert all(check.ok for check in again.checks())
    # For the first toss of the game every swap is tried before, for example.
    assert tried <= again.moves + 20
