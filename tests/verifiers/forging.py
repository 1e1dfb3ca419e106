"""Records that were changed: what a forger of a single place does."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec

from domain.codec import canonical
from domain.fairness import record
from tests.verifiers.samples import Json, _typed, plain

# --- forgeries ----------------------------------------------------------------------------------------------------

Path = tuple[Any, ...]


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """The paths to all values within a JSON value."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from places(item, (*path, key))


def at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def flipped(value: Any, dice: Random) -> Any:
    """Another value of the same type or of another one."""
    others = [None, True, 0, -1, 2**53 - 1, "", "x", [], {}, [None], {"type": "opened"}]
    match value:
        case bool():
            others = [not value, *others]
        case int():
            others = [value + 1, value - 1, -value, value + 256] * 4 + others
        case str() if value:
            place = dice.randrange(len(value))
            digit = dice.choice("0123456789abcdef")
            one = value[:place] + digit + value[place + 1 :]
            others = [one, one, one, value[:-1], value + " ", value.upper(), value[::-1], *others]
        case list() | dict() if value:
            others = [plain(next(iter(value.values() if isinstance(value, dict) else value))), *others]
    return dice.choice(others)


def flip(forged: Json, dice: Random) -> str:
    """Change a field; each depth is equally likely, otherwise nearly all would be cards of a deal."""
    found = [path for path in places(forged) if path]
    depth = dice.choice(sorted({len(path) for path in found}))
    path = dice.choice([path for path in found if len(path) == depth])
    at(forged, path[:-1])[path[-1]] = flipped(at(forged, path), dice)
    return f"flip {path}"


def flip_hash(forged: Json, dice: Random) -> str:
    """In a complete record: add one."""
    number, name = dice.randrange(len(forged["events"])), dice.choice(["public", "secret", "head"])
    text = forged["events"][number].get(name, forged["head"])
    place = dice.randrange(64)
    digit = dice.choice([digit for digit in "0123456789abcdefAF" if digit != text[place]])
    forged["events"][number][name] = text[:place] + digit + text[place + 1 :]
    return f"flip {name} of {number + 1}"


def flip_event(forged: Json, dice: Random) -> str:
    number = dice.randrange(len(forged["events"]))
    event = forged["events"][number]["event"]
    path = dice.choice([path for path in places(event) if path])
    at(event, path[:-1])[path[-1]] = flipped(at(event, path), dice)
    return f"flip {path} of event {number + 1}"


def header(forged: Json, dice: Random) -> str:
    name = dice.choice([name for name in forged if name != "events"])
    part = {name: forged[name]}
    path = dice.choice([path for path in places(part) if path])
    at(part, path[:-1])[path[-1]] = flipped(at(part, path), dice)
    forged[name] = part[name]
    return f"flip {path}"


def take_out(forged: Json, dice: Random) -> str:
    """Remove a field or an item of a list, at any depth."""
    path = dice.choice([path for path in places(forged) if path])
    del at(forged, path[:-1])[path[-1]]
    return f"take out {path}"


def put_in(forged: Json, dice: Random) -> str:
    """Add an unknown field or an item, at any depth."""
    path = dice.choice([path for path in places(forged) if isinstance(at(forged, path), (dict, list))])
    inside = at(forged, path)
    if isinstance(inside, dict):
        inside[dice.choice(["x", "extra", "most", "ünknown"])] = dice.choice([0, "y", None])
    else:
        inside.insert(dice.randrange(len(inside) + 1), dice.choice(inside) if inside else 0)
    return f"put into {path}"


def drop(forged: Json, dice: Random) -> str:
    number = dice.randrange(len(forged["events"]))
    del forged["events"][number]
    return f"drop {number + 1}"


def insert(forged: Json, dice: Random) -> str:
    """Insert an event from elsewhere in the game, with the right version."""
    events = forged["events"]
    number = dice.randrange(len(events) + 1)
    events.insert(number, plain(dice.choice(events)) | {"version": number + 1})
    return f"insert at {number + 1}"


def duplicate(forged: Json, dice: Random) -> str:
    number = dice.randrange(len(forged["events"]))
    forged["events"].insert(number, plain(forged["events"][number]))
    return f"duplicate {number + 1}"


def reorder(forged: Json, dice: Random) -> str:
    """Exchange two entries, or only their events."""
    events = forged["events"]
    one, other = dice.sample(range(len(events)), 2)
    if dice.random() < 0.5:
        events[one], events[other] = events[other], events[one]
    else:
        events[one]["event"], events[other]["event"] = events[other]["event"], events[one]["event"]
    return f"exchange {one + 1} and {other + 1}"


def truncate(forged: Json, dice: Random) -> str:
    keep = dice.randrange(1, len(forged["events"]))
    del forged["events"][keep:]
    return f"truncate after {keep}"


def renumber(forged: Json, dice: Random) -> str:
    """Drop an event and renumber the versions."""
    done = drop(forged, dice)
    for version, entry in enumerate(forged["events"], 1):
        entry["version"] = version
    return f"{done}, and number anew"


DEEDS: tuple[Callable[[Json, Random], str], ...] = (
    flip, flip, flip_hash, flip_event, flip_event, header, take_out, put_in, drop, insert, duplicate, reorder,
    truncate, renumber,
)  # fmt: skip


def forgeries(original: Json, dice: Random, count: int) -> list[tuple[str, Json]]:
    """`count` records that differ from the original, each with a description of the change. Nothing covers `names`."""
    made: list[tuple[str, Json]] = []
    text = canonical(original)  # in which 1 and true differ
    while len(made) < count:
        forged = msgspec.json.decode(text)
        deed = DEEDS[len(made) % len(DEEDS)](forged, dice)
        if canonical(forged | {"names": {}}) != canonical(original | {"names": {}}):
            made.append((deed, forged))
    return made


def same(a: Any, b: Any) -> bool:
    """Equality in JSON, where 1 and true differ."""
    return canonical(a) == canonical(b)


def cut_off(whole: Json, keep: int) -> Json:
    """The first `keep` events of the complete record, consistent with a game that is still running."""
    made = plain(record.hashed(_typed(whole)[1]))
    del made["events"][keep:]
    events = [entry["event"] for entry in made["events"]]
    events[0]["secret"] = None
    for event in events:
        if event["type"] in ("joined", "left"):
            made["seats"][event["seat"]] = {"player": None, "entropy": ""} | event
            del made["seats"][event["seat"]]["type"]
    sitting = {event["seat"] for event in events if event["type"] == "joined"}
    for seat in set(range(len(made["seats"]))) - sitting:
        made["seats"][seat] = {"seat": seat, "player": None, "entropy": ""}
    return made | {"head": made["events"][-1]["head"], "result": None, "secret": None}
