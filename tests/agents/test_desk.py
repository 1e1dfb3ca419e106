"""The desk of a league: agents that come over MCP, with the SDK's own client.

Functions that use the SDK load it, and the desk (see tests/support/mcp_seat.py).
"""

import asyncio
import json
import socket
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from threading import Thread
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from agents.external import Manners
from agents.league.figures import Results, rows
from agents.league.folder import RESULTS, TOKENS, check, decoded
from agents.table import Table
from domain.rulesets import RULESETS
from service.__main__ import main
from tests.agents.test_league import toml
from tests.support.servers import await_listener, free_port

if TYPE_CHECKING:
    from mcp import Client

    from agents.league.desk import Desk

pytestmark = pytest.mark.anyio

TOKENS_OF = {"one": "token-of-one", "two": "token-of-two"}
AGENTS = {"one": "desk:", "two": "desk:", "careful": "careful", "easy": "easy"}


@asynccontextmanager
async def connected(port: int, token: str) -> AsyncIterator["Client"]:
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=70) as http,
        Client(streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)) as client,
    ):
        yield client


async def call(client: "Client", tool: str, **arguments: Any) -> tuple[str, dict[str, Any], bool]:
    answer = await client.call_tool(tool, arguments)
    return str(answer.content[0].text), answer.structured_content or {}, bool(answer.is_error)  # type: ignore[union-attr]


async def agent(port: int, token: str, counts: Counter[str], errs: float = 0.0) -> None:
    """Plays until the league is over. Now and then it names a move that does not exist, and repeats its calls."""
    dice = Random(token)
    async with connected(port, token) as client:
        _, place, _ = await call(client, "next", seconds=20)
        while not place["over"]:
            if place["decision"] is None:
                _, place, _ = await call(client, "next", seconds=20)
                continue
            number = 999 if dice.random() < errs else dice.randint(1, place["moves"])
            arguments = {"number": number, "decision": place["decision"], "seconds": 20}
            counts[token] += number != 999
            text, after, wrong = await call(client, "move", **arguments)
            counts["calls"] += 1
            if wrong:
                assert "There is no move 999" in text
                _, place, _ = await call(client, "next", seconds=20)
                continue
            if dice.random() < 0.1 and not after["over"]:
                again = await client.call_tool("move", arguments | {"seconds": 0})
                assert not again.is_error
            place = after


@pytest.fixture
def desk() -> Iterator[tuple["Desk", int]]:
    from agents.league.desk import Desk

    at = socket.create_server(("127.0.0.1", 0))
    made = Desk(TOKENS_OF, at, Manners(think=60, retries=1, strikes=3))
    yield made, at.getsockname()[1]
    made.close(farewell=0)


def test_agents_play_a_league_and_every_choice_is_theirs_once(tmp_path: Path) -> None:
    port = free_port()
    file, folder = toml(tmp_path / "l.toml", AGENTS, seats=2, boards=2, retries=3), tmp_path / "l"
    status: list[int] = []
    assert main(["league", file, str(folder), "--announce", "--desk", str(port)]) == 0
    tokens = json.loads((folder / TOKENS).read_bytes())
    assert (folder / TOKENS).stat().st_mode & 0o077 == 0
    league = Thread(
        target=lambda: status.append(main(["league", file, str(folder), "--resume", "--desk", str(port)])), daemon=True
    )
    league.start()
    counts = Counter[str]()

    async def both() -> None:
        await asyncio.gather(*[agent(port, tokens[name], counts, errs=0.05) for name in ("one", "two")])

    await_listener(port, league.is_alive)
    asyncio.run(both())
    league.join(60)
    assert status == [0]
    results = decoded(folder / RESULTS, Results)
    lines = [json.loads(line) for line in (folder / "choices.ndjson").read_text().splitlines()[1:]]
    for entrant, name in enumerate(("one", "two")):
        own = [line for line in lines if line["bot"] == entrant]
        assert len(own) == counts[tokens[name]] > 5
        assert all("index" in line for line in own)
    assert all(row.replaced == row.forfeits == 0 for row in rows(results))
    assert check(folder, lambda _: None) == []
    for file_ in folder.iterdir():
        if file_.name != TOKENS:
            assert not any(token.encode() in file_.read_bytes() for token in tokens.values())


async def test_strangers_are_answered_before_their_request_is_read(desk: tuple["Desk", int]) -> None:
    """An endless body is not waited for."""
    _, port = desk
    for header in (b"", b"Authorization: Bearer wrong\r\n", b"Authorization: Basic token-of-one\r\n"):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000000\r\n" + header + b"\r\n{")
        assert b" 401 " in await asyncio.wait_for(reader.readline(), 60)
        await asyncio.wait_for(reader.read(), 60)  # it is closed
        writer.close()


async def test_requests_of_entrants_are_small_and_for_this_host(desk: tuple["Desk", int]) -> None:
    from agents.league import desk as desks

    _, port = desk
    headers = {"Authorization": "Bearer token-of-one", "Accept": "application/json, text/event-stream"}
    async with httpx.AsyncClient(headers=headers, timeout=60) as http:
        url = f"http://127.0.0.1:{port}/mcp"
        large = await http.post(url, content=b'{"a":"' + b"x" * desks.LARGEST + b'"}')
        assert large.status_code == 413
        other = await http.post(url, json={}, headers={"Host": "evil.example"})
        assert other.status_code == 421
        other = await http.post(url, json={}, headers={"Origin": "https://evil.example"})
        assert other.status_code == 403


async def test_an_entrant_cannot_pile_up_requests_and_takes_nothing_from_others(desk: tuple["Desk", int]) -> None:
    from agents.league import desk as desks

    made, port = desk
    headers = {"Authorization": "Bearer token-of-one"}
    async with httpx.AsyncClient(timeout=60) as http:
        url = f"http://127.0.0.1:{port}/mcp"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(desks, "A_SECOND", 0.0)
            made.lines["one"].credit = 2.0
            found = [(await http.post(url, json={}, headers=headers)).status_code == 429 for _ in range(4)]
            assert found == [False, False, True, True]
        made.lines["one"].credit = desks.BURST
        made.lines["one"].requests = desks.AT_ONCE
        assert (await http.post(url, json={}, headers=headers)).status_code == 429
        assert (await http.post(url, json={}, headers={"Authorization": "Bearer token-of-two"})).status_code != 429
        made.lines["one"].requests = 0


async def test_nobody_moves_for_another_and_late_calls_move_nothing(desk: tuple["Desk", int]) -> None:
    from agents.league import desk as desks

    made, port = desk
    asked = desks.Asked("game-1", "the table", 3, 1e12)
    made._loop.call_soon_threadsafe(made.lines["one"].put, asked)
    async with connected(port, "token-of-one") as one, connected(port, "token-of-two") as two:
        text, place, _ = await call(one, "next", seconds=20)
        assert place["decision"] == "game-1" and text.startswith("the table")
        text, place, _ = await call(two, "next", seconds=0)
        assert place["decision"] is None and "the table" not in text
        assert (await call(two, "move", number=1, decision="game-1", seconds=0))[2]
        assert not asked.answered.done()
        assert not (await call(one, "move", number=2, decision="game-1", seconds=0))[2]
        assert asked.answered.result(60) == 2
        assert not (await call(one, "move", number=2, decision="game-1", seconds=0))[2]
        text, _, wrong = await call(one, "move", number=3, decision="game-1", seconds=0)
        assert wrong and "Nothing was moved" in text


async def test_a_move_for_a_league_that_was_stopped_is_answered_by_its_end(desk: tuple["Desk", int]) -> None:
    """The agent was thinking when the league was interrupted."""
    from agents.league import desk as desks

    made, port = desk
    asked = desks.Asked("game-1", "the table", 3, 1e12)
    async with connected(port, "token-of-one") as one:
        made._loop.call_soon_threadsafe(made._put, made.lines["one"], asked)
        assert (await call(one, "next", seconds=20))[1]["decision"] == "game-1"
        made._loop.call_soon_threadsafe(made._end)
        text, place, wrong = await call(one, "move", number=2, decision="game-1", seconds=0)
        assert (text, place["over"], wrong) == ("The league is over.", True, False)
        assert asked.answered.cancelled()


def test_a_choice_that_nobody_makes_is_over_when_its_time_is(desk: tuple["Desk", int]) -> None:
    made, _ = desk
    made.manners = Manners(think=0.05, retries=0, strikes=3)
    rules = RULESETS["scout"]
    table = Table(rules, rules.options(), [made.bot("one"), made.bot("two")], b"secret" * 6)
    question = table.question()
    found = made.bot("one").answer
    assert found is not None
    answer = found(question)
    assert (answer.index, answer.why) == (None, "no answer in time")


def test_a_desk_that_is_closed_makes_no_choice_for_anybody(desk: tuple["Desk", int]) -> None:
    """Neither for a choice that is open, nor for one that opens afterwards: nothing is written to the journal."""
    made, _ = desk
    answer = made.bot("one").answer
    assert answer is not None
    rules = RULESETS["scout"]
    question = Table(rules, rules.options(), [made.bot("one"), made.bot("two")], b"secret" * 6).question()
    raised: list[BaseException] = []

    def asks() -> None:
        try:
            answer(question)
        except CancelledError as error:
            raised.append(error)

    first = Thread(target=asks, daemon=True)
    first.start()
    while not made.lines["one"].open:
        first.join(0.01)
    made._loop.call_soon_threadsafe(made._end)
    first.join(60)
    asks()
    assert len(raised) == 2


def test_a_league_without_a_port_for_its_agents_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = toml(tmp_path / "l.toml", AGENTS, seats=2, boards=2)
    assert main(["league", file, str(tmp_path / "l")]) == 2
    assert "--desk PORT" in capsys.readouterr().err
