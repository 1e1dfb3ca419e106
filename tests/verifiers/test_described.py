"""The published descriptions: frozen, enough to check hidden fields and chance of every game, and served."""

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from domain.description import Undescribable, description
from domain.game import Rules
from domain.messages import Dealing, Drawing, Event, Value
from domain.rulesets import VERSIONS
from tests import golden
from tests.support.clients import in_process
from tests.verifiers import described, forging, samples
from tests.verifiers.samples import plain
from tests.verifiers.standalone import by_description, outcome, python, refused

pytestmark = pytest.mark.turns("rulesets")

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
def test_it_is_enough_to_check_hidden_fields_and_chance(rules: Rules, everything: bool):
    """Of golden games that contain every event of the dealer, of branches, of common deals, and of games in which
    moves are taken back. All records are right by the description alone as well as by the table."""
    whole, missing = [], set(json.loads(description(rules))["draws"])
    for file in sorted(golden.folder(rules).glob("*.jsonl"), key=lambda file: file.stat().st_size):
        played, _ = golden.read(rules, file)
        dealt = {type(entry.event).__struct_config__.tag for entry in played.log if isinstance(entry.event, Dealing)}
        if everything or dealt & missing:
            whole.append(samples.record_of(played.id, played.log))
            missing -= dealt
    assert not missing
    undone, deals = samples.with_undo(rules).values(), samples.with_deal(rules).values()
    for each in (*whole, *undone, *deals, samples.branched(rules, 0)):
        for checks in by_description(plain(each), description(rules)):
            assert set(outcome(checks).values()) == {True}, (each.id, checks)
            assert outcome(checks).keys() == outcome(python().verify(plain(each))).keys() | {"description"}
            assert [check["name"] for check in checks if "not described" in check["detail"]] == PARTLY


PARTLY = ["appends", "life", "shuffles"]
"""The checks of which a description allows a part only, and that say so."""


@every_ruleset
def test_while_a_game_runs_public_hashes_are_checked(rules: Rules):
    seen = plain(samples.seen(rules, samples.running(rules, rules.seats[0], 0), 0))
    unknown = {"secret", "shuffles", "commitment"}
    for checks in by_description(seen, description(rules)):
        assert {name for name, ok in outcome(checks).items() if ok is None} == unknown
    hidden = json.loads(description(rules))["hidden"]
    entry = next(entry for entry in seen["events"] if entry["event"]["type"] in hidden)
    entry["public"] = python().public_hash(entry, entry["event"] | {"faces": "open"}).hex()
    for checks in by_description(seen, description(rules)):
        assert {check["name"]: check["version"] for check in checks if check["ok"] is False} == {
            "public": entry["version"],
            "heads": entry["version"],
        }


def cards_exchanged(dealing: Json) -> None:
    """The first two different values of the longest list, at any depth."""
    lists = [forging.at(dealing, path) for path in forging.places(dealing)]
    longest = max((each for each in lists if isinstance(each, list)), key=len)
    other = next(number for number, each in enumerate(longest) if each != longest[0])
    longest[0], longest[other] = longest[other], longest[0]


def seats_rotated(dealing: Json) -> None:
    """What is listed by seat; else it is turned around."""
    hands = next((value for value in dealing.values() if isinstance(value, list) and isinstance(value[0], list)), None)
    hands = hands or next(value for value in dealing.values() if isinstance(value, list) and len(value) > 1)
    hands.append(hands.pop(0))


def order_reversed(dealing: Json) -> None:
    max((value for value in dealing.values() if isinstance(value, list)), key=lambda each: len(str(each))).reverse()


def a_card_more(dealing: Json) -> None:
    longest = max((value for value in dealing.values() if isinstance(value, list)), key=lambda each: len(str(each)))
    longest.append(longest[0])


@every_ruleset
@pytest.mark.parametrize("forge", [cards_exchanged, seats_rotated, order_reversed, a_card_more])
def test_a_forged_deal_is_found_though_all_hashes_are_right(rules: Rules, forge: Callable[[Json], None]):
    forged = plain(samples.shortest(rules, rules.seats[0]))
    draws = json.loads(description(rules))["draws"]
    dealing = next(entry for entry in forged["events"] if "shuffle" in str(draws.get(entry["event"]["type"])))
    forge(dealing["event"])
    for checks in by_description(described.sealed(forged, description(rules)), description(rules)):
        failed = [(check["name"], check["version"]) for check in checks if check["ok"] is False]
        assert failed == [("shuffles", dealing["version"])], checks


@pytest.mark.parametrize("rules", [each for each in VERSIONS.values() if '"below"' in description(each).decode()])
def test_another_lot_is_found_though_all_hashes_are_right(rules: Rules):
    forged = plain(samples.shortest(rules, rules.seats[0]))
    draws = json.loads(description(rules))["draws"]
    dealing, name = next((entry["event"], draw["at"]) for entry in forged["events"]
                         for draw in draws.get(entry["event"]["type"], []) if "at" in draw)  # fmt: skip
    dealing[name] = (dealing[name] + 1) % rules.seats[0]
    for checks in by_description(described.sealed(forged, description(rules)), description(rules)):
        assert outcome(checks)["shuffles"] is False


@every_ruleset
def test_another_description_is_found(rules: Rules):
    """One that declares hidden fields open. The forger names the hash of the right one, or that of their own."""
    right, open_ = description(rules), json.loads(description(rules))
    open_["hidden"] = {}
    other = json.dumps(open_).encode()
    forged = described.sealed(plain(samples.shortest(rules, rules.seats[0])), other)
    for checks in by_description(forged, right):
        assert [check["name"] for check in checks if check["ok"] is False] == ["heads"]
    forged["events"][0]["event"]["description"] = sha256(other).hexdigest()
    forged = described.sealed(forged, other)
    for checks in by_description(forged, right):
        assert [check["name"] for check in checks if check["ok"] is False] == ["heads", "description"]
    found = next(check for check in samples.verified(forged) if check.ok is False)
    assert (found.name, "description" in found.detail) == ("header", True)


@every_ruleset
def test_unknown_events_fields_and_moves_are_found_though_all_hashes_are_right(rules: Rules):
    whole = plain(samples.shortest(rules, rules.seats[0]))
    draws = json.loads(description(rules))["draws"]
    number = next(number for number, entry in enumerate(whole["events"]) if "move" in entry)
    forged = [plain(whole) for _ in range(4)]
    forged[0]["events"][number]["event"]["type"] = "invented"
    forged[1]["events"][number]["event"]["faces"] = 1
    forged[2]["events"][number]["move"]["type"] = "invented"
    dealing = next(entry for entry in forged[3]["events"] if entry["event"]["type"] in draws)
    dealing["by"] = 0
    for each, name in zip(forged, ("life", "life", "appends", "life"), strict=True):
        for checks in by_description(described.sealed(each, description(rules)), description(rules)):
            assert outcome(checks)[name] is False


def test_a_description_that_draws_a_card_twice_or_leads_nowhere_checks_nothing():
    rules = next(iter(VERSIONS.values()))
    (kind, (draw,)) = next((kind, draws) for kind, draws in json.loads(description(rules))["draws"].items())
    whole = plain(samples.shortest(rules, rules.seats[0]))
    for shuffles in ([draw["shuffle"] * 2], [draw["shuffle"]] * 2, [[*draw["shuffle"], f"{draw['shuffle'][0]}/*/*"]],
                     [[f"{draw['shuffle'][0].split('/')[0]}/99999999999999999999999"]]):  # fmt: skip
        text = json.loads(description(rules))
        text["draws"][kind] = [{"shuffle": paths} for paths in shuffles]
        for checks in by_description(whole, json.dumps(text).encode()):
            assert outcome(checks)["shuffles"] is False


class Node(Value):
    inside: "tuple[Node, ...]"
    face: int


class Holder(Value):
    face: int | None


class Nested(Event):
    nodes: tuple[Node, ...]


class Undealt(Dealing):
    pass


class Elsewhere(Dealing):
    draws = (Drawing(shuffle=("hands/*",)),)
    draw: tuple[int, ...]


class Within(Event):
    holders: tuple[Holder, ...]


class Mapped(Event):
    faces: dict[str, int | None]


class Renamed(Event, rename="camel"):
    the_face: int


@pytest.mark.parametrize("event", [Undealt, Elsewhere, Within, Mapped, Renamed])
def test_what_cannot_be_described_is_refused_when_the_package_is_loaded(event: type[Event]):
    """Nobody could check the games of such a ruleset."""
    rules = next(iter(VERSIONS.values()))
    assert b'"nested":["nodes"]' in description(replace(rules, event=Nested))
    with pytest.raises(Undescribable, match=event.__struct_config__.tag):
        description(replace(rules, event=event | Nested))


class Deep(Event):
    cards: tuple[
        tuple[tuple[tuple[tuple[tuple[tuple[tuple[tuple[int | None, ...], ...], ...], ...], ...], ...], ...], ...], ...
    ]


class Long(Dealing):
    draws = (Drawing(shuffle=("cards" + "/*" * 16,)),)
    cards: tuple[int, ...]


class Many(Dealing):
    draws = (Drawing(shuffle=tuple(f"cards/{place}" for place in range(65))),)
    cards: tuple[int, ...]


@pytest.mark.parametrize("event", [Deep, Long, Many])
def test_what_verifiers_would_refuse_is_refused_when_the_package_is_loaded(event: type[Event]):
    """G6"""
    rules = next(iter(VERSIONS.values()))
    with pytest.raises(Undescribable, match="verifiers refuse more than"):
        description(replace(rules, event=event | Nested))


HOSTILE: dict[str, Callable[[Json], Any]] = {
    "another format": lambda found: found.update(format="stammtisch-rules/2"),
    "an unknown field": lambda found: found.update(more=1),
    "a missing field": lambda found: found.pop("moves"),
    "no version of rules": lambda found: found.update(rules="skyjo"),
    "rules that are no text": lambda found: found.update(rules=["skyjo/1"]),
    "seats that fall": lambda found: found.update(seats=[8, 2]),
    "seats without end": lambda found: found.update(seats=[1, 10**9]),
    "seats that are no numbers": lambda found: found.update(seats=[True, 2]),
    "no seats": lambda found: found.update(seats=None),
    "an event of every game": lambda found: found["events"].update(opened=[]),
    "events in a list": lambda found: found.update(events=[]),
    "a field with the name of a prototype": lambda found: found["events"].update(dealt=["__proto__"]),
    "fields in an object": lambda found: found["moves"].update(draw={}),
    "a hidden field of no event": lambda found: found["hidden"].update(invented={"card": 0}),
    "a hidden field that is none": lambda found: found["hidden"]["drawn"].update(invented=0),
    "a hidden field far within": lambda found: found["hidden"]["drawn"].update(card=10**9),
    "a depth below nothing": lambda found: found["hidden"]["drawn"].update(card=-1),
    "draws of no event": lambda found: found["draws"].update(invented=[]),
    "draws of nothing": lambda found: found["draws"].update(dealt=[]),
    "draws of a prototype": lambda found: found["draws"].update(constructor=[]),
    "a draw that is none": lambda found: found["draws"].update(dealt=[1]),
    "a draw of nothing": lambda found: found["draws"].update(dealt=[{}]),
    "a shuffle of no paths": lambda found: found["draws"].update(dealt=[{"shuffle": []}]),
    "a shuffle and a lot": lambda found: found["draws"].update(dealt=[{"shuffle": ["draw"], "below": 2, "at": "draw"}]),
    "a lot of none": lambda found: found["draws"].update(dealt=[{"below": 0, "at": "draw"}]),
    "a lot beyond words": lambda found: found["draws"].update(dealt=[{"below": 2**32, "at": "draw"}]),
    "a path that is no text": lambda found: found["draws"].update(dealt=[{"shuffle": [["draw"]]}]),
    "a path from nowhere": lambda found: found["draws"].update(dealt=[{"shuffle": ["invented/*"]}]),
    "a path upwards": lambda found: found["draws"].update(dealt=[{"shuffle": ["draw/../hands"]}]),
    "a deep path": lambda found: found["draws"].update(dealt=[{"shuffle": ["draw" + "/*" * 16]}]),
    "many paths": lambda found: found["draws"].update(dealt=[{"shuffle": ["draw/*"] * 65}]),
    "cards turned by a number": lambda found: found["draws"].update(dealt=[{"shuffle": ["draw/*"], "turned": 1}]),
    "many bytes": lambda found: found["events"].update(long=["a" * 60] * 1100),
}


@pytest.mark.parametrize("deed", HOSTILE)
def test_what_is_no_description_is_refused_by_both(deed: str):
    found = json.loads(description(next(iter(VERSIONS.values()))))
    assert refused(json.dumps(found)) == ("", "")
    HOSTILE[deed](found)
    assert all(refused(json.dumps(found)))


@pytest.mark.parametrize("text", ["", "1", "null", "[]", '{"format":', "{}{}", "[" * 60_000, '{"a":1,"a":1}', "1.5"])
def test_what_is_no_object_is_refused_by_both(text: str):
    assert all(refused(text))


@pytest.mark.anyio
async def test_the_service_serves_the_bytes_that_are_hashed(tmp_path: Path) -> None:
    async with in_process(tmp_path / "games.db") as service:
        for rules in VERSIONS.values():
            answer = await service.stranger.get(f"/v1/rulesets/{rules.name}/description")
            assert (answer.status_code, answer.content) == (200, description(rules))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
