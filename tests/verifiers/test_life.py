"""The life of a game: forgeries with every hash computed anew, whose falsity needs no rules of moves.

When a game is over everybody knows its secret, so anybody can change a field and compute the commitment, all hashes and
everything beside the events again. Each such forgery is found by `stammtisch verify` and by both verifiers that stand
alone, without any head that somebody has kept.
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
from tests.verifiers.samples import Json, plain, rehashed
from tests.verifiers.standalone import javascript, python, wrong

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))

LATER = "2026-12-31T23:59:59.999999Z"

MALLORY = {"id": "mallory", "name": "Mallory"}


def ours(forged: Json) -> bool:
    """Whether `stammtisch verify` refuses the record or finds something wrong."""
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


# --- what a forger does -------------------------------------------------------------------------------------------

Deed = Callable[[Json], Any]


def of(forged: Json, kind: str) -> Json:
    """The last entry with an event of that type."""
    return [entry for entry in forged["events"] if entry["event"]["type"] == kind][-1]


def numbers(forged: Json, kind: str) -> list[int]:
    return [number for number, entry in enumerate(forged["events"]) if entry["event"]["type"] == kind]


def entry(forged: Json, by: int | None, event: Json, like: int) -> Json:
    """An entry that happens when the event at that place does."""
    return {"version": 0, "at": forged["events"][like]["at"], "by": by, "event": event} | dict.fromkeys(
        ("public", "secret", "head"), ""
    )


def joined(seat: int, player: Json = MALLORY) -> Json:
    return {"type": "joined", "seat": seat, "player": player, "entropy": ""}


def left(seat: int) -> Json:
    return {"type": "left", "seat": seat}


def put(forged: Json, number: int, *entries: tuple[int | None, Json]) -> None:
    """The events are inserted there, at the time of the one before them."""
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
    """Behind the first player who sits down."""
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


def joins_where_somebody_sits(forged: Json) -> None:
    put(forged, numbers(forged, "joined")[0] + 1, (forged["events"][numbers(forged, "joined")[0]]["by"], joined(0)))


def joins_after_it_began(forged: Json) -> None:
    put(forged, numbers(forged, "begun")[0] + 1, (0, joined(0)))


def joins_where_no_seat_is(forged: Json) -> None:
    put(forged, 1, (99, joined(99)))


def joins_twice(forged: Json) -> None:
    """One player at two seats."""
    first, second = numbers(forged, "joined")[:2]
    forged["events"][second]["event"]["player"] = forged["events"][first]["event"]["player"]


def joins_with_another_seat(forged: Json) -> None:
    first = forged["events"][numbers(forged, "joined")[0]]
    first["by"] = first["event"]["seat"] + 1


def comes_and_goes_before_anybody_sits(forged: Json) -> None:
    """Then the game would have been given up."""
    put(forged, 1, (1, joined(1)), (1, left(1)))


def comes_and_goes_when_all_sit(forged: Json) -> None:
    """Then the game would have begun."""
    first = numbers(forged, "begun")[0]
    seat = forged["events"][0]["event"]["seats"] - 1
    put(forged, first, (seat, left(seat)), (seat, joined(seat)))


def leaves_after_it_began(forged: Json) -> None:
    put(forged, numbers(forged, "begun")[0] + 1, (0, left(0)))


def leaves_where_nobody_sits(forged: Json) -> None:
    put(forged, 1, (0, left(0)))


def at(kind: str, time: str) -> Deed:
    """Also all that is later than that, so that time does not run back."""

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
    joins_where_somebody_sits, joins_after_it_began, joins_where_no_seat_is, joins_twice, joins_with_another_seat,
    comes_and_goes_when_all_sit, leaves_after_it_began, leaves_where_nobody_sits,
    *map(all_at, IMPOSSIBLE), at("joined", LATER), at("opened", LATER), backwards,
    *map(later_than_what_caused_it, ("begun", "ended", "revealed")),
    a_parent, unknown_event, *map(unknown_field, ("opened", "joined", "begun", "ended", "revealed")), long_entropy,
]  # fmt: skip

OF_AN_EMPTY_TABLE: list[Deed] = [
    *(caused_by(kind, by) for kind in ("opened", "left", "aborted", "revealed") for by in (1, 99, -1)),
    caused_by("left", None), caused_by("aborted", None), caused_by("opened", 0), caused_by("revealed", 0),
    *(without(kind) for kind in ("joined", "left", "aborted", "revealed")),
    *(twice(kind) for kind in ("left", "aborted", "revealed")),
    hotseat_flag, seats(1), seats(9), a_parent, *map(all_at, IMPOSSIBLE), comes_and_goes_before_anybody_sits,
    *map(later_than_what_caused_it, ("aborted", "revealed")), unknown_field("aborted"), unknown_field("left"),
]  # fmt: skip


def hotseat_comes_and_goes(forged: Json) -> None:
    """In a hotseat game all seats are taken when it is opened."""
    put(forged, 3, (1, left(1)), (1, plain(forged["events"][2]["event"])))


def hotseat_given_up(forged: Json) -> None:
    del forged["events"][2:-1]
    put(forged, 2, (0, left(0)), (0, {"type": "aborted"}))
    forged["events"][-1]["at"] = forged["events"][1]["at"]


def another_plays(forged: Json) -> None:
    of(forged, "joined")["event"]["player"] = MALLORY


def one_seat_renamed(forged: Json) -> None:
    of(forged, "joined")["event"]["player"]["name"] = "Mallory"


def sits_down_later(forged: Json) -> None:
    later_than_what_caused_it("joined")(forged)


OF_A_HOTSEAT_GAME: list[Deed] = [
    hotseat_flag, hotseat_comes_and_goes, hotseat_given_up, another_plays, one_seat_renamed, sits_down_later,
]  # fmt: skip

OF_A_BRANCH: list[Deed] = [
    *(parent(at=version) for version in (-5, 0, 1, 3, "5", None, True)),
    *(parent(**{name: text}) for name in ("id", "root") for text in ("", "x", samples.ID.upper(), None)),
    parent(more=1), own_parent, *OF_A_HOTSEAT_GAME,
]  # fmt: skip

FORGED = [(played, OF_A_GAME), (given_up, OF_AN_EMPTY_TABLE), (hotseat, OF_A_HOTSEAT_GAME), (branched, OF_A_BRANCH)]


@pytest.mark.by_default("an empty table", "skyjo/1", "scandaroon/1", "a game-scout/1", "a hotseat game-skyjo_action/1")
@every_ruleset
@pytest.mark.parametrize(("base", "deeds"), FORGED, ids=["a game", "an empty table", "a hotseat game", "a branch"])
def test_what_no_game_can_have_been_is_found_by_all_three_though_every_hash_is_right(
    rules: Rules, base: Callable[[Rules], Json], deeds: list[Deed]
):
    made: list[Json] = []
    for deed in deeds:
        forged = base(rules)
        deed(forged)
        made.append(rehashed(forged))
    unfound = {
        deed.__name__: found
        for deed, forged, other in zip(deeds, made, javascript(made), strict=True)
        if not all(found := {"ours": ours(forged), "py": wrong(python().verify(forged)), "js": wrong(other)}.values())
    }
    assert unfound == {}


@every_ruleset
def test_rehashed_alone_changes_nothing(rules: Rules):
    """The forger's own tool is right, so it is what was forged that is found."""
    for base, _ in FORGED:
        whole = base(rules)
        assert samples.same(rehashed(whole), whole)
        assert not ours(whole)
        assert not wrong(python().verify(whole))
        assert not wrong(javascript([whole])[0])
