"""The lifecycle of a game: forgeries, all appends and hashes recomputed, that are found without the rules of moves.

When a game is over its secret is public, so anybody can change a field and recompute the commitment, all hashes and all
fields beside the events. Each such forgery is found by `stammtisch verify` and by both stand-alone verifiers, without
a kept head.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from domain.fairness import record
from domain.fairness.record import Unreadable
from domain.fairness.verification import flawless, verify
from domain.game import Rules
from domain.rulesets import VERSIONS
from tests.verifiers import samples
from tests.verifiers.samples import Json, plain, regrouped, rehashed
from tests.verifiers.standalone import javascript, python, wrong

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))

LATER = "2026-12-31T23:59:59.999999Z"

MALLORY = "mallory"


def ours(forged: Json) -> bool:
    """Whether `stammtisch verify` refuses the record or finds a failure."""
    try:
        found = record.decode(json.dumps(forged).encode())
    except Unreadable:
        return True
    return not flawless(verify(found))


# --- records to start from ----------------------------------------------------------------------------------------


def played(rules: Rules) -> Json:
    """A short finished game of three seats."""
    return plain(samples.shortest(rules, 3))


def given_up(rules: Rules) -> Json:
    return plain(samples.given_up(rules))


def branched(rules: Rules) -> Json:
    return plain(samples.branched(rules, 0))


def hotseat(rules: Rules) -> Json:
    return plain(samples.hotseat(rules))


def aborted_by(cause: str) -> Callable[[Rules], Json]:
    """A game that was aborted for this cause. `longest`: a hotseat game of a maximum length of 30 events."""
    return lambda rules: plain(samples.aborted(rules)[cause])


# --- what a forger does -------------------------------------------------------------------------------------------

Deed = Callable[[Json], Any]


def of(forged: Json, kind: str) -> Json:
    """The last entry with an event of that type."""
    return [entry for entry in forged["events"] if entry["event"]["type"] == kind][-1]


def numbers(forged: Json, kind: str) -> list[int]:
    return [number for number, entry in enumerate(forged["events"]) if entry["event"]["type"] == kind]


def entry(forged: Json, by: int | None, event: Json, like: int) -> Json:
    """An entry with the time of the event at that index."""
    return {"version": 0, "at": forged["events"][like]["at"], "by": by, "event": event, "more": 0} | dict.fromkeys(
        ("public", "secret", "head"), ""
    )


def joined(seat: int, player: str = MALLORY) -> Json:
    return {"type": "joined", "seat": seat, "player": player, "entropy": ""}


def left(seat: int) -> Json:
    return {"type": "left", "seat": seat}


def put(forged: Json, number: int, *entries: tuple[int | None, Json]) -> None:
    """Insert the events there, with the time of the previous event."""
    forged["events"][number:number] = [entry(forged, by, event, number - 1) for by, event in entries]


def another_winner(forged: Json) -> None:
    result = of(forged, "ended")["event"]["result"]
    result["winners"] = [next(seat for seat in range(len(result["scores"])) if [seat] != result["winners"])]


def one_point_more(forged: Json) -> None:
    of(forged, "ended")["event"]["result"]["scores"][0] += 1


def all_points_shifted(forged: Json) -> None:
    result = of(forged, "ended")["event"]["result"]
    result["scores"] = [score + 7 for score in result["scores"]]


def another_winner_is_announced(forged: Json) -> None:
    another_winner(forged)
    of(forged, "won")["event"]["winners"] = of(forged, "ended")["event"]["result"]["winners"]


def no_winner(forged: Json) -> None:
    of(forged, "ended")["event"]["result"]["winners"] = []
    of(forged, "won")["event"]["winners"] = []


def caused_by(kind: str, by: int | None) -> Deed:
    def deed(forged: Json) -> None:
        of(forged, kind)["by"] = by

    deed.__name__ = f"{kind} caused by {by}"
    return deed


def without(kind: str) -> Deed:
    def deed(forged: Json) -> None:
        del forged["events"][numbers(forged, kind)[-1]]

    deed.__name__ = f"without {kind}"
    return deed


def twice(kind: str) -> Deed:
    def deed(forged: Json) -> None:
        number = numbers(forged, kind)[-1]
        forged["events"].insert(number, plain(forged["events"][number]))

    deed.__name__ = f"{kind} twice"
    return deed


def aborted_while_seats_are_taken(forged: Json) -> None:
    """After the first player has joined."""
    number = numbers(forged, "joined")[0] + 1
    ending = [entry(forged, 0, {"type": "aborted"}, number - 1), forged["events"][-1]]
    forged["events"][number:] = ending
    forged["events"][-1]["at"] = ending[0]["at"]


def aborted_after_it_began(forged: Json) -> None:
    number = numbers(forged, "begun")[0] + 1
    put(forged, number, (0, {"type": "aborted"}))
    del forged["events"][number + 1 : -1]
    forged["events"][-1]["at"] = forged["events"][number]["at"]


def aborted_instead_of_ended(forged: Json) -> None:
    forged["events"][-2] |= {"event": {"type": "aborted"}, "by": forged["events"][-3]["by"]}


def hotseat_flag(forged: Json) -> None:
    opened = forged["events"][0]["event"]
    opened["hotseat"] = not opened["hotseat"]


def seats(number: int) -> Deed:
    def deed(forged: Json) -> None:
        forged["events"][0]["event"]["seats"] = number

    deed.__name__ = f"{number} seats"
    return deed


def joins_a_taken_seat(forged: Json) -> None:
    put(forged, numbers(forged, "joined")[0] + 1, (forged["events"][numbers(forged, "joined")[0]]["by"], joined(0)))


def joins_after_it_began(forged: Json) -> None:
    put(forged, numbers(forged, "begun")[0] + 1, (0, joined(0)))


def joins_a_missing_seat(forged: Json) -> None:
    put(forged, 1, (99, joined(99)))


def joins_twice(forged: Json) -> None:
    """One player at two seats."""
    first, second = numbers(forged, "joined")[:2]
    forged["events"][second]["event"]["player"] = forged["events"][first]["event"]["player"]


def joins_with_another_seat(forged: Json) -> None:
    first = forged["events"][numbers(forged, "joined")[0]]
    first["by"] = first["event"]["seat"] + 1


def joins_and_leaves_an_empty_game(forged: Json) -> None:
    """Then the game would have been given up."""
    put(forged, 1, (1, joined(1)), (1, left(1)))


def leaves_and_joins_when_all_seats_are_taken(forged: Json) -> None:
    """Then the game would have begun."""
    first = numbers(forged, "begun")[0]
    seat = forged["events"][0]["event"]["seats"] - 1
    put(forged, first, (seat, left(seat)), (seat, joined(seat)))


def leaves_after_it_began(forged: Json) -> None:
    put(forged, numbers(forged, "begun")[0] + 1, (0, left(0)))


def leaves_a_free_seat(forged: Json) -> None:
    put(forged, 1, (0, left(0)))


def at(kind: str, time: str) -> Deed:
    """Change the time of the last event of that type."""

    def deed(forged: Json) -> None:
        of(forged, kind)["at"] = time

    deed.__name__ = f"{kind} at {time}"
    return deed


def all_at(time: str) -> Deed:
    def deed(forged: Json) -> None:
        for each in forged["events"]:
            each["at"] = time

    deed.__name__ = f"all at {time}"
    return deed


def backwards(forged: Json) -> None:
    for entry_, time in zip(forged["events"], [each["at"] for each in forged["events"]][::-1], strict=True):
        entry_["at"] = time


def later_than_what_caused_it(kind: str) -> Deed:
    def deed(forged: Json) -> None:
        number = numbers(forged, kind)[0]
        for each in forged["events"][number:]:
            each["at"] = each["at"].replace("2026-11-20", "2026-11-21")

    deed.__name__ = f"{kind} later than what caused it"
    return deed


def parent(**fields: Any) -> Deed:
    def deed(forged: Json) -> None:
        forged["events"][0]["event"]["parent"] |= fields

    deed.__name__ = f"parent {fields}"
    return deed


def a_parent(forged: Json) -> None:
    forged["events"][0]["event"]["parent"] = {"id": samples.BRANCH, "at": 9, "root": samples.ID}


def own_parent(forged: Json) -> None:
    forged["events"][0]["event"]["parent"]["id"] = forged["id"]


def unknown_field(kind: str) -> Deed:
    def deed(forged: Json) -> None:
        of(forged, kind)["event"]["note"] = "x"

    deed.__name__ = f"unknown field of {kind}"
    return deed


def unknown_event(forged: Json) -> None:
    put(forged, numbers(forged, "begun")[0] + 2, (None, {"type": "cheered"}))


def long_entropy(forged: Json) -> None:
    of(forged, "joined")["event"]["entropy"] = "x" * 65


# Maximum lengths and causes.


def caused(cause: Any) -> Deed:
    def deed(forged: Json) -> None:
        of(forged, "aborted")["event"]["cause"] = cause

    deed.__name__ = f"cause {cause}"
    return deed


def without_cause(forged: Json) -> None:
    del of(forged, "aborted")["event"]["cause"]


def as_if_left(forged: Json) -> None:
    """The cause `left`, by the only player, without the event `left`."""
    without_cause(forged)
    of(forged, "aborted")["by"] = 0


def cancelled_when_all_have_left(forged: Json) -> None:
    """When the last player leaves, the game is aborted in the same append, with the cause `left`."""
    of(forged, "aborted").update(by=None, event={"type": "aborted", "cause": "cancelled"})


def length(number: Any) -> Deed:
    """Another maximum length, or one in a game that has none."""

    def deed(forged: Json) -> None:
        forged["events"][0]["event"]["longest"] = number

    deed.__name__ = f"longest {number}"
    return deed


def without_length(forged: Json) -> None:
    del forged["events"][0]["event"]["longest"]


def reached(forged: Json) -> int:
    """The number of events before `aborted`."""
    return numbers(forged, "aborted")[-1]


def one_event_shorter(forged: Json) -> None:
    """The game would have been aborted one append before: the last one adds one event or more."""
    entries, number = forged["events"], reached(forged)
    append = [entry_ for entry_ in entries[:number] if entry_["at"] == entries[number - 1]["at"]]
    forged["events"][0]["event"]["longest"] = number - len(append)


def longer_than_it_was(forged: Json) -> None:
    forged["events"][0]["event"]["longest"] = reached(forged) + 1


def aborted_early(forged: Json) -> None:
    """One append too early."""
    entries, number = forged["events"], reached(forged)
    at = entries[number - 1]["at"]
    start = next(place for place, entry_ in enumerate(entries) if entry_["at"] == at)
    del entries[start:number]
    for entry_ in entries[start:]:
        entry_["at"] = entries[start - 1]["at"]


def aborted_before_it_began(forged: Json) -> None:
    ending = forged["events"][-2:]
    del forged["events"][2:]
    forged["events"] += [entry_ | {"at": forged["events"][1]["at"]} for entry_ in ending]


def aborted_for(cause: str, *, after: str) -> Deed:
    """Instead of everything after the last event of that type, without a seat, at the time of that event."""

    def deed(forged: Json) -> None:
        number = numbers(forged, after)[-1] + 1
        put(forged, number, (None, {"type": "aborted", "cause": cause}))
        del forged["events"][number + 1 : -1]
        forged["events"][-1]["at"] = forged["events"][number]["at"]

    deed.__name__ = f"{cause} after {after}"
    return deed


IMPOSSIBLE = ("2026-02-31T08:00:00.000000Z", "2026-02-29T08:00:00.000000Z", "2026-11-20T08:00:60.000000Z",
              "0000-01-01T00:00:00.000000Z", "1900-02-29T00:00:00.000000Z")  # fmt: skip

OF_A_GAME: list[Deed] = [
    another_winner, one_point_more, all_points_shifted, another_winner_is_announced, no_winner,
    *(caused_by(kind, by) for kind in ("opened", "begun", "ended", "revealed", "won") for by in (0, 1, 99, -1, True)
      if kind != "won" or by not in (0, 1, True)),
    *(caused_by("joined", by) for by in (None, 99, -1)),
    caused_by("turn_began", 99), caused_by("won", 99), caused_by("won", None),
    *(without(kind) for kind in ("joined", "begun", "won", "ended", "revealed")),
    *(twice(kind) for kind in ("joined", "begun", "won", "ended", "revealed")),
    aborted_while_seats_are_taken, aborted_after_it_began, aborted_instead_of_ended,
    hotseat_flag, seats(1), seats(9), seats(1001), seats(0), seats(-2),
    joins_a_taken_seat, joins_after_it_began, joins_a_missing_seat, joins_twice, joins_with_another_seat,
    leaves_and_joins_when_all_seats_are_taken, leaves_after_it_began, leaves_a_free_seat,
    *map(all_at, IMPOSSIBLE), at("joined", LATER), at("opened", LATER), backwards,
    *map(later_than_what_caused_it, ("begun", "ended", "revealed")),
    a_parent, unknown_event, *map(unknown_field, ("opened", "joined", "begun", "ended", "revealed")), long_entropy,
    *map(length, (0, -1, 1, 9, None, "9", True, [], {})),
    *(aborted_for(cause, after=after) for cause in ("cancelled", "expired", "longest", "left")
      for after in ("begun", "turn_began", "won")),
]  # fmt: skip

OF_A_GAME_ALL_LEFT: list[Deed] = [
    *(caused_by(kind, by) for kind in ("opened", "left", "aborted", "revealed") for by in (1, 99, -1)),
    caused_by("left", None), caused_by("aborted", None), caused_by("opened", 0), caused_by("revealed", 0),
    *(without(kind) for kind in ("joined", "left", "aborted", "revealed")),
    *(twice(kind) for kind in ("left", "aborted", "revealed")),
    hotseat_flag, seats(1), seats(9), a_parent, *map(all_at, IMPOSSIBLE), joins_and_leaves_an_empty_game,
    *map(later_than_what_caused_it, ("aborted", "revealed")), unknown_field("aborted"), unknown_field("left"),
    *map(caused, ("left", "cancelled", "expired", "longest", "bored", "", None, 0, [], {})),
    cancelled_when_all_have_left,
]  # fmt: skip

OF_A_WAITING_GAME: list[Deed] = [
    without_cause, as_if_left, *map(caused, ("left", "longest", "bored", "", None, 0, [], {})),
    *(caused_by(kind, by) for kind in ("opened", "aborted", "revealed") for by in (0, 1, 99, -1)),
    *(twice(kind) for kind in ("aborted", "revealed")), *(without(kind) for kind in ("aborted", "revealed")),
    later_than_what_caused_it("revealed"), unknown_field("aborted"), hotseat_flag,
]  # fmt: skip

OF_A_GAME_THAT_IS_TOO_LONG: list[Deed] = [
    without_cause, as_if_left, *map(caused, ("left", "cancelled", "expired", "bored", "", None, 0, [], {})),
    *(caused_by("aborted", by) for by in (0, 1, 99, -1)), without("aborted"), twice("aborted"), without("revealed"),
    without_length, one_event_shorter, longer_than_it_was, aborted_early, aborted_before_it_began,
    *map(length, (0, -1, 1, 5, 99, None, "30", True)),
    *map(later_than_what_caused_it, ("aborted", "revealed")), unknown_field("aborted"),
]  # fmt: skip


def hotseat_leaves_and_joins(forged: Json) -> None:
    """In a hotseat game all seats are taken when it is opened."""
    put(forged, 3, (1, left(1)), (1, plain(forged["events"][2]["event"])))


def hotseat_given_up(forged: Json) -> None:
    del forged["events"][2:-1]
    put(forged, 2, (0, left(0)), (0, {"type": "aborted"}))
    forged["events"][-1]["at"] = forged["events"][1]["at"]


def another_plays(forged: Json) -> None:
    of(forged, "joined")["event"]["player"] = MALLORY


def sits_down_later(forged: Json) -> None:
    later_than_what_caused_it("joined")(forged)


OF_A_HOTSEAT_GAME: list[Deed] = [
    hotseat_flag, hotseat_leaves_and_joins, hotseat_given_up, another_plays, sits_down_later,
]  # fmt: skip

OF_A_BRANCH: list[Deed] = [
    *(parent(at=version) for version in (-5, 0, 1, 3, "5", None, True)),
    *(parent(**{name: text}) for name in ("id", "root") for text in ("", "x", samples.ID.upper(), None)),
    parent(more=1), own_parent, *OF_A_HOTSEAT_GAME,
]  # fmt: skip

# Clocks.


def timed(name: str) -> Callable[[Rules], Json]:
    """A game with a clock in which a player gives time, and then a player runs out of it."""
    return lambda rules: plain(samples.with_clock(rules)[name])


def of_clock(**fields: Any) -> Deed:
    """Other fields of the clock; None takes the field out."""

    def deed(forged: Json) -> None:
        clock = forged["events"][0]["event"]["clock"]
        clock |= fields
        for name in [name for name in fields if fields[name] is None]:
            del clock[name]

    deed.__name__ = f"clock {fields}"
    return deed


def without_term(name: str) -> Deed:
    def deed(forged: Json) -> None:
        del forged["events"][0]["event"][name]

    deed.__name__ = f"without {name}"
    return deed


def first_of(forged: Json, kind: str) -> Json:
    entry_: Json = forged["events"][numbers(forged, kind)[0]]
    return entry_


def expired_by_its_seat(forged: Json) -> None:
    gone = first_of(forged, "gone")
    gone["by"] = gone["event"]["seat"]


def left_instead_of_expired(forged: Json) -> None:
    """Too late: the player had run out of time."""
    expired_by_its_seat(forged)
    first_of(forged, "gone")["event"]["cause"] = "left"


def expired_for(cause: Any) -> Deed:
    def deed(forged: Json) -> None:
        first_of(forged, "gone")["event"]["cause"] = cause

    deed.__name__ = f"gone for {cause}"
    return deed


def expired_early(forged: Json) -> None:
    """At the time of the append before."""
    number = numbers(forged, "gone")[0]
    entries = forged["events"]
    at, early = entries[number]["at"], entries[number - 1]["at"]
    for each in entries:
        each["at"] = early if each["at"] == at else each["at"]


def another_expired(forged: Json) -> None:
    gone = first_of(forged, "gone")["event"]
    gone["seat"] = (gone["seat"] + 1) % forged["events"][0]["event"]["seats"]


def moved_late(forged: Json) -> None:
    """The first move after the time was given comes a day later, and everything after it."""
    number = numbers(forged, "granted")[0] + 1
    for each in forged["events"][number:]:
        each["at"] = each["at"].replace("2026-11-20", "2026-11-21")


def gave(**fields: Any) -> Deed:
    def deed(forged: Json) -> None:
        first_of(forged, "granted")["event"].update(fields)

    deed.__name__ = f"granted {fields}"
    return deed


def given_by(by: Any) -> Deed:
    def deed(forged: Json) -> None:
        first_of(forged, "granted")["by"] = by

    deed.__name__ = f"granted by {by}"
    return deed


WITH_A_CLOCK: list[Deed] = [
    *(of_clock(**{name: value}) for name in ("bank", "reserve") for value in (2_000, 10**9, -1, True, "20", None)),
    of_clock(bank=4), of_clock(delay=1_000), of_clock(delay=-1), of_clock(increment=-1), of_clock(pause=1),
    without_term("clock"), without_term("absent"), hotseat_flag,
    expired_by_its_seat, left_instead_of_expired, expired_early, another_expired, moved_late,
    *map(expired_for, ("bored", None, True, "")),
    *(gave(seconds=seconds) for seconds in (0, -1, 21, 10**9, True, "7", None)), gave(note="x"),
    *(gave(seat=seat) for seat in (1, 99, -1, None, True)), *map(given_by, (None, 0, 99, -1, True)),
]  # fmt: skip

FORGED = {
    "a clock": (timed("timed, aborted"), WITH_A_CLOCK),
    "a game": (played, OF_A_GAME),
    "left": (given_up, OF_A_GAME_ALL_LEFT),
    "cancelled": (aborted_by("cancelled"), OF_A_WAITING_GAME),
    "expired": (aborted_by("expired"), OF_A_WAITING_GAME),
    "longest": (aborted_by("longest"), OF_A_GAME_THAT_IS_TOO_LONG),
    "a hotseat game": (hotseat, OF_A_HOTSEAT_GAME),
    "a branch": (branched, OF_A_BRANCH),
}


@pytest.mark.by_default(
    "a clock-skyjo/1", "a game-scout/1", "a hotseat game-skyjo_action/1", "a branch-scandaroon/1", "longest-scopinion/1"
)
@every_ruleset
@pytest.mark.parametrize(("base", "deeds"), FORGED.values(), ids=list(FORGED))
def test_an_invalid_lifecycle_is_found_by_all_three_though_every_hash_is_right(
    rules: Rules, base: Callable[[Rules], Json], deeds: list[Deed]
):
    made: list[Json] = []
    for deed in deeds:
        forged = base(rules)
        deed(forged)
        made.append(rehashed(regrouped(forged)))
    unfound = {
        deed.__name__: found
        for deed, forged, other in zip(deeds, made, javascript(made), strict=True)
        if not all(found := {"ours": ours(forged), "py": wrong(python().verify(forged)), "js": wrong(other)}.values())
    }
    assert unfound == {}


@pytest.mark.by_default("skyjo/1")
@every_ruleset
def test_forged_clocks_of_games_that_bots_go_on_with_are_found_by_all_three(rules: Rules):
    """The deeds change fields, so the appends stay as they are."""
    for deed in WITH_A_CLOCK:
        forged = timed("timed out")(rules)
        deed(forged)
        made = rehashed(forged)
        assert ours(made), deed.__name__
        assert wrong(python().verify(made)), deed.__name__
        assert wrong(javascript([made])[0]), deed.__name__


# Moves that are taken back.


def change_of(kind: str, nth: int = 0, **fields: Any) -> Deed:
    """The n-th event of this kind (-1: the last) has other fields; a function is applied to the old value."""

    def deed(forged: Json) -> None:
        event = forged["events"][numbers(forged, kind)[nth]]["event"]
        for name, value in fields.items():
            event[name] = value(event[name]) if callable(value) else value

    deed.__name__ = f"{kind} {nth} with {list(fields)}"
    return deed


def without_undo(forged: Json) -> None:
    """The terms do not allow it."""
    del forged["events"][0]["event"]["undo"]


def terms_of_undo(value: Any) -> Deed:
    def deed(forged: Json) -> None:
        forged["events"][0]["event"]["undo"] = value

    deed.__name__ = f"undo {value!r}"
    return deed


def other_choices(forged: Json) -> None:
    """After the move is taken back another seat has the choice."""
    entry = forged["events"][numbers(forged, "taken_back")[0]]
    entry["acting"] = [0] if entry["acting"] != [0] else [1]


ANY_UNDO: list[Deed] = [
    *(change_of("taken_back", to=to) for to in (0, 1, -3, "7", None, True, 2**40)),
    *(change_of("taken_back", to=lambda to, more=more: to + more) for more in (-1, 1)),
    change_of("taken_back", seat=lambda seat: 1 - seat if seat < 2 else 0), change_of("taken_back", seat=9),
    change_of("taken_back", agreed=lambda agreed: not agreed), change_of("taken_back", agreed=0),
    change_of("taken_back", more=1), without_undo, terms_of_undo("yes"), terms_of_undo(None), terms_of_undo(True),
]  # fmt: skip
UNDONE: dict[str, list[Deed]] = {
    "free": [*ANY_UNDO, other_choices],
    "agreed": [
        *ANY_UNDO, terms_of_undo("free"),
        *(change_of("voted", -1, **{name: value}) for name, value in (
            ("yes", False), ("yes", 1), ("on", "abort"), ("on", "talk"), ("to", 1), ("to", None), ("seat", 9),
        )),
        change_of("voted", yes=False),
    ],
    "aborted": [
        change_of("aborted", cause="absent"), change_of("aborted", cause="operator"),
        change_of("voted", -1, yes=False), change_of("voted", -1, seat=2), change_of("voted", -1, to=4),
    ],
}  # fmt: skip
"""What is forged in games with undo, by their description."""


@pytest.mark.by_default("skyjo/1")
@every_ruleset
def test_forged_undo_is_found_by_all_three(rules: Rules):
    for name, deeds in UNDONE.items():
        whole = samples.with_undo(rules)[name]
        assert flawless(verify(whole)), name
        made = [plain(whole)]
        for deed in deeds:
            forged = plain(whole)
            deed(forged)
            made.append(rehashed(forged))
        js = javascript(made)
        assert not wrong(python().verify(made[0])), python().verify(made[0])
        assert not wrong(js[0]), js[0]
        for deed, forged, other in zip(deeds, made[1:], js[1:], strict=True):
            found = {"ours": ours(forged), "py": bool(wrong(python().verify(forged))), "js": bool(wrong(other))}
            assert all(found.values()), (name, deed.__name__, found)


@every_ruleset
def test_rehashing_a_record_changes_nothing(rules: Rules):
    """The tool of these tests is right, so they find the forgeries and not its errors."""
    for base, _ in FORGED.values():
        whole = base(rules)
        assert samples.same(rehashed(regrouped(whole)), whole)
        assert not ours(whole)
        assert not wrong(python().verify(whole))
        assert not wrong(javascript([whole])[0])
