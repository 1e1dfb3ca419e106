"""A table in the terminal: plain lines and numbers, without colours and cursor movement.

It works with screen readers and pipes.
"""

import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

from .bot import keep, kept
from .client import AsyncClient
from .problems import IdempotencyKeyReused, IllegalMove, StaleDecision
from .ruleset import Json
from .table import AsyncTable
from .telling import Teller, Told

QUIT = "q"
PROMPTS = {
    "en": {"number": f"A number from 1 to {{most}}, {QUIT} ends", "late": "The table has changed. Nothing was moved."},
    "de": {"number": f"Eine Zahl von 1 bis {{most}}, {QUIT} beendet", "late": "Der Tisch hat sich geändert. Kein Zug."},
}


def ask() -> str:
    """A line of the player; `QUIT` at the end of the input."""
    sys.stdout.write("> ")
    sys.stdout.flush()
    line = sys.stdin.readline()
    return line.strip() if line else QUIT


async def play(
    url: str, ruleset: str, others: Sequence[str] = ("careful/1",), *, game: str | None = None, name: str = "Player",
    token: Path | str = "stammtisch-play.token", language: str = "en", options: Json | None = None,
    ask: Callable[[], str] = ask, say: Callable[[str], Any] = print,
) -> None:  # fmt: skip
    """Play a game to its end, or until the player quits; a game that is left can be continued by its id.

    `others`: for the other seats `open` or house players. `game`: the id of a game to sit down at instead. `token`: the
    file of the player's token. Without the file a player with this name is registered, and the file is written.
    """
    file = Path(token)
    async with AsyncClient(url, await asyncio.to_thread(kept, file)) as client:
        if client.token is None:
            await asyncio.to_thread(keep, file, (await client.register(name)).token)
        if game is None:
            table: Any = await client.open(ruleset, ["me", *others], options=options)
        else:
            table = client.table(ruleset, game)
            if (await table.look())["you"] is None:
                await table.sit()
        say(table.name)
        teller = Teller(await client.ruleset(table.ruleset.name), language)
        await _turns(table, teller, PROMPTS[language], ask, say)


async def _turns(
    table: AsyncTable[Any, Json, Json, Any], teller: Teller, prompts: dict[str, str], ask: Callable[[], str],
    say: Callable[[str], Any],
) -> None:  # fmt: skip
    async with aclosing(table.turns()) as turns:
        async for turn in turns:
            legal = turn.raw["legal_moves"]
            told = teller.tell(
                turn.raw["view"], turn.seat, legal, [item["event"] for item in turn.raw["events"]],
                names=await _names(table),
            )  # fmt: skip
            say("\n" + told.text)
            number = await _number(told, prompts, ask, say)
            if number is None:
                return
            say(told.moves[number - 1])
            try:
                await turn.play(legal[number - 1])
            except (StaleDecision, IllegalMove, IdempotencyKeyReused):
                say(prompts["late"])
    game = await table.look()
    if game["view"] is not None:
        say("\n" + teller.tell(game["view"], game["you"], names=await _names(table)).text)


async def _names(table: AsyncTable[Any, Any, Any, Any]) -> list[str]:
    seats = (await table.look())["seats"]
    return [each["player"]["name"] if each["player"] else str(each.get("bot", "?")) for each in seats]


async def _number(told: Told, prompts: dict[str, str], ask: Callable[[], str], say: Callable[[str], Any]) -> int | None:
    while True:
        line = (await asyncio.to_thread(ask)).strip()
        if line == QUIT:
            return None
        if line.isascii() and line.isdigit() and 1 <= int(line[:9]) <= len(told.moves):
            return int(line)
        say(prompts["number"].format(most=len(told.moves)))
