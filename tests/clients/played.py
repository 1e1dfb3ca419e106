"""Checks what `play.py` and `play.mjs` print."""

import httpx

from tests.support.clients import Json


def check(url: str, ruleset: str, found: Json) -> None:
    """The record has exactly the moves that the seats made, and the bystander has received every event once."""
    record = httpx.get(f"{url}/v1/games/{ruleset}/{found['id']}/record").json()
    events = record["events"]
    for seat, moves in enumerate(found["moves"]):
        assert [item["move"] for item in events if item["by"] == seat and "move" in item] == moves
    assert [item["version"] for item in found["events"]] == [*range(1, len(events) + 1)]
    assert found["events"][-1]["head"] == record["head"]
    assert (found["verdict"], found["ok"]) == ("ok", True)
