"""The games of a league: boards, tables, and who plays how many of them at once."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import TypeAlias
from uuid import UUID

from agents.arena import boards as arena
from agents.arena.boards import Field, Outcome, Played, named_apart
from agents.arena.journal import Journal
from agents.arena.records import WHEN, record_of
from agents.bots import bot_named
from agents.external import Forfeited
from agents.league.schedule import Tables, schedule
from agents.league.terms import Entrant, Terms, secret_of_board, seed_of
from agents.table import Answer, Bot, Question, Table
from domain.game import Deal

Job: TypeAlias = tuple[int, tuple[int, ...]]
"""The board, and by seat of the table the entrant."""
Game: TypeAlias = tuple[Played, tuple[Counter[int], ...], bytes]

AHEAD = 8
"""The number of waiting games, for each that is played at once, among which one with free entrants is looked for."""


class NotInJournal(Exception):
    """An answer is missing that only its entrant can give."""


class League(Field):
    """The entrants, ready to play."""

    def __init__(
        self, terms: Terms, secret: str, bots: Sequence[Bot], journal: Journal, *, review: bool = False
    ) -> None:
        self.agreed, self.seed = terms, seed_of(terms, secret)
        super().__init__(
            terms.rules, arena_terms(terms, self.seed), records=True, review=review, manners=terms.manners,
            journal=journal,
        )  # fmt: skip
        self.bots = tuple(bots)
        self.schedule: Sequence[Tables] = schedule(
            [each.owner for each in terms.entrant], terms.seats, terms.boards, self.seed
        )

    def secret(self, number: int) -> bytes:
        return secret_of_board(self.seed, number)

    def record(self, table: Table, number: int, seating: tuple[int, ...]) -> bytes:
        """The game of a common deal, with an id of its own."""
        entrants, tables = [self.agreed.entrant[each] for each in seating], self.agreed.tables
        place = self.schedule[number].index(seating)
        own = UUID(bytes=sha256(f"{table.id}\n{place}".encode()).digest()[:16], version=5)
        return record_of(
            table, self.options, [each.name for each in entrants], [f"league:{each}" for each in seating],
            id=str(own), deal=Deal(table.id, WHEN, tables) if tables > 1 else Deal(table.id, WHEN),
        )  # fmt: skip

    def outcomes(self, finished: int = 0) -> Iterator[Outcome]:
        """By board, without the first `finished` ones.

        Several games are played at once if an entrant is asked outside: it takes its time elsewhere.
        """
        done: dict[Job, Game] = {}
        for job, game in self._games(finished):
            done[job] = game
            while finished < len(self.schedule):
                jobs = [(finished, seating) for seating in self.schedule[finished]]
                if not all(each in done for each in jobs):
                    break
                yield self.together(finished, [done.pop(each) for each in jobs])
                finished += 1

    def _games(self, finished: int) -> Iterator[tuple[Job, Game]]:
        """As they end. No entrant plays more games at once than it wants to."""
        entrants = self.agreed.entrant
        most = [each.at_once if each.is_asked else self.agreed.at_once for each in entrants]
        at_once = self.agreed.at_once if any(each.is_asked for each in entrants) else 1
        boards = range(finished, len(self.schedule))
        coming = ((number, seating) for number in boards for seating in self.schedule[number])
        waiting: list[Job] = []
        busy, running = Counter[int](), dict[Future[Game], Job]()
        threads = ThreadPoolExecutor(at_once)
        try:
            while True:
                waiting += islice(coming, max(0, AHEAD * at_once - len(waiting)))
                for job in [*waiting]:
                    if len(running) < at_once and all(busy[each] < most[each] for each in job[1]):
                        waiting.remove(job)
                        busy.update(job[1])
                        running[threads.submit(self.play_one, *job)] = job
                if not running:
                    return
                for each in wait(running, return_when=FIRST_COMPLETED).done:
                    job = running.pop(each)
                    busy.subtract(job[1])
                    yield job, each.result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)  # an answer can be long in coming


def arena_terms(terms: Terms, seed: bytes) -> arena.Terms:
    """The terms as the arena has them, from which its figures follow."""
    return arena.Terms(
        rules=terms.rules.rules, options=terms.options, seats=terms.seats,
        bots=named_apart([each.bot for each in terms.entrant]), seed=int.from_bytes(seed[:4]),
    )  # fmt: skip


# --- entrants ---------------------------------------------------------------------------------------------------------


def asked(terms: Terms, entrant: Entrant) -> Bot:
    """A bot that answers over HTTP, a function, or one of ours. People play elsewhere."""
    if entrant.is_person:
        return Bot(lambda _: 0)
    bot = bot_named(terms.rules, entrant.bot, terms.manners)
    return bot if bot.answer is not None or not entrant.is_asked else written_down(bot, terms.strikes)


def written_down(bot: Bot, strikes: int) -> Bot:
    """The function, whose answers go to the journal, too: it need not give them twice."""
    return bot._replace(answer=partial(called, bot.choose), strikes=strikes)


def called(choose: Callable[[Question], int], question: Question) -> Answer:
    began = time.thread_time()
    try:
        index = choose(question)
    except Forfeited as error:
        return Answer(None, time.thread_time() - began, why=str(error))
    except (Exception, SystemExit) as error:  # it is not our code, and one entrant does not end the league
        return Answer(None, time.thread_time() - began, why=type(error).__name__)
    return Answer(index, time.thread_time() - began)


def again(terms: Terms, entrant: Entrant) -> Bot:
    """A bot for checking: ours chooses again, and of all others the journal has the answers."""
    if not entrant.is_asked:
        return bot_named(terms.rules, entrant.bot)

    def answer(_: Question) -> Answer:
        raise NotInJournal(f"The journal has not every answer of {entrant.name}.")

    return Bot(lambda _: 0, looks_back=True, answer=answer, strikes=terms.strikes)
