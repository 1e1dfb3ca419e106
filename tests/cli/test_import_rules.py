"""The import rejects records with values that the API does not accept.

The tests put problematic values into every field of a record. Each record is either rejected with a message that names
the field, or imported, and then every page of the API must serve it. Hashes are recomputed, and a value is replaced
wherever the record repeats it, so that nothing else is wrong with the record.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.codec import encode
from domain.fairness import record
from domain.fairness.record import Unreadable
from domain.game import Rules
from domain.rulesets import VERSIONS
from service.cli import import_
from service.cli.import_ import import_games, prepare
from service.cli.import_rules import InvalidField, check_fields
from service.cli.rebuild import rebuild_all
from service.cli.transfer import RecordRejected, Summary
from service.games.decks import read
from service.identity.display_names import is_player_id
from service.identity.tokens import Tokens
from service.settings import InvalidSettings, Settings
from tests.support.clients import Service, done, in_process
from tests.verifiers import forging, samples

pytestmark = pytest.mark.anyio

RULES = next(iter(VERSIONS.values()))
every_version = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))

TEXTS = [
    "", " ", "\0", "a\0b", "a\nb", "\x1b[31mred", "\x7f", "\x85", "\u2028", "\u200b", "\u200f", "\u202eabc", "\u2066",
    "\ufeff", "\uffff", "\U000e0001", "e\u0301", "\u0301", "a  b", "\ud800", "x" * 192, "x" * 193, "x" * 24_000,
    "../..", "%00", "'\"<",
]  # fmt: skip
NUMBERS = [-1, 2**31, 2**53, 2**63 - 1, 2**63, 2**64, -(2**63) - 1, 10**400, 0.5, 1e308]
DEEP = "[" * 100_000 + "]" * 100_000


def shape(path: forging.Path) -> tuple[Any, ...]:
    """The path without the numbers of events, seats and cards. Each shape is tested once."""
    return tuple("*" if isinstance(key, int) else key for key in path)


def fields(whole: Any) -> Iterator[forging.Path]:
    """One path for each kind of field in the record."""
    found = {}
    for path in forging.places(whole):
        value = forging.at(whole, path)
        if path and not isinstance(value, dict | list):
            event = whole["events"][path[1]]["event"]["type"] if path[0] == "events" and len(path) > 2 else ""
            found.setdefault((event if "event" in path else "", *shape(path)), path)
    yield from found.values()


def replaced(whole: Any, path: forging.Path, new: Any) -> Any:
    """The record with the value replaced at the path, and in fields with the same name and value."""
    old = forging.at(whole, path)
    made = samples.plain(whole)
    for other in [*forging.places(whole)]:
        if other and other[-1] == path[-1] and forging.same(forging.at(whole, other), old):
            forging.at(made, other[:-1])[other[-1]] = new
    return made


def text_of(made: Any) -> bytes:
    """The record as a line, with recomputed hashes if it is readable."""
    try:
        return encode(samples.chained_anew(made)) + b"\n"
    except (Unreadable, TypeError, ValueError, OverflowError, UnicodeEncodeError):
        return json.dumps(made).encode() + b"\n"


def attempts(whole: Any, texts: list[str], numbers: list[float]) -> Iterator[tuple[forging.Path, Any, bytes]]:
    proper = whole
    for path in fields(proper):
        values: list[Any] = texts if isinstance(forging.at(proper, path), str) else numbers
        if "deck" in path and path[-1] != "provenance":  # there are many of these fields, and their types are strict
            values = values[:4]
        for new in values:
            yield path, new, text_of(replaced(proper, path, new))


async def check_pages(service: Service, rules: Rules, text: bytes) -> None:
    """Check that every page of the game returns 200."""
    body = json.loads(text)
    if body["events"][0]["event"]["private"]:
        return
    path, opener = f"/v1/games/{rules.name}/{body['id']}", body["events"][0]["event"]["opener"]
    for page in (path, f"{path}/events", f"{path}/record", f"{path}/audit"):
        assert (await service.stranger.get(page)).status_code == 200
    assert done(await service.stranger.get("/v1/games", player=opener))["items"]


def refusal(text: bytes) -> str | None:
    """Why the import rejects the record; None if it accepts it."""
    try:
        prepare(text)
    except RecordRejected as error:
        assert len(str(error)) < 1000
        assert str(error).isprintable()
        return str(error)
    return None


@pytest.mark.checked
@pytest.mark.by_default("sqlite-scout/1")  # a small deck
@every_version
async def test_every_value_in_every_field_is_rejected_or_served(
    rules: Rules, databases: Callable[[str], Settings], tmp_path: Path
) -> None:
    """The game has not begun: in others most values would contradict the deals."""
    accepted: list[bytes] = []
    attempted = 0
    for path, new, text in attempts(samples.plain(samples.given_up(rules)), TEXTS, NUMBERS):
        attempted += 1
        if refusal(text) is None:
            # Each is a separate game.
            body = json.loads(text) | {"id": str(UUID(int=attempted, version=4))}
            accepted.append(text_of(body))
            assert refusal(accepted[-1]) is None, (path, new)
    assert attempted > 300
    assert 10 < len(accepted) < attempted / 2
    file = tmp_path / "games.ndjson"
    file.write_bytes(b"".join(accepted))
    settings = databases("log")
    assert await import_games(settings, [str(file)]) == Summary(len(accepted), 0, ())
    async with in_process(settings.database, secret="x" * 32) as service:
        assert done(await service.stranger.get("/health/ready")) == {"status": "ready"}
        listed = {each["id"] for each in await service.stranger.every("/v1/games", limit=100)}
        for text in accepted:
            assert (json.loads(text)["id"] in listed) is not json.loads(text)["events"][0]["event"]["private"]
            await check_pages(service, rules, text)
        eve = await service.guest("Eve")
        await eve.open(rules.name)
        assert done(await eve.get("/v1/players/me"))["name"] == "Eve"


@pytest.mark.by_default("[played]", "[longest]")  # parents have a test of their own
@pytest.mark.parametrize(
    "sample",
    [
        lambda: samples.shortest(RULES, 2), lambda: samples.branched(RULES, 0),
        lambda: samples.aborted(RULES)["longest"],
    ],
    ids=["played", "branch", "longest"],
)  # fmt: skip
def test_every_wrong_value_in_a_played_game_is_rejected(sample: Callable[[], Any], everything: bool) -> None:
    whole = samples.plain(sample())
    same = text_of(whole)
    texts, numbers = (TEXTS[:5], NUMBERS) if everything else (TEXTS[:2], NUMBERS[::4])
    for path, new, text in attempts(whole, texts, numbers):
        reason = refusal(text)
        # The value may be the correct one by chance, or become correct with the recomputed hashes.
        unchanged = path[-1] in ("provenance", "head", "version") or text == same
        assert reason is not None or unchanged, (path, new)


def invented(ident: str, names: dict[str, str]) -> bytes:
    """A complete record of a game whose player has this id, with these names. All its hashes are correct, also with an
    id with which no game can be opened."""
    whole = samples.plain(samples.given_up(RULES, "somebody"))
    renamed = json.loads(json.dumps(whole).replace(json.dumps("somebody"), json.dumps(ident)))
    return json.dumps(samples.chained_anew(renamed | {"names": names})).encode() + b"\n"


NAMES_RULE = "must contain the opener and players at the seats only"
UNACCEPTED: list[tuple[str, dict[str, str], str]] = [
    *((ident, {}, "opener") for ident in ("a\0", "x" * 24_000, "x" * 193, "", "a b")),
    *(
        ("ann", {"ann": name}, "names")
        for name in ("A\0nn", "x" * 24_000, "x" * 41, "", "Ann\u202e", "Ann ", "A\u0430nn")
    ),
    ("ann", {"ann": "Ann", "bob": "Bob"}, NAMES_RULE), ("ann", {"\0": "Bob"}, NAMES_RULE),
]  # fmt: skip
"""Ids, names, and what the rejection names."""


async def test_players_that_the_api_does_not_accept_are_rejected_and_the_field_is_named(
    databases: Callable[[str], Settings], tmp_path: Path
) -> None:
    file = tmp_path / "games.ndjson"
    file.write_bytes(
        b"".join(invented(ident, names) for ident, names, _ in UNACCEPTED) + invented("ann", {"ann": "Ann"})
    )
    summary = await import_games(databases("log"), [str(file)])
    assert summary.games == 1
    assert len(summary.rejected) == len(UNACCEPTED)
    for number, (*_, field) in enumerate(UNACCEPTED, 1):
        (reason,) = [each for each in summary.rejected if each.startswith(f"{file}:{number}: ")]
        assert "A field is not valid: `" in reason
        assert field in reason


@pytest.mark.parametrize(
    "at",
    ["2026-02-31T00:00:00.000000Z", "2026-13-01T00:00:00.000000Z", "0000-01-01T00:00:00.000000Z",
     "2026-01-01T00:00:60.000000Z", "2026-01-01T24:00:00.000000Z", "2026-01-01T00:00:00Z"],
)  # fmt: skip
def test_a_time_that_does_not_exist_is_rejected(at: str) -> None:
    whole = samples.plain(samples.given_up(RULES))
    for entry in whole["events"]:
        entry["at"] = at
    with pytest.raises(InvalidField, match=r"`events\[0\]\.at` must be a time"):
        check_fields(record.decode(encode(whole)))


@pytest.mark.parametrize(
    ("field", "value"),
    [("at", -5), ("at", 0), ("at", 2**31), ("id", "x"), ("id", samples.ID.upper()), ("root", "\0"), ("root", "")],
)
def test_an_impossible_parent_is_rejected(field: str, value: Any) -> None:
    whole = samples.plain(samples.branched(RULES, 0))
    for parent in (whole["parent"], whole["events"][0]["event"]["parent"]):
        parent[field] = value
    with pytest.raises(InvalidField, match=f"`parent.{field}` must be"):
        check_fields(record.decode(encode(samples.chained_anew(whole))))


@pytest.mark.parametrize("text", [DEEP.encode(), b'{"format": ' + DEEP.encode() + b"}"])
async def test_deeply_nested_json_is_rejected(text: bytes) -> None:
    with pytest.raises(RecordRejected, match="Not a record"):
        prepare(text)
    line = invented("ann", {}).rstrip(b"}\n") + b', "more": ' + DEEP.encode() + b"}"
    with pytest.raises(RecordRejected, match="Not a record"):
        prepare(line)


def test_deck_files_have_the_same_rule_for_texts(tmp_path: Path) -> None:
    deck = samples.plain(next(iter(RULES.decks.values())).data) | {"name": "mine"}
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(deck | {"provenance": "two\nlines\tare fine"}))
    assert read(file)[1].name == "mine"
    for bad in ("a\0b", "a\x1b[31m", "a\u202eb"):
        file.write_text(json.dumps(deck | {"provenance": bad}))
        with pytest.raises(InvalidSettings, match=r"at `\$\.provenance`"):
            read(file)


def test_every_player_id_that_a_token_can_have_is_accepted_in_a_record() -> None:
    """Otherwise a game could be exported but not imported."""
    import jwt

    key = "s" * 32
    tokens = Tokens(Settings(secret="x" * 32, issuer="site", issuer_key=key))
    for sub in ("a", "A" * 128, "auth0|5f7c", "user@example.org", "0.-_:@|"):
        player = tokens.read(jwt.encode({"iss": "site", "sub": sub, "name": "Ann", "exp": 2**33}, key))
        assert is_player_id(player.id)
    assert is_player_id(f"{'n' * 32}:{'A' * 128}")
    assert not is_player_id("ann\n")


def test_fields_are_checked_before_the_record_is_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record with an invalid field does not cost a verification."""
    monkeypatch.setattr(import_, "verify", lambda _: pytest.fail("the record is verified"))
    with pytest.raises(RecordRejected, match="not valid"):
        prepare(invented("ann", {"ann": "x" * 41}))


async def test_an_invalid_game_in_the_log_does_not_affect_the_lobby_for_other_games(
    databases: Callable[[str], Settings],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The log may contain values that the import rejects today. PostgreSQL cannot store NUL in a text column."""
    settings = databases("log")
    file = tmp_path / "games.ndjson"
    file.write_bytes(invented("ann\0", {}))
    with monkeypatch.context() as without_rules:
        without_rules.setattr(import_, "check_fields", lambda _: None)
        assert (await import_games(settings, [str(file)])).games == 1
    left_out = settings.uses_postgres  # SQLite stores NUL
    for _ in range(2):  # also after a restart
        async with in_process(settings.database, secret="x" * 32) as service:
            eve = await service.guest("Eve")
            game = await eve.open(RULES.name)
            listed = [each["id"] for each in await eve.every("/v1/games")]
            assert listed[0] == game.rpartition("/")[2]
            assert (samples.ID in listed) is not left_out
            ready = await service.stranger.get("/health/ready")
            assert done(ready) == {"status": "ready"} | ({"isolated_games": 1} if left_out else {})
            metrics = (await service.stranger.get("/metrics")).text
            assert f"stammtisch_isolated_games {float(left_out)}" in metrics
    messages = [record.message for record in caplog.records if samples.ID in record.message]
    assert len(messages) == left_out
    assert await rebuild_all(settings) == int(left_out)
