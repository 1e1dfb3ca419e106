"""Random logs: concurrent games of all rulesets, whose players join, leave and play."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain as chain_of
from random import Random
from typing import Any

from msgspec import UNSET
from sqlalchemy import Engine, select

from domain import game
from domain.codec import encode
from domain.fairness import chain
from domain.game import Decision, Game, Rules, TakenBack, questions
from domain.game.clock import Clock
from domain.game.events import Voted
from domain.game.log import written
from domain.messages import Event
from domain.rulesets import RULESETS
from projections.projection import RecordedEvent
from service import databases
from service.log.mapper import Row
from stammtisch.testing import doing

AT = "2026-03-01T20:00:00.000000Z"
CLOCK = Clock(60, increment=5)


class Table:
    """A game that a test plays. Every method returns the rows that it appended to the log."""

    def __init__(self, name: str, rules: Rules | None = None) -> None:
        self.id = name
        self.rules = rules or next(iter(RULESETS.values()))
        self.game = Game(name)
        self.events: list[Any] = []

    @property
    def bots(self) -> game.Bots:
        return game.seeing(self.rules, self.game, self.sight)

    def sight(self, seat: int) -> Any:
        seen = [game.redact(self.rules, event, seat) for event in self.events]
        return game.fold(self.rules, Game(self.id), seen)

    def open(self, opener: str = "ada", *, sit: bool = True, at: str = AT, **terms: Any) -> list[Row]:
        deck = next(iter(self.rules.decks.values())).data
        seats = terms.pop("seats", self.rules.seats[0])
        agreed, secret = game.Agreed(**terms), chain.root(self.id)
        opened = game.terms(self.rules, seats, self.rules.options(), deck, player(opener), secret, agreed)
        return self._append(doing.open_game(self.rules, self.id, opened, sit=sit, entropy=""), at)

    def join(self, who: str, seat: int | None = None, at: str = AT) -> list[Row]:
        return self._append(doing.join(self.rules, self.game, player(who), seat, ""), at)

    def leave(self, seat: int, at: str = AT) -> list[Row]:
        seated = self.game.players[seat]
        assert seated is not None
        return self._append(doing.leave(self.rules, self.game, seated, seat), at)

    def decline(self, seat: int, at: str = AT) -> list[Row]:
        return self._append(doing.decline(self.rules, self.game, str(self.game.kept[seat]), seat), at)

    def abandon(self, seat: int, at: str = AT, *, moved: bool = True) -> list[Row]:
        gone = self.game.players[seat]
        assert gone is not None
        return self._append(doing.abandon(self.rules, self.game, gone, seat, moved=moved, bots=self.bots), at)

    def rejoin(self, seat: int, at: str = AT) -> list[Row]:
        gone = self.game.players[seat]
        assert gone is not None
        return self._append(doing.rejoin(self.rules, self.game, gone, seat, self.bots), at)

    def take_back(self, seat: int, to: int, at: str = AT) -> list[Row]:
        """Freely, or by the agreement of all players if the terms say so."""
        if game.agreed(self.game).undo == "free":
            return self._append(doing.decision(self.rules, self.game, [TakenBack(seat, to, agreed=False)], (seat,)), at)
        rows = []
        for voter in (seat, *(other for other in self.game.present if other != seat)):
            agrees = Voted(voter, "undo", yes=True, to=to)
            rows += self._append(questions.settled(self.rules, self.game, agrees, voter), at)
        return rows

    def cancel(self, at: str = AT) -> list[Row]:
        return self._append(doing.cancel(self.rules, self.game, game.agreed(self.game).opener), at)

    def expire(self, at: str = AT) -> list[Row]:
        return self._append(doing.expire(self.rules, self.game), at)

    def move(self, random: Random, at: str = AT) -> list[Row]:
        seat = random.choice(game.to_act(self.rules, self.game))
        chosen = random.choice(game.legal(self.rules, self.game, seat))
        return self._append(doing.move(self.rules, self.game, seat, chosen, self.bots), at)

    def play(self, random: Random, at: str = AT) -> list[Row]:
        """Play random moves until the game ends."""
        rows = []
        while self.game.status == "running":
            rows += self.move(random, at)
        return rows

    def _append(self, decided: Decision, at: str) -> list[Row]:
        self.game = decided.game
        self.events += decided.events
        entries = written(self.rules, decided, chain.root(self.id), at)
        return [Row(self.id, entry.version, topic(self.rules.rules, entry.event), entry) for entry in entries]


def topic(kind: str, event: Any) -> str:
    return f"{kind}.{event.__struct_config__.tag}"


def player(who: str) -> str:
    return f"id-{who}"


class Noted(Event):
    """The first event of a stream that is no game."""

    text: str


class Edited(Event):
    """A later event of such a stream."""

    text: str


def noted(name: str) -> Row:
    event = Noted(name.title())
    return Row(f"id-{name}", 1, topic("note", event), event)


def edited(name: str, version: int, new: str) -> Row:
    event = Edited(new)
    return Row(f"id-{name}", version, topic("note", event), event)


def recorded(*appends: Iterable[Row], after: int = 0) -> list[RecordedEvent]:
    """The rows as read from a log, with gaps between the positions. The sizes are those of these rows."""
    rows, sizes = list(chain_of.from_iterable(appends)), dict[tuple[str, int], int]()
    for row in rows:
        sizes[row.stream, row.version] = sizes.get((row.stream, row.version - 1), 0) + size(row.value)
    return [
        RecordedEvent(
            after + 3 * number, *row, size=sizes.get((row.stream, row.version + getattr(row.value, "more", 0)), 0)
        )
        for number, row in enumerate(rows, 1)
    ]


def size(value: Any) -> int:
    """Its bytes in the log; 1 for a value that cannot be encoded, as some tests need."""
    try:
        return len(encode(value))
    except (TypeError, UnicodeEncodeError):
        return 1


def history(random: Random, games: int) -> Iterator[list[Row]]:
    """The appends of a log with this number of games, and one more that waits: some are played to the end, some are
    aborted, some wait."""
    names = [f"player{number}" for number in range(8)]
    tables: list[Table] = []
    opened = 0
    while opened < games or any(table.game.status == "running" for table in tables):
        match random.randrange(5):
            case 0 if opened < games:
                table = Table(f"game-{opened}", random.choice(list(RULESETS.values())))
                tables.append(table)
                opened += 1
                seats = random.choice(table.rules.seats)
                terms: dict[str, Any] = {"hotseat": True}
                if random.random() < 0.8:
                    places = random_places(random, seats, names) if random.random() < 0.5 else UNSET
                    terms = {"absent": random.choice((UNSET, "abort", "random/1")), "places": places}
                    if terms["absent"] is not UNSET:
                        terms["clock"] = CLOCK
                with suppress(game.SeatTaken):
                    yield table.open(
                        random.choice(names), seats=seats, sit=random.random() < 0.8, private=random.random() < 0.3,
                        **terms,
                    )  # fmt: skip
            case 1 | 2 if waiting := [
                table for table in tables if table.game.status == "waiting" and table.game.version
            ]:
                table = random.choice(waiting)
                with suppress(game.AlreadySeated, game.Reserved):
                    kept = [name for name in table.game.kept if name is not None]
                    yield table.join(random.choice(kept).removeprefix("id-") if kept else random.choice(names))
                if table.game.kept and random.random() < 0.2:
                    yield table.decline(next(seat for seat, kept_for in enumerate(table.game.kept) if kept_for))
            case 3 if seated := [
                (table, seat)
                for table in tables
                for seat, sitting in enumerate(table.game.players)
                if table.game.status == "waiting" and sitting is not None
            ]:
                table, seat = random.choice(seated)
                yield table.leave(seat)
            case 4 if running := [table for table in tables if table.game.status == "running"]:
                table = random.choice(running)
                if game.agreed(table.game).absent is not UNSET and random.random() < 0.5:
                    yield table.move(random)
                    seat = random.choice(table.game.present or (0,))
                    if table.game.status == "running" and table.game.players[seat] is not None:
                        yield table.abandon(seat, moved=random.random() < 0.9)
                        if table.game.status == "running" and random.random() < 0.3:
                            yield table.rejoin(seat)
                yield table.play(random)
    kept = (game.OPEN, game.SeatTerms(player=player("player1")))
    yield Table("waits").open("player0", places=kept, absent="abort", clock=CLOCK)


def random_places(random: Random, seats: int, names: list[str]) -> tuple[game.SeatTerms, ...]:
    """One seat is open; the others are open, a bot's, or kept for a player."""
    kept = [player(name) for name in random.sample(names, len(names))]
    kinds = [random.randrange(4) for _ in range(seats - 1)]
    rest = [
        game.SeatTerms(bot="random/1") if kind == 0 else game.SeatTerms(player=kept[seat]) if kind == 1 else game.OPEN
        for seat, kind in enumerate(kinds)
    ]
    return (game.OPEN, *rest)


def contents(engine: Engine) -> dict[str, set[tuple[Any, ...]]]:
    """The rows of all tables of the projections, by table."""
    with engine.begin() as connection:
        return {
            table.name: {tuple(row) for row in connection.execute(select(table))}
            for projection in databases.derived()
            for table in projection.tables
        }
