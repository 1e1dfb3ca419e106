"""Forgeries of appends, choices and moves."""

from collections.abc import Callable, Iterable
from typing import Any

from tests.verifiers.deeds import MALLORY, Deed, entry, left, numbers, of, reached
from tests.verifiers.samples import Json, plain


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


def aimed_at_nothing(kind: str, *, emptied: bool) -> Deed:
    """The first such event, and the move that caused it, name a slot of a row from which the card has gone (`emptied`),
    or that the row does not have."""

    def deed(forged: Json) -> None:
        gone: list[Json] = []
        for each in forged["events"]:
            event = each["event"]
            spots = [*event.get("spots", ()), *([event["spot"]] if "spot" in event else []), event]
            own = [one for one in gone if "row" in spots[0] or one["row"] == event.get("seat")]
            if event["type"] == kind and (own or not emptied):
                place = own[0] if emptied else {"position": 99}
                for one in (spots[0], each.get("move", {})):
                    one.update({name: value for name, value in place.items() if name in one})
                return
            if event["type"] in ("removed", "returned", "stolen"):
                gone.append(event["spot"])
            elif event["type"] == "spent":
                gone.append({"row": event["seat"], "position": event["position"]})
            elif event["type"] == "table_cleared":
                gone = []

    deed.__name__ = f"{kind} names {'an empty slot' if emptied else 'no slot'}"
    return deed


def aimed_elsewhere(kind: str, move: str, field: str) -> Deed:
    """Of the first such event that such a move caused, the move aims at what is not there."""

    def deed(forged: Json) -> None:
        for each in forged["events"]:
            if each["event"]["type"] == kind and each.get("move", {}).get("type") == move:
                each["move"][field] = "play_discarded_action" if field == "card" else 12
                return

    deed.__name__ = f"{move} that {kind} answers: other {field}"
    return deed
