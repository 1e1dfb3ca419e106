"""The forgeries that are tried on all verifiers: as data, each with its name, the game it changes, and who finds it.

When a game is over its secret is public, so anybody can change a record and recompute the commitment, all hashes and
all fields beside the events. `seal` does that after each forgery. `python -m tests.verifiers.limits` writes into
`docs/verification-limits.md` which check finds each forgery; `test_corpus.py` compares.

To add one: write a function that changes a record in place, and a line in CORPUS. Verifiers and page follow.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import msgspec

from domain.codec import encode
from domain.description import description
from domain.fairness import record
from domain.game import Rules
from domain.rulesets import VERSIONS
from tests.verifiers import described, samples
from tests.verifiers.samples import Json, plain, regrouped, rehashed

LATER = "2026-12-31T23:59:59.999999Z"

MALLORY = "mallory"

Found = Literal["all", "verify", "nobody"]
"""Who finds a forgery in every game: all verifiers; the one that knows the rules, the others in some games; nobody."""

# --- records to start from ----------------------------------------------------------------------------------------

BASES: dict[str, Callable[[Rules], samples.AnyRecord]] = {
    "played": lambda rules: samples.shortest(rules, 3),
    "left": samples.given_up,
    "cancelled": lambda rules: samples.aborted(rules)["cancelled"],
    "expired": lambda rules: samples.aborted(rules)["expired"],
    "longest": lambda rules: samples.aborted(rules)["longest"],
    "full": lambda rules: samples.unusually_aborted(rules)["maximum length with several players"],
    "hotseat": samples.hotseat,
    "gone": lambda rules: samples.with_bots(rules)["gone and back"],
    "kept": lambda rules: samples.with_bots(rules)["kept"],
    "free": lambda rules: samples.with_undo(rules)["free"],
    "undo": lambda rules: samples.with_undo(rules)["agreed"],
    "agreed": lambda rules: samples.with_undo(rules)["aborted"],
    "quiet": samples.quiet,
    "weary": samples.weary,
    "attacked": samples.attacked,
    "sealed": lambda rules: samples.sealed(rules)["sealed"],
    "not ready": lambda rules: samples.sealed(rules)["not ready"],
    "hinted": samples.hinted,
    "deal": lambda rules: samples.with_deal(rules)["deal"],
    "stopped": lambda rules: samples.with_deal(rules)["stopped"],
    "clock": lambda rules: samples.with_clock(rules)["timed, aborted"],
    "late": lambda rules: samples.with_clock(rules)["timed out"],
    "branch": lambda rules: samples.branched(rules, 0),
}
"""By their names in the page."""


@cache
def text(rules: Rules, base: str) -> bytes:
    """The record, as JSON."""
    return encode(BASES[base](rules))


def whole(rules: Rules, base: str) -> Json:
    """A copy of the record."""
    made: Json = msgspec.json.decode(text(rules, base))
    return made


# --- what a forger does -------------------------------------------------------------------------------------------

Deed = Callable[[Json], Any]


def of(forged: Json, kind: str) -> Json:
    """The last entry with an event of that type."""
    return [entry for entry in forged["events"] if entry["event"]["type"] == kind][-1]


def numbers(forged: Json, kind: str) -> list[int]:
    return [number for number, entry in enumerate(forged["events"]) if entry["event"]["type"] == kind]


def entry(forged: Json, by: int | None, event: Json, like: int) -> Json:
    """An entry with the time of the event at that index."""
    return {"version": 0, "at": forged["events"][like]["at"], "by": by, "event": event, "more": 0}


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


def without_term(name: str) -> Deed:
    def deed(forged: Json) -> None:
        del forged["events"][0]["event"][name]

    deed.__name__ = f"without {name}"
    return deed


def opened_with(name: str, value: Any, about: str = "") -> Deed:
    """`opened` has another value in this field."""

    def deed(forged: Json) -> None:
        forged["events"][0]["event"][name] = value

    deed.__name__ = f"{name} {about or value}"
    return deed


OF_AN_OPENING: list[Deed] = [
    *(opened_with("protocol", value) for value in ("stammtisch/01", "stammtisch", None, 1)),
    opened_with("protocol", ["stammtisch/1"], "in a list"),
    opened_with("description", "0" * 63, "too short"), opened_with("description", "F" * 64, "in capitals"),
    *(opened_with("description", value) for value in (None, 0, {})), *map(without_term, ("protocol", "description")),
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

# Sealed entropies.


def terms(**fields: Any) -> Deed:
    """Other terms; None: without the term."""

    def deed(forged: Json) -> None:
        event = forged["events"][0]["event"]
        event.update(fields)
        forged["events"][0]["event"] = {name: value for name, value in event.items() if value is not None}

    deed.__name__ = " ".join(f"{name} {value}" for name, value in fields.items())
    return deed


def seated_with(nth: int = 0, **fields: Any) -> Deed:
    """The n-th `joined` has other fields; None: without the field."""

    def deed(forged: Json) -> None:
        found = forged["events"][numbers(forged, "joined")[nth]]
        found["event"] = {name: value for name, value in (found["event"] | fields).items() if value is not None}

    deed.__name__ = f"joined {nth} with {list(fields)} {[str(value)[:8] for value in fields.values()]}"
    return deed


def opened_entropy(entropy: str) -> Deed:
    def deed(forged: Json) -> None:
        of(forged, "readied")["event"]["entropy"] = entropy

    deed.__name__ = f"another entropy {entropy!r} is opened"
    return deed


def opened_by_another(forged: Json) -> None:
    found = of(forged, "readied")
    found["by"] = found["event"]["seat"] = 0


def exchanged_seals(forged: Json) -> None:
    one, other = (forged["events"][number]["event"] for number in numbers(forged, "joined")[::2][:2])
    one["seal"], other["seal"] = other["seal"], one["seal"]


def begun_before_all_are_ready(forged: Json) -> None:
    """The first `readied` is moved behind the deal."""
    entries = forged["events"]
    first = entries.pop(numbers(forged, "readied")[0])
    begun = numbers(forged, "begun")[0]
    entries.insert(begun + 1 + entries[begun]["more"], first | {"at": entries[begun]["at"]})


def ready_before_all_seats_are_taken(forged: Json) -> None:
    entries = forged["events"]
    first = entries.pop(numbers(forged, "readied")[0])
    entries.insert(numbers(forged, "joined")[-1], first | {"at": entries[numbers(forged, "left")[0]]["at"]})


def inserted_after_the_first_is_ready(name: str, *appends: tuple[int | None, Json]) -> Deed:
    def deed(forged: Json) -> None:
        insert(forged, numbers(forged, "readied")[0] + 1, *appends)

    deed.__name__ = f"{name} after the first is ready"
    return deed


def ready(seat: int, entropy: str) -> tuple[int, Json]:
    return seat, {"type": "readied", "seat": seat, "entropy": entropy}


def all_in_one_append(forged: Json) -> None:
    """The last two `readied` in one append: nobody can have opened both."""
    entries = forged["events"]
    *_, one, last = numbers(forged, "readied")
    entries[one]["more"] = entries[last]["more"] + 1
    entries[one].pop("acting", None)
    entries[one]["at"] = entries[last]["at"]


def inserted_readied(forged: Json) -> None:
    """In a game that is not sealed."""
    insert(forged, numbers(forged, "joined")[0] + 1, ready(0, ""))


def aborted_as(**fields: Any) -> Deed:
    """`aborted` has other fields; None: without the field."""

    def deed(forged: Json) -> None:
        found = of(forged, "aborted")
        found["event"] = {name: value for name, value in (found["event"] | fields).items() if value is not None}

    deed.__name__ = f"aborted with {fields}"
    return deed


def the_last_readied_is_taken_out(forged: Json) -> None:
    """And its seat is named among those that did not ready."""
    remove(forged, numbers(forged, "readied")[-1])
    aborted_as(unready=[0, 1, 2])(forged)


SEALED: list[Deed] = [
    terms(sealed=None), terms(sealed=False), terms(sealed=1), terms(hotseat=True), seated_with(seal=None),
    seated_with(seal="0" * 64), seated_with(seal="0" * 63), seated_with(seal="A" * 64), seated_with(seal=7),
    seated_with(entropy="of 0"), seated_with(1, seal=7), exchanged_seals, opened_entropy("better for me"),
    opened_entropy(""), opened_entropy("of 0"), opened_entropy("x" * 65), opened_by_another,
    *(caused_by("readied", by) for by in (None, 0, 99, -1)), without("readied"), twice("readied"),
    unknown_field("readied"), begun_before_all_are_ready, ready_before_all_seats_are_taken, all_in_one_append,
    inserted_after_the_first_is_ready("left", (1, left(1))),
    inserted_after_the_first_is_ready("left and joined", (1, left(1)), (1, joined(1) | {"seal": "0" * 64})),
    inserted_after_the_first_is_ready("joined", (0, joined(0) | {"seal": "0" * 64})),
    inserted_after_the_first_is_ready("declined", (1, {"type": "declined", "seat": 1})),
    inserted_after_the_first_is_ready("ready again", ready(2, "of 2")),
    inserted_after_the_first_is_ready("a missing seat ready", ready(99, "")),
]  # fmt: skip

NOT_READY: list[Deed] = [
    *(aborted_as(unready=seats) for seats in (None, [], [0], [0, 1, 2], [1, 0], [0, 0, 1], [0, 2], "0", 0, [True])),
    *(aborted_as(cause=cause) for cause in ("cancelled", "operator", "longest", None)), without("readied"),
    aborted_as(cause="left", unready=None),
]  # fmt: skip

# Games of a common deal.


def of_deal(**fields: Any) -> Deed:
    """Another deal; None: without the field."""

    def deed(forged: Json) -> None:
        opened = forged["events"][0]["event"]
        opened["deal"] = {name: value for name, value in (opened["deal"] | fields).items() if value is not None}

    deed.__name__ = " ".join(f"deal with {name} {value}" for name, value in fields.items())
    return deed


def revealed_in_the_append_of_the_end(forged: Json) -> None:
    end, last = forged["events"][-2:]
    end["more"], last["at"] = end["more"] + 1, end["at"]
    end.pop("acting", None)
    for number in range(len(forged["events"]) - 3, 0, -1):
        before = forged["events"][number]
        if not before["more"]:
            break
        before["more"] += 1


def stopped_early(forged: Json) -> None:
    """The game is aborted a second before the end of the deal."""
    for each in forged["events"][-2:]:
        each["at"] = "2026-11-20T08:59:59.000000Z"


def joined_after_the_end(forged: Json) -> None:
    insert(forged, len(forged["events"]) - 1, (0, joined(0)))


OF_A_DEAL: list[Deed] = [
    terms(deal=None), terms(deal="x"), terms(private=False), terms(hotseat=True), of_deal(id="x"), of_deal(id=None),
    of_deal(until="soon"), of_deal(until="2026-02-30T09:00:00.000000Z"), of_deal(tables=1), of_deal(tables="2"),
    of_deal(table=2), seated_with(entropy="mine"), revealed_in_the_append_of_the_end, joined_after_the_end,
    caused_by("revealed", 0), twice("revealed"), without("revealed"),
]  # fmt: skip

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
    "undo": [
        *ANY_UNDO, terms_of_undo("free"),
        *(change_of("voted", -1, **{name: value}) for name, value in (
            ("yes", False), ("yes", 1), ("on", "abort"), ("on", "talk"), ("to", 1), ("to", None), ("seat", 9),
        )),
        change_of("voted", yes=False),
    ],
    "agreed": [
        change_of("aborted", cause="absent"), change_of("aborted", cause="operator"),
        change_of("voted", -1, yes=False), change_of("voted", -1, seat=2), change_of("voted", -1, to=4),
    ],
}  # fmt: skip
"""What is forged in games with undo, by their description."""

# Games with hints.


def hinted_by_a_bot(forged: Json) -> None:
    found = of(forged, "hinted")
    found["by"] = found["event"]["seat"] = 1


def hinted_again(forged: Json) -> None:
    """About the same choice."""
    number = numbers(forged, "hinted")[0]
    insert(forged, number, (0, {"type": "hinted", "seat": 0}))


def hinted_before_it_begins(forged: Json) -> None:
    insert(forged, numbers(forged, "joined")[0], (0, {"type": "hinted", "seat": 0}))


def hinted_after_the_end(forged: Json) -> None:
    insert(forged, len(forged["events"]), (0, {"type": "hinted", "seat": 0}))


def hinted_once_more(forged: Json) -> None:
    """About a choice about which nobody asked."""
    entries = forged["events"]
    ends = (
        number + 1
        for number, (one, other) in enumerate(pairwise(entries))
        if not one["more"] and "move" in other and one["event"]["type"] not in ("hinted", "begun", "joined")
    )
    insert(forged, next(ends), (0, {"type": "hinted", "seat": 0}))


HINTED: list[Deed] = [
    terms(hints=None), terms(hints=False), terms(hints=1), terms(hints="yes"),
    *(caused_by("hinted", by) for by in (None, 1, 99, -1)), twice("hinted"), unknown_field("hinted"),
    change_of("hinted", seat=1), change_of("hinted", seat=99), change_of("hinted", seat=None),
    change_of("hinted", seat=False), change_of("hinted", more=1), hinted_by_a_bot, hinted_again,
    hinted_before_it_begins, hinted_after_the_end,
]  # fmt: skip


# --- appends, choices and moves -----------------------------------------------------------------------------------
#
# Each of the fields `more`, `acting` and `move` is removed, added, changed and moved to another entry.


def at_most(numbers: list[int]) -> list[int]:
    """The first one and one in the middle."""
    return sorted({numbers[0], numbers[len(numbers) // 2]}) if numbers else []


def firsts(entries: list[Json]) -> list[int]:
    """The first events of appends that a choice caused."""
    return at_most([n for n, entry in enumerate(entries) if "move" in entry and not entries[n - 1]["more"]])


def repeated(entries: list[Json]) -> list[int]:
    """The first events of choices that a branch repeats in its first append."""
    return at_most([n for n, entry in enumerate(entries) if "move" in entry and entries[n - 1]["more"]])


def lasts(entries: list[Json]) -> list[int]:
    """The last events of appends."""
    return at_most([number for number, entry in enumerate(entries) if "acting" in entry])


def inner(entries: list[Json]) -> list[int]:
    """The events that others follow in the same append."""
    return at_most([number for number, entry in enumerate(entries) if entry["more"]])


Places = Callable[[list[Json]], list[int]]
EntryDeed = Callable[[list[Json], int], Any]


def taken_out(field: str) -> EntryDeed:
    def deed(entries: list[Json], number: int) -> None:
        del entries[number][field]

    return deed


def written(field: str, value: Any) -> EntryDeed:
    def deed(entries: list[Json], number: int) -> None:
        entries[number][field] = value

    return deed


def moved(field: str, by: int) -> EntryDeed:
    """To another entry."""

    def deed(entries: list[Json], number: int) -> None:
        if 0 <= number + by < len(entries):
            entries[number + by][field] = entries[number].pop(field)

    return deed


def exchanged(field: str) -> EntryDeed:
    """With the next entry that has another value."""

    def deed(entries: list[Json], number: int) -> None:
        for other in entries[number + 1 :]:
            if field in other and other[field] != entries[number][field]:
                entries[number][field], other[field] = other[field], entries[number][field]
                return

    return deed


def more_by(step: int) -> EntryDeed:
    def deed(entries: list[Json], number: int) -> None:
        entries[number]["more"] += step

    return deed


def a_field_of_the_move(entries: list[Json], number: int) -> None:
    move = entries[number]["move"]
    entries[number]["move"] = move | {"note": "x"}


def another_move(entries: list[Json], number: int) -> None:
    """Of another type, which somebody made in this game."""
    kind = entries[number]["move"]["type"]
    moves = [entry["move"] for entry in entries if "move" in entry and entry["move"]["type"] != kind]
    if moves:
        entries[number]["move"] = moves[0]


def no_longer_acting(entries: list[Json], number: int) -> None:
    entries[number]["acting"] = []


def one_more_acting(entries: list[Json], number: int) -> None:
    """Also a seat that has no choice."""
    acting, seats = entries[number]["acting"], range(entries[0]["event"]["seats"])
    others = [seat for seat in seats if seat not in acting]
    if others:
        entries[number]["acting"] = sorted([*acting, others[0]])


def the_next_acts(entries: list[Json], number: int) -> None:
    acting, seats = entries[number]["acting"], entries[0]["event"]["seats"]
    if acting:
        entries[number]["acting"] = sorted((seat + 1) % seats for seat in acting)


def acting_twice(entries: list[Json], number: int) -> None:
    entries[number]["acting"] *= 2


def falling(entries: list[Json], number: int) -> None:
    entries[number]["acting"].reverse()


def is_opening(entries: list[Json], number: int) -> bool:
    """Whether it is the first entry of a game that its opener can also join later."""
    return number == 0 and not entries[0]["event"]["hotseat"]


def split(entries: list[Json], number: int) -> None:
    """The append ends here, and the rest is one of its own, with the same move."""
    if is_opening(entries, number):
        return
    begin = max(n for n in range(number + 1) if n == 0 or not entries[n - 1]["more"])
    rest, move = entries[number]["more"], entries[begin].get("move")
    for n in range(begin, number + 1):
        entries[n]["more"] -= rest
    entries[number]["acting"] = entries[number + rest]["acting"]
    if move is not None and entries[number + 1]["by"] is not None:
        entries[number + 1]["move"] = move


def merged(entries: list[Json], number: int) -> None:
    """With the next append, at its time."""
    end = entries[0]["more"] + 1
    if number + 1 == len(entries) or ("parent" in entries[0]["event"] and number + 1 == end):
        return  # a branch that begins one move later is possible
    more, at = entries[number + 1]["more"] + 1, entries[number + 1]["at"]
    del entries[number]["acting"]
    for n in range(number, -1, -1):
        if n < number and not entries[n]["more"]:
            break
        entries[n] |= {"more": entries[n]["more"] + more, "at": at}


def merged_without_the_move(entries: list[Json], number: int) -> None:
    if number + 1 < len(entries):
        merged(entries, number)
        entries[number + 1].pop("move", None)


FOUND_BY_ALL: dict[str, tuple[Places, EntryDeed]] = {
    "move removed": (firsts, taken_out("move")),
    "move null": (firsts, written("move", None)),
    "move a text": (firsts, written("move", "draw")),
    "move unknown": (firsts, written("move", {"type": "cheat"})),
    "move with an unknown field": (firsts, a_field_of_the_move),
    "move of another type": (firsts, another_move),
    "move added to what follows": (inner, lambda entries, n: written("move", {"type": "pass"})(entries, n + 1)),
    "move added to the beginning": (lambda _: [0, 1], written("move", {"type": "draw"})),
    "move one entry later": (firsts, moved("move", 1)),
    "move one entry earlier": (firsts, moved("move", -1)),
    "more removed": (inner, taken_out("more")),
    "more removed at the end": (lasts, taken_out("more")),
    **{f"more {value!r}": (inner, written("more", value)) for value in (0, -1, True, None, "1", [])},
    "more one higher": (inner, more_by(1)),
    "more one lower": (inner, more_by(-1)),
    "more of the last not 0": (lasts, more_by(1)),
    "more of the last negative": (lasts, more_by(-1)),
    "more exchanged": (inner, exchanged("more")),
    "append split": (inner, split),
    "append merged": (lasts, merged),
    "acting removed": (lasts, taken_out("acting")),
    "acting added": (inner, written("acting", [0])),
    "acting added, empty": (inner, written("acting", [])),
    **{f"acting {value!r}": (lasts, written("acting", value)) for value in (None, 0, {}, [-1], [99], [True], [[]])},
    "acting one entry later": (lasts, moved("acting", 1)),
    "acting one entry earlier": (lasts, moved("acting", -1)),
    "acting twice": (lambda entries: [n for n in lasts(entries) if entries[n]["acting"]], acting_twice),
    "acting falling": (lambda entries: [n for n in lasts(entries) if len(entries[n]["acting"]) > 1], falling),
    "nobody acting": (lasts, no_longer_acting),
}  # fmt: skip

FOUND_WITH_THE_RULES: dict[str, tuple[Places, EntryDeed]] = {
    "move exchanged": (firsts, exchanged("move")),
    "repeated move removed": (repeated, taken_out("move")),
    "repeated move exchanged": (repeated, exchanged("move")),
    "appends merged, without the second move": (lasts, merged_without_the_move),
    "acting exchanged": (lasts, exchanged("acting")),
    "one more acting": (lasts, one_more_acting),
    "the next acts": (lasts, the_next_acts),
}


"""The stand-alone verifiers find these where the events show it."""


# --- whole appends ------------------------------------------------------------------------------------------------
#
# Appends are inserted and removed. Versions that events name move along.


def ends(entries: list[Json]) -> list[int]:
    """The numbers of entries before each append that begins while the game runs, in games of several people."""
    found, running = [], False
    for number, each in enumerate(entries):
        kind = each["event"]["type"]
        running = (running or kind == "begun") and kind not in ("ended", "aborted")
        if running and not each["more"]:
            found.append(number + 1)
    return found


def middle(entries: list[Json]) -> int:
    """An append in the first half of the game that begins with a move, after a move of another player."""
    found = ends(entries)
    return next(
        each
        for each in found[len(found) // 3 :]
        if "move" in entries[each] and "move" in entries[each - 1 - of_append(entries, each - 1)]
    )


def of_append(entries: list[Json], number: int) -> int:
    """How many entries of its append are before this entry."""
    before = 0
    while number - before and entries[number - before - 1]["more"]:
        before += 1
    return before


def shifted(entries: Iterable[Json], number: int, by: int) -> None:
    """Events name later versions after entries were inserted or removed before this one."""
    for each in entries:
        if each["event"]["type"] in ("voted", "taken_back") and each["event"].get("to", -1) >= number:
            each["event"]["to"] += by


def insert(forged: Json, number: int, *appends: tuple[int | None, Json] | tuple[int | None, Json, list[int]]) -> None:
    """Insert appends of one event each before this entry: by, event, and `acting` if others have a choice then."""
    entries = forged["events"]
    acting = next((each["acting"] for each in reversed(entries[:number]) if "acting" in each), [])
    made = []
    for by, event, *changed in appends:
        made.append(entry(forged, by, event, number - 1) | {"acting": changed[0] if changed else acting})
    shifted(entries[number:], number, len(made))
    entries[number:number] = made


def cut(forged: Json, number: int, event: Json, by: int | None = None) -> None:
    """The game is over there: this event, and `revealed`."""
    entries, last = forged["events"], forged["events"][-1]
    del entries[number:]
    entries.append(entry(forged, by, event, number - 1) | {"more": 1})
    entries.append(last | {"at": entries[-1]["at"]})


def remove(forged: Json, begin: int) -> None:
    """Remove the append that begins there."""
    entries = forged["events"]
    count = entries[begin]["more"] + 1
    del entries[begin : begin + count]
    shifted(entries[begin:], begin, -count)


def people(forged: Json) -> list[int]:
    """The seats of people who have not left in the middle of the game."""
    away: set[int] = set()
    for each in forged["events"][: middle(forged["events"])]:
        event = each["event"]
        if event["type"] in ("gone", "rejoined"):
            (away.add if event["type"] == "gone" else away.discard)(event["seat"])
    taken = {each["event"]["seat"] for each in forged["events"] if each["event"]["type"] == "joined"}
    return sorted(taken - away)


def here(forged: Json) -> tuple[int, int, int]:
    """A place in the middle, the seat of the move before it, and another seat with a player."""
    entries = forged["events"]
    number = middle(entries)
    mover = entries[number - 1 - of_append(entries, number - 1)]["by"]
    return number, mover, next(seat for seat in people(forged) if seat != mover)


def vote(seat: int, on: str, *, yes: bool = True, **more: Any) -> tuple[int, Json]:
    return seat, {"type": "voted", "seat": seat, "on": on, "yes": yes, **more}


def latest(forged: Json, number: int) -> int:
    """The version before the append that ends before this entry."""
    return number - 1 - of_append(forged["events"], number - 1)


def some_event(kind: str, **fields: Any) -> Deed:
    """In the middle of the game, as an append of its own. `$mover` and `$other` are seats; `$to` is the version before
    the latest move."""

    def deed(forged: Json) -> None:
        number, mover, other = here(forged)
        values = {"$mover": mover, "$other": other, "$to": latest(forged, number)}
        event = {"type": kind} | {
            name: values.get(value, value) if isinstance(value, str) else value for name, value in fields.items()
        }
        by = event.pop("by", None)
        acting = next((each["acting"] for each in reversed(forged["events"][: values["$to"]]) if "acting" in each), [])
        insert(forged, number, (by, event, acting) if kind == "taken_back" else (by, event))

    told = ", ".join(f"{name} {value}" for name, value in fields.items() if value not in ("", MALLORY, "0" * 64))
    told = told.replace("$mover", "the mover").replace("$other", "another").replace("$to", "the latest move")
    deed.__name__ = f"{kind} inserted{': ' if told else ''}{told}"
    return deed


def some_events(name: str, *votes: tuple[str, str, bool]) -> Deed:
    """Votes in the middle of the game: who, on what, yes or no."""

    def deed(forged: Json) -> None:
        number, mover, other = here(forged)
        to = {"to": latest(forged, number)}
        seat = {"mover": mover, "other": other}
        insert(
            forged, number, *(vote(seat[who], on, yes=yes, **(to if on == "undo" else {})) for who, on, yes in votes)
        )

    deed.__name__ = name
    return deed


def a_question_about_an_earlier_move(forged: Json) -> None:
    """It was asked before, about the same version, and answered; since then the seat has moved again."""
    number, mover, other = here(forged)
    to = latest(forged, number)
    again = next(
        each
        for each in ends(forged["events"])
        if each > number + 1
        and forged["events"][latest(forged, each)].get("by") == mover
        and "move" in forged["events"][latest(forged, each)]
    )
    insert(forged, again, vote(mover, "undo", to=to), vote(other, "undo", yes=False, to=to))
    insert(forged, number, vote(mover, "undo", to=to), vote(other, "undo", yes=False, to=to))


def a_question_about_another_version(forged: Json) -> None:
    """To which no move of the seat leads back."""
    number, mover, other = here(forged)
    to = latest(forged, latest(forged, number))
    insert(forged, number, vote(mover, "undo", to=to), vote(other, "undo", yes=False, to=to))


def a_question_about_a_move_of_another(forged: Json) -> None:
    number, mover, other = here(forged)
    to = latest(forged, number)
    insert(forged, number, vote(other, "undo", to=to), vote(mover, "undo", yes=False, to=to))


def a_question_after_twenty_undos(forged: Json) -> None:
    """The seat has taken back twenty moves. The question is answered with no."""
    number = numbers(forged, "taken_back")[-1] + 1
    number += forged["events"][number]["more"] + 1
    mover = forged["events"][latest(forged, number)]["by"]
    to = latest(forged, number)
    other = next(seat for seat in people(forged) if seat != mover)
    insert(forged, number, vote(mover, "undo", to=to), vote(other, "undo", yes=False, to=to))


def a_twenty_first_undo(forged: Json) -> None:
    """Another move is taken back, and made again."""
    last = numbers(forged, "taken_back")[-1]
    entries = forged["events"]
    count = entries[last + 1]["more"] + 1
    again = [plain(each) for each in entries[last : last + 1 + count]]
    shift = count + 1
    again[0]["event"]["to"] += shift
    entries[last + 1 + count : last + 1 + count] = again
    shifted(entries[last + 1 + count + shift :], last + 1 + count, shift)


def ten_questions_more(forged: Json) -> None:
    """Of one seat, so eleven at least; each is answered with no."""
    number, mover, other = here(forged)
    insert(
        forged, number, *[each for _ in range(11) for each in (vote(mover, "abort"), vote(other, "abort", yes=False))]
    )


def two_questions_at_once(forged: Json) -> None:
    number, mover, other = here(forged)
    insert(forged, number, vote(mover, "abort"), vote(other, "undo", to=latest(forged, number)))


def agreed_twice(forged: Json) -> None:
    number, mover, _ = here(forged)
    insert(forged, number, vote(mover, "abort"), vote(mover, "abort"))


def undone_without_all(forged: Json) -> None:
    """One vote is not enough."""
    number, mover, _ = here(forged)
    to = latest(forged, number)
    insert(forged, number, vote(mover, "undo", to=to))
    forged["events"][number]["more"] = 1
    acting = next(each["acting"] for each in reversed(forged["events"][:to]) if "acting" in each)
    event = {"type": "taken_back", "seat": mover, "to": to, "agreed": True}
    forged["events"].insert(number + 1, entry(forged, None, event, number) | {"acting": acting})
    del forged["events"][number]["acting"]


def another_choice_after(*kinds: str) -> Deed:
    """`acting` of the inserted append contains one more seat, whose clock runs; that of the next one is right again."""

    def deed(forged: Json) -> None:
        number, mover, other = here(forged)
        acting = forged["events"][number - 1]["acting"]
        more = next(seat for seat in people(forged) if seat not in acting)
        to = latest(forged, number)
        events = {
            "granted": (mover, {"type": "granted", "seat": other, "seconds": 1}),
            "voted": vote(mover, "abort"),
            "voted on an undo": vote(mover, "undo", to=to),
            "no": vote(other, "abort", yes=False),
        }
        one, two = kinds
        insert(forged, number, (*events[one], sorted([*acting, more])), events[two])

    deed.__name__ = f"acting after {kinds[0]} with another seat"
    return deed


def back_with_another_choice(forged: Json) -> None:
    """After `rejoined` one more seat has a choice; after a vote it is right again."""
    number = numbers(forged, "rejoined")[0]
    back = forged["events"][number]
    acting = back["acting"]
    seat = next(seat for seat in (0, 1, 2) if seat not in acting)
    insert(forged, number + 1, (back["by"], {"type": "voted", "seat": back["by"], "on": "abort", "yes": True}, acting))
    back["acting"] = sorted([*acting, seat])


def away_and_back(forged: Json, times: int = 1) -> None:
    """A player without a choice leaves, and is back at once."""
    number, mover, other = here(forged)
    entries = forged["events"]
    acting = entries[number - 1]["acting"]
    seat = next((each for each in (mover, other) if each not in acting), mover)
    moved = any(each["by"] == seat and "move" in each for each in entries[:number])
    gone = {
        "type": "gone",
        "seat": seat,
        "moved": moved,
        "cause": "left",
        "bot": entries[0]["event"].get("absent", "random/1"),
    }
    insert(forged, number, *[(seat, gone), (seat, {"type": "rejoined", "seat": seat})] * times)


def away_and_back_three_times(forged: Json) -> None:
    away_and_back(forged, 3)


def away_for_good(forged: Json) -> None:
    """A player without a choice leaves, and the game goes on with their moves."""
    away_and_back(forged)
    remove(forged, next(number for number in numbers(forged, "rejoined")))


def over(cause: str) -> Deed:
    """The game is aborted in the middle."""

    def deed(forged: Json) -> None:
        number, _, other = here(forged)
        event = {"type": "aborted"} if cause == "left" else {"type": "aborted", "cause": cause}
        cut(forged, number, event, other if cause == "left" else None)

    deed.__name__ = f"aborted in the middle: {cause}"
    return deed


def ended_in_the_middle(forged: Json) -> None:
    event = plain(of(forged, "ended")["event"])
    cut(forged, here(forged)[0], event)


def revealed_in_the_middle(forged: Json) -> None:
    number = here(forged)[0]
    last = forged["events"][-1]
    del forged["events"][number:]
    forged["events"].append(last | {"at": forged["events"][-1]["at"]})


def cut_off(forged: Json) -> None:
    """The game ends in its middle, but its secret is public."""
    del forged["events"][here(forged)[0] :]


def aborted_by_a_later_append(forged: Json) -> None:
    """At the maximum length a player votes, and only then the game is aborted."""
    number = reached(forged)
    last = forged["events"][number - 1]
    for before in range(of_append(forged["events"], number - 1) + 1):
        forged["events"][number - 1 - before]["more"] = before
    last["acting"] = [last["event"]["seat"]] if "seat" in last["event"] else forged["events"][number - 1]["acting"]
    forged["events"].insert(number, entry(forged, *vote(0, "abort"), number) | {"more": 2})


def came_and_went(times: int) -> Deed:
    """A player takes a seat and leaves it again and again before the game begins, and then takes it once more."""

    def deed(forged: Json) -> None:
        number = numbers(forged, "joined")[1]  # the last one begins the game
        event = forged["events"][number]["event"]
        seat, come = event["seat"], plain(event)
        insert(forged, number, *[each for _ in range(times) for each in ((seat, come), (seat, left(seat)))])
        for each in forged["events"][number : number + 2 * times]:
            each["acting"] = []

    deed.__name__ = f"came and went {times} times"
    return deed


def removed_append(kind: str, nth: int = 0) -> Deed:
    """The append that begins with such an event."""

    def deed(forged: Json) -> None:
        entries = forged["events"]
        begins = [n for n in numbers(forged, kind) if n == 0 or not entries[n - 1]["more"]]
        remove(forged, begins[nth])

    deed.__name__ = f"append removed: {kind}"
    return deed


def removed_move(forged: Json) -> None:
    remove(forged, here(forged)[0])


def repeated_append(forged: Json) -> None:
    number = here(forged)[0]
    entries = forged["events"]
    count = entries[number]["more"] + 1
    again = [plain(each) for each in entries[number : number + count]]
    shifted(entries[number:], number, count)
    entries[number:number] = again


def exchanged_appends(forged: Json) -> None:
    """Two neighbouring moves change places; their times do not."""
    entries, number = forged["events"], here(forged)[0]
    one, two = entries[number]["more"] + 1, 0
    two = entries[number + one]["more"] + 1
    first, second = entries[number : number + one], entries[number + one : number + one + two]
    times = first[0]["at"], second[0]["at"]
    entries[number : number + one + two] = second + first
    for place, each in enumerate(second + first):
        each["at"] = times[place >= two]


def removed_entry(forged: Json) -> None:
    """The last event of the move in the middle; the one before is the last."""
    entries = forged["events"]
    number = next(n for n in ends(entries)[2:] if entries[n - 2]["more"] and "move" in entries[n - 2])
    begin = latest(forged, number)
    for each in entries[begin : number - 1]:
        each["more"] -= 1
    entries[number - 2]["acting"] = entries[number - 1]["acting"]
    del entries[number - 1]
    shifted(entries[number - 1 :], number, -1)


def repeated_entry(forged: Json) -> None:
    """The last event of the move in the middle happens twice."""
    entries, number = forged["events"], here(forged)[0]
    again = plain(entries[number - 1])
    again.pop("move", None)
    for each in entries[latest(forged, number) : number]:
        each["more"] += 1
    del entries[number - 1]["acting"]
    shifted(entries[number:], number, 1)
    entries.insert(number, again)


def aimed_elsewhere(kind: str, move: str, field: str) -> Deed:
    """Of the first such event that such a move caused, the move aims at what is not there."""

    def deed(forged: Json) -> None:
        for each in forged["events"]:
            if each["event"]["type"] == kind and each.get("move", {}).get("type") == move:
                each["move"][field] = "play_discarded_action" if field == "card" else 12
                return

    deed.__name__ = f"{move} that {kind} answers: other {field}"
    return deed


# --- the corpus ---------------------------------------------------------------------------------------------------


def hashes_in_the_events(forged: Json, *numbers: int) -> None:
    """The right ones, in all events or in these."""
    hashed = plain(record.hashed(record.decode(encode(forged))))["events"]
    for number in numbers or range(len(hashed)):
        forged["events"][number] = hashed[number]


def hashes_in_one_event(forged: Json) -> None:
    hashes_in_the_events(forged, 3)


def one_hash_in_one_event(forged: Json) -> None:
    hashed = plain(forged)
    hashes_in_one_event(hashed)
    forged["events"][3]["public"] = hashed["events"][3]["public"]


def secret_hidden_without_hashes(forged: Json) -> None:
    """As in a redacted record."""
    forged["secret"] = forged["events"][0]["event"]["secret"] = None


SHAPES = [hashes_in_the_events, hashes_in_one_event, one_hash_in_one_event, secret_hidden_without_hashes]


def dealt_from(what: str, stream: str, block: int = 0) -> Deed:
    """The first shuffle, from another stream; `{}` is its type."""

    def deed(forged: Json) -> None:
        rules = msgspec.json.decode(description(VERSIONS[forged["rules"]]))
        shuffles = [kind for kind, drawings in rules["draws"].items() if "shuffle" in str(drawings)]
        event = next(entry["event"] for entry in forged["events"] if entry["event"]["type"] in shuffles)
        described.dealt_again(forged, rules, event, stream.replace("{}", event["type"]), block)

    deed.__name__ = f"dealt from {what}"
    return deed


STREAMS = [
    dealt_from("the stream of another event", "deal:dealt_again:0"),
    dealt_from("the stream of all events", "deal:0"),
    dealt_from("the second stream of the event", "deal:{}:1"),
    dealt_from("the second block of the stream", "deal:{}:0", 1),
]


class Forgery(NamedTuple):
    """A change of a game. `forge` changes the record in place; afterwards `seal` makes its hashes right."""

    base: str
    name: str
    forge: Deed
    found: Found = "all"
    regroup: bool = False
    """Whether the forger groups the events into appends anew, with the fields `more` and `acting` that they need."""
    only: str = ""
    """The ruleset that has such events; empty: all."""


INSERTED: list[Deed] = [
    some_event("joined", by="$other", seat="$other", player=MALLORY, entropy=""),
    some_event("left", by="$other", seat="$other"),
    some_event("declined", by="$other", seat="$other"),
    some_event("begun"),
    some_event("gone", by=None, seat="$other", moved=True, cause="expired", bot="random/1"),
    some_event("gone", by="$other", seat="$other", moved=False, cause="left", bot="random/1"),
    some_event("gone", by="$other", seat="$other", moved=True, cause="left", bot="careful/1"),
    some_event("gone", by="$other", seat="$other", moved=True, cause="left"),
    some_event("gone", by="$mover", seat="$other", moved=True, cause="left", bot="random/1"),
    some_event("rejoined", by="$other", seat="$other"),
    some_event("granted", by="$other", seat="$other", seconds=1),
    some_event("granted", by=None, seat="$other", seconds=1),
    some_event("granted", by="$mover", seat="$other", seconds=61),
    some_event("granted", by="$mover", seat="$other", seconds=0),
    some_event("voted", by="$mover", seat="$mover", on="abort", yes=False),
    some_event("voted", by="$mover", seat="$other", on="abort", yes=True),
    some_event("voted", by="$mover", seat="$mover", on="abort", yes=True, to="$to"),
    some_event("voted", by="$mover", seat="$mover", on="undo", yes=True),
    some_event("taken_back", by=None, seat="$mover", to="$to", agreed=True),
    some_event("taken_back", by="$mover", seat="$other", to="$to", agreed=False),
    some_event("taken_back", by="$other", seat="$other", to="$to", agreed=False),
    some_event("hinted", by="$mover", seat="$mover"),
    terms(hints=True),
    some_event("ended", result={"scores": [0, 0, 0], "winners": [0]}),
    some_event("revealed", secret="0" * 64),
    *map(over, ("left", "cancelled", "expired", "longest", "absent", "agreed")),
    ended_in_the_middle,
    revealed_in_the_middle,
    a_question_about_an_earlier_move,
    a_question_about_another_version,
    a_question_about_a_move_of_another,
    ten_questions_more,
    two_questions_at_once,
    agreed_twice,
    undone_without_all,
    another_choice_after("granted", "voted"),
    another_choice_after("voted", "no"),
    another_choice_after("voted on an undo", "granted"),
    away_and_back_three_times,
]
REMOVED: list[Deed] = [cut_off, removed_append("joined")]
BY_THE_RULES: list[Deed] = [
    removed_entry,
    removed_move,
    repeated_append,
    exchanged_appends,
    repeated_entry,
    away_for_good,
]
BY_NOBODY: list[Deed] = [
    some_event("granted", by="$mover", seat="$other", seconds=1),
    some_event("voted", by="$mover", seat="$mover", on="abort", yes=True),
    some_events("a question to abort, answered with no", ("mover", "abort", True), ("other", "abort", False)),
    some_events("a question about an undo, answered with no", ("mover", "undo", True), ("other", "undo", False)),
    away_and_back,
    over("operator"),
]
"""What the terms allow and the rest of the game does not depend on."""


def placed(base: str, kinds: dict[str, tuple[Places, EntryDeed]], found: Found) -> Iterator[Forgery]:
    """The deeds about single entries, each at up to two places."""
    for name, (places, deed) in kinds.items():
        for nth in range(2):

            def forge(forged: Json, places: Places = places, deed: EntryDeed = deed, nth: int = nth) -> None:
                numbers = places(forged["events"])
                if nth < len(numbers):
                    deed(forged["events"], numbers[nth])

            yield Forgery(base, name, forge, found)


def named(base: str, deeds: Iterable[Deed], found: Found = "all", *, regroup: bool = False) -> Iterator[Forgery]:
    return (Forgery(base, in_words(deed), deed, found, regroup) for deed in deeds)


def in_words(deed: Deed) -> str:
    """The name of the forgery in the page."""
    name = deed.__name__.replace("[]", "an empty list").replace("{}", "an empty object")
    name = f"{name}an empty text" if name.endswith(" ") else name
    return name.translate(str.maketrans("_", " ", "{}[]'\"`$"))


LIVES: dict[str, list[Deed]] = {
    "clock": WITH_A_CLOCK,
    "played": OF_A_GAME,
    "left": OF_A_GAME_ALL_LEFT,
    "cancelled": OF_A_WAITING_GAME,
    "expired": OF_A_WAITING_GAME,
    "longest": OF_A_GAME_THAT_IS_TOO_LONG,
    "hotseat": OF_A_HOTSEAT_GAME,
    "branch": OF_A_BRANCH,
}
"""By base, what is forged without a thought of appends: they are grouped anew."""

CORPUS: tuple[Forgery, ...] = (
    *(each for base, deeds in LIVES.items() for each in named(base, deeds, regroup=True)),
    *named("late", WITH_A_CLOCK),
    *named("played", [*SHAPES, *STREAMS]),
    *named("left", OF_AN_OPENING),
    *named("left", [opened_with("description", "0" * 64, "of other rules")], "verify"),
    *(each for base, deeds in UNDONE.items() for each in named(base, deeds)),
    *(each for base in ("played", "branch", "left", "longest") for each in placed(base, FOUND_BY_ALL, "all")),
    *(
        each
        for base in ("played", "branch", "left", "longest")
        for each in placed(base, FOUND_WITH_THE_RULES, "verify")
    ),
    *named("quiet", INSERTED),
    *named("quiet", REMOVED),
    *named("quiet", BY_THE_RULES, "verify"),
    *named("quiet", BY_NOBODY, "nobody"),
    *named("gone", [back_with_another_choice, removed_append("gone"), removed_append("rejoined")]),
    *named("kept", [removed_append("declined"), came_and_went(10)]),
    *named("kept", [came_and_went(9)], "nobody"),
    *named("sealed", [terms(puzzles=False), terms(puzzles=1), terms(private=True)]),
    *named("sealed", [*SEALED, removed_append("readied"), removed_append("joined")]),
    *named("not ready", NOT_READY),
    *named("not ready", [aborted_as(cause="cancelled", unready=None), the_last_readied_is_taken_out], "nobody"),
    *named("hinted", HINTED),
    *named("hinted", [hinted_once_more, removed_append("hinted")], "nobody"),
    *named("deal", [*OF_A_DEAL, of_deal(id="0190ffff-0000-7000-8000-00000000dea2"), terms(sealed=True)]),
    *named("deal", [of_deal(tables=3)], "nobody"),
    *named("stopped", [*OF_A_DEAL, stopped_early, of_deal(until="2026-11-20T09:00:00.000001Z"), without("aborted")]),
    *named("played", [terms(deal={"id": samples.BRANCH, "until": LATER})]),
    *named("played", [seated_with(seal="0" * 64), inserted_readied]),
    *named("expired", [aborted_as(unready=[0])]),
    *named("full", [aborted_by_a_later_append]),
    *named("weary", [a_question_after_twenty_undos, a_twenty_first_undo]),
    *(
        Forgery("attacked", each.__name__, each, only="skyjo_action/1")
        for each in (aimed_elsewhere("blocked", "pick", "slot"), aimed_elsewhere("blocked", "steal", "card"))
    ),
)


def seal(forgery: Forgery, rules: Rules) -> Json | None:
    """The forged record, with hashes that are right; None if the forgery changes nothing in this game."""
    forged = whole(rules, forgery.base)
    before = msgspec.json.encode(forged["events"], order="sorted")
    forgery.forge(forged)
    if msgspec.json.encode(forged["events"], order="sorted") == before:
        return None
    return rehashed(regrouped(forged) if forgery.regroup else forged, like=whole(rules, forgery.base))
