"""The published descriptions: frozen, enough to check hidden fields and chance of every game, and served."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from domain.description import description
from domain.game import Rules
from domain.messages import Dealing
from domain.rulesets import VERSIONS
from tests import golden
from tests.support.clients import in_process
from tests.verifiers import described, samples
from tests.verifiers.samples import plain
from tests.verifiers.standalone import python

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))

Json = dict[str, Any]


@every_ruleset
def test_the_description_of_a_version_never_changes(rules: Rules):
    """Games have its hash in `opened`. Written once: `python -m tests.golden`."""
    assert golden.folder(rules).joinpath("description.json").read_bytes() == description(rules) + b"\n"
    found = json.loads(description(rules))
    assert found["hidden"] == python().TABLE[rules.rules]["hidden"]
    dealt = {kind for kind, role in python().TABLE[rules.rules]["events"].items() if role == "deal"}
    assert found["draws"].keys() == dealt


@every_ruleset
def test_it_is_enough_to_check_hidden_fields_and_chance(rules: Rules):
    """Of golden games, which contain every event, of branches, and of games in which moves are taken back."""
    whole = [samples.record_of(played.id, played.log) for file in sorted(golden.folder(rules).glob("*.jsonl"))
             for played, _ in [golden.read(rules, file)]]  # fmt: skip
    dealt = {type(entry.event) for each in whole for entry in each.events if isinstance(entry.event, Dealing)}
    assert {kind.__struct_config__.tag for kind in dealt} == json.loads(description(rules))["draws"].keys()
    for each in (*whole, *samples.with_undo(rules).values()):
        assert described.wrong(plain(each), description(rules)) is None, each.id


def cards_exchanged(dealing: Json) -> None:
    """The first two different values of the longest list, at any depth."""
    lists = [samples.at(dealing, path) for path in samples.places(dealing)]
    longest = max((each for each in lists if isinstance(each, list)), key=len)
    other = next(number for number, each in enumerate(longest) if each != longest[0])
    longest[0], longest[other] = longest[other], longest[0]


def seats_rotated(dealing: Json) -> None:
    """What is listed by seat; else it is turned around."""
    hands = next((value for value in dealing.values() if isinstance(value, list) and isinstance(value[0], list)), None)
    hands = hands or next(value for value in dealing.values() if isinstance(value, list) and len(value) > 1)
    hands.append(hands.pop(0))


@every_ruleset
@pytest.mark.parametrize("forge", [cards_exchanged, seats_rotated])
def test_a_forged_deal_is_found_though_all_hashes_are_right(rules: Rules, forge: Callable[[Json], None]):
    forged = plain(samples.shortest(rules, rules.seats[0]))
    draws = json.loads(description(rules))["draws"]
    dealing = next(entry["event"] for entry in forged["events"] if "shuffle" in str(draws.get(entry["event"]["type"])))
    forge(dealing)
    assert "does not follow" in (described.wrong(samples.rehashed(forged), description(rules)) or "")


@every_ruleset
def test_another_description_is_found(rules: Rules):
    """One that declares a hidden field open, with the hash of the right one or its own."""
    whole, open_ = plain(samples.shortest(rules, rules.seats[0])), json.loads(description(rules))
    open_["hidden"] = {}
    text = json.dumps(open_).encode()
    assert described.wrong(whole, text) == "the game was opened with another description"
    whole["events"][0]["event"]["description"] = sha256(text).hexdigest()
    assert "do not lead to the head" in (described.wrong(samples.rehashed(whole), text) or "")
    found = next(check for check in samples.verified(samples.rehashed(whole)) if check.ok is False)
    assert (found.name, "description" in found.detail) == ("header", True)


@pytest.mark.anyio
async def test_the_service_serves_the_bytes_that_are_hashed(tmp_path: Path) -> None:
    async with in_process(tmp_path / "games.db") as service:
        for rules in VERSIONS.values():
            answer = await service.stranger.get(f"/v1/rulesets/{rules.name}/description")
            assert (answer.status_code, answer.content) == (200, description(rules))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
