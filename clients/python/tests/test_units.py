"""Parts of the client that need no service."""

import ast
import asyncio
import inspect
import json
import socket
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import stammtisch_client
from stammtisch_client import (
    AsyncClient,
    AsyncTable,
    AsyncTurn,
    Client,
    InvalidPatch,
    InvalidSignature,
    InvalidUrl,
    NoAnswer,
    Problem,
    Record,
    Table,
    Turn,
    backoff,
    models,
    problems,
    verify_webhook,
)
from stammtisch_client.patches import patched
from stammtisch_client.webhooks import signature

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = b'{"type":"game.over","timestamp":"2026-11-22T20:00:00Z","data":{"version":31}}'


def headers(body: bytes = BODY, **given: str) -> dict[str, str]:
    signed = signature(SECRET, "msg_1", "1000", body)
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": "1000", "Webhook-Signature": signed, **given}


def test_the_signature_is_that_of_the_specification() -> None:
    """The example of the specification's reference implementations."""
    body = b'{"test": 2432232314}'
    expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert signature(SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", body) == expected


def test_a_webhook_is_believed_if_it_is_signed_and_new() -> None:
    event = verify_webhook(SECRET, headers(), BODY, now=1299)
    assert (event.id, event.type, event.data) == ("msg_1", "game.over", {"version": 31})
    other = {"Webhook-Signature": "v1,b3RoZXI= v2,x " + headers()["Webhook-Signature"]}
    assert verify_webhook(SECRET, headers() | other, BODY, now=701) == event


@pytest.mark.parametrize(
    ("given", "body", "now"),
    [
        (headers(), BODY + b" ", 1000), (headers(), BODY, 1301), (headers(), BODY, 699),
        (headers() | {"Webhook-Id": "msg_2"}, BODY, 1000), (headers() | {"Webhook-Timestamp": "1001"}, BODY, 1000),
        (headers() | {"Webhook-Timestamp": "-5"}, BODY, 0), (headers() | {"Webhook-Timestamp": "9" * 400}, BODY, 0),
        (headers() | {"Webhook-Signature": ""}, BODY, 1000), (headers() | {"Webhook-Signature": "ä"}, BODY, 1000),
        ({}, BODY, 1000), (headers(b"[1]"), b"[1]", 1000), (headers(b"x"), b"x", 1000),
    ],
)  # fmt: skip
def test_other_webhooks_are_not(given: dict[str, str], body: bytes, now: float) -> None:
    with pytest.raises(InvalidSignature):
        verify_webhook(SECRET, given, body, now=now)


def test_a_secret_must_be_base64() -> None:
    with pytest.raises(InvalidSignature):
        verify_webhook("whsec_?", headers(), BODY, now=1000)


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ([], {"a": [1, 2], "b": {"c": None}}),
        ([{"op": "replace", "path": "", "value": None}], None),
        ([{"op": "replace", "path": "/b/c", "value": 3}], {"a": [1, 2], "b": {"c": 3}}),
        ([{"op": "add", "path": "/a/2", "value": 3}], {"a": [1, 2, 3], "b": {"c": None}}),
        (
            [{"op": "remove", "path": "/a/0"}, {"op": "replace", "path": "/a/0", "value": 9}],
            {"a": [9], "b": {"c": None}},
        ),
    ],
)
def test_a_patch_makes_a_new_view(patch: list[dict[str, Any]], expected: object) -> None:
    before = {"a": [1, 2], "b": {"c": None}}
    after = patched(before, patch)
    assert after == expected and before == {"a": [1, 2], "b": {"c": None}}
    if len(patch) == 1 and after is not None:
        assert (after["a"] is before["a"]) == patch[0]["path"].startswith("/b")


BAD = json.loads((Path(__file__).parents[2] / "typescript" / "test" / "bad_patches.json").read_text())


@pytest.mark.parametrize("patch", BAD["patches"], ids=str)
def test_a_patch_that_does_not_fit_is_refused_and_changes_nothing(patch: Any) -> None:
    before = json.dumps(BAD["document"])
    with pytest.raises(InvalidPatch):
        patched(BAD["document"], patch)
    assert json.dumps(BAD["document"]) == before


def test_a_request_is_repeated_with_its_key_until_it_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backoff, "PAUSES", (0.0,))
    keys: list[str | None] = []

    def answer(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers.get("Idempotency-Key"))
        if len(keys) == 1:
            raise httpx.ReadError("cut off")
        if len(keys) < 4:
            document = {"type": "unavailable", "status": 503, "title": "t"}
            return httpx.Response((503, 429)[len(keys) - 2], json=document, headers={"Retry-After": "0"})
        return httpx.Response(201, json={"id": "g-1"})

    async def opened() -> None:
        async with AsyncClient("http://test", http=httpx.AsyncClient(transport=httpx.MockTransport(answer))) as client:
            assert (await client.open("skyjo", 2)).name == "skyjo/g-1"

    asyncio.run(opened())
    assert len(keys) == 4 and keys[0] and set(keys) == {keys[0]}


@pytest.mark.parametrize("path", ["/v1/games", "/v1/standings/skyjo"])
def test_lists_are_read_page_by_page_to_their_end(path: str) -> None:
    """`next` is a path with its query: a request without the query would return the first page again and again."""
    asked: list[str] = []
    query = "bots=false&limit=100"

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.raw_path.decode())
        assert len(asked) < 9, asked
        return httpx.Response(
            200, json={"items": [], "next": None if "cursor" in asked[-1] else f"{path}?{query}&cursor=2"}
        )

    async def read() -> list[object]:
        async with AsyncClient("http://test", http=httpx.AsyncClient(transport=httpx.MockTransport(answer))) as client:
            listed = client.games(bots=False) if path == "/v1/games" else client.standings("skyjo", bots=False)
            return [each async for each in listed]

    assert asyncio.run(read()) == []
    assert asked == [f"{path}?{query}", f"{path}?{query}&cursor=2"]


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (httpx.Response(503, json={"type": "unavailable", "status": 503, "title": "t"}), problems.Unavailable),
        (httpx.Response(502, text="<html>"), Problem),
        (httpx.Response(404, json={"type": "of the future", "status": 404}), Problem),
        (httpx.ConnectError("refused"), NoAnswer),
    ],
)
def test_patience_ends(response: Any, expected: type[Exception]) -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        if isinstance(response, Exception):
            raise response
        found: httpx.Response = response
        return found

    async def look() -> None:
        http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
        async with AsyncClient("http://test", patience=0, http=http) as client:
            await client.me()

    with pytest.raises(expected) as raised:
        asyncio.run(look())
    assert type(raised.value) is expected


def test_patience_counts_from_the_first_failure_since_the_last_success(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that has lasted for hours is made again like one that breaks at once."""
    now = 0.0
    monkeypatch.setattr(backoff, "PAUSES", (0.0,))
    monkeypatch.setattr(backoff, "time", SimpleNamespace(monotonic=lambda: now))

    async def live() -> None:
        nonlocal now
        pauses, failure = backoff.Backoff(backoff.Contact("http://test", 300)), NoAnswer("cut off")
        pauses.reset()
        for _ in range(2):
            now += 10_000
            await pauses.pause(failure)
            now += 299
            await pauses.pause(failure)
            pauses.reset()
        await pauses.pause(failure)
        now += 301
        with pytest.raises(NoAnswer):
            await pauses.pause(failure)

    asyncio.run(live())


@pytest.mark.parametrize(
    "url", ["", "localhost:8000", "cards.example", "ftp://cards.example", "http://", "http://x:y", "//x"]
)
def test_a_url_at_which_no_service_can_be_is_refused_at_once(url: str) -> None:
    for kind in (AsyncClient, Client):
        with pytest.raises(InvalidUrl, match="not a URL"):
            kind(url)


class Away:
    """A service that does not answer, and a clock that only the pauses of a client move."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: httpx.Response | Exception) -> None:
        self.now, self.answers, self.attempts = 0.0, list(answers), 0
        monkeypatch.setattr(backoff, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(backoff, "asyncio", SimpleNamespace(sleep=self.sleep))

    async def sleep(self, seconds: float) -> None:
        self.now += seconds

    def answer(self, _: httpx.Request) -> httpx.Response:
        self.attempts += 1
        found = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(found, Exception):
            raise found
        return found

    def ask(self, times: int = 1, patience: float | None = 300) -> list[str]:
        """What the requests raise."""

        async def asked() -> list[str]:
            http, raised = httpx.AsyncClient(transport=httpx.MockTransport(self.answer)), list[str]()
            async with AsyncClient("http://cards.example", patience=patience, http=http) as client:
                for _ in range(times):
                    try:
                        await client.rulesets()
                    except (NoAnswer, Problem) as failure:
                        raised.append(type(failure).__name__)
            return raised

        return asyncio.run(asked())


def unknown_host(number: int = socket.EAI_NONAME) -> httpx.ConnectError:
    error = httpx.ConnectError("no address")
    error.__cause__ = OSError("all attempts failed")
    error.__cause__.__context__ = socket.gaierror(number, "Name or service not known")
    return error


REFUSED = httpx.ConnectError("refused")
FOUND = httpx.Response(200, json={"items": [], "next": None})
OVERLOADED = httpx.Response(503, json={"type": "unavailable", "status": 503, "title": "t"})


@pytest.mark.parametrize("failure", [REFUSED, httpx.Response(502, text="<html>"), unknown_host(socket.EAI_AGAIN)])
def test_a_service_that_has_never_answered_is_asked_for_seconds(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, failure: Any
) -> None:
    away = Away(monkeypatch, failure)
    assert len(away.ask()) == 1
    assert away.now < 10 and away.attempts > 3
    (warning,) = caplog.records
    assert "http://cards.example does not answer" in warning.getMessage()


def test_a_service_that_has_answered_is_asked_for_minutes(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "stammtisch_client")
    away = Away(monkeypatch, FOUND, unknown_host(), REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, FOUND)
    assert away.ask(2) == []
    assert away.now > 15
    warning, again = [each.getMessage() for each in caplog.records if each.name == "stammtisch_client"]
    assert "does not answer" in warning and "answers again" in again
    away = Away(monkeypatch, OVERLOADED)
    assert away.ask() == ["Unavailable"]
    assert 280 < away.now < 300


def test_the_log_warns_after_the_second_attempt_and_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    Away(monkeypatch, REFUSED, FOUND).ask()
    assert caplog.records == []
    away = Away(monkeypatch, *[REFUSED] * 50, FOUND)
    assert away.ask(patience=None) == []
    assert len(caplog.records) == 1 and away.now > 300


@pytest.mark.parametrize("patience", [None, 300])
def test_a_host_that_does_not_exist_is_asked_for_once(monkeypatch: pytest.MonkeyPatch, patience: float | None) -> None:
    away = Away(monkeypatch, unknown_host())
    assert away.ask(patience=patience) == ["UnknownHost"]
    assert (away.attempts, away.now) == (1, 0)


def test_the_package_imports_nothing_but_what_it_depends_on() -> None:
    """But for the server of the extra `mcp`."""
    files = [file for file in Path(stammtisch_client.__file__).parent.glob("*.py") if file.name != "mcp.py"]
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_bytes()))]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and node.level == 0}
    assert {name.partition(".")[0] for name in names} - sys.stdlib_module_names == {"httpx", "msgspec", "websockets"}


def test_a_game_is_opened_with_any_term() -> None:
    """The terms of the service are those of `open`, so that a new one is not forgotten."""
    given = {name for name in inspect.signature(AsyncClient.open).parameters if name not in ("self", "ruleset", "key")}
    assert given == set(models.GameRequest.__struct_fields__)


@pytest.mark.parametrize(
    ("synchronous", "asynchronous"), [(Client, AsyncClient), (Table, AsyncTable), (Turn, AsyncTurn)]
)
def test_the_synchronous_classes_have_what_the_asynchronous_ones_have(synchronous: type, asynchronous: type) -> None:
    assert {name for name in dir(asynchronous) if not name.startswith("_")} <= set(dir(synchronous))


def test_a_record_that_was_changed_is_not_believed() -> None:
    found = Record(json.dumps({"format": "stammtisch-record/1"}).encode()).verify()
    assert found.verdict == "wrong" and found.checks[0].name == "shape"
