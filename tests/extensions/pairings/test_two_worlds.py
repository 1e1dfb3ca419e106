"""Two worlds across tables: what nobody at another table may know changes nothing that they can read.

A world is a service with three tables of one deal. In two worlds either the cards differ, or Ann plays differently. In
both, everything that others can read is compared: all operations of the contract on her game and on the pairing, before
the end of her game and after it. Planted faults show that the comparison finds what it is for.
"""

import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from projections import lobby
from service.extensions.pairings import pairings, views
from service.games import cached_game
from service.runtime import Runtime
from service.tables import notices
from tests.extensions.pairings.tables import BOT, kept, look, pair
from tests.openapi.test_document import DOCUMENT
from tests.service.api.test_common_deals import BODIES
from tests.support.channels import channel
from tests.support.clients import Caller, Json, Service, any_of, in_process
from tests.support.listening import listening, over_http, take
from tests.support.runtimes import runtimes

pytestmark = pytest.mark.anyio

PLAYERS = "Olga", "Ann", "Ben", "Cem"
OTHERS = "Olga", "Ben", "Cem", ""
"""The organiser, a player in the middle of the own table, one whose table has not begun, and a stranger."""

VARYING = re.compile(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{32}\b|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z|\b\d{10}\b")
"""Hashes, codes and times differ by themselves. A secret is a hash here, so its presence is compared, not its value."""


class World(NamedTuple):
    runtime: Runtime
    service: Service
    callers: dict[str, Caller]
    pairing: Json
    games: list[str]

    def plain(self, text: str) -> str:
        """Without what differs by itself."""
        for name, caller in self.callers.items():
            text = text.replace(caller.id, name) if caller.id else text
        for number, game in enumerate(self.games):
            text = text.replace(game, f"game {number}")
        text = text.replace(self.pairing["id"], "pairing")
        return VARYING.sub("*", text)


@asynccontextmanager
async def world(folder: Path, secret: bytes, patch: pytest.MonkeyPatch, *, live: bool = False) -> AsyncIterator[World]:
    patch.setattr(pairings, "AT_ONCE", 1)  # tables are opened in order, so lists have one order
    patch.setattr(pairings, "new_secret", lambda: secret)
    async with AsyncExitStack() as stack:
        made = stack.enter_context(runtimes())
        start: Any = over_http if live else in_process
        service: Service = await stack.enter_async_context(start(folder, days="none"))
        callers = {name: await service.guest(name) for name in PLAYERS} | {"": service.stranger}
        people = [callers[name] for name in PLAYERS[1:]]
        made_pairing = await pair(callers["Olga"], deal="same", tables=[[*kept(who), BOT, BOT] for who in people])
        games = [(await look(who, made_pairing))["you"]["game"].rpartition("/")[2] for who in people]
        for who, game in zip(people[:2], games, strict=False):
            await who.sit(f"/v1/games/scout/{game}")
        yield World(made[0], service, callers, made_pairing, games)


def operations() -> Iterator[tuple[str, str, str]]:
    """(method, path, id): all that read, and all on a game of this ruleset or on the pairing."""
    for path, methods in DOCUMENT["paths"].items():
        if not path.startswith("/v1/"):  # metrics count the moves of the whole service
            continue
        if "{ruleset}" not in path and "/games/" in path and "/games/scout" not in path:
            continue
        for method, operation in methods.items():
            if method == "get" or "{game_id}" in path:
                yield method.upper(), path.replace("{ruleset}", "scout"), operation["operationId"]


async def read(found: World, name: str) -> dict[str, str]:
    """All that this viewer can read of Ann's game and around it, by request."""
    who, ann = found.callers[name], found.callers["Ann"]
    code = await found.runtime.mutable.invite(found.games[0])
    place = {
        "game_id": found.games[0], "pairing_id": found.pairing["id"], "player_id": ann.id, "seat": "0", "version": "3",
        "day": "2026-01-31", "hash": "0" * 64, "webhook_id": "any", "delivery_id": "any", "deck": "amigo",
    }  # fmt: skip
    answers = {}
    for method, path, operation in sorted(set(operations())):
        address = re.sub(r"{(\w+)}", lambda parameter: place[parameter[1]], path)
        body = BODIES.get(operation.partition("_")[2], {}) if method == "POST" else None
        queries: list[Json] = [{}, {"invite": code}, {"as_": "0"}, {"with_": "tally"}] if "{game_id}" in path else [{}]
        if operation == "pairing_difference":
            tables = {"one": 1, "other": 2}
            queries = [tables, {**tables, "invite": found.pairing["code"]}]
        for query in queries if operation != "pairing_events" else []:
            sent = {} if body is None else {"body": body}
            answer = await who.send(method, address, **sent, **query)
            told = f"{answer.status_code} {answer.headers.get('etag', '').count('.')} {answer.text}"
            answers[f"{method} {path} {sorted(query)}"] = found.plain(told)
    for query in ({"status": "finished"}, {"player": ann.id}, {"invited": "me"}, {"acting": "me"}):
        answers[f"lobby {sorted(query)}"] = found.plain((await who.get("/v1/games", **query)).text)
    told_by_webhooks = await found.runtime.mutable.query(notices.oldest, 100)
    answers["notices"] = found.plain(str([(each.type, each.subject, each.data) for each in told_by_webhooks]))
    with_code = await who.get(f"/v1/pairings/{found.pairing['id']}", invite=found.pairing["code"])
    answers["pairing with the code"] = found.plain(with_code.text)
    return answers


Seen = list[tuple[str, dict[str, str]]]
"""Who reads, and what, at one moment after the other."""


async def told(
    folder: Path, secret: bytes, seed: int, patch: pytest.MonkeyPatch, fault: Any = None,
    readers: Sequence[str] = OTHERS, midway: bool = True,
) -> Seen:  # fmt: skip
    """What each of the readers can read, in the middle of Ann's game and after its end."""
    seen: Seen = []
    async with world(folder, secret, patch) as found:
        dice, game = Random(seed), f"/v1/games/scout/{found.games[0]}"
        ann, ben = found.callers["Ann"], found.callers["Ben"]
        his = f"/v1/games/scout/{found.games[1]}"
        await ben.move(his, (await ben.look(his))["legal_moves"][0])
        state, moves = await ann.look(game), count()
        while state["status"] == "running":
            state = (await ann.move(game, any_of(state["legal_moves"], dice)))["game"]
            if next(moves) == 3 and midway:
                seen += [(name, await read(found, name)) for name in readers]
        if fault is not None:
            await fault(found)
        await found.runtime.projection_runner.caught_up()
        return seen + [(name, await read(found, name)) for name in readers]


def differences(one: Seen, two: Seen, without: Sequence[str] = ()) -> list[str]:
    found = []
    for (name, first), (_, second) in zip(one, two, strict=True):
        assert first.keys() == second.keys()
        found += [f"{name}: {key}" for key in first if first[key] != second[key] and name not in without]
    return found


SAME_DEAL = (0, 3), (0, 4)
ANOTHER_DEAL = (0, 3), (1, 3)
"""Two worlds: the byte that the secret has, and the seed of Ann's moves."""

READ: dict[tuple[int, int], Seen] = {}
"""By world."""


async def read_once(folder: Path, place: tuple[int, int]) -> Seen:
    if place not in READ:
        with pytest.MonkeyPatch.context() as patch:
            READ[place] = await told(folder / f"{place}.db", bytes([place[0]] * 32), place[1], patch)
    return READ[place]


@pytest.mark.checked
@pytest.mark.parametrize(
    ("worlds", "without"),
    # Ben plays the same deal at another table, so Ben's own view differs with another deal.
    [(ANOTHER_DEAL, ("Ben",)), (SAME_DEAL, ())],
    ids=["another deal", "another play"],
)
async def test_nobody_at_another_table_reads_anything_else(
    tmp_path: Path, worlds: tuple[tuple[int, int], ...], without: Sequence[str]
) -> None:
    one, two = [await read_once(tmp_path, each) for each in worlds]
    assert differences(one, two, without) == []
    assert sum(len(each) for _, each in one) > 500


def access(patch: pytest.MonkeyPatch) -> None:
    """The opener and the invite give access, as to any private game."""
    real = cached_game.header
    patch.setattr(cached_game, "header", lambda *given: msgspec.structs.replace(real(*given), common=False))


def early(patch: pytest.MonkeyPatch) -> None:
    """Everybody sees all results at once."""
    patch.setattr(views, "may_see", lambda *_: True)


def listed(patch: pytest.MonkeyPatch) -> None:
    """The opener is a member of the game in the lobby."""
    real = lobby._members

    def members(rows: Any) -> Any:
        return real([row._replace(listed=msgspec.structs.replace(row.listed, deal=msgspec.UNSET)) for row in rows])

    patch.setattr(lobby, "_members", members)


def revealed(_: pytest.MonkeyPatch) -> Any:
    """The secret is public when the first game is over."""

    async def reveal(found: World) -> None:
        await found.runtime.commands.reveal(await found.runtime.games.find_any(found.games[0]))

    return reveal


@pytest.mark.checked
@pytest.mark.slow
@pytest.mark.by_default("access", "early")
@pytest.mark.parametrize("plant", [access, early, listed, revealed], ids=lambda plant: plant.__name__)
async def test_each_planted_fault_is_found(tmp_path: Path, plant: Callable[[pytest.MonkeyPatch], Any]) -> None:
    """By the organiser, after the game."""
    seen = []
    for number, seed in SAME_DEAL:
        with pytest.MonkeyPatch.context() as patch:
            secret, fault = bytes([number] * 32), plant(patch)
            seen.append(await told(tmp_path / f"{seed}.db", secret, seed, patch, fault, ("Olga",), midway=False))
    assert differences(*seen)


async def test_the_stream_of_the_pairing_tells_the_same(tmp_path: Path) -> None:
    told: list[list[str]] = []
    for seed in (3, 4):
        with pytest.MonkeyPatch.context() as patch:
            async with world(tmp_path / f"{seed}.db", bytes(32), patch, live=True) as found:
                ann, game, dice = found.callers["Ann"], f"/v1/games/scout/{found.games[0]}", Random(seed)
                state = await ann.look(game)
                while state["status"] == "running":
                    state = (await ann.move(game, any_of(state["legal_moves"], dice)))["game"]
                messages = []
                for name in ("Olga", "Ben", "Cem"):
                    path = f"/v1/pairings/{found.pairing['id']}/events"
                    async with listening(found.callers[name], path) as stream:
                        messages.append(found.plain((await take(stream, 1))[0].data.decode()))
                    async with channel(found.callers[name]) as client:
                        await client.did("follow_pairing", pairing=found.pairing["id"])
                        messages.append(found.plain(str(await client.next("pairing"))))
                told.append(messages)
    for one, two in zip(*told, strict=True):
        assert one == two
