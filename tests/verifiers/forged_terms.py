"""Forgeries of clocks, seals, deals, undos and hints."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from domain.game import Rules
from tests.verifiers import samples
from tests.verifiers.deeds import (
    OF_A_HOTSEAT_GAME,
    Deed,
    caused_by,
    hotseat_flag,
    joined,
    left,
    numbers,
    of,
    own_parent,
    parent,
    twice,
    unknown_field,
    without,
    without_term,
)
from tests.verifiers.forged_appends import insert, remove
from tests.verifiers.samples import Json, plain

OF_A_BRANCH: list[Deed] = [
    *(parent(at=version) for version in (-5, 0, 1, 3, "5", None, True)),
    *(parent(**{name: text}) for name in ("id", "root") for text in ("", "x", samples.ID.upper(), None)),
    parent(more=1), own_parent, *OF_A_HOTSEAT_GAME,
]  # fmt: skip


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


def resumed_for(milliseconds: int) -> Deed:
    """`milliseconds` more or fewer than there were."""

    def deed(forged: Json) -> None:
        first_of(forged, "resumed")["event"]["milliseconds"] += milliseconds

    deed.__name__ = f"resumed: milliseconds {milliseconds:+}"
    return deed


WITH_A_CLOCK: list[Deed] = [
    *(of_clock(**{name: value}) for name in ("bank", "reserve") for value in (2_000, 10**9, -1, True, "20", None)),
    of_clock(bank=4), of_clock(delay=1_000), of_clock(delay=-1), of_clock(increment=-1), of_clock(pause=1),
    without_term("clock"), without_term("absent"), hotseat_flag,
    expired_by_its_seat, left_instead_of_expired, expired_early, another_expired, moved_late,
    *map(expired_for, ("bored", None, True, "")),
    *(gave(seconds=seconds) for seconds in (0, -1, 21, 10**9, True, "7", None)), gave(note="x"),
    *(gave(seat=seat) for seat in (1, 99, -1, None, True)), *map(given_by, (None, 0, 99, -1, True)),
    resumed_for(1), resumed_for(-39_000), resumed_for(10**7), caused_by("resumed", 0), twice("resumed"),
]  # fmt: skip


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
