"""A league at a service: people play there, and the league sits down for all others, as players that it registers.

A board is one pairing with the same deal. Its key follows from the league and the board, so it is opened once; what was
played is in the records. The league keeps the tokens of its players, and the journal. Needs the client package.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any

from msgspec import UNSET
from stammtisch_client import AsyncClient
from stammtisch_client.bot import CHANGED, Choice
from stammtisch_client.errors import NoAnswer, Problem
from stammtisch_client.rest import Rest
from stammtisch_client.table import OVER

from agents.arena.boards import Outcome
from agents.arena.journal import Journal
from agents.bots import from_view
from agents.league.figures import absent
from agents.league.playing import called
from agents.league.recorded import Absent, Recorded
from agents.league.terms import InvalidTerms, Terms, commitment
from agents.served import question
from agents.table import Answer, Bot, Question
from domain.ruleset import Seat

PAUSE = 1.0
"""Seconds between two looks at a pairing, and before a request is repeated that was refused."""
SIT = 600
"""Seconds for which a table waits by default until all people sit."""
LONGEST = 89
"""Days after which a board is over at the latest."""
NETWORK = 5
"""Seconds of each choice that take no time: answers travel."""
OWNER = ""
"""The name under which the tokens have the player who opens the pairings."""
LONGEST_NAME = 40

Json = dict[str, Any]


async def registered(url: str, terms: Terms, known: Mapping[str, str]) -> dict[str, str]:
    """Tokens by name: of a player who opens the pairings, and of one for each entrant that is no person."""
    tokens = dict(known)
    names = {OWNER: terms.title} | {each.name: each.name for each in terms.entrant if not each.is_person}
    for key, name in names.items():
        if key not in tokens:
            async with AsyncClient(url) as client:
                tokens[key] = (await client.register(name[:LONGEST_NAME].strip(), bot=True)).token
    return tokens


class Served(Recorded):
    """Plays the games at the service at `url`. `tokens`: as `registered` returns them."""

    def __init__(
        self, terms: Terms, secret: str, bots: Sequence[Bot], journal: Journal, *, url: str, tokens: Mapping[str, str],
        review: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(terms, secret, bots, journal, review=review)
        self._url, self._tokens, self._name = url, tokens, commitment(secret)[:32]
        self._substitute = from_view(next(iter(self.rules.bots.values())))
        self._clients: dict[str, AsyncClient] = {}
        self._rests: dict[str, Rest] = {}

    def outcomes(self, finished: int = 0) -> Iterator[Outcome]:
        """By board. As many boards are played at once as every person plays games. Raises `Absent`."""
        at_once = min([each.at_once for each in self.agreed.entrant if each.is_person])
        running: dict[int, asyncio.Task[Outcome]] = {}
        missed = 0
        with asyncio.Runner() as runner:
            stack = AsyncExitStack()
            runner.run(self._connect(stack))
            try:
                for number in range(finished, len(self.schedule)):
                    for each in range(number, min(number + at_once, len(self.schedule))):
                        if each not in running:
                            running[each] = runner.get_loop().create_task(self._board(each))
                    try:
                        outcome = runner.run(asyncio.wait_for(running.pop(number), None))
                    except ExceptionGroup as failures:
                        raise failures.exceptions[0] from None
                    yield outcome
                    names = [self.agreed.entrant[each].name for each in absent(outcome.board)]
                    missed = missed + 1 if names else 0
                    if missed == self.agreed.strikes and number + 1 < len(self.schedule):
                        raise Absent(
                            f"Boards without a result, one after the other: {missed}. Not there: {', '.join(names)}."
                        )
            finally:
                for task in running.values():
                    task.cancel()
                runner.run(stack.aclose())

    async def _connect(self, stack: AsyncExitStack) -> None:
        for name, token in self._tokens.items():
            self._clients[name] = await stack.enter_async_context(AsyncClient(self._url, token, patience=None))
            self._rests[name] = Rest(self._url, token, None, None, b"")
            stack.push_async_callback(self._rests[name].close)

    # --- a board ---

    async def _board(self, number: int) -> Outcome:
        path = f"/v1/pairings/{(await self._opened(number))['id']}"
        async with asyncio.TaskGroup() as group:
            ours = [
                group.create_task(self._sit(number, path, seating, seat))
                for seating in self.schedule[number] for seat, entrant in enumerate(seating)
                if not self.agreed.entrant[entrant].is_person
            ]  # fmt: skip
            lines = await self._records(path)
            for each in ours:  # one that has lost its seat for good
                each.cancel()
        return await asyncio.to_thread(self.recorded, number, lines)

    async def _opened(self, number: int) -> Json:
        """The pairing of the board, which is opened unless it was."""
        owner, key, terms = self._rests[OWNER], f"{self._name}-{number}", self.agreed
        (known, *_) = (await owner.get("/v1/pairings", key=key))["items"] or [None]
        if known is not None:
            return known  # type: ignore[no-any-return]
        think, now = ceil(terms.think), datetime.now(UTC)
        body = {
            "ruleset": self.rules.name, "name": f"{terms.title} {number + 1}"[:80], "deal": "same",
            "options": terms.options, "absent": next(iter(self.rules.bots)),
            "clock": {"bank": think, "increment": think, "delay": NETWORK},
            "sit_until": instant(now, SIT if terms.sit is UNSET else terms.sit),
            "until": instant(now, LONGEST * 86_400),
            "tables": [[{"player": await self._player(each)} for each in seating] for seating in self.schedule[number]],
        }  # fmt: skip
        made: Json = await owner.post("/v1/pairings", body, key=key)
        if made["rules"] != terms.ruleset:
            raise InvalidTerms(f"The service plays {made['rules']}, the league {terms.ruleset}.")
        return made

    async def _player(self, entrant: int) -> str:
        """The id of the entrant at the service."""
        who = self.agreed.entrant[entrant]
        return who.player if who.is_person else (await self._clients[who.name].me()).id

    async def _records(self, path: str) -> list[bytes]:
        """The records of all tables, once they are over and revealed."""
        owner = self._rests[OWNER]
        while True:
            found = await owner.get(path)
            if all("invite" in table for table in found["tables"]):
                return [
                    (await owner.read(f"{table['game']}/record", invite=table["invite"])).strip() + b"\n"
                    for table in found["tables"]
                ]
            await asyncio.sleep(PAUSE)

    # --- a seat ---

    async def _sit(self, number: int, path: str, seating: tuple[int, ...], seat: Seat) -> None:
        """Play at this seat until the game is over."""
        name = self.agreed.entrant[seating[seat]].name
        client, rest = self._clients[name], self._rests[name]
        own = (await rest.get(path))["you"]["game"].rsplit("/", 1)[1]
        table = client.table(self.rules.name, own)
        while True:
            try:
                place = (await table.look())["seats"][seat]
                if place["player"] is None or "gone" in place:
                    await table.sit(seat)
                await self._play(table, number, seating, seat)
                if (await table.look())["status"] in OVER:
                    return
            except (Problem, NoAnswer):  # such as a seat that is lost for good: then the record tells the rest
                await asyncio.sleep(PAUSE)

    async def _play(self, table: Any, number: int, seating: tuple[int, ...], seat: Seat) -> None:
        """All choices until the game is over. What is known from the journal is not asked again."""
        entrant, seen = seating[seat], list[Json]()
        bot = self.bots[entrant]
        failures = self.journal.failures(number, seating, entrant)
        async for turn in table.turns():
            raw = turn.raw
            seen += raw["events"]
            if not seen or seen[0]["version"] > 1:
                seen = [item for item in await table.history() if item["version"] <= turn.version]
            choice = Choice(self.rules.name, table.id, raw["view"], seat, raw["legal_moves"], seen)
            moves = len([item for item in seen if item["by"] == seat and "move" in item])
            asked = question(self.rules, choice, self.dice(number, seat, moves), looks_back=bot.looks_back)
            index: int | None = None
            if failures < self.agreed.strikes:
                key = (number, seating, turn.decision * len(seating) + seat)
                answer = self.journal.known(key)
                if answer is None:
                    named = asked._replace(game=self.name_of(number, seating))
                    answer = await asyncio.to_thread(answered, bot, named)
                    self.journal.write(key, entrant, answer)
                    failures += answer.index is None
                index = answer.index
            with suppress(*CHANGED):  # the table tells by itself what comes next
                await turn.play(raw["legal_moves"][self._substitute.choose(asked) if index is None else index])


def answered(bot: Bot, asked: Question) -> Answer:
    return called(bot.choose, asked) if bot.answer is None else bot.answer(asked)


def instant(at: datetime, seconds: float) -> str:
    return (at + timedelta(seconds=seconds)).isoformat(timespec="microseconds").replace("+00:00", "Z")
