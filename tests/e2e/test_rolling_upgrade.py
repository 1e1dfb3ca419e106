"""A release replaces another one process by process, while games are played through both.

The next release is this one with what a release changes: another version of the contract, a migration of the tables
beside the log, and tables of the lobby that this release cannot read. The test proves that processes of this release
survive such a successor beside them. It says nothing about what a successor changes in the log.
"""

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from service import settings
from tests.e2e.test_many_processes import check_everything, unreliable_players
from tests.support.clients import Server
from tests.support.crowd import SHORT, cluster, metrics, wait_for_answers
from tests.support.forked import ROOT, run_command

MIGRATION = """
import sqlalchemy as sa
from alembic import op
revision, down_revision = "9999", "{last}"
def upgrade() -> None:
    op.add_column("stammtisch_players", sa.Column("note", sa.Text))
"""


@pytest.fixture
def successor(tmp_path: Path) -> Path:
    """The folder with the next release."""
    folder = tmp_path / "successor"
    folder.mkdir()
    for layer in ("service", "projections"):
        shutil.copytree(ROOT / layer, folder / layer)
    for layer in ("domain", "agents", "openapi", "web", "clients"):
        (folder / layer).symlink_to(ROOT / layer)
    for file, before, after in (
        ("projections/lobby.py", 'name="lobby", version=', 'name="lobby", version=100 + '),
        ("projections/schema.py", 'Column("listed", Text,', 'Column("summary", Text, key="listed",'),
        ("service/documents/config.py", 'version="1"', 'version="2"'),
    ):
        text = (folder / file).read_text()
        assert before in text, file
        (folder / file).write_text(text.replace(before, after))
    versions = folder / "service/tables/migrations/versions"
    last = sorted(versions.glob("[0-9]*.py"))[-1].name[:4]
    (versions / "9999_next.py").write_text(MIGRATION.format(last=last))
    return folder


@pytest.mark.checked
@pytest.mark.anyio
async def test_a_release_replaces_another_one_while_games_are_played(
    tmp_path: Path, migrated_url: str, redis_url: str, successor: Path, everything: bool
) -> None:
    """By default one process of two."""
    given = {"rate_limit": "off", "access_log": False, "secret": "x" * 32, "redis": redis_url}
    with cluster(tmp_path, migrated_url, redis=redis_url) as processes:
        old, new = list(processes.servers), list[Server]()
        try:
            async with unreliable_players(processes) as players, asyncio.timeout(240):
                ending, players.pause = asyncio.Event(), 0.2
                async with asyncio.TaskGroup() as tasks:
                    for ruleset in SHORT:
                        tasks.create_task(players.play_on(ruleset, ending))
                    tasks.create_task(look_around(players, ending))
                    await wait_for_answers(players, 20)
                    await asyncio.to_thread(migrate, successor, migrated_url)
                    await wait_for_answers(players, 20)
                    for number, each in enumerate(old if everything else old[:1]):
                        output = tmp_path / f"new-{number}"
                        new.append(
                            await asyncio.to_thread(Server, migrated_url, output=output, source=successor, **given)
                        )
                        processes.servers.append(new[-1])
                        await wait_for_answers(players, 20)
                        processes.servers.remove(each)
                        await asyncio.to_thread(each.stop)
                    await wait_for_answers(players, 20)
                    assert versions(new) == {"2"}
                    players.pause = 0
                    ending.set()
                await check_everything(players, migrated_url, processes)
                assert min([made async for made in metrics(players, "stammtisch_moves_total", 4)]) > 0
            refused = run_command(
                "serve", "--port", "0", "--database", migrated_url,
                environment={settings.variable("secret"): "x" * 32},
            )  # fmt: skip
            assert (refused.returncode, "of another release" in refused.stderr) == (2, True)
        finally:
            for each in new:
                each.stop()
        for each in (*old, *new):
            assert "a request failed" not in each.errors, each.errors
        processes.servers[:] = []


async def look_around(players: object, ending: asyncio.Event) -> None:
    """Read what the projections answer, until it is answered: no process fails."""
    while not ending.is_set():
        for path in ("/v1/games", "/v1/games?status=finished", "/v1/standings/skyjo"):
            await players.ask("GET", path)  # type: ignore[attr-defined]
        await asyncio.sleep(0.5)


def migrate(source: Path, database: str) -> None:
    command = [sys.executable, "-m", "service", "migrate", "--database", database]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def versions(servers: list[Server]) -> set[str]:
    found = (httpx.get(f"{each.url}/schema/openapi.json", timeout=60).json() for each in servers)
    return {document["info"]["version"] for document in found}
