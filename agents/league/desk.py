"""The desk of a league: agents come over MCP and ask for their next choice, instead of being asked at an address.

Two tools: `next` waits for a choice, `move` makes it and waits for the next one. A choice is named by its decision, so
a call that comes twice makes no second move. Needs the extra `stammtisch[mcp]`.
"""

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from socket import socket
from typing import Annotated, Any, TypeAlias

import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from agents.external import Manners, table_as_text
from agents.table import Answer, Bot, Question

LONGEST = 45
"""Seconds that a call waits at most: hosts give up a call, some after 60 s."""
LARGEST = 16_000
"""Bytes of a request."""
AT_ONCE = 8
"""Requests of one entrant that are answered at the same time. Without it waiting calls could be piled up."""
A_SECOND, BURST = 20.0, 40.0
"""Requests of one entrant: on average, and at once after a pause."""
REMEMBERED = 1_000
"""Decisions of an entrant whose move is known when it is sent again."""
FAREWELL = LONGEST + 15
"""Seconds for which the desk tells agents that the league is over."""

INSTRUCTIONS = """\
You play in a league of card games. Call `next`, then `move` with the number of a listed move, again and again until the
league is over. You see what your seat sees. You have a limited time for each choice; afterwards it is made for you."""

Scope: TypeAlias = Any


@dataclass
class Asked:
    """A choice that is open."""

    decision: str
    text: str
    moves: int
    until: float
    answered: "Future[int | None]" = field(default_factory=Future)
    attempts: int = 0


@dataclass
class Line:
    """An entrant at the desk. Only the loop of the desk changes it."""

    open: dict[str, Asked] = field(default_factory=dict)
    done: OrderedDict[str, int] = field(default_factory=OrderedDict)
    """By decision the number of the move that was made."""
    news: asyncio.Event = field(default_factory=asyncio.Event)
    requests: int = 0
    """That are being answered."""
    credit: float = BURST
    at: float = field(default_factory=time.monotonic)

    def put(self, asked: Asked) -> None:
        self.open[asked.decision] = asked
        self.news.set()

    def take(self, asked: Asked) -> None:
        self.open.pop(asked.decision, None)

    def pays(self) -> bool:
        """Whether another request can be answered now."""
        now = time.monotonic()
        self.credit, self.at = min(BURST, self.credit + A_SECOND * (now - self.at)), now
        if self.credit < 1 or self.requests >= AT_ONCE:
            return False
        self.credit -= 1
        return True


class Desk:
    """Serves `/mcp` on a socket of loopback, in a thread of its own. `tokens`: by name of the entrant."""

    def __init__(self, tokens: Mapping[str, str], at: socket, manners: Manners) -> None:
        self.manners = manners
        self.lines = {name: Line() for name in tokens}
        self._names = {sha256(token.encode()).digest(): name for name, token in tokens.items()}
        self._missing, self._untold = {*tokens}, {*tokens}
        self.everybody, self._all_told = threading.Event(), threading.Event()
        """Set when every entrant has called, and when every one knows that the league is over."""
        self._over = False
        self._loop = asyncio.new_event_loop()
        app = Guard(tools(self).streamable_http_app(stateless_http=True, max_request_body_size=LARGEST), self)
        self._server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
        self._thread = threading.Thread(target=self._serve, args=(at,), daemon=True)
        self._thread.start()

    def _serve(self, at: socket) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._server.serve([at]))

    # --- the league's side, in its threads ---

    def bot(self, name: str) -> Bot:
        """Its choices raise `CancelledError` when the desk is closed: a league that is stopped makes none for it."""
        return Bot(lambda _: 0, looks_back=True, answer=self._asks(name), strikes=self.manners.strikes)

    def _asks(self, name: str) -> Callable[[Question], Answer]:
        line, manners = self.lines[name], self.manners

        def answer(question: Question) -> Answer:
            began = time.monotonic()
            text = table_as_text(question, manners.text or "en")
            decision = f"{question.game}-{len(question.seen)}"
            asked = Asked(decision, text, len(question.legal), began + manners.think)
            self._loop.call_soon_threadsafe(self._put, line, asked)
            number = None
            with suppress(TimeoutError):
                number = asked.answered.result(manners.think)
            self._loop.call_soon_threadsafe(line.take, asked)
            index = None if number is None else number - 1
            why = "" if number is not None else "no legal answer" if asked.attempts else "no answer in time"
            return Answer(index, time.monotonic() - began, max(1, asked.attempts), {}, why)

        return answer

    def close(self, farewell: float = FAREWELL) -> None:
        """Tell every agent that the league is over, and stop."""
        self._loop.call_soon_threadsafe(self._end)
        self._all_told.wait(farewell)
        self._server.should_exit = True
        self._thread.join(10)

    def _put(self, line: Line, asked: Asked) -> None:
        line.put(asked)
        if self._over:
            asked.answered.cancel()

    def _end(self) -> None:
        self._over = True
        for line in self.lines.values():
            line.news.set()
            for asked in line.open.values():
                asked.answered.cancel()

    # --- the side of the agents, in the loop ---

    def name_of(self, authorization: str) -> str | None:
        """The entrant with this token. It is looked up by its hash, so the time says nothing about it."""
        scheme, _, token = authorization.partition(" ")
        return self._names.get(sha256(token.encode()).digest()) if scheme.lower() == "bearer" else None

    async def choice(self, name: str, seconds: float) -> CallToolResult:
        """The oldest open choice of the entrant, once there is one."""
        line = self.lines[name]
        self._missing.discard(name)
        if not self._missing:
            self.everybody.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not line.open and not self._over:
                    line.news.clear()
                    await line.news.wait()
        if self._over:
            self._untold.discard(name)
            if not self._untold:
                self._all_told.set()
            return said("The league is over.", None, over=True)
        asked = next(iter(line.open.values()), None)
        if asked is None:
            return said("No choice yet: call `next` again.", None)
        left = max(0.0, asked.until - time.monotonic())
        text = f"{asked.text}\n\nAnswer within {left:.0f} s: move(number=N, decision={asked.decision!r})"
        return said(text, asked)

    def moved(self, name: str, number: int, decision: str) -> None:
        """Make the move, once. When the league is over nothing is moved: the answer says so. Raises ToolError."""
        if self._over:
            return
        line = self.lines[name]
        asked = line.open.get(decision)
        if asked is None:
            if line.done.get(decision) != number:
                raise ToolError("That choice is over, or never was yours. Nothing was moved: call `next`.")
            return
        asked.attempts += 1
        if number > asked.moves:
            if asked.attempts > self.manners.retries:
                line.take(asked)
                asked.answered.set_result(None)
            raise ToolError(f"There is no move {number}: they are numbered from 1 to {asked.moves}. Nothing was moved.")
        line.take(asked)
        line.done[decision] = number
        if len(line.done) > REMEMBERED:
            line.done.popitem(last=False)
        asked.answered.set_result(number)


def said(text: str, asked: Asked | None, *, over: bool = False) -> CallToolResult:
    place = {"over": over, "decision": asked and asked.decision, "moves": asked.moves if asked else 0}
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=place)


def tools(desk: Desk) -> MCPServer:
    Seconds: TypeAlias = Annotated[int, Field(ge=0, le=LONGEST, description="How long to wait for your next choice.")]
    server: MCPServer = MCPServer("stammtisch-league", instructions=INSTRUCTIONS, log_level="ERROR")
    plays = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

    def caller(context: Context) -> str:
        name = desk.name_of((context.headers or {}).get("authorization", ""))
        assert name is not None, "the guard lets nobody else in"
        return name

    async def next_choice(context: Context, seconds: Seconds = 25) -> CallToolResult:
        """Wait for your next choice. If you still have none, call it again."""
        return await desk.choice(caller(context), seconds)

    async def move(
        number: Annotated[int, Field(ge=1, description="The number of a legal move, as listed.")],
        decision: Annotated[str, Field(max_length=64, description="The `decision` of the answer that listed it.")],
        context: Context,
        seconds: Seconds = 25,
    ) -> CallToolResult:
        """Make a move, and wait for your next choice. The same call again makes no second move."""
        desk.moved(name := caller(context), number, decision)
        return await desk.choice(name, seconds)

    server.tool(name="next", annotations=plays)(next_choice)
    server.tool(annotations=plays)(move)
    return server


class Guard:
    """Answers strangers before their request is read, and bounds what an entrant has answered at the same time."""

    def __init__(self, app: Callable[..., Any], desk: Desk) -> None:
        self._app, self._desk = app, desk

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        name = self._desk.name_of(headers.get(b"authorization", b"").decode("latin-1"))
        if name is None:
            await refused(send, 401, "Send the token of an entrant as `Authorization: Bearer TOKEN`.")
            return
        line = self._desk.lines[name]
        if not line.pays():
            await refused(send, 429, "Too many requests of this entrant.")
            return
        line.requests += 1
        try:
            await self._app(scope, receive, send)
        finally:
            line.requests -= 1


async def refused(send: Any, status: int, why: str) -> None:
    """The connection is closed: the rest of the request is not read."""
    body = why.encode()
    names = {"content-type": "text/plain", "content-length": str(len(body)), "connection": "close", "retry-after": "1"}
    headers = [(name.encode(), value.encode()) for name, value in names.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
