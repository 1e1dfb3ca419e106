"""Records transcripts: the requests and responses of a short part of a game, for each ruleset.

The transcripts in `openapi/examples` are the source of the examples in the OpenAPI document, and a test records them
again. Values that differ between runs are replaced by names in braces; the same name stands for the same value.
`python -m tests.openapi.transcripts [RULESET ...]` writes them. Review the difference before you commit it.
"""

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import Any

import httpx

from domain.rulesets import RULESETS
from openapi import build
from tests.openapi.chance import no_chance
from tests.support.clients import any_of, early, fewest, in_process

Json = dict[str, Any]

FOLDER = build.FILE.with_name("examples")
MOVES = 12

ABOUT = (
    "A piece of a game as it goes over the wire. Names in braces stand for what differs from run to run. Each game is "
    "dealt with a fixed secret, so its cards are always the same."
)

HEADERS = ("content-type", "location", "etag", "link", "preference-applied", "idempotency-replayed")
"""The recorded response headers."""

NAMED = re.compile(
    r"(?P<token>eyJ[\w-]+\.[\w-]+\.[\w-]+)"
    r"|(?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
    r"|(?P<hash>[0-9a-f]{64}|\b[0-9a-f]{32}\b)"
    r"|(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)"
)
"""The values that are replaced by a name."""


def file(ruleset: str) -> Path:
    return FOLDER / f"{ruleset}.http.json"


class Session:
    """Sends requests and records them with their responses."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http
        self.exchanges: list[Json] = []
        self._names: dict[str, str] = {}
        self._registering = False
        """Whether a new id is that of a player, not of a game."""

    async def ask(self, title: str, request: Json, keep: Callable[[Any], Any] = lambda body: body) -> Any:
        """The body of the response. Names in the request are replaced by their values. `keep` makes a long one shorter
        in the transcript."""
        sent = self._replaced(request, {name: value for value, name in self._names.items()})
        answer = await self.http.request(
            sent["method"], sent["path"], headers=sent.get("headers"), params=sent.get("query"), json=sent.get("body")
        )
        body = answer.json() if answer.content else None
        self._registering = request["operation"] == "register"
        headers = {name: answer.headers[name] for name in HEADERS if name in answer.headers}
        recorded = {"status": answer.status_code, "headers": headers, "body": keep(body)}
        self.exchanges.append({"title": title, "request": request, "answer": self._hidden(recorded)})
        return body

    async def peek(self, path: str, token: str) -> Any:
        """The game at this path as the player sees it. This request is not recorded."""
        path, token = self._replaced([path, token], {name: value for value, name in self._names.items()})
        return (await self.http.get(path, headers={"Authorization": f"Bearer {token}"})).json()

    async def until_the_lobby_shows(self, found: Json) -> None:
        """Wait for a game that the lobby finds. Its projection can be late on a busy machine."""
        async with asyncio.timeout(60):
            while not (await self.http.get("/v1/games", params=found)).json()["items"]:  # noqa: ASYNC110
                await asyncio.sleep(0.05)

    def _hidden(self, value: Any) -> Any:
        """The value with names in place of values that differ between runs."""
        for found in NAMED.finditer(json.dumps(value)):
            self._names.setdefault(found[0], self._new_name(str(found.lastgroup)))
        return self._replaced(value, self._names)

    def _new_name(self, kind: str) -> str:
        if kind == "time":
            return "{time}"
        if kind == "id":
            kind = "player" if self._registering else "game"
        same = sum(name.startswith(f"{{{kind}") for name in self._names.values())
        return f"{{{kind} {same + 1}}}" if same or kind == "hash" else f"{{{kind}}}"

    def _replaced(self, value: Any, texts: dict[str, str]) -> Any:
        match value:
            case dict():
                return {key: self._replaced(item, texts) for key, item in value.items()}
            case list():
                return [self._replaced(item, texts) for item in value]
            case str():
                for text, other in texts.items():
                    value = value.replace(text, other)
        return value


@asynccontextmanager
async def session() -> AsyncIterator[Session]:
    """A session with a new service in which nothing is random."""
    with TemporaryDirectory() as folder, no_chance():
        async with in_process(Path(folder) / "games.db") as service:
            yield Session(service.http)


class OverTooSoon(Exception):
    """The game has no move left for the rest of the transcript."""


async def recorded(ruleset: str) -> Json:
    """A new transcript of the ruleset: of fewer moves if its games are shorter."""
    for moves in range(MOVES, 1, -1):
        try:
            return await recorded_after(ruleset, moves)
        except OverTooSoon:
            continue
    raise AssertionError(f"The game of {ruleset} has fewer than three moves. Let `fewest` open one with more seats.")


async def recorded_after(ruleset: str, moves: int) -> Json:
    """A transcript that shows what can be done after this many moves. Raises `OverTooSoon`."""
    games, token = f"/v1/games/{ruleset}", {"Authorization": "Bearer {token}"}
    place, dice = games + "/{game}", Random(1)
    brief = token | {"Prefer": "return=minimal"}
    async with session() as new:

        async def get(title: str, path: str, operation: str, **query: Any) -> Any:
            request = {"operation": operation, "method": "GET", "path": path, "headers": token, "query": query}
            return await new.ask(title, request)

        async def post(title: str, path: str, headers: Json, body: Json, operation: str) -> Any:
            request = {"operation": operation, "method": "POST", "path": path, "headers": headers, "body": body}
            return await new.ask(title, request)

        async def move(title: str, chosen: Json, headers: Json) -> Any:
            return await post(title, f"{place}/moves", headers, chosen, f"{ruleset}_move")

        await post("Ann registers as a guest.", "/v1/players", {}, {"name": "Ann"}, "register")
        opening = {"seats": fewest(ruleset), "hotseat": True}
        game = await post("She opens a game and plays all seats herself.", games, token, opening, f"{ruleset}_open")
        legal, seen = game["legal_moves"], []
        for number in range(moves):
            chosen = any_of(legal, dice)
            seen += legal
            keyed = brief | {"Idempotency-Key": "the-last-one"} if number == moves - 1 else brief
            made = await move("She makes a legal move.", chosen, keyed)
            legal = (await get("What may she do now?", f"{place}/moves", f"{ruleset}_legal_moves"))["legal_moves"]
            if not legal:
                raise OverTooSoon
            if number < moves - 1:
                del new.exchanges[-1]
        await move("The answer was lost: she repeats the request, and its key says that it is the same.", chosen, keyed)
        illegal = next(each for each in seen if each not in legal)
        await move("A move that is not legal now. The answer lists those that are.", illegal, token)
        await move("A legal one again; this answer has the game after it.", any_of(legal, dice), token)
        await get("The game as she sees it.", place, f"{ruleset}_look")
        await get(
            "What has happened last, as bystanders see it.",
            f"{place}/events",
            f"{ruleset}_events",
            after=max(0, made["version"] - 6),
            **{"as": "bystander"},
        )
        await get(
            "The last events with patches of the view.",
            f"{place}/events",
            f"{ruleset}_events",
            after=made["version"] - 2,
            **{"as": "all", "with": "patch"},
        )
        await seats(new, ruleset)
        await over(new, ruleset)
        return {"ruleset": ruleset, "about": ABOUT, "exchanges": new.exchanges}


async def take_back(new: Session, ruleset: str, place: str) -> None:
    """Adds a move that is taken back, if one of the first moves can be."""
    dice = Random(2)
    seen = await new.peek(place, "{token}")
    for _ in range(early(ruleset, 8)):
        seat = seen["to_act"][0]
        token = "{token}" if seat == 0 else f"{{token {seat + 1}}}"
        headers = {"Authorization": f"Bearer {token}"}
        chosen = any_of((await new.peek(place, token))["legal_moves"], dice)
        request = {"operation": f"{ruleset}_move", "method": "POST", "path": f"{place}/moves", "headers": headers}
        moved = await new.ask("A player moves.", request | {"body": chosen})
        seen = moved["game"]
        if (version := seen["undo"]) is None:
            del new.exchanges[-1]
            continue
        request = {"operation": f"{ruleset}_take_back", "method": "DELETE", "path": f"{place}/moves/{version}"}
        await new.ask("It was a slip. It has revealed nothing, so it is taken back.", request | {"headers": headers})
        return


async def seats(new: Session, ruleset: str) -> None:
    """Adds how players find a game, take and leave seats, give each other time, and have a game verified."""
    games, place = f"/v1/games/{ruleset}", f"/v1/games/{ruleset}/{{game 2}}"
    ann, bob = {"Authorization": "Bearer {token}"}, {"Authorization": "Bearer {token 2}"}

    async def ask(title: str, operation: str, method: str, path: str, headers: Json, **rest: Any) -> None:
        request = {"operation": operation, "method": method, "path": path, "headers": headers}
        await new.ask(title, request | rest)

    timed = {"seats": fewest(ruleset), "clock": {"bank": 600, "increment": 10}}
    await ask("Ann opens a game for others, with a clock.", f"{ruleset}_open", "POST", games, ann, body=timed)
    for number, guest in enumerate(("Bob", "Cleo")[: fewest(ruleset) - 1], start=2):
        token = {"Authorization": f"Bearer {{token {number}}}"}
        await ask(f"{guest} registers.", "register", "POST", "/v1/players", {}, body={"name": guest})
        found = {"ruleset": ruleset, "status": "waiting"}
        await new.until_the_lobby_shows(found)
        await ask(f"{guest} searches the lobby for a game.", "lobby", "GET", "/v1/games", token, query=found)
        await ask(f"{guest} takes a seat.", f"{ruleset}_sit_down", "POST", f"{place}/seats", token, body={})
    await take_back(new, ruleset, place)
    given = {"seat": 1, "seconds": 60}
    await ask("Ann gives Bob a minute.", f"{ruleset}_give_time", "POST", f"{place}/time", ann, body=given)
    votes = {"on": "abort", "yes": True}
    await ask("Ann asks the others to abort the game.", f"{ruleset}_vote", "POST", f"{place}/votes", ann, body=votes)
    answer = {"on": "abort", "yes": False}
    await ask("Bob wants to play on.", f"{ruleset}_vote", "POST", f"{place}/votes", bob, body=answer)
    await ask("Bob takes another name.", "rename", "PATCH", "/v1/players/me", bob, body={"name": "Robert"})
    await ask("Bob's own profile.", "me", "GET", "/v1/players/me", bob)
    await ask("Ann's profile.", "player", "GET", "/v1/players/{player}", bob)
    most = {"seats": RULESETS[ruleset].seats[-1]}
    await ask("Ann opens a game that will not begin.", f"{ruleset}_open", "POST", games, ann, body=most)
    waiting = f"{games}/{{game 3}}"
    await ask(
        "Bob chooses a seat, and gives entropy for the deal.",
        f"{ruleset}_sit_down", "POST", f"{waiting}/seats", bob, body={"seat": 1, "entropy": "six dice: 4 1 6 6 2 3"},
    )  # fmt: skip
    await ask("Bob leaves the seat.", f"{ruleset}_stand_up", "DELETE", f"{waiting}/seats/1", bob)
    await ask("Ann cancels the game.", f"{ruleset}_cancel", "DELETE", waiting, ann)
    await ask("The service verifies this game.", f"{ruleset}_audit", "GET", f"{waiting}/audit", ann)
    await ask("The standings.", "standings", "GET", f"/v1/standings/{ruleset}", ann)


async def over(new: Session, ruleset: str) -> None:
    """Adds what can be done with a game that is over, how a frontend gets the cards, and how a player is forgotten.

    The game is aborted at its beginning, so that its record is short.
    """
    games, place = f"/v1/games/{ruleset}", f"/v1/games/{ruleset}/{{game 4}}"
    ann, bob = {"Authorization": "Bearer {token}"}, {"Authorization": "Bearer {token 2}"}
    anybody: Json = {}

    async def ask(title: str, operation: str, method: str, path: str, headers: Json = anybody, **rest: Any) -> Any:
        keep = rest.pop("keep", lambda body: body)
        request = {"operation": operation, "method": method, "path": path, "headers": headers}
        return await new.ask(title, request | rest, keep)

    terms = {"seats": fewest(ruleset), "absent": "abort"}
    opening = await ask(
        "Ann opens a game that ends if a player leaves.", f"{ruleset}_open", "POST", games, ann, body=terms
    )
    sitting = ("Bob sits down.", "Cleo sits down.")[: fewest(ruleset) - 1]
    for number, title in enumerate(sitting, start=2):
        token = {"Authorization": f"Bearer {{token {number}}}"}
        begun = await ask(title, f"{ruleset}_sit_down", "POST", f"{place}/seats", token, body={})
    leaving = {"query": {"running": "true"}}
    await ask("Bob leaves the running game.", f"{ruleset}_stand_up", "DELETE", f"{place}/seats/1", bob, **leaving)
    await ask("The record, for verifiers.", f"{ruleset}_get_record", "GET", f"{place}/record")
    at = {"at": begun["version"]}
    await ask("Ann tries what could have been.", f"{ruleset}_branch", "POST", f"{place}/branches", ann, body=at)

    def this_one(page: Json) -> Json:
        return page | {"items": [item for item in page["items"] if item["name"] == ruleset]}

    await ask("A ruleset in the list.", "rulesets", "GET", "/v1/rulesets", keep=this_one)
    if ruleset == next(iter(RULESETS)):  # long, and alike for all
        title, path = "Everything about the ruleset, here without `schemas`.", f"/v1/rulesets/{ruleset}"
        await ask(title, f"{ruleset}_ruleset", "GET", path, keep=lambda body: body | {"schemas": {}})
    deck = opening["links"]["deck"]
    await ask("The cards.", f"{ruleset}_deck", "GET", deck)
    await ask("What the cards do, in words.", f"{ruleset}_captions", "GET", f"{deck}/captions")
    await ask("Bob wants to be forgotten.", "forget", "DELETE", "/v1/players/me", bob)


# --- the files ----------------------------------------------------------------------------------------------------


def laid_out(value: Any, margin: str = "", taken: int = 0) -> str:
    """Readable JSON: a value is on one line if it fits."""
    flat = json.dumps(value, ensure_ascii=False)
    if taken + len(flat) <= 119 or not isinstance(value, dict | list):
        return flat
    inner = margin + " "
    if isinstance(value, dict):
        starts = [f"{json.dumps(key)}: " for key in value]
        parts = [
            start + laid_out(value[key], inner, len(inner + start)) for start, key in zip(starts, value, strict=True)
        ]
        return "{\n" + ",\n".join(inner + part for part in parts) + f"\n{margin}}}"
    if all(isinstance(item, dict | list) for item in value):
        return "[\n" + ",\n".join(inner + laid_out(item, inner, len(inner)) for item in value) + f"\n{margin}]"
    return f"[\n{wrapped([json.dumps(item, ensure_ascii=False) for item in value], inner)}\n{margin}]"


def wrapped(items: list[str], margin: str) -> str:
    text = ", ".join(item.replace(" ", "\0") for item in items)  # no line ends within a string
    lines = fill(text, 119, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)
    return lines.replace("\0", " ")


def main(rulesets: list[str]) -> None:
    for ruleset in rulesets or RULESETS:
        file(ruleset).write_text(laid_out(asyncio.run(recorded(ruleset))) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
