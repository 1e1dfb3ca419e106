"""Records to start from, and what a forger does to the events of a game."""

from collections.abc import Callable
from functools import cache
from typing import Any, Literal

import msgspec

from domain.codec import encode
from domain.game import Rules
from tests.verifiers import samples
from tests.verifiers.samples import Json, plain

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
    "aimed": samples.aimed,
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
