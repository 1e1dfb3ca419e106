"""What forgers of deals need: draws as the description of a ruleset says, and hashes that are right again."""

from typing import Any

from tests.verifiers.samples import plain
from tests.verifiers.standalone import python

Json = dict[str, Any]


def sealed(forged: Json, text: bytes) -> Json:
    """The complete record with the head that follows, if bystanders see what the description with this text says."""
    made = python().Record(forged, None, [python().description(text)], {})
    return plain(forged) | {"head": made.computed[-1]}


def dealt_again(record: Json, rules: Json, event: Json, stream: str, block: int = 0) -> None:
    """Deal in this event of a record from this stream, beginning with that block."""
    module, seats = python(), len(record["seats"])
    words = module.Words(_key(record), stream)
    words.block = block
    for draw in rules["draws"][event["type"]]:
        paths = draw.get("shuffle") or [draw["at"]]
        for seat in range(seats if "{seat}" in "".join(paths) else 1):
            steps = [path.replace("{seat}", str(seat)).split("/") for path in paths]
            places = [found for each in steps for found in module.found_at(event, each)]
            dealt = module.follow_draw(draw, [card for _, card in places], words, seats)
            for ((*around, last), _), value in zip(places, dealt, strict=True):
                inside = event
                for key in around:
                    inside = inside[key]
                inside[last] = value


def _key(record: Json) -> bytes:
    opened = record["events"][0]["event"]
    root = opened["parent"]["root"] if "parent" in opened else opened.get("deal", record)["id"]
    entropies = [seat["entropy"] for seat in record["seats"]]
    key: bytes = python().table_key(bytes.fromhex(opened["secret"]), root, entropies)
    return key
