"""An extension brings a row of the table of operations with a request and an answer of the play channel."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from domain.game import Rules
from domain.rulesets import RULESETS
from service import extension
from service.api import problems
from service.api.contract import Answer as Response
from service.api.operations import GAME, Exchange, Operation
from service.channel import asyncapi
from service.channel.channels import Client
from service.channel.messages import Answer, GameName, Invite, Request
from service.core import Core
from service.extension import Extension, Serving
from tests.support.channels import channel, game_name
from tests.support.listening import over_http

pytestmark = pytest.mark.anyio


class Count(Request):
    """Asks for the number of events."""

    game: GameName
    invite: Invite = None


class Counted(Answer):
    """The number of events."""

    game: GameName
    events: int


ROW = Operation(
    id="count",
    path=f"{GAME}/count",
    answers=lambda _: (Response(200),),
    refuses=(problems.NotFinished,),
    summary="Count the events",
    text="Returns the number of events.",
    message="count",
    exchange=Exchange(Count, Counted),
)


async def count(caller: Client, request: Count) -> Counted:
    _, cached, _ = await caller.find(request.game, request.invite)
    if not cached.header.revealed:
        raise problems.ProblemError(problems.NotFinished())
    return Counted(request.id, request.game, cached.game.version)


def serve(_core: Core, _rulesets: Mapping[str, Rules]) -> Serving:
    return Serving(answers={Count: count})


COUNTING = Extension(name="counting", home="service.extension", rows=lambda: (ROW,), serve=serve)


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(extension._registered, "counting", COUNTING)


async def test_the_channel_answers_a_request_of_an_extension(tmp_path: Path) -> None:
    async with over_http(tmp_path / "games.db") as service:
        ann, bob = await service.guests("Ann", "Bob")
        path = await service.table("skyjo", [ann, bob])
        game = game_name(path)
        async with channel(ann) as mine:
            await mine.problem(409, "not-finished", "count", game=game)
            await mine.problem(404, "not-found", "count", game="skyjo/unknown")
            await mine.problem(400, "malformed", "count", game=game, more=1)
            assert (await mine.did("vote", game=game, on="abort", yes=True))["type"] == "voted"
        async with channel(bob) as mine:
            await mine.did("vote", game=game, on="abort", yes=True)
            assert (await mine.did("count", game=game))["events"] == (await bob.look(path))["version"]


async def test_the_documents_have_the_messages_of_an_extension() -> None:
    made: Any = asyncapi.document(RULESETS)
    assert {"Count", "Counted"} <= made["components"]["messages"].keys()
    reply = made["operations"]["count"]["reply"]["messages"]
    assert [each["$ref"].rpartition("/")[2] for each in reply] == ["Counted", "Refused"]
    assert made["operations"]["count"]["summary"] == "Asks for the number of events."
