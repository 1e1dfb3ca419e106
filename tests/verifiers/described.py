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
    root = opened["parent"]["root"] if "parent" in opened else opened.get("deal", record)["id"]
    entropies = [seat["entropy"] for seat in record["seats"]]
    secret, head = bytes.fromhex(opened["secret"]), module.first_head(record["id"])
    key = module.table_key(secret, root, entropies)
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
            for drawing in _each_seat(rules["draws"][kind], opened["seats"]):
                if not _follows(words, drawing, event, opened["seats"]):
                    yield f"event {version}: `{kind}` does not follow from the secret: {drawing}"
    if head.hex() != record["head"]:
        yield "the hashes of what a bystander sees, and of the events, do not lead to the head"


def _each_seat(draws: list[Json], seats: int) -> Iterator[Json]:
    for drawing in draws:
        paths = drawing.get("shuffle", [])
        for seat in range(seats if any("{seat}" in path for path in paths) else 1):
            yield drawing | {"shuffle": [path.replace("{seat}", str(seat)) for path in paths]}


def _follows(words: Any, drawing: Json, event: Json, seats: int) -> bool:
    if "below" in drawing:
        outcomes = seats if drawing["below"] == "seats" else drawing["below"]
        return bool(event[drawing["at"]] == words.below(outcomes))
    cards = [card for path in drawing["shuffle"] for card in _at(event, path)]
    if not drawing.get("turned"):
        return bool(cards == words.shuffled(cards))
    shuffled = words.shuffled([sorted(card) for card in cards])
    return cards == [card[::-1] if words.below(2) else card for card in shuffled]


def _at(value: Any, path: str) -> list[Any]:
    """All values at the path, in their order."""
    name, _, rest = path.partition("/")
    found = list(value) if name == "*" else [value[int(name)] if isinstance(value, list) else value[name]]
    return [each for one in found for each in _at(one, rest)] if rest else found
