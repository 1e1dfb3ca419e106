"""All three verifiers call the records right that a service with its default settings serves."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain.fairness import record
from domain.fairness.verification import verify
from tests.support.clients import done, in_process, play_to_the_end
from tests.verifiers.standalone import javascript, outcome, python

pytestmark = [pytest.mark.anyio, pytest.mark.turns("rulesets")]


async def test_the_records_of_a_service_are_right(tmp_path: Path) -> None:
    """Of games that were played, by several players or by one, branched, left and cancelled."""
    texts: list[bytes] = []
    async with in_process(tmp_path / "games.db") as service:
        ann, bob = await service.guests("Ann", "Bob")
        hotseat = await ann.open("skyjo", hotseat=True)
        over = await play_to_the_end([ann] * 2, hotseat)
        branch = done(await ann.post(f"{hotseat}/branches", {"at": over["version"] // 2}), 201)["links"]["self"]
        await play_to_the_end([ann] * 2, branch)
        together = await service.table("skyjo", [ann, bob])
        await play_to_the_end([ann, bob], together)
        left, cancelled = await ann.open("skyjo"), await ann.open("skyjo")
        await ann.stand(left, 0)
        done(await ann.delete(cancelled))
        for game in (hotseat, branch, together, left, cancelled):
            answer = await ann.get(f"{game}/record")
            assert done(answer)["events"][-1]["event"]["type"] == "revealed"
            texts.append(answer.content)
    records: list[Any] = [record.decode(text) for text in texts]
    assert all(check.ok for each in records for check in verify(each))
    plain = [json.loads(text) for text in texts]
    for ours, theirs in zip(map(python().verify, plain), javascript(plain), strict=True):
        assert set(outcome(ours).values()) == set(outcome(theirs).values()) == {True}
