"""A league whose games are played at a service, because people take part: everything follows from their records."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from msgspec import UNSET

from agents.arena.boards import Board, Outcome, Played, by_choices
from agents.arena.journal import Journal
from agents.league.playing import Game, League
from agents.league.terms import Terms
from agents.review.played import Made, house_players, of_record
from agents.review.played import Played as Reviewed
from agents.table import Bot, Question
from domain.fairness.chance import Dice
from domain.fairness.common_deal import same_deal
from domain.fairness.record import Record, Unreadable, decode
from domain.fairness.verification import flawless, verify
from domain.game.clock import microseconds
from domain.ruleset import UNDRAWN, Seat

AnyRecord = Record[Any, Any, Any, Any]


class WrongRecord(Exception):
    """A record is not one of this league. The message says why."""


class Absent(Exception):
    """Too many boards in a row have no result, because people were absent. The message names them."""


class Recorded(League):
    """The games of a league from their records, board by board, in the order of the schedule."""

    def __init__(
        self, terms: Terms, secret: str, bots: Sequence[Bot], journal: Journal, *, review: bool = False,
        records: Iterator[bytes] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(terms, secret, bots, journal, review=review)
        self._written, self._known = records or iter(()), set[str]()
        self._players: dict[int, str | None] = {
            number: each.player for number, each in enumerate(terms.entrant) if each.is_person
        }

    def outcomes(self, finished: int = 0) -> Iterator[Outcome]:
        """All boards. Raises `WrongRecord`, also if one of our bots would have chosen another move."""
        for number in range(finished, len(self.schedule)):
            lines = [line for _, line in zip(self.schedule[number], self._written, strict=False)]
            outcome = self.recorded(number, lines)
            for seating, line in zip(self.schedule[number], lines, strict=True):
                self._check_choices(number, seating, decode(line))
            yield outcome

    def recorded(self, number: int, lines: Sequence[bytes]) -> Outcome:
        """The board that has these records. Raises `WrongRecord`."""
        wrong = f"The records of board {number + 1} are not those of its games"
        try:
            found = [decode(line) for line in lines]
        except Unreadable as error:
            raise WrongRecord(f"{wrong}: {error}") from None
        if len(found) != self.agreed.tables or any(each.secret is None for each in found):
            raise WrongRecord(f"{wrong}: there are too few, or they are not complete.")
        if any(each.id in self._known for each in found):
            raise WrongRecord(f"{wrong}: one is there twice.")
        self._known.update([each.id for each in found])
        for record in found:
            if bad := [each for each in verify(record) if each.ok is False]:
                raise WrongRecord(f"{wrong}: {record.id}: {bad[0].detail}")
        if not flawless([same_deal(found[: many + 1]) for many in range(1, len(found))]):
            raise WrongRecord(f"{wrong}: they have not the same deal.")
        for seating, record in zip(self.schedule[number], found, strict=True):
            self._check_terms(seating, record, wrong)
        games = [self._game(number, *each) for each in zip(self.schedule[number], found, lines, strict=True)]
        outcome = self.together(number, games)
        return outcome._replace(board=Board(number, str(found[0].secret), outcome.board.games))

    def _check_terms(self, seating: tuple[int, ...], record: AnyRecord, wrong: str) -> None:
        """Raises `WrongRecord` for another ruleset, other options, or somebody else at a seat."""
        terms = self.agreed
        if (record.rules, record.options, len(record.seats)) != (terms.ruleset, self.options, terms.seats):
            raise WrongRecord(f"{wrong}: {record.id} has other terms.")
        for entrant, seat in zip(seating, record.seats, strict=True):
            if seat.player is not None and self._players.setdefault(entrant, seat.player) != seat.player:
                raise WrongRecord(f"{wrong}: somebody else has the seat of {terms.entrant[entrant].name}.")

    def _game(self, number: int, seating: tuple[int, ...], record: AnyRecord, line: bytes) -> Game:
        times: tuple[Counter[int], ...] = tuple([Counter() for _ in self.bots])
        away = house_players(record)[-1]
        gone = {seat.seat for seat in record.seats if seat.player is None} | away
        if record.result is None:
            missed = tuple(sorted([seat for seat in gone if self.agreed.entrant[seating[seat]].is_person]))
            return Played(seating, (), (), 0, missed, record.head), times, line
        played, replaced = of_record(record), [0] * len(seating)
        for seat, entrant in enumerate(seating):
            replaced[seat] = self.journal.failures(number, seating, entrant)
        forfeits = {seat for seat, many in enumerate(replaced) if many >= self.agreed.strikes} | away
        began = {entry.version: entry.at for entry in record.events}
        for made in played.moves:
            replaced[made.seat] += made.by_bot
            spent = microseconds(began[made.version]) - microseconds(began[made.version - 1])
            times[seating[made.seat]][round(spent / 1000) * 1000] += 1
        scores = self.rules.standing(self.rules.fold(played.initial, played.events))
        chosen, own = by_choices(played, played.head) if self.review else (UNSET, UNSET)
        return Played(
            seating, scores, record.result.winners, len(played.moves), tuple(sorted(forfeits)), record.head, chosen,
            own, tuple(replaced) if any(replaced) else UNSET,
        ), times, line  # fmt: skip

    # --- choices of ours ---

    def dice(self, number: int, seat: Seat, moves: int) -> Dice:
        """Those of a bot of ours for the next choice of a seat that has moved this often. They follow from the secret
        of the league: that of the deal is not known before its end."""
        return Dice(self.secret(number), str(number), ("",) * self.agreed.seats, seat, moves)

    def _check_choices(self, number: int, seating: tuple[int, ...], record: AnyRecord) -> None:
        """Raises `WrongRecord` if a bot of ours chooses otherwise."""
        if record.result is None:
            return
        played, moves, since = of_record(record), Counter[Seat](), Counter[Seat]()
        for made in played.moves:
            entrant, bot = self.agreed.entrant[seating[made.seat]], self.bots[seating[made.seat]]
            dice = partial(self.dice, number, made.seat, moves[made.seat])
            asked = (question._replace(dice=dice()) for question in questions(played, made, since[made.seat], bot))
            moves[made.seat], since[made.seat] = moves[made.seat] + 1, made.after + 1
            if entrant.is_asked or made.by_bot:
                continue
            if all(question.legal[bot.choose(question)] != made.move for question in asked):
                raise WrongRecord(f"{entrant.bot} does not choose version {made.version} of {record.id}.")


def questions(played: Reviewed, made: Made, since: int, bot: Bot) -> Iterator[Question]:
    """What the seat may have been asked before its move, without dice: others with a choice at the same time may have
    moved meanwhile. `since`: the number of events after which it had not moved yet."""
    rules = played.rules
    for after in range(made.after, since - 1, -1):
        before = played.events[:after]
        view = rules.view(played.initial, before, made.seat)
        legal = rules.legal(view, made.seat)
        if not legal:
            return
        seen = [rules.redact(event, made.seat) for event in before] if bot.looks_back else ()
        yield Question(rules, view, made.seat, legal, played.initial, seen, UNDRAWN)
