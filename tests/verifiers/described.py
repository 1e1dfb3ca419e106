"""A checker that knows no rules: hidden fields and chance of a record, by the description of its ruleset alone.

The caller must trust the description, for example by its hash. What it cannot check is whether a deal was due, which
cards went into a later shuffle, and where a card lies.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import msgspec

from tests.verifiers.standalone import python

Json = dict[str, Any]


def wrong(record: Json, text: bytes) -> str | None:
    """The first thing in a complete record that differs from the description with this text; None if nothing does."""
    rules, opened = msgspec.json.decode(text), record["events"][0]["event"]
    if (opened["rules"], opened["description"]) != (rules["rules"], sha256(text).hexdigest()):
        return "the game was opened with another description"
    return next(_failures(record, rules), None)


def _failures(record: Json, rules: Json) -> Iterator[str]:
    module, opened = python(), record["events"][0]["event"]
    hidden, dealt = module.HIDDEN | rules["hidden"], list[tuple[int, str]]()
    secret, head, key = bytes.fromhex(opened["secret"]), module.first_head(record["id"]), _key(record)
    for entry in record["events"]:
        event, version = entry["event"], entry["version"]
        kind = event["type"]
        if kind not in module.LIFECYCLE and not event.keys() - {"type"} <= {*rules["events"].get(kind, ())}:
            yield f"event {version}: not an event of the description"
        shown = {name: module.backs(value, hidden.get(kind, {})[name]) if name in hidden.get(kind, {}) else value
                 for name, value in event.items()}  # fmt: skip
        head = module.next_head(head, module.public_hash(entry, shown), module.secret_hash(secret, entry))
        if kind == "taken_back":
            dealt = [step for step in dealt if step[0] <= event["to"]]
        if kind in rules["draws"]:
            count = [name for _, name in dealt].count(kind)
            dealt.append((version, kind))
            words = module.Words(key, f"deal:{kind}:{count}")
            for drawing in each_drawing(rules, kind, opened["seats"]):
                if not _follows(words, drawing, event, opened["seats"]):
                    yield f"event {version}: `{kind}` does not follow from the secret: {drawing}"
    if head.hex() != record["head"]:
        yield "the hashes of what a bystander sees, and of the events, do not lead to the head"


def _key(record: Json) -> bytes:
    opened = record["events"][0]["event"]
    root = opened["parent"]["root"] if "parent" in opened else opened.get("deal", record)["id"]
    entropies = [seat["entropy"] for seat in record["seats"]]
    key: bytes = python().table_key(bytes.fromhex(opened["secret"]), root, entropies)
    return key


def each_drawing(rules: Json, kind: str, seats: int) -> Iterator[Json]:
    """What is drawn for an event of that type, in its order."""
    for drawing in rules["draws"][kind]:
        paths = drawing.get("shuffle", [])
        for seat in range(seats if any("{seat}" in path for path in paths) else 1):
            yield drawing | {"shuffle": [path.replace("{seat}", str(seat)) for path in paths]}


def _follows(words: Any, drawing: Json, event: Json, seats: int) -> bool:
    places, values = drawn(words, drawing, event, seats)
    return [inside[key] for inside, key in places] == values


def drawn(words: Any, drawing: Json, event: Json, seats: int) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """The places of an event that a drawing fills, each with what is around it, and the values that follow."""
    paths = [drawing["at"]] if "below" in drawing else drawing["shuffle"]
    places = [place for path in paths for place in _places(event, path)]
    if "below" in drawing:
        return places, [words.below(seats if drawing["below"] == "seats" else drawing["below"])]
    cards = [inside[key] for inside, key in places]
    if not drawing.get("turned"):
        return places, words.shuffled(cards)
    shuffled = words.shuffled([sorted(card) for card in cards])
    return places, [card[::-1] if words.below(2) else card for card in shuffled]


def _places(value: Any, path: str) -> list[tuple[Any, Any]]:
    """All places of the path, in their order."""
    name, _, rest = path.partition("/")
    keys = range(len(value)) if name == "*" else [int(name) if isinstance(value, list) else name]
    return [each for key in keys for each in (_places(value[key], rest) if rest else [(value, key)])]


def dealt_again(record: Json, rules: Json, event: Json, stream: str, block: int = 0) -> None:
    """Deal in this event of a record from this stream, beginning with that block."""
    words = python().Words(_key(record), stream)
    words.block = block
    for drawing in each_drawing(rules, event["type"], len(record["seats"])):
        for (inside, key), value in zip(*drawn(words, drawing, event, len(record["seats"])), strict=True):
            inside[key] = value
