"""PostgreSQL fails over to a standby that is behind: acknowledged moves are lost, and nothing else goes wrong.

Every game stays without holes and verifiable, whatever processes remember.
"""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import httpx
import pytest

from domain import game
from domain.game.log import Stored
from domain.rulesets import RULESETS
from projections.lobby import Search, page
from projections.projection import Projections
from service import databases
from service.games.errors import MoveRejected
from service.live.projection_runner import ProjectionRunner
from service.log.errors import Conflict, Unavailable
from service.settings import read
from tests.log.test_postgres import opened
from tests.log.test_store import outcomes, values, versions
from tests.projections.histories import Table
from tests.service.test_games import Process
from tests.support import servers
from tests.support.channels import channel
from tests.support.clients import Server, Service, fewest
from tests.support.servers import Postgres

pytestmark = pytest.mark.anyio

ANY = next(iter(RULESETS))
SSE = "text/event-stream"


class Pair:
    """A primary, and a standby that has everything up to `fall_behind`."""

    def __init__(self, server: Postgres) -> None:
        self.server, folder = server, server.own.folder
        self.data, self.standby = folder / "data", folder / "standby"

    def fall_behind(self) -> None:
        program = self.server.own.program.with_name("pg_basebackup")
        url = self.server.url()
        self.server.own.run(program, "-D", self.standby, "-d", url, "-R", "-X", "stream", "-c", "fast", "--no-sync")

    def fail_over(self) -> None:
        """The primary is killed, and the standby promoted at the same address."""
        self.server.stop(servers.signal.SIGQUIT)
        self.data.rename(self.data.with_name("lost"))
        self.standby.rename(self.data)
        self.server.start()
        self.server.execute("SELECT pg_promote()")


@pytest.fixture
def pair() -> Iterator[Pair]:
    with servers.postgres() as server:
        databases.migrate(read({}, database=server.url()))
        yield Pair(server)


async def until_it_moves(process: Process, game_id: str, dice: Random) -> None:
    """Make a move, as a player who repeats it while the service is unavailable."""
    async with asyncio.timeout(60):
        while True:
            try:
                await process.any_move(await process.find(game_id), dice)
                return
            except (Unavailable, MoveRejected):  # a move on a position that is lost is refused
                await asyncio.sleep(0.05)


def chained(entries: list[Stored], cached: object) -> None:
    """The log has no hole, and folding it gives the remembered game."""
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    rules, remembered = cached.rules, cached.game  # type: ignore[attr-defined]
    folded = game.fold(rules, game.Game(remembered.id), [entry.event for entry in entries])
    assert folded == remembered


@pytest.mark.checked
async def test_games_go_on_without_holes_after_a_failover_that_lost_moves(
    pair: Pair, caplog: pytest.LogCaptureFixture
) -> None:
    dice = Random(7)
    async with opened(pair.server.url()) as one, opened(pair.server.url()) as two:
        processes = [Process(store, shared=True) for store in (one, two)]
        for process in processes:
            process.store.on_promotion.append(process.games.doubt_all)
        ids = [(await processes[number % 2].table()).game.id for number in range(6)]
        for game_id in ids:
            for number in range(4):
                await until_it_moves(processes[number % 2], game_id, dice)
        pair.fall_behind()
        before = {game_id: (await processes[0].find(game_id)).game.version for game_id in ids}
        for game_id in ids[:5]:
            for number in range(6):
                await until_it_moves(processes[number % 2], game_id, dice)
        await asyncio.to_thread(pair.fail_over)
        for game_id in ids:  # the other process comes first, so that its new moves lie where the lost ones were
            for number in (1, 1, 1, 1, 1, 1, 1, 1, 0, 0):
                await until_it_moves(processes[number], game_id, dice)
        for game_id in ids:
            for process in processes:
                entries = await process.logged(game_id)
                assert len(entries) > before[game_id]
                chained(entries, await process.find(game_id))
        assert one.promotions == two.promotions == 1
        lost = [record.message for record in caplog.records if "is lost" in record.message]
        assert {message.partition(":")[0] for message in lost} == {*ids[:5]}, "lost moves are reported by version"


@pytest.mark.checked
async def test_followers_of_lost_events_begin_again_after_a_failover(pair: Pair, tmp_path: Path) -> None:
    with Server(pair.server.url(), output=tmp_path / "server", rate_limit="off", secret="x" * 32) as server:
        async with (
            asyncio.timeout(90),
            httpx.AsyncClient(base_url=server.url, timeout=60) as http,
            AsyncExitStack() as stack,
        ):
            ann = await Service(http).guest("Ann")
            path, mine = await ann.open(ANY, fewest(ANY), hotseat=True), {"Authorization": f"Bearer {ann.token}"}
            await asyncio.to_thread(pair.fall_behind)
            followed = await stack.enter_async_context(channel(ann))
            await followed.did("follow", game=path.removeprefix("/v1/games/"))
            for _ in range(4):
                seat = (await ann.look(path))["to_act"][0]
                await ann.move(path, (await ann.moves(path, as_=seat))[0], as_=seat)
            version = (await ann.look(path))["version"]
            stream = await stack.enter_async_context(
                http.stream("GET", f"{path}/events", params={"after": version}, headers={**mine, "Accept": SSE})
            )
            await asyncio.to_thread(pair.fail_over)
            while (await http.get(path, headers=mine)).json().get("version", version) >= version:
                await http.post(f"{path}/moves", headers=mine, json={"type": "none"})
            assert (await followed.next("end"))["problem"]["status"] == 400
            async for _ in stream.aiter_bytes():
                pass  # until the service ends it
            again = await http.get(f"{path}/events", params={"after": version}, headers=mine)
            assert again.status_code == 400


@pytest.mark.by_default()
async def test_projections_go_on_where_they_are_after_a_failover(pair: Pair) -> None:
    """Positions of lost events are given again, to others."""
    settings = read({}, database=pair.server.url())
    async with opened(pair.server.url()) as store:
        engine = databases.projections(settings)
        runner = ProjectionRunner(store, Projections(engine, databases.derived()), shared=True)
        store.on_promotion.append(runner.doubt)
        await runner.start()
        await store.append(Table("before").open(seats=2))
        await runner.caught_up()
        pair.fall_behind()
        for number in range(60):
            await store.append(Table(f"lost-{number}").open(seats=2))
        await runner.caught_up()
        await asyncio.to_thread(pair.fail_over)
        while Unavailable in await outcomes(store.append(Table("after").open(seats=2))):
            pass
        async with asyncio.timeout(60):
            while sorted(listed.id for listed in page(engine, Search(), None).items) != ["after", "before"]:
                await runner.caught_up()
        await runner.stop()
        engine.dispose()


async def test_an_append_without_its_predecessor_is_refused(migrated_url: str) -> None:
    async with opened(migrated_url) as store:
        await store.append(versions(1, 2))
        assert await outcomes(
            store.append(versions(4)), store.append(versions(2, of="bob")), store.append(versions(1, of="eve"))
        ) == [Conflict, Conflict, None]
        assert await store.read("id-ada") == values(versions(1, 2))
        await store.append(versions(3, 4))
        assert await store.read("id-ada") == values(versions(1, 2, 3, 4))
        assert await store.read("id-bob") == []
