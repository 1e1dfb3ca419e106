"""Every refusal of a command over the channel, and who may do what."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain import game as domain
from domain.fairness.chance import seal
from domain.game.commands import Cancel, Command, GiveTime, Join, Leave, Move, Ready, TakeBack, Vote
from domain.game.questions import CannotVote
from service.__main__ import main
from service.games.errors import Blocked, TooManyGames
from tests.service.channel.test_commands import REFUSALS, ROWS, Answer, Request, Table
from tests.support import clocks
from tests.support.channels import channel
from tests.support.clients import Caller, Json, Service
from tests.support.listening import over_http

# --- every refusal, and who may -----------------------------------------------------------------------------------


class Refused(NamedTuple):
    """A player is refused in a game of Ann's for two. `begun`: Bob sits there, too. Before, each of `first` succeeds;
    `Move("any")` is any legal move, and version 0 the one that the last command has led to."""

    who: str
    command: Command
    refusal: type[Exception]
    terms: Json = {}
    begun: bool = True
    first: Sequence[tuple[str, Command]] = ()
    told: Json = {}
    """What the problem says besides."""


LEFT = ("Ann", Leave(0, running=True))

ASKED = ("Ann", Vote("abort", yes=True))


BOT, CLOCK, KEPT = {"absent": "random/1"}, {"clock": {"bank": 60}}, {"seats": ["me", {"player": "Bob"}]}


SEALED, READY = {"sealed": True}, ("Ann", Ready("x"))

SITS = tuple((who, Join(seat, seal="of x")) for seat, who in enumerate(("Ann", "Bob")))
"""With seals of the entropy "x", which name the game."""

REFUSED = [
    Refused("Bob", Cancel(), domain.NotOpener, begun=False),
    Refused("Ann", Cancel(), domain.NotWaiting),
    Refused("Eve", Join(), domain.NotWaiting),
    Refused("Eve", Join(), domain.NotWaiting, {"hotseat": True}),
    Refused("Bob", Join(0), domain.SeatTaken, begun=False),
    Refused("Bob", Join(2), domain.SeatTaken, begun=False),
    Refused("Eve", Join(), domain.Reserved, KEPT, begun=False),
    Refused("Eve", Join(1), domain.Reserved, KEPT, begun=False),
    Refused("Ann", Join(), domain.AlreadySeated, begun=False),
    Refused("Ann", Join(0), domain.CannotRejoin, BOT, first=((LEFT, ("Ann", Join())) * 2 + (LEFT,))),
    Refused("Bob", Join(), domain.TooRestless, {"seats": 3}, False, (("Bob", Join()), ("Bob", Leave(1))) * 10),
    Refused("Dora", Join(), TooManyGames, begun=False),
    Refused("Eve", Join(), Blocked, begun=False),
    Refused("Bob", Join(), domain.NotWaiting, KEPT | {"private": True}, False, [("Bob", Join())]),
    Refused("Bob", Leave(1), domain.NotSeated, KEPT, False, [("Bob", Leave(1))]),
    Refused("Eve", Leave(0), domain.NotSeated),
    Refused("Ann", Leave(1), domain.NotSeated, begun=False),
    Refused("Ann", Leave(1), domain.NotSeated, KEPT, begun=False),
    Refused("Bob", Leave(0, running=True), domain.NotSeated),
    Refused("Ann", Leave(0, running=True), domain.NotSeated, BOT, first=(LEFT,)),
    Refused("Ann", Leave(0), domain.NotWaiting),
    Refused("Ann", Leave(0, running=True), domain.NotWaiting, {"hotseat": True}),
    Refused("Bob", Leave(1, running=True), domain.NotRunning, {"absent": "abort"}, first=(LEFT,)),
    Refused("Eve", GiveTime(0, 5), domain.NotSeated),
    Refused("Ann", GiveTime(1, 5), domain.NotRunning, begun=False),
    Refused("Ann", GiveTime(1, 5), domain.CannotGrant, told={"most": 0}),
    Refused("Ann", GiveTime(0, 5), domain.CannotGrant, CLOCK),
    Refused("Ann", GiveTime(2, 5), domain.CannotGrant, CLOCK),
    Refused("Ann", GiveTime(1, 61), domain.CannotGrant, CLOCK, told={"most": 60}),
    Refused("Ann", GiveTime(1, 1), domain.CannotGrant, CLOCK, first=[("Ann", GiveTime(1, 60))] * 4),
    Refused("Eve", TakeBack(3), domain.NotSeated),
    Refused("Ann", TakeBack(1), domain.NotRunning, begun=False),
    Refused("Ann", TakeBack(3), domain.NotUndoable, told={"undo": None}),
    Refused("Ann", TakeBack(0), domain.NotUndoable, {"undo": "none"}, first=[("Ann", Move("any"))]),
    Refused("Bob", TakeBack(0), domain.NotUndoable, {"undo": "agreed"}, first=[("Ann", Move("any"))]),
    Refused("Ann", TakeBack(0), CannotVote, {"undo": "agreed"}, first=[ASKED, ("Ann", Move("any"))]),
    Refused("Eve", ASKED[1], domain.NotSeated),
    Refused("Ann", ASKED[1], domain.NotRunning, begun=False),
    Refused("Ann", Vote("undo", yes=True), domain.NotUndoable, {"undo": "none"}),
    Refused("Ann", Vote("abort", yes=False), CannotVote),
    Refused("Bob", Vote("abort", yes=True, asked_by=0), CannotVote),
    Refused("Ann", ASKED[1], CannotVote, first=[ASKED]),
    Refused("Bob", SITS[1][1], domain.WrongSeal, begun=False),
    Refused("Bob", Join(1), domain.WrongSeal, SEALED, begun=False),
    Refused("Eve", Ready("x"), domain.NotSeated, begun=False),
    Refused("Ann", Ready("x"), domain.NotWaiting),
    Refused("Ann", Ready("x"), domain.CannotReady, begun=False),
    Refused("Ann", Ready("x"), domain.CannotReady, SEALED, False, SITS[:1]),
    Refused("Ann", Ready("y"), domain.CannotReady, SEALED, False, SITS),
    Refused("Ann", Ready("x"), domain.CannotReady, SEALED, False, (*SITS, READY)),
    Refused("Ann", Ready("x"), domain.NotWaiting, SEALED, False, (*SITS, READY, ("Bob", Ready("x")))),
    Refused("Bob", Leave(1), domain.SeatsFixed, SEALED, False, (*SITS, READY)),
    Refused("Eve", Join(), domain.SeatTaken, SEALED, False, SITS),
    # Ann and Bob have to act. The game of two bots is over, as is that of terms that say so when the first is late.
    Refused("Ann", Move("any"), domain.OutOfTime, CLOCK | BOT, told={"seat": 0, "can_return": False}),
    Refused("Ann", Move("any"), domain.OutOfTime, CLOCK | {"absent": "abort"}, told={"seat": 0, "can_return": False}),
]


@pytest.fixture(scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    with pytest.MonkeyPatch.context() as patch:
        clocks.no_sweeps(patch)
        async with over_http(tmp_path_factory.mktemp("commands") / "games.db", max_open_games=2) as running:
            yield running


async def entries(service: Service, stack: AsyncExitStack, names: Sequence[str]) -> Table:
    """New players, and no game yet."""
    callers = {name: await service.guest(name) for name in names} | {"": service.stranger}
    channels = {name: await stack.enter_async_context(channel(caller)) for name, caller in callers.items()}
    return Table("", "none", callers, channels, [])


def sealed(at: Table, command: Command) -> Command:
    """A `Join` with the seal for this game, if it has one."""
    if not isinstance(command, Join) or command.seal is UNSET:
        return command
    return replace(command, seal=seal(at.path.rpartition("/")[2], command.seat or 0, "x"))


async def opened(at: Table, terms: Json) -> Table:
    """A game that Ann has opened."""
    seats = terms.get("seats", 2)
    if isinstance(seats, list):
        seats = [{"player": at.callers["Bob"].id} if isinstance(seat, dict) else seat for seat in seats]
    return at._replace(path=await at.callers["Ann"].open("skyjo", **{**terms, "seats": seats}))


@pytest.mark.anyio
@pytest.mark.parametrize("case", REFUSED, ids=lambda case: f"{case.command!r} {case.refusal.__name__}")
async def test_every_refusal_is_the_same_over_both_entries(
    house: Service, case: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    (wall,) = clocks.set_forward(monkeypatch)
    async with AsyncExitStack() as stack:
        at = await opened(await entries(house, stack, ("Ann", "Bob", "Eve", "Dora")), case.terms)
        for _ in range(2):
            await at.callers["Dora"].open("skyjo")
        if case.refusal is Blocked:
            await at.callers["Ann"].send("PUT", f"/v1/players/me/blocks/{at.callers['Eve'].id}")

        async def meant(who: str, command: Command, version: int) -> Command:
            if isinstance(command, Move):
                return Move((await at.callers[who].moves(at.path))[0])
            return TakeBack(version) if command == TakeBack(0) else sealed(at, command)

        version = 0
        for who, command in [("Bob", Join())] * (case.begun and "hotseat" not in case.terms) + [*case.first]:
            answer = await at.ask(Request(who, await meant(who, command, version), None, invited=False), "channel")
            assert answer.status == 200, answer
            version = answer.version
        request = Request(case.who, await meant(case.who, case.command, version), "key", invited=False)
        before = await at.callers["Ann"].look(at.path)
        if case.refusal is domain.OutOfTime:
            wall.sleep(1000)
        for over in ("rest", "channel"):
            assert await at.ask(request, over) == Answer(*REFUSALS[case.refusal])
        after = await at.callers["Ann"].look(at.path)
        if case.refusal is domain.OutOfTime:
            assert at.problems[0].pop("game") == after
            before = after
        assert after == before
        assert at.problems[0] == at.problems[1] == at.problems[0] | case.told


def test_every_refusal_of_the_table_has_a_case() -> None:
    found = {(type(case.command), case.refusal) for case in REFUSED if type(case.command) in ROWS}
    assert found == {(row.command, refusal) for row in ROWS.values() for refusal in row.refuses}


MAY = {
    # in a game that waits, by nobody, a stranger, a player, the opener, a banned player; and in one that runs
    Cancel(): ("401 403 403 200 403", "401 403 403 409 403"),
    Join(): ("401 200 409 409 403", "401 409 409 409 403"),
    Leave(1): ("401 403 200 403 403", "401 403 409 403 403"),
    Ready("x"): ("401 403 409 409 403", "401 403 409 409 403"),
    GiveTime(0, 5): ("401 403 409 409 403", "401 403 200 409 403"),
    TakeBack(1): ("401 403 409 409 403", "401 403 409 409 403"),
    Vote("abort", yes=True): ("401 403 409 409 403", "401 403 200 200 403"),
}


@pytest.mark.anyio
async def test_who_may_do_what(tmp_path: Path) -> None:
    assert {type(command) for command in MAY} == set(ROWS)
    async with over_http(tmp_path / "games.db", max_open_games=1000) as service, AsyncExitStack() as stack:
        table = await entries(service, stack, ("Eve", "Bob", "Ann", "Cem"))
        await banned(tmp_path / "games.db", table.callers["Cem"])
        for command, by_status in MAY.items():
            for begun, found in enumerate(by_status):
                at = None
                for over in ("rest", "channel"):
                    statuses: list[int] = []
                    for who in ("", "Eve", "Bob", "Ann", "Cem"):
                        if at is None or statuses[-1:] == [200]:  # a refusal changes nothing
                            at = await opened(table, {"seats": 3 - begun, **CLOCK})
                            await at.callers["Bob"].sit(at.path)
                        entry = "rest" if who == "Cem" else over  # the channel of a banned player is closed
                        statuses.append((await at.ask(Request(who, command, None, invited=False), entry)).status)
                    assert " ".join(map(str, statuses)) == found, (command, over)


async def banned(database: Path, player: Caller) -> None:
    """Ban the player, and wait until the service knows."""
    assert await asyncio.to_thread(main, ["player", "ban", player.id, "--database", str(database)]) == 0
    async with asyncio.timeout(60):
        while (await player.get("/v1/rulesets")).status_code != 403:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
