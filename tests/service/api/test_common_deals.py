"""While other tables play the same cards, a game exists only for the players at its seats.

The tests open them by the use case, without pairings: the rule is the core's.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec
import pytest

from domain.codec import encode
from domain.game import Agreed
from projections.header import GameHeader
from service.api.operations import Operation, every_operation
from service.channel import messages
from service.log.errors import Conflict
from tests.support.channels import channel, game_name
from tests.support.clients import Caller, Json, done, in_process
from tests.support.common_deals import RULES, Tables, serving
from tests.support.listening import SSE
from tests.support.servers import Postgres, Redis

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

BODIES: dict[str, Any] = {
    "sit_down": {"seat": None, "entropy": ""}, "ready": {"entropy": "a"}, "say": {"phrase": "hello"},
    "give_time": {"seat": 0, "seconds": 15}, "vote": {"on": "abort", "yes": True}, "rematch": {"entropy": ""},
    "branch": {"at": 9},
}  # fmt: skip
"""A valid body of each operation on a game that has one. That of a move comes from the game."""

of_games = [each for each in every_operation() if each.path.startswith("/{game_id")]


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    async with serving(tmp_path) as found:
        yield found


@pytest.fixture(scope="module")
async def sealed(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Tables]:
    """For tests that change nothing."""
    async with serving(tmp_path_factory.mktemp("sealed")) as found:
        yield found


@pytest.fixture(scope="module")
async def over(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Tables]:
    """For tests that change nothing: Ann's game is over."""
    async with serving(tmp_path_factory.mktemp("over")) as found:
        assert (await found.play(found.ann, found.games[0]))["status"] == "finished"
        yield found


async def asked(who: Caller, game: str, row: Operation, move: Json, **query: Any) -> int:
    path = row.path.replace("/{game_id:str}", "").replace("{seat:str}", "0").replace("{version:str}", "3")
    body = {} if row.body is None else {"body": move if row.id == "move" else BODIES[row.id]}
    response = await who.send(row.method, game + path, **body, **query)
    if response.status_code == 200 and "event-stream" in response.headers.get("content-type", ""):
        raise AssertionError("a stream was opened")
    return response.status_code


@pytest.mark.parametrize("row", of_games, ids=[each.id for each in of_games])
async def test_a_game_of_a_sealed_deal_exists_for_nobody_without_a_seat(
    sealed: Tables, over: Tables, row: Operation
) -> None:
    """Not for its opener, who may play the same cards, nor for players of other tables or holders of the invite; and
    before and after its end."""
    move = (await sealed.ann.look(sealed.games[0]))["legal_moves"][0]
    for tables in (sealed, over):
        game, invite = tables.games[0], tables.invites[0]
        for who in (tables.olga, tables.bob, tables.service.stranger):
            expected = 404 if who.token or row.public else 401
            for query in ({}, {"invite": invite}, {"as_": "0"}, {"as_": "bystander", "invite": invite}):
                sent = query if row.body is None or "as_" not in query or row.id == "move" else {}
                assert await asked(who, game, row, move, **sent) == expected, (who.name, query)


async def test_no_stream_of_the_game_opens_without_a_seat(sealed: Tables) -> None:
    for who in (sealed.olga, sealed.bob, sealed.service.stranger):
        for query in ({}, {"invite": sealed.invites[0]}):
            assert (await who.get(f"{sealed.games[0]}/events", headers=SSE, **query)).status_code == 404


def messages_of_games() -> list[str]:
    """The requests about a game that the caller may not know."""
    kinds = [get_origin(kind) or kind for kind in get_args(messages.requests())]
    return sorted(kind.__struct_config__.tag for kind in kinds if {"game", "invite"} <= {*kind.__struct_fields__})


SAID: dict[str, Any] = {
    "follow": {"presence": True}, "say": {"phrase": "hello"}, "ready": {"entropy": "a"},
    "give_time": {"seat": 0, "seconds": 15}, "vote": {"on": "abort", "yes": True}, "take_back": {"version": 3},
    "leave": {"seat": 0}, "branch": {"at": 9},
}  # fmt: skip


@pytest.mark.parametrize("kind", messages_of_games())
async def test_the_game_exists_for_nobody_without_a_seat_in_the_channel(sealed: Tables, kind: str) -> None:
    move = (await sealed.ann.look(sealed.games[0]))["legal_moves"][0]
    said = SAID.get(kind, {}) | ({"move": move} if kind == "move" else {})
    for who in (sealed.olga, sealed.bob, sealed.service.stranger):
        async with channel(who) as open_channel:
            for invite in (None, sealed.invites[0]):
                answer = await open_channel.ask(kind, game=game_name(sealed.games[0]), invite=invite, **said)
                expected = 404 if who.token or kind == "follow" else 401
                assert answer["type"] == "problem", answer
                assert answer["problem"]["status"] == expected, answer


async def test_another_process_reads_the_rule_from_redis(
    tmp_path: Path, postgres: Postgres, redis: Redis, migrated: str
) -> None:
    """The header in Redis says that the deal is sealed: a process that has never seen the game serves nobody else."""
    redis.execute("FLUSHDB")
    with postgres.database(migrated) as name:
        shared: Any = {"redis": redis.url, "secret": "x" * 32}
        url = postgres.url(name)
        async with serving(tmp_path, database=url, **shared) as tables, in_process(url, **shared) as other:
            game, invite = tables.games[0], tables.invites[0]
            for _ in range(2):
                for who in (tables.olga, tables.bob, tables.service.stranger):
                    for query in ({}, {"invite": invite}):
                        assert (await who.at(other).get(game, **query)).status_code == 404
                assert (await tables.ann.at(other).look(game))["you"] == 0  # afterwards Redis has the response


async def test_the_lists_of_others_do_not_contain_the_game(over: Tables) -> None:
    game = over.games[0].rpartition("/")[2]
    for who in (over.olga, over.bob, over.service.stranger):
        for query in ({}, {"status": "finished"}, {"player": over.ann.id}, {"player": over.olga.id}):
            listed = [each["id"] for each in await who.every("/v1/games", **query)]
            assert game not in listed
    (mine,) = [each for each in await over.ann.every("/v1/games") if each["id"] == game]
    assert mine["deal"]
    assert done(await over.ann.get(f"{over.games[0]}/record"))["secret"] is None


async def test_everything_is_visible_once_the_deal_is_revealed(tables: Tables) -> None:
    for who, game in zip((tables.ann, tables.bob), tables.games, strict=True):
        await tables.play(who, game)
    await tables.reveal()
    for game, invite in zip(tables.games, tables.invites, strict=True):
        for who, query in ((tables.olga, {}), (tables.service.stranger, {"invite": invite})):
            assert done(await who.get(f"{game}/record", **query))["secret"] is not None
    listed = [each for each in await tables.olga.every("/v1/games") if each["ruleset"] == "scout"]
    assert len(listed) == 2
    assert all("deal" not in each for each in listed)


async def test_a_game_that_still_runs_is_ended_and_revealed_once(tables: Tables) -> None:
    cached = await tables.cached(tables.games[0])
    await tables.runtime.commands.reveal(cached)
    version = cached.game.version
    await tables.runtime.commands.reveal(cached)
    assert (cached.game.status, cached.game.revealed, cached.game.version) == ("aborted", True, version)
    seen = await tables.ann.look(tables.games[0])
    assert (seen["status"], seen["cause"]) == ("aborted", "expired")


async def test_a_game_is_opened_once_by_its_id(tables: Tables) -> None:
    game_id = tables.games[0].rpartition("/")[2]
    with pytest.raises(Conflict):
        await tables.runtime.commands.open(
            RULES, tables.olga.id, 2, RULES.options(), next(iter(RULES.decks.values())), Agreed(private=True),
            sit=True, entropy="", key=None, game_id=game_id, limited=False,
        )  # fmt: skip


def test_a_header_of_an_earlier_release_is_not_used() -> None:
    """It does not say whether the deal is sealed, and would read as open."""
    known = GameHeader("any", 1, "head", "ann", ("ann",), (), True, False, False, (), "code", True)
    fields = msgspec.json.decode(encode(known))
    assert msgspec.convert(fields, GameHeader) == known
    del fields["common"]
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(fields, GameHeader)
