"""The import refuses what the API would not have accepted.

Every field of a record is tried with every kind of value that some part of the service, a database or a terminal could
choke on. It is refused with a message that names the field, or it is taken and every page of the API shows it. All
hashes are computed anew, and a value is changed wherever the record repeats it: nothing but the value is wrong.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain import game
from domain.codec import encode
from domain.fairness import record
from domain.fairness.record import Unreadable
from domain.game import Player, Rules
from domain.rulesets import VERSIONS
from service.cli import archive
from service.cli.archive import Outcome, RecordRejected, import_games, prepared
from service.cli.import_rules import Inadmissible, admit
from service.cli.rebuild import rebuild_all
from service.decks import read
from service.identity.display_names import is_player_id
from service.identity.tokens import Tokens
from service.settings import InvalidSettings, Settings
from tests.support.clients import Service, done, in_process
from tests.verifiers import samples

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


class Raw(str):
    """JSON that stands in a record as it is."""


def shape(path: samples.Path) -> tuple[Any, ...]:
    """Fields that differ only in the number of their event, seat or card are tried once."""
    return tuple("*" if isinstance(key, int) else key for key in path)


def fields(whole: Any) -> Iterator[samples.Path]:
    """A path to every kind of value in the record."""
    found = {}
    for path in samples.places(whole):
        value = samples.at(whole, path)
        if path and not isinstance(value, dict | list):
            event = whole["events"][path[1]]["event"]["type"] if path[0] == "events" and len(path) > 2 else ""
            found.setdefault((event if "event" in path else "", *shape(path)), path)
    yield from found.values()


def replaced(whole: Any, path: samples.Path, new: Any) -> Any:
    """The record with this value there, and wherever a field of the same name has the same value."""
    old = samples.at(whole, path)
    made = samples.plain(whole)
    for other in [*samples.places(whole)]:
        if other and other[-1] == path[-1] and samples.same(samples.at(whole, other), old):
            samples.at(made, other[:-1])[other[-1]] = new
    return made


def text_of(made: Any) -> bytes:
    """The record as a line, hashed anew where it can be read at all."""
    try:
        return encode(samples.chained_anew(made)) + b"\n"
    except (Unreadable, TypeError, ValueError, OverflowError, UnicodeEncodeError):
        return json.dumps(made).encode() + b"\n"


def attempts(whole: Any, texts: list[str]) -> Iterator[tuple[samples.Path, Any, bytes]]:
    proper = with_names(whole)
    for path in fields(proper):
        if path[0] == "events" and path[-1] in ("public", "secret", "head") and "event" not in path:
            continue  # `tests.verifiers` tries the hashes
        values: list[Any] = texts if isinstance(samples.at(proper, path), str) else NUMBERS
        if "deck" in path and path[-1] != "provenance":  # there are many of these, and their types are strict
            values = values[:4]
        for new in values:
            yield path, new, text_of(replaced(proper, path, new))


def with_names(whole: Any) -> Any:
    """The record with names that the API accepts."""
    for path in [*samples.places(whole)]:
        if path and path[-1] == "name" and path[-2] in ("player", "opener"):
            samples.at(whole, path[:-1])["name"] = "Ann"
    return samples.chained_anew(whole)


async def shown(service: Service, rules: Rules, text: bytes) -> None:
    """Every page that shows the game answers 200."""
    body = json.loads(text)
    if body["events"][0]["event"]["private"]:
        return
    path, opener = f"/v1/games/{rules.name}/{body['id']}", body["events"][0]["event"]["opener"]["id"]
    for page in (path, f"{path}/events", f"{path}/record", f"{path}/audit"):
        assert (await service.stranger.get(page)).status_code == 200
    assert done(await service.stranger.get("/v1/games", player=opener))["items"]


def refusal(text: bytes) -> str | None:
    """Why the import refuses the record, in one line."""
    try:
        prepared(text)
    except RecordRejected as error:
        assert len(str(error)) < 1000
        assert str(error).isprintable()
        return str(error)
    return None


@every_version
async def test_every_field_is_refused_or_shown_whatever_is_in_it(
    rules: Rules, databases: Callable[[str], Settings], tmp_path: Path
) -> None:
    """In a game that nobody began, for in others most values would contradict the deals."""
    taken: list[bytes] = []
    tried = 0
    for path, new, text in attempts(samples.plain(samples.given_up(rules)), TEXTS):
        tried += 1
        if refusal(text) is None:
            # Each as a game of its own.
            body = json.loads(text) | {"id": str(UUID(int=tried, version=4))}
            taken.append(text_of(body))
            assert refusal(taken[-1]) is None, (path, new)
    assert tried > 300
    assert 10 < len(taken) < tried / 2
    file = tmp_path / "games.ndjson"
    file.write_bytes(b"".join(taken))
    settings = databases("log")
    assert await import_games(settings, [str(file)]) == Outcome(len(taken), 0, ())
    async with in_process(settings.database) as service:
        assert done(await service.stranger.get("/health/ready")) == {"status": "ready"}
        listed = {each["id"] for each in await service.stranger.every("/v1/games", limit=100)}
        for text in taken:
            assert (json.loads(text)["id"] in listed) is not json.loads(text)["events"][0]["event"]["private"]
            await shown(service, rules, text)
        eve = await service.guest("Eve")
        await eve.open(rules.name)
        assert done(await eve.get("/v1/players/me"))["name"] == "Eve"


@pytest.mark.parametrize(
    "sample",
    [
        lambda: samples.shortest(RULES, 2), lambda: samples.branched(RULES, 0),
        lambda: samples.aborted(RULES)["longest"],
    ],
    ids=["played", "branch", "longest"],
)  # fmt: skip
def test_every_field_of_a_game_that_was_played_is_refused_or_right(sample: Callable[[], Any]) -> None:
    whole = samples.plain(sample())
    same = text_of(with_names(whole))
    for path, new, text in attempts(whole, TEXTS[:5]):
        why = refusal(text)
        # With a number that happens to be the right one, or one that is made right with the hashes.
        right = path[-1] in ("provenance", "head", "version") or text == same
        assert why is not None or right, (path, new)


def invented(ident: str, name: str) -> bytes:
    """A whole game that proves itself, of a player with this id and name."""
    ann, rules = Player(ident, name), RULES
    deck = next(iter(rules.decks.values())).data
    opened = game.open_game(
        rules, samples.ID, game.terms(rules, 2, rules.options(), deck, ann, bytes(32)), sit=True, entropy=""
    )
    left = game.leave(rules, opened.game, ann, 0)
    return encode(record.of(samples.ID, samples.log_of(rules, [opened, left]))) + b"\n"


@pytest.mark.parametrize(
    ("ident", "name", "field"),
    [
        ("a\0", "Ann", "seats"),
        ("x" * 24_000, "Ann", "player.id"),
        ("x" * 193, "Ann", "player.id"),
        ("", "Ann", "player.id"),
        ("a b", "Ann", "player.id"),
        ("ann", "A\0nn", "player.name"),
        ("ann", "x" * 24_000, "player.name"),
        ("ann", "x" * 41, "player.name"),
        ("ann", "", "player.name"),
        ("ann", "Ann\u202e", "player.name"),
        ("ann", "Ann ", "player.name"),
        ("ann", "A\u0430nn", "player.name"),
    ],
)
async def test_a_player_whom_the_api_would_not_have_accepted_is_refused_and_the_field_is_named(
    ident: str, name: str, field: str, databases: Callable[[str], Settings], tmp_path: Path
) -> None:
    file = tmp_path / "games.ndjson"
    file.write_bytes(invented(ident, name) + invented("ann", "Ann"))
    outcome = await import_games(databases("log"), [str(file)])
    assert outcome.games == 1
    (why,) = outcome.refused
    assert why.startswith(f"{file}:1: Nothing like this is accepted here: `")
    # An aborted game has nobody on its seats any more, but its events tell who sat there.
    assert (field if field != "seats" else ".id") in why.replace("opener", "player")


@pytest.mark.parametrize(
    "at",
    ["2026-02-31T00:00:00.000000Z", "2026-13-01T00:00:00.000000Z", "0000-01-01T00:00:00.000000Z",
     "2026-01-01T00:00:60.000000Z", "2026-01-01T24:00:00.000000Z", "2026-01-01T00:00:00Z"],
)  # fmt: skip
def test_a_time_that_there_never_was_is_refused(at: str) -> None:
    whole = samples.plain(samples.given_up(RULES))
    for entry in whole["events"]:
        entry["at"] = at
    with pytest.raises(Inadmissible, match=r"`events\[0\]\.at` must be a time"):
        admit(record.decode(encode(with_names(whole))))


@pytest.mark.parametrize(
    ("field", "value"),
    [("at", -5), ("at", 0), ("at", 2**31), ("id", "x"), ("id", samples.ID.upper()), ("root", "\0"), ("root", "")],
)
def test_a_parent_that_no_game_can_have_is_refused(field: str, value: Any) -> None:
    whole = samples.plain(samples.branched(RULES, 0))
    for parent in (whole["parent"], whole["events"][0]["event"]["parent"]):
        parent[field] = value
    with pytest.raises(Inadmissible, match=f"`parent.{field}` must be"):
        admit(record.decode(encode(samples.chained_anew(whole))))


@pytest.mark.parametrize("text", [DEEP.encode(), b'{"format": ' + DEEP.encode() + b"}"])
async def test_what_is_nested_too_deeply_is_no_record(text: bytes) -> None:
    with pytest.raises(RecordRejected, match="no record"):
        prepared(text)
    line = invented("ann", "Ann").rstrip(b"}\n") + b', "more": ' + DEEP.encode() + b"}"
    with pytest.raises(RecordRejected, match="no record"):
        prepared(line)


def test_a_deck_file_with_such_a_text_is_refused_as_well(tmp_path: Path) -> None:
    deck = samples.plain(next(iter(RULES.decks.values())).data) | {"name": "mine"}
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(deck | {"provenance": "two\nlines\tare fine"}))
    assert read(file)[1].name == "mine"
    for bad in ("a\0b", "a\x1b[31m", "a\u202eb"):
        file.write_text(json.dumps(deck | {"provenance": bad}))
        with pytest.raises(InvalidSettings, match=r"at `\$\.provenance`"):
            read(file)


def test_whom_a_token_may_name_may_stand_in_a_record() -> None:
    """Else a game could be exported and never imported."""
    import jwt

    key = "s" * 32
    tokens = Tokens(Settings(secret="x" * 32, issuer="site", issuer_key=key))
    for sub in ("a", "A" * 128, "auth0|5f7c", "user@example.org", "0.-_:@|"):
        player = tokens.read(jwt.encode({"iss": "site", "sub": sub, "name": "Ann", "exp": 2**33}, key))
        assert is_player_id(player.id)
    assert is_player_id(f"{'n' * 32}:{'A' * 128}")
    assert not is_player_id("ann\n")


def test_the_archive_checks_before_it_proves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record that is refused for a field costs no proof."""
    monkeypatch.setattr(archive, "verified", lambda _: pytest.fail("it is proved"))
    with pytest.raises(RecordRejected, match="accepted here"):
        prepared(invented("ann", "x" * 41))


async def test_what_no_import_would_take_in_but_lies_in_the_log_costs_nobody_else_the_lobby(
    databases: Callable[[str], Settings],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """As a release without these rules would have left it there. PostgreSQL cannot keep NUL in a table."""
    settings = databases("log")
    file = tmp_path / "games.ndjson"
    file.write_bytes(invented("ann\0", "Ann"))
    with monkeypatch.context() as careless:
        careless.setattr(archive, "admit", lambda _: None)
        assert (await import_games(settings, [str(file)])).games == 1
    left_out = settings.on_a_server  # SQLite keeps anything
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
    said = [record.message for record in caplog.records if samples.ID in record.message]
    assert len(said) == left_out
    assert await rebuild_all(settings) == int(left_out)
