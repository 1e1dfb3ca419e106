"""The Python client plays every ruleset against a real server, through connections that break."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from shutil import copytree, ignore_patterns
from typing import Any
from unittest.mock import ANY, AsyncMock

import httpx
import msgspec
import pytest
from stammtisch_client import AsyncClient, AsyncTable, Client, Problem, Record, Unsealed, backoff, problems
from stammtisch_client.rulesets import RULESETS as TYPED

from domain.rulesets import RULESETS
from tests.docs.pages import DOCS, ROOT, blocks, section
from tests.support.clients import Json, Server, fewest
from tests.support.cuts import CuttingProxy

pytestmark = [pytest.mark.anyio, pytest.mark.waits]

FIRST = next(iter(RULESETS))
each_ruleset = pytest.mark.parametrize("ruleset", [pytest.param(name, id=f"{name}/1") for name in RULESETS])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("clients") / "games.db", rate_limit="off") as server:
        yield server


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backoff, "PAUSES", (0.01, 0.02, 0.05))


async def seated(clients: list[AsyncClient], ruleset: str, **terms: Any) -> list[AsyncTable[Any, Any, Any, Any]]:
    """The table of a new game, for each of these clients."""
    for number, client in enumerate(clients):
        await client.register(f"Player {number}", bot=True)
    first = await clients[0].open(TYPED[ruleset], len(clients), **terms)
    others = [client.table(TYPED[ruleset], first.id, invite=first.invite) for client in clients[1:]]
    for table in others:
        await table.sit()
    return [first, *others]


async def play(table: AsyncTable[Any, Any, Any, Any], dice: Random) -> list[Json]:
    """Play at random to the end. Returns the moves that were made, as JSON."""
    made = []
    async for turn in table.turns():
        moves = turn.legal_moves
        kind = dice.choice(sorted({type(move).__name__ for move in moves}))
        move = dice.choice([each for each in moves if type(each).__name__ == kind])
        assert isinstance(turn.view, TYPED[table.ruleset.name].view)
        await turn.play(move)
        made.append(msgspec.to_builtins(move))
    return made


async def followed(table: AsyncTable[Any, Any, Any, Any]) -> list[Json]:
    return [msgspec.to_builtins(item) async for item in table.events()]


async def check(url: str, table: AsyncTable[Any, Any, Any, Any], made: list[list[Json]]) -> Record:
    """The game is over, and its record has exactly these moves of each seat."""
    async with AsyncClient(url) as stranger:
        record = await stranger.table(table.ruleset, table.id).record()
    items = record.fields["events"]
    for seat, moves in enumerate(made):
        assert [item["move"] for item in items if item["by"] == seat and "move" in item] == moves
    assert [item["version"] for item in items] == [*range(1, len(items) + 1)]
    assert record.verify().verdict == "ok"
    return record


@pytest.mark.checked
async def test_ordinary_play_stays_within_the_default_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole game against two bots as fast as the service answers, over the channel and over event streams."""
    refused: list[Exception] = []
    monkeypatch.setattr(backoff.Contact, "failed", lambda _contact, failure, _attempts: refused.append(failure))
    with Server(tmp_path / "games.db") as server:

        async def played(*, channel: bool) -> None:
            async with AsyncClient(server.url, channel=channel) as client:
                await client.register("Ann", bot=True)
                table = await client.open(TYPED[FIRST], ["me", "careful/1", "careful/1"])
                assert len(await play(table, Random(1))) > 20
                assert (await table.record()).verify().verdict == "ok"

        await asyncio.gather(played(channel=True), played(channel=False))
    assert refused == []


@each_ruleset
@pytest.mark.by_default(f"-{FIRST}/1")
@pytest.mark.parametrize("channel", [True, pytest.param(False, marks=pytest.mark.checked)], ids=["channel", "sse"])
async def test_a_game_is_played_through_cut_connections_with_nothing_lost_or_doubled(
    server: Server, ruleset: str, channel: bool, request: pytest.FixtureRequest
) -> None:
    cuts = 50 if request.config.getoption("--everything") else 6
    proxy = CuttingProxy(server.url, cuts, most=12_000 if channel else 4_000)
    clients = [AsyncClient(proxy.url, channel=channel) for _ in range(fewest(ruleset))]
    made: list[list[Json]] = [[] for _ in clients]
    watcher = AsyncClient(proxy.url, channel=channel)
    while proxy.left:  # one game may need fewer connections than there are cuts
        tables = await seated(clients, ruleset)
        seen, *made = await asyncio.gather(
            followed(watcher.table(TYPED[ruleset], tables[0].id)),
            *(play(table, Random(seat)) for seat, table in enumerate(tables)),
        )
        assert [item["version"] for item in seen] == [*range(1, len(seen) + 1)]
        record = await check(server.url, tables[0], made)
        assert seen[-1]["head"] == record.fields["head"]
    assert proxy.left == 0
    proxy.close()
    for client in (*clients, watcher):
        await client.close()


@each_ruleset
@pytest.mark.by_default()
async def test_every_ruleset_is_played_through_its_own_types(server: Server, ruleset: str) -> None:
    clients = [AsyncClient(server.url) for _ in range(fewest(ruleset))]
    tables = await seated(clients, ruleset)
    made = await asyncio.gather(*(play(table, Random(seat)) for seat, table in enumerate(tables)))
    await check(server.url, tables[0], list(made))
    game = await tables[0].game()
    assert isinstance(game, TYPED[ruleset].game) and game.status == "finished"
    assert (await tables[0].audit()).ok
    for client in clients:
        await client.close()


async def test_a_move_is_made_once_though_the_program_forgets_that_it_made_it(server: Server) -> None:
    async with AsyncClient(server.url) as ann, AsyncClient(server.url, channel=False) as bob:
        first, second = await seated([ann, bob], FIRST, options={"target_points": 1})
        turns = first.turns()
        turn = await anext(turns)
        again, other = turn.legal_moves[:2]
        made = await turn.play(again)
        assert not made.replayed
        repeated = await turn.play(again)
        assert repeated == type(made)(made.version, made.head, True)
        with pytest.raises(problems.IdempotencyKeyReused):
            await turn.play(other)
        with pytest.raises(problems.IllegalMove) as illegal:
            await second.play({"type": "draw"})
        assert illegal.value.document.legal_moves and illegal.value.status == 409
        with pytest.raises(problems.StaleDecision) as stale:
            await first.play(other, version=turn.version)
        assert stale.value.document.version > turn.version
        await turns.aclose()


async def test_problems_are_exceptions_with_their_fields(server: Server) -> None:
    async with AsyncClient(server.url) as ann:
        with pytest.raises(problems.Unauthenticated):
            await ann.me()
        await ann.register("Ann")
        with pytest.raises(problems.Malformed) as malformed:
            await ann.open(FIRST, 99)
        assert malformed.value.document.errors[0].path.startswith("$.seats")
        with pytest.raises(problems.NotFound):
            await ann.table(FIRST, "none").game()
        with pytest.raises(problems.NotFound):
            async for _ in ann.table(FIRST, "none").turns():
                raise AssertionError
        table = await ann.open(FIRST, 2, private=True)
        async with AsyncClient(server.url) as bob:
            await bob.register("Bob")
            with pytest.raises(Problem):
                await bob.table(FIRST, table.id).sit()
            assert table.invite is not None
            await bob.table(FIRST, table.id, invite=table.invite).sit()
    async with AsyncClient(server.url, "no token") as eve:
        with pytest.raises(problems.Unauthenticated):
            async for _ in eve.tables_to_play():
                raise AssertionError


@pytest.mark.by_default()
async def test_requests_wait_as_long_as_a_limit_tells(tmp_path: Path) -> None:
    with Server(tmp_path / "games.db", rate_limit="4/4") as server:
        async with AsyncClient(server.url) as ann:
            await ann.register("Ann")
            await asyncio.gather(*(ann.me() for _ in range(6)))
            with pytest.raises(problems.TooManyRequests):
                async with AsyncClient(server.url, ann.token, patience=0) as hasty:
                    await asyncio.gather(*(hasty.me() for _ in range(9)))


def test_the_synchronous_client_plays_a_game_against_a_house_player(server: Server) -> None:
    with Client(server.url) as ann:
        me = ann.register("Ann")
        table = ann.open(TYPED[FIRST], ["me", "random/1"], options={"target_points": 1}, clock={"bank": 3600})
        dice, made = Random(1), 0
        for turn in table.turns():
            made += not turn.play(dice.choice(turn.legal_moves)).replayed
        items = list(table.events())
        assert made == sum(item.by == 0 and "move" in msgspec.to_builtins(item) for item in items)
        assert [game.id for game in ann.games(player=me.id, status="finished")] == [table.id]
        assert table.record().verify().verdict == "ok" and table.audit().ok
        assert ann.rename("Anna").name == ann.me().name == "Anna"
        assert ann.rename(face="owl").face == ann.me().face == "owl"
        assert ann.rename(face=None).name == "Anna"
        assert [each.name for each in ann.rulesets()] == [*RULESETS]
        with pytest.raises(problems.NotWaiting):
            table.sit()
        again = ann.table(TYPED[FIRST], table.rematch())
        assert next(ann.tables_to_play()).id == again.id
        again.vote("abort", yes=True)
        assert again.game().cause == "agreed" and len(again.history()) == again.look()["version"]
        waiting = ann.open(FIRST, 2)
        waiting.leave()


async def test_earlier_versions_are_what_the_player_saw_then_and_after_the_end_what_everybody_may_see(
    server: Server,
) -> None:
    async with AsyncClient(server.url) as ann, AsyncClient(server.url) as bob:
        first, second = await seated([ann, bob], FIRST, options={"target_points": 1})
        seen: list[dict[int, Any]] = [{}, {}]

        async def follow(seat: int, table: AsyncTable[Any, Any, Any, Any]) -> None:
            async for state in table.changes():
                seen[seat][state.version] = state.raw["view"]

        await asyncio.gather(
            *(follow(seat, table) for seat, table in enumerate((first, second))),
            *(play(table, Random(seat)) for seat, table in enumerate((first, second))),
        )
        last = (await first.game()).version
        for seat in (0, 1):
            assert len(seen[seat]) > 3
            for version, view in seen[seat].items():
                found = await first.at(version, seat)
                assert (found.version, msgspec.to_builtins(found.view)) == (version, view)
        everything = {version: msgspec.to_builtins((await second.at(version)).view) for version in seen[0]}
        assert any(everything[version] != view for version, view in seen[0].items() if view)
        assert (await first.at(1)).status == "waiting"
        with pytest.raises(problems.NotFound):
            await first.at(last + 1)
        running = await ann.open(FIRST, ["me", "random/1"])
        assert (await running.at(1)).version == 1
        with pytest.raises(problems.Forbidden):
            await running.at(2, 1)


async def test_a_client_falls_back_to_event_streams_where_web_sockets_do_not_pass(server: Server) -> None:
    """A proxy in between answers the upgrade with 403, as some networks do."""

    async def without_upgrade(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if b"/v1/channel" in head:
            nonlocal refused
            refused += 1
            writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            await writer.drain()
            writer.close()
            return
        url = httpx.URL(server.url)
        source, target = await asyncio.open_connection(url.host, url.port)
        target.write(head)
        await asyncio.gather(copy(reader, target), copy(source, writer))

    async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
        target.close()

    refused = 0
    listener = await asyncio.start_server(without_upgrade, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    clients = [AsyncClient(f"http://127.0.0.1:{port}") for _ in range(2)]
    tables = await seated(clients, FIRST, options={"target_points": 1})
    made = await asyncio.gather(*(play(table, Random(seat)) for seat, table in enumerate(tables)))
    await check(server.url, tables[0], list(made))
    assert refused == 2, "each client tries once"
    for client in clients:
        await client.close()
    listener.close()


async def test_a_client_that_registers_while_it_follows_goes_on_as_that_player(server: Server) -> None:
    async with asyncio.timeout(60), AsyncClient(server.url) as ann, AsyncClient(server.url) as bob:
        await ann.register("Ann")
        first = await ann.open(TYPED[FIRST], 2, options={"target_points": 1})
        second = bob.table(TYPED[FIRST], first.id)
        events = second.events()
        seen = [(await anext(events)).version]  # on a connection of nobody
        await bob.register("Bob")
        await second.sit()
        await asyncio.gather(play(first, Random(1)), play(bob.table(TYPED[FIRST], first.id), Random(2)))
        seen += [item.version async for item in events]
        assert seen == [*range(1, (await first.game()).version + 1)]


async def test_a_player_who_is_alone_with_bots_gets_a_hint(server: Server) -> None:
    async with AsyncClient(server.url) as ann:
        await ann.register("Ann")
        table = await ann.open(TYPED["scout"], ["me", "careful/1", "careful/1"], hints=True)
        legal = (await table.game()).legal_moves
        found = await table.hint()
        assert (found.seat, await table.hint()) == (0, found)
        assert [move for move in found.moves if move not in legal] == []
        await table.play(found.moves[0])
        await table.vote("abort", yes=True)
        with pytest.raises(problems.NotRunning):
            await table.hint()


async def test_players_take_back_vote_and_play_again(server: Server) -> None:
    async with AsyncClient(server.url) as ann, AsyncClient(server.url) as bob:
        first, second = await seated([ann, bob], "scout", undo="agreed")
        made = await first.play({"type": "keep"})
        assert (await first.game()).undo == made.version
        await first.take_back(made.version)
        assert (await first.game()).undo is None
        with pytest.raises(problems.NotUndoable) as refused:
            await first.take_back(made.version)
        assert refused.value.document.undo is None
        with pytest.raises(problems.NoRematch):
            await first.rematch()
        await first.play({"type": "keep"})
        await second.play({"type": "keep"})
        acting, other = (first, second) if (await first.game()).to_act == [0] else (second, first)
        made = await acting.play({"type": "show", "start": 0, "count": 1})
        await acting.take_back(made.version)  # everybody has seen the card: the other one is asked
        question = (await other.game()).vote
        assert question and question.on == "undo"
        await other.vote("undo", yes=True)
        assert {"type": "show", "start": 0, "count": 1} in (await acting.look())["legal_moves"]
        await first.vote("abort", yes=True)
        await second.vote("abort", yes=True)
        assert (await second.game()).cause == "agreed"


async def test_clients_ready_by_themselves_and_keep_the_head_that_they_saw(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AsyncClient(server.url) as ann, AsyncClient(server.url, channel=False, seed=b"of Bob") as bob:
        first, second = await seated([ann, bob], FIRST, sealed=True)
        assert (await first.game()).status == "waiting"
        await first.sit()
        whole = await second.record()
        without = [item for item in whole.fields["events"] if item["event"].get("seat") != 0]
        with monkeypatch.context() as patch:
            patch.setattr(AsyncTable, "record", AsyncMock(return_value=Record(msgspec.json.encode(
                whole.fields | {"events": without}
            ))))  # fmt: skip
            with pytest.raises(Unsealed):
                await second.ready()
        async with AsyncClient(server.url, bob.token) as forgetful:
            with pytest.raises(Unsealed):
                await forgetful.table(TYPED[FIRST], second.id).ready()
        assert (await first.game()).seats[1].entropy == ""
        await second.ready()
        with pytest.raises(problems.CannotReady):
            await second.ready()
        made = await asyncio.gather(play(first, Random(1)), play(second, Random(2)))
        record = await check(server.url, first, made)
        version, head = bob._rest.heads[second.id]
        assert record.fields["events"][version]["event"] == {"type": "readied", "seat": 1, "entropy": ANY}
        assert record.verify(head).verdict == "ok"
        again = first.ruleset, await first.rematch()
        assert await second.rematch() == again[1]
        assert (await bob.table(*again).sit()).you == 0
        with pytest.raises(problems.AlreadySeated):
            await bob.table(*again).sit(1)


@pytest.mark.by_default()
def test_the_guides_command_installs_what_the_readmes_program_needs(server: Server, tmp_path: Path) -> None:
    """In an empty environment, from a clean copy of the repository's clients."""
    copytree(
        ROOT / "clients", tmp_path / "stammtisch" / "clients",
        ignore=ignore_patterns("build", "*.egg-info", "node_modules", "dist", "__pycache__"),
    )  # fmt: skip
    (command,) = [line for line in blocks((DOCS / "clients.md").read_text(), "sh") if "stammtisch/clients/py" in line]
    readme = (ROOT / "clients" / "python" / "README.md").read_text()
    assert command in readme
    (program,) = blocks(section(readme, "Play"), "python")
    (tmp_path / "program.py").write_text(program.replace("http://127.0.0.1:8000", server.url))
    subprocess.run([sys.executable, "-m", "venv", "env"], cwd=tmp_path, check=True, timeout=600)
    for arguments in (command.split(), ["python", "program.py"]):
        done = subprocess.run(
            [f"env/bin/{arguments[0]}", *arguments[1:]], cwd=tmp_path, capture_output=True, text=True, timeout=600
        )
        assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("ok\n")
