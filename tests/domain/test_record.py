"""The record: it matches the events, is redacted like them, and is decoded strictly."""

import copy
import json
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain import game
from domain.codec import encode
from domain.fairness import record
from domain.fairness.record import Unreadable, decode, of, sealed, seen
from domain.game import Rules
from domain.game.log import RequestKey
from domain.rulesets import VERSIONS
from tests.verifiers import samples
from tests.verifiers.samples import plain

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
    assert (whole["result"], whole["head"]) == (ended["result"], whole["events"][-1]["head"])
    assert whole["parent"] is None
    assert [seat["seat"] for seat in whole["seats"]] == [*range(rules.seats[0])]
    assert [seat["player"] for seat in whole["seats"]] == [f"p{seat}" for seat in range(rules.seats[0])]
    assert whole["names"] == {f"p{seat}": f"Player {seat}" for seat in range(rules.seats[0])}
    assert whole["seats"][0]["entropy"] == "entropy"
    assert set(whole["events"][0]) == {"version", "at", "by", "event", "more", "public", "secret", "head"}
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
        for shown in (found, seen(rules, found, 0), seen(rules, found, None), sealed(rules, found)):
            assert decode(encode(shown)) == shown
            assert decode(json.dumps(plain(shown), indent=2, sort_keys=True).encode()) == shown


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


# --- reading ------------------------------------------------------------------------------------------------------


def put(whole: Any, value: Any, *path: Any) -> bytes:
    made = copy.deepcopy(whole)
    samples.at(made, path[:-1])[path[-1]] = value
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


@every_ruleset
def test_its_type_has_an_exact_schema(rules: Rules):
    (schema,), components = msgspec.json.schema_components([record.record_type(rules)])
    assert schema["$ref"].rpartition("/")[2] in components
    assert any(part.get("properties", {}).keys() == set(FIELDS) for part in components.values())
