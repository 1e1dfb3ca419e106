"""The record: it matches the events, is redacted like them, and is decoded strictly."""

import copy
import gzip
import json
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from domain import game
from domain.codec import canonical, encode
from domain.fairness import record
from domain.fairness.record import Unreadable, complete, decode, hashed, of, sealed
from domain.game import Rules
from domain.game.log import RequestKey
from domain.rulesets import VERSIONS
from stammtisch.testing import playing
from stammtisch.testing.laws import ENOUGH
from stammtisch.testing.playing import Table
from tests.verifiers import forging, samples
from tests.verifiers.samples import plain, seen

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))

FIELDS = [
    "format", "id", "ruleset", "rules", "deck", "options", "seats", "names", "commitment", "secret", "parent", "events",
    "head", "result",
]  # fmt: skip
RULES = next(iter(VERSIONS.values()))


@every_ruleset
def test_a_record_matches_its_events(rules: Rules):
    whole = plain(samples.shortest(rules, rules.seats[0]))
    opened, ended = whole["events"][0]["event"], whole["events"][-2]["event"]
    assert list(whole) == FIELDS
    assert whole["format"] == "stammtisch-record/1"
    for name in ("ruleset", "rules", "deck", "options", "commitment", "secret"):
        assert whole[name] == opened[name]
    assert (whole["result"], whole["head"]) == (ended["result"], samples.heads(whole)[-1])
    assert whole["parent"] is None
    assert [seat["seat"] for seat in whole["seats"]] == [*range(rules.seats[0])]
    assert [seat["player"] for seat in whole["seats"]] == [f"p{seat}" for seat in range(rules.seats[0])]
    assert whole["names"] == {f"p{seat}": f"Player {seat}" for seat in range(rules.seats[0])}
    assert whole["seats"][0]["entropy"] == "entropy"
    assert set(whole["events"][0]) == {"version", "at", "by", "event", "more"}
    chosen = next(entry for entry in whole["events"] if entry["by"] is not None and "move" in entry)
    last = next(entry for entry in whole["events"] if not entry["more"])
    assert set(chosen) - {"acting"} == set(whole["events"][0]) | {"move"}
    assert set(last) - {"move"} == set(whole["events"][0]) | {"acting"}


@every_ruleset
def test_a_branch_names_its_parent(rules: Rules):
    assert plain(samples.branched(rules, 0))["parent"].keys() == {"id", "at", "root"}


@every_ruleset
def test_it_survives_json(rules: Rules):
    for found in (samples.shortest(rules, rules.seats[0]), samples.branched(rules, 0), samples.given_up(rules)):
        for shown in (found, seen(rules, found, 0), seen(rules, found, None), sealed(rules, hashed(found))):
            for text in (encode(shown), json.dumps(plain(shown), indent=2, sort_keys=True).encode()):
                assert canonical(decode(text)) == canonical(shown)


@every_ruleset
def test_while_the_game_runs_a_record_is_redacted_like_the_events(rules: Rules):
    whole = samples.running(rules, rules.seats[0], 0)
    for viewer in (None, *range(rules.seats[0])):
        shown = seen(rules, whole, viewer)
        expected = [game.redact(rules, entry.event, viewer) for entry in whole.events]
        assert [entry.event for entry in shown.events] == expected
        assert whole.secret is not None
        assert whole.secret.encode() not in encode(shown)


@every_ruleset
def test_a_sealed_record_shows_all_cards_but_not_the_secret(rules: Rules):
    """The player of a hotseat game sees every card, but must not know future deals."""
    whole = samples.running(rules, rules.seats[0], 0)
    assert whole.secret is not None
    assert whole.secret.encode() not in encode(sealed(rules, whole))
    assert sealed(rules, whole).events[1:] == whole.events[1:]


def test_a_player_who_has_left_has_no_seat():
    nobody = [(seat, None, "") for seat in range(RULES.seats[0])]
    assert [(place.seat, place.player, place.entropy) for place in samples.given_up(RULES).seats] == nobody


def test_fields_that_are_only_stored_are_not_in_a_record():
    log = samples.log_of(RULES, samples.decisions(RULES, RULES.seats[0], 0))
    log[0] = replace(log[0], command=RequestKey("p0", "key", "body"), imported=True)
    assert {"command", "imported"} <= set(plain(log[0]))
    assert not {"command", "imported"} & set(plain(of(samples.ID, log))["events"][0])


@every_ruleset
def test_the_hashes_of_a_complete_record_follow_from_the_rest(rules: Rules):
    """Those of the log, byte for byte."""
    for decisions in (samples.decisions(rules, seats, 0) for seats in rules.seats):
        log = samples.log_of(rules, decisions)
        assert encode(hashed(decode(encode(complete(of(samples.ID, log)))))) == encode(of(samples.ID, log))


def test_a_complete_record_is_small():
    """In bytes for each event of all rulesets, with times, ids and entropies as of people: raw, and with gzip."""
    dice, events, sizes = Random(1), 0, [0, 0]
    for rules in VERSIONS.values():
        for seats in rules.seats:
            at = Table(seats=seats, options=rules.options(), seed=seats, moves=ENOUGH)
            log = samples.log_of(rules, playing.record(rules, at, playing.at_random(Random(seats)))[0])
            text = encode(lived(plain(complete(of(samples.ID, log))), dice))
            events += len(log)
            sizes = [sizes[0] + len(text), sizes[1] + len(gzip.compress(text, 6, mtime=0))]
    raw, packed = (size / events for size in sizes)
    assert raw <= 220
    assert packed <= 30


def lived(made: Any, dice: Random) -> Any:
    """The record with times, ids and entropies as people cause them."""
    at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(microseconds=dice.randrange(3 * 10**13))
    people = {f"p{seat}": str(UUID(int=dice.getrandbits(128))) for seat in range(9)}
    for entry in made["events"]:
        entry["at"] = f"{at:%Y-%m-%dT%H:%M:%S.%f}Z"
        if not entry["more"]:
            at += timedelta(seconds=dice.lognormvariate(1.8, 1))
        event = entry["event"]
        event |= {name: people[event[name]] for name in ("player", "opener") if name in event}
        if event["type"] == "joined":
            event["entropy"] = f"{dice.getrandbits(88):022x}"
    for seat in made["seats"]:
        seat["player"] = people[seat["player"]]
    return made


# --- reading ------------------------------------------------------------------------------------------------------


def put(whole: Any, value: Any, *path: Any) -> bytes:
    made = copy.deepcopy(whole)
    forging.at(made, path[:-1])[path[-1]] = value
    return json.dumps(made).encode()


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (("format",), "stammtisch-record/2", "$.format"),
        (("format",), None, "$.format"),
        (("rules",), "tarot/1", "$.rules"),
        (("surplus",), 1, "surplus"),
        (("seats", 0, "surplus"), None, "$.seats[0].surplus"),
        (("events", 3, "surplus"), 0, "$.events[3].surplus"),
        (("events", 1, "event", "surplus"), "", "$.events[1].event.surplus"),
        (("events", 1, "event", "player"), {"id": "p1"}, "$.events[1].event.player"),
        (("names", "p0"), None, "$.names"),
        (("names",), [], "$.names"),
        (("events", 1, "event", "type"), "nonsense", "$.events[1].event.type"),
        (("events", 1, "event", "seat"), "0", "$.events[1].event.seat"),
        (("events", 1, "version"), 2.5, "$.events[1].version"),
        (("events",), {}, "$.events"),
        (("options", "surplus"), 1, "$.options"),
        (("deck", "name"), "A Deck", "$.deck.name"),
    ],
)
def test_an_invalid_record_is_refused_with_the_path_of_the_error(path: tuple[Any, ...], value: Any, place: str):
    with pytest.raises(Unreadable) as refusal:
        decode(put(plain(samples.shortest(RULES, RULES.seats[0])), value, *path))
    assert place in str(refusal.value)


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b"null", b"{}", b"\xff", b'"\xed\xa0\x80"', b"[" * 100_000, b'{"format": 1}']
)
def test_invalid_json_is_refused(text: bytes):
    with pytest.raises(Unreadable) as refusal:
        decode(text)
    assert str(refusal.value)


def test_a_field_that_is_missing_is_refused_though_it_has_a_default():
    """Its hash would cover a field that is absent."""
    for name in FIELDS:
        made = plain(samples.shortest(RULES, RULES.seats[0]))
        del made[name]
        with pytest.raises(Unreadable):
            decode(json.dumps(made).encode())


@pytest.mark.parametrize("name", ["public", "secret", "head"])
def test_a_complete_record_has_no_hash_in_its_events_and_a_redacted_one_has_all(name: str):
    whole = samples.shortest(RULES, RULES.seats[0])
    mixed, redacted = plain(whole), plain(seen(RULES, whole, 0))
    mixed["events"][3][name] = "0" * 64
    del redacted["events"][3][name]
    for made, wrong in ((mixed, "The events of a complete record have no hashes"), (redacted, "A hash is missing")):
        with pytest.raises(Unreadable) as refusal:
            decode(encode(made))
        assert str(refusal.value) == f"{wrong} - at `$.events[3].{name}`"


@every_ruleset
def test_its_type_has_an_exact_schema(rules: Rules):
    (schema,), components = msgspec.json.schema_components([record.record_type(rules)])
    assert schema["$ref"].rpartition("/")[2] in components
    assert any(part.get("properties", {}).keys() == set(FIELDS) for part in components.values())
