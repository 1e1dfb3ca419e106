"""Many games that are over, in a log: one that was played, under many ids."""

import asyncio
from collections.abc import Mapping

from msgspec.structs import asdict, replace

from domain.codec import encode
from domain.fairness import record
from domain.game.log import Stored
from domain.rulesets import RULESETS
from service.games.topics import tag
from service.log.game_log import GameLog
from service.log.mapper import Row
from tests.golden import play
from tests.verifiers.samples import record_of

AT_ONCE = 50


async def fill(store: GameLog, ruleset: str, count: int) -> Mapping[str, bytes]:
    """Append this number of games. Returns their records without names, by id."""
    rules = RULESETS[ruleset]
    golden = play(rules, "many", min(rules.seats), {})
    assert golden is not None
    played, found = record_of(golden.id, golden.log), dict[str, bytes]()
    for number in range(count):
        whole = record.hashed(replace(played, id=f"01a21ef7-3085-7bbb-abee-{number:012d}"))
        whole = replace(whole, head=whole.events[-1].head)
        found[whole.id] = encode(record.complete(whole))
    ids = list(found)
    for begin in range(0, count, AT_ONCE):
        some = [record.hashed(record.decode(found[game_id])) for game_id in ids[begin : begin + AT_ONCE]]
        rows = [
            [Row(each.id, e.version, f"{each.rules}.{tag(e.event)}", Stored(**asdict(e))) for e in each.events]
            for each in some
        ]
        await asyncio.gather(*map(store.append, rows))
    return found
