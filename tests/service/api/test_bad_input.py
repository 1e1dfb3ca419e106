"""Bad input is rejected with 400, changes nothing and never causes a 500. These are cases that schemathesis misses."""

from collections.abc import AsyncIterator, Iterator
from typing import Any, NamedTuple, get_args

import httpx
import msgspec
import pytest

from domain.game import Rules
from domain.rulesets import RULESETS
from service.rest.input.query import MAX_PARTS
from tests.service.api.test_streams import gauge
from tests.support.clients import Caller, Json, Service, fewest, problem

pytestmark = pytest.mark.anyio

OPERATIONS = ("register", "rename", "open", "sit down", "move")
"""The operations with a request body."""


class Operation(NamedTuple):
    """A request that would succeed."""

    who: Caller
    method: str
    path: str
    body: dict[str, Any]


class House(NamedTuple):
    """The games that must not change, and the operations to try."""

    service: Service
    games: tuple[str, ...]
    operations: dict[str, Operation]

    @property
    def member(self) -> Caller:
        """Sits at both games."""
        return self.operations["open"].who

    async def everything(self) -> list[Any]:
        """Each game's version and head, and how much has been logged."""
        seen = [await self.service.stranger.look(game) for game in self.games]
        return [(each["version"], each["head"]) for each in seen] + [await gauge(self.service.stranger, "events_total")]


async def possible(service: Service, players: list[Caller], game: str, waiting: str, rules: Rules) -> Json:
    """The operations by name. The one game is running, the other has a free seat."""
    mover = players[(await players[0].look(game))["to_act"][0]]
    options = msgspec.json.decode(msgspec.json.encode(rules.options()))
    agreed = {
        "seats": fewest(rules.name), "options": options, "deck": next(iter(rules.decks)), "private": False,
        "hotseat": False, "sit": True, "entropy": "salt",
    }  # fmt: skip
    return {
        "register": Operation(service.stranger, "POST", "/v1/players", {"name": "Uwe"}),
        "rename": Operation(players[0], "PATCH", "/v1/players/me", {"name": "Uwe"}),
        "open": Operation(players[0], "POST", f"/v1/games/{rules.name}", agreed),
        "sit down": Operation(players[1], "POST", f"{waiting}/seats", {"seat": 1, "entropy": "salt"}),
        "move": Operation(mover, "POST", f"{game}/moves", (await mover.moves(game))[0]),
    }


@pytest.fixture(scope="session")
def houses() -> dict[tuple[Service, str], House]:
    """Cached by service and ruleset. All tests can share one, because nothing may change it."""
    return {}


@pytest.fixture
async def house(service: Service, rules: Rules, houses: dict[tuple[Service, str], House]) -> AsyncIterator[House]:
    if (service, rules.name) not in houses:
        players = await service.guests(*("Ann", "Bob", "Cem", "Dora")[: fewest(rules.name)])
        games = await service.table(rules.name, players), await players[0].open(rules.name)
        operations = await possible(service, players, *games, rules)
        houses[service, rules.name] = House(service, games, operations)
    made = houses[service, rules.name]
    before = await made.everything()
    yield made
    assert await made.everything() == before


async def test_the_operations_succeed_with_valid_input(
    service: Service, players: list[Caller], game: str, rules: Rules
) -> None:
    """The control group of the tests below."""
    waiting = await players[0].open(rules.name)
    for operation in (await possible(service, players, game, waiting, rules)).values():
        assert (await send(operation, operation.body)).is_success


@pytest.fixture(params=OPERATIONS)
def operation(request: pytest.FixtureRequest, house: House) -> Operation:
    return house.operations[request.param]


async def send(operation: Operation, body: Any, **more: Any) -> httpx.Response:
    who, method, path, _ = operation
    return await who.send(method, path, body, **more)


async def refused(operation: Operation, body: Any, path: str = "$") -> None:
    """Asserts a 400 with an error at this path."""
    document = problem(await send(operation, body), 400, "malformed")
    assert [fault["path"] for fault in document["errors"]] == [path], (body, document)


HUGE = 10**30


def nullable() -> set[str]:
    """The paths of fields that accept null."""
    places = {"$.seat"}
    for rules in RULESETS.values():
        moves = get_args(rules.move) or (rules.move,)
        for prefix, kind in [("$.options.", rules.options), *(("$.", move) for move in moves)]:
            for each in msgspec.inspect.type_info(kind).fields:
                if admits_null(each.type) or (kind is not rules.options and not each.required):
                    places.add(prefix + each.name)
    return places


def admits_null(kind: Any) -> bool:
    inner = kind.type if isinstance(kind, msgspec.inspect.Metadata) else kind
    return isinstance(inner, msgspec.inspect.UnionType) and inner.includes_none


def of_a_wrong_type(value: Any) -> Iterator[Any]:
    """Values of other types that resemble the value."""
    yield from ([value], {}, {"value": value}, "" if isinstance(value, list) else [])
    match value:
        case bool():
            yield from (int(value), str(value).lower(), "", 1.0)
        case int():
            yield from (str(value), True, False, value + 0.5, HUGE, -HUGE, 2**63, 2**64, -1)
        case str():
            yield from (4, 4.0, True, HUGE)
        case dict():
            yield from ("", 0, False, "{}")


def ruined(body: Any, path: str = "$") -> Iterator[tuple[str, Any]]:
    """Copies of the body with one value of a wrong type, and its path."""
    for name, value in body.items():
        place = f"{path}.{name}"
        wrong = [each for each in of_a_wrong_type(value) if not (isinstance(value, dict) and each in ({}, value))]
        for each in wrong if place in nullable() else [None, *wrong]:
            yield place, body | {name: each}
        if isinstance(value, dict):
            yield from ((deeper, body | {name: each}) for deeper, each in ruined(value, place))


async def test_a_wrong_type_is_rejected_with_the_path_of_the_field(operation: Operation) -> None:
    for place, body in ruined(operation.body):
        document = problem(await send(operation, body), 400, "malformed")
        (fault,) = document["errors"]
        # A wrong `type`, or a field inside of what should have been one value, may be blamed on the object around it.
        assert fault["path"].startswith(place) or place.startswith(fault["path"]), (body, fault)
        assert fault["message"]


async def test_a_body_of_a_wrong_type_is_rejected(operation: Operation) -> None:
    for body in (None, [], [operation.body], "", "{}", 0, 4.0, True, HUGE):
        await refused(operation, body)


async def test_unknown_fields_are_rejected(operation: Operation) -> None:
    for name in ("unknown", "", "Name", "__class__", "seat ", "ключ", "\0"):
        await refused(operation, operation.body | {name: 1})
    for name, value in operation.body.items():
        if isinstance(value, dict):
            await refused(operation, operation.body | {name: value | {"unknown": 1}}, f"$.{name}")


async def test_invalid_numbers_are_rejected(operation: Operation) -> None:
    for name, value in operation.body.items():
        text = msgspec.json.encode(operation.body | {name: "@"})
        for number in (
            "1e999",
            "-1e999",
            "NaN",
            "Infinity",
            "-Infinity",
            "1e",
            "0x1",
            "01",
            "+1",
            ".5",
            "1_0",
            "\u0661",
        ):
            problem(await send(operation, text.replace(b'"@"', number.encode())), 400, "malformed")
        for number in ("9" * 5000, "1" + "0" * 30, "1e30", "4.000000000000000000001", "4.0.0", "04.0", "4.0e", "1e-1"):
            if not isinstance(value, float):
                problem(await send(operation, text.replace(b'"@"', number.encode())), 400, "malformed")


async def test_deep_nesting_is_rejected(operation: Operation) -> None:
    for opening in (b"[", b'{"a":', b'[{"a":'):
        await refused(operation, opening * (60_000 // len(opening)))
        problem(await send(operation, opening * 100_000), 413, "too-large")
    for name in operation.body:
        for nest in (b"[" * 30_000 + b"]" * 30_000, b'{"a":' * 10_000 + b"1" + b"}" * 10_000):
            text = msgspec.json.encode(operation.body | {name: "@"}).replace(b'"@"', nest)
            problem(await send(operation, text), 400, "malformed")


async def test_invalid_json_is_rejected(operation: Operation) -> None:
    good = msgspec.json.encode(operation.body)
    bad = [
        b"", b" ", b"{", b"}", b"nope", good[:-1], good + b"x", good + good, b"\xef\xbb\xbf" + good, b"'a'", b"\0",
        good.decode().encode("utf-16"), good.decode().encode("utf-32"), good.replace(b":", b"="), b"{,}",
        b"/**/" + good, good[:-1] + b",}",
    ]  # fmt: skip
    for text in bad:
        await refused(operation, text)


async def test_invalid_strings_are_rejected(operation: Operation) -> None:
    texts = [name for name, value in operation.body.items() if isinstance(value, str)]
    assert texts
    for name in texts:
        text = msgspec.json.encode(operation.body | {name: "@"})
        for wrong in (
            b"\xff", b"a\xc3", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\\ud800", b"\\udc00\\ud800",
            b"\\ud800x", b"\\u0000", b"a\\u0000b", b"\0", b"\n", b"\\x41", b"\\u12", b"\\", b"\\u001f",
        ):  # fmt: skip
            problem(await send(operation, text.replace(b"@", wrong)), 400, "malformed")
        problem(await send(operation, text.replace(b"@", b"x" * 60_000)), 400, "malformed")


async def test_only_json_is_accepted(operation: Operation) -> None:
    body = msgspec.json.encode(operation.body)
    for kind in (
        "text/plain", "", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonx",
        "application/merge-patch+json", "text/json", "json", "application", "*/*", "é", "application/json2; a=b",
    ):  # fmt: skip
        answer = await send(operation, body, headers=[("Content-Type", kind.encode())])
        problem(answer, 415, "unsupported-media-type")
    who, method, path, _ = operation
    headers = {"Authorization": f"Bearer {who.token}"} if who.token else {}
    problem(await who.http.request(method, path, content=body, headers=headers), 415, "unsupported-media-type")
    problem(await who.http.request(method, path, headers=headers), 415, "unsupported-media-type")


async def test_a_body_has_at_most_64_kib(operation: Operation) -> None:
    async def piece_by_piece(size: int) -> AsyncIterator[bytes]:
        for _ in range(size // 1000):
            yield b" " * 1000
        yield b" " * (size % 1000)

    await refused(operation, b" " * 65_536)
    await refused(operation, piece_by_piece(65_536))
    for size in (65_537, 1_000_000):
        problem(await send(operation, b" " * size), 413, "too-large")
        problem(await send(operation, piece_by_piece(size)), 413, "too-large")


# --- parameters and headers ---------------------------------------------------------------------------------------


BEYOND = (10**9, 2**31, 2**53, 2**63 - 1, 2**63, 2**64, 10**30)
"""Integers at the limits of databases, of C, and of doubles."""


async def test_a_future_version_is_not_found(house: House) -> None:
    for at in [10**3, *BEYOND]:
        problem(await house.member.get(house.games[0], at=at), 404, "not-found")


async def test_an_invalid_key_is_rejected(house: House) -> None:
    for key in [" ", "a b", "x" * 129, "é", "", "\t", "a\tb", "🃏", "x" * 10_000, "\x7f", "\x80"]:
        headers = [("Idempotency-Key", key.encode())]
        for name in ("open", "sit down", "move"):
            operation = house.operations[name]
            (fault,) = problem(await send(operation, operation.body, headers=headers), 400, "malformed")["errors"]
            assert fault["path"] == "Idempotency-Key"
        waiting = house.games[1]
        answer = await house.operations["open"].who.delete(f"{waiting}/seats/0", headers=headers)
        problem(answer, 400, "malformed")


async def test_an_invalid_if_none_match_matches_nothing(house: House) -> None:
    for known in ["x", '"', '""', "é", ",", ", ,", "W/", '"' * 1000, "," * 10_000, "\t"]:
        answer = await house.member.get(house.games[0], headers=[("If-None-Match", known.encode())])
        assert answer.status_code == 200


ODD = [
    "x", "x" * 20_000, "%00", "a%00b", "%ff", "%ED%A0%80", "%ED%A0%80a", "🃏", "%F0%9F%83%8F",
    "..%2f..", "%2e%2e", "%0d%0aa:b", "'--", "*", "~",
    "018F3C2E-7B1A-7C3D-9E4F-0123456789AB", "018f3c2e7b1a7c3d9e4f0123456789ab", "{}", "null", "%25", " ", "%20",
]  # fmt: skip


async def test_invalid_names_are_not_found(house: House, ruleset: str) -> None:
    for odd in ODD:
        games = f"/v1/games/{ruleset}"
        for path in (f"{games}/{odd}", f"{games}/{odd}/events", f"{games}/{odd}/moves", f"/v1/players/{odd}",
                     f"/v1/rulesets/{odd}", f"/v1/rulesets/{ruleset}/decks/{odd}"):  # fmt: skip
            problem(await house.member.get(path), 404, "not-found")
        problem(await house.member.post(f"{games}/{odd}/seats", {}), 404, "not-found")
        problem(await house.member.post(f"{games}/{odd}/moves", house.operations["move"].body), 404, "not-found")
        problem(await house.member.delete(f"{games}/{odd}/seats/0"), 404, "not-found")


SEATS = (
    "abc", "1.0", "0x0", "%00", "9" * 5000, "9" * 30, "", "null", "🃏", "-", "-1", "+0", "0_0", "%200", "00", "\u0660",
)  # fmt: skip


async def test_an_invalid_seat_or_version_is_not_found(house: House) -> None:
    for seat in SEATS:
        for part in ("seats", "moves"):
            answer = await house.member.delete(f"{house.games[1]}/{part}/{seat}")
            assert answer.status_code in (404, 405)
            assert answer.headers["content-type"] == "application/problem+json"


SPELLINGS = ("1e0", "%2B1", "+1", "1+", "%201", "1_0", "01", "1.0", "null", "-0x1", "1%00", "1%0a")
NUMBERS = ("0", "-1", "x", "", "1.5", "9" * 5000, "true", *SPELLINGS)
CURSORS = ("zz", "", "%00", "%E2%82%AC", "null")
INVALID: dict[str, dict[str, tuple[str, ...]]] = {
    "game": {
        "at": (*NUMBERS, "1e999", "%D9%A3"),
        "as": (
            "zz", "", "-1", "00", "999", "1000", "10000000000", "%D9%A3", "All", "null", "0%00", "0%0a", "%ff",
        ),
        "invite": ("x" * 65, "%ff", "%c3"),
        "with": ("", "patch", "tally,patch", "tallies", "Tally"),
    },
    "game/events": {
        "limit": (*NUMBERS, "501"),
        "after": ("-1", "abc", "", "0.5", "9" * 5000, "%00", *SPELLINGS[:2], "null", "01", "1%0a"),
        "as": ("zz", "", "-1", "00", "999", "All"),
        "with": ("", "patches", "Patch", "view", "null", "patch,view", "patch%00"),
    },
    "lobby": {
        "open": ("1", "0", "True", "TRUE", "yes", "", "null", "on", "true%20", "maybe"),
        "status": ("null", "None", "", "Running", "running%20", "open"), "limit": (*NUMBERS, "101"),
        "cursor": (*CURSORS, "AAAAAAAAAAE%0A", "AAAAAAAAAAF"), "player": ("x" * 162,), "ruleset": ("x" * 65,),
        "acting": ("", "you", "Me", "0"), "invited": ("you",), "bots": ("no", "2"),
    },
}  # fmt: skip


async def test_an_invalid_parameter_is_rejected_by_name(house: House) -> None:
    for place, name in [(place, name) for place, names in INVALID.items() for name in names]:
        for game in house.games if place.startswith("game") else house.games[:1]:
            path = "/v1/games" if place == "lobby" else place.replace("game", game, 1)
            for value in INVALID[place][name]:
                document = problem(await house.member.get(f"{path}?{name}={value}"), 400, "malformed")
                assert [fault["path"] for fault in document["errors"]] == [f"?{name}"], value
        for media in ("application/x-ndjson", "text/event-stream") if (place, name) == ("game/events", "with") else ():
            for value in INVALID[place][name]:
                refused = await house.member.get(f"{path}?{name}={value}", headers={"Accept": media})
                assert problem(refused, 400, "malformed")["errors"][0]["path"] == "?with"


async def test_text_that_no_database_can_hold_matches_nothing(house: House) -> None:
    for text in ["%00", "a%00b", "%ED%A0%80", "%ED%A0%80a"]:
        for query in (f"player={text}", f"ruleset={text}"):
            answer = await house.member.get(f"/v1/games?{query}")
            assert answer.status_code == 400 or answer.json()["items"] == []


async def test_a_repeated_parameter_is_rejected(house: House) -> None:
    for query in ["at=1&at=2", "as=0&as=bystander", "at=1&%61t=1", "at=1&at=x", "invite=a&invite=b"]:
        (fault,) = problem(await house.member.get(f"{house.games[0]}?{query}"), 400, "malformed")["errors"]
        assert fault == {"path": f"?{query.partition('=')[0]}", "message": "is given more than once"}


async def test_the_number_of_query_parts_is_limited(house: House) -> None:
    """Ignored parameters count as well."""
    for path in (house.games[0], "/v1/games", "/v1/rulesets", "/health/live"):
        assert (await house.member.get(f"{path}?{'&'.join(['x'] * MAX_PARTS)}")).status_code == 200
        (fault,) = problem(await house.member.get(f"{path}?{'&' * MAX_PARTS}"), 400, "malformed")["errors"]
        assert fault == {"path": "request", "message": f"The query has more than {MAX_PARTS} parts"}


async def test_every_invalid_parameter_is_named(house: House) -> None:
    document = problem(await house.member.get("/v1/games?limit=0&open=1&status=x&player=x"), 400, "malformed")
    assert {fault["path"] for fault in document["errors"]} == {"?limit", "?open", "?status"}


async def test_a_query_that_is_not_ascii_is_rejected(house: House) -> None:
    """Client libraries encode such queries, so the test calls the application directly."""
    app, sent = house.service.http._transport.app, []  # type: ignore[attr-defined]

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    path = house.games[0]
    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "headers": [], "client": None}
    for query in (b"invite=\xc3\xa9", b"at=\xff", b"\xff"):
        scope |= {"query_string": query, "server": ("test", 80), "scheme": "http", "http_version": "1.1"}
        await app(scope | {"root_path": "", "state": {}}, receive, send)
    assert [message["status"] for message in sent if "status" in message] == [400, 400, 400]


async def test_unknown_parameters_are_ignored(house: House) -> None:
    for query in ["nope=1", "&&", "=", "%", "utm_source=x&utm_source=y", "%ff=1", "At=x", "as%00=x"]:
        for path in (house.games[0], "/v1/games", "/v1/rulesets", "/health/live"):
            assert (await house.member.get(f"{path}?{query}")).status_code == 200
