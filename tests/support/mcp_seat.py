"""A seat at a service over the Model Context Protocol, with the SDK's own client.

Every process that collects tests imports this module. The SDK takes a second to load, so the functions that use it
import it.
"""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from stammtisch_client import AsyncClient

if TYPE_CHECKING:
    from mcp import Client

Place = dict[str, Any]


def over_stdio(url: str, token: Path) -> "Client":
    """A server in a process of its own, for the player of the token's file."""
    from mcp import Client, StdioServerParameters

    arguments = ["-m", "stammtisch_client.mcp", "--url", url, "--token", str(token)]
    return Client(
        StdioServerParameters(command=sys.executable, args=arguments, env={"PATH": os.environ["PATH"]})
    )  # fmt: skip


@asynccontextmanager
async def in_this_process(url: str, token: str | None = None) -> AsyncIterator["Client"]:
    """A server in this process, for the player of the token or a new one. Processes take seconds to start."""
    from mcp import Client
    from stammtisch_client import mcp

    async with AsyncClient(url, token, patience=mcp.PATIENCE) as own:
        if token is None:
            await own.register("Agent", bot=True)
        async with Client(mcp.server(mcp.Clients(url, own))) as client:
            yield client


def text(answer: Any) -> str:
    return str(answer.content[0].text)


async def called(client: "Client", tool: str, **arguments: Any) -> tuple[str, Place]:
    """The text and the data of an answer that is no error."""
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, text(answer)
    return text(answer), answer.structured_content or {}


async def played_out(client: "Client", place: Place) -> tuple[int, int]:
    """Play to the end. Returns the number of choices and of calls."""
    dice, choices, calls = Random(1), 0, 0
    while place["status"] == "running":
        calls += 1
        if place["decision"] is None:
            place = (await called(client, "wait", game=place["game"]))[1]
            continue
        choices += 1
        number = dice.randint(1, place["moves"])
        place = (await called(client, "move", game=place["game"], number=number, decision=place["decision"]))[1]
    assert place["status"] == "finished" and place["winners"]
    return choices, calls
