"""Verification of a record: recomputes from the events everything that the record claims.

For a finished game it checks the commitment, every hash and every deal, and replays the rules, which must yield exactly
the recorded events. For a running game, or for one seat's redacted record, it checks what can be known; a check that
cannot be made has `ok` null.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

from msgspec import UNSET, UnsetType

from domain import game
from domain.codec import builtins
from domain.description import description_hash
from domain.fairness import appends, chain
from domain.fairness.appends import is_chosen, is_expiry, starts_append
from domain.fairness.lifecycle import FULL, UUID, WHILE_RUNNING, invalid_event, is_time, violation
from domain.fairness.record import FORMAT, Record, parent, result, seating
from domain.game import (
    LIFECYCLE,
    Aborted,
    Decision,
    Ended,
    Game,
    Gone,
    Left,
    Opened,
    Recorded,
    Rejoined,
    Resumed,
    Revealed,
    Rules,
    TakenBack,
    log,
    timekeeping,
)
from domain.game.clock import MILLISECOND, microseconds
from domain.game.commands import Join, Leave, TimeOut
from domain.game.log import Entry
from domain.game.questions import settled
from domain.game.undo import Made, note, revealed_nothing
from domain.messages import Value
from domain.registry import VERSIONS
from domain.ruleset import Illegal, Seat, Viewer
from domain.searching import searchers_choice


class Check(Value):
    """One check of a record. `ok` is null where it could not be made; `version` is the first wrong version, if any."""

    name: str
    ok: bool | None
    version: int | None
    detail: str


class CheckFailure(NamedTuple):
    """What is wrong, and the first wrong version; None: the failure does not concern one event."""

    version: int | None
    detail: str


Outcome: TypeAlias = CheckFailure | str
"""A failure, or the detail text of a check that passed."""


def verify(
    record: Record[Any, Any, Any, Any], *, head: str | None = None, running: bool = False, searches: bool = True
) -> tuple[Check, ...]:
    """All checks, in reading order. Never raises, whatever the record contains.

    `head` is a head that somebody kept: the record must contain it. `running`: this is the log of a game that is not
    over, with its secret, as only the server has it. `searches` False: the choices of bots that search are not made
    again, because that takes long.
    """
    return tuple(_Verification(record, running, searches).checks(head))


def flawless(checks: Sequence[Check]) -> bool:
    """Whether no check failed. Checks that could not be made do not count."""
    return all(check.ok is not False for check in checks)


class _Verification:
    """The checks of one record."""

    def __init__(self, record: Record[Any, Any, Any, Any], running: bool, searches: bool) -> None:
        self.record, self.running, self.searches = record, running, searches
        self.entries = record.events
        self.events = [entry.event for entry in record.events]
        self.by = [entry.by for entry in record.events]
        opened = self.events[0] if self.events else None
        self.terms: Opened[Any, Any] | None = opened if isinstance(opened, Opened) else None
        self.whole = record.secret is not None or (self.terms is not None and self.terms.secret is not None)
        """Whether the record claims to be complete, not redacted."""
        self.heads: list[str | UnsetType] = [entry.head for entry in record.events]
        self.secret = self._secret()
        self.rules: Rules | None = VERSIONS.get(record.rules)

    def _secret(self) -> bytes | None:
        """The secret in the events; None if it is absent or malformed."""
        last = self.events[-1] if self.events else None
        stated = (self.terms.secret if self.terms else None) or (last.secret if isinstance(last, Revealed) else None)
        return _bytes(stated) if stated is not None else None

    def checks(self, head: str | None) -> Iterator[Check]:
        yield _check("format", self._format())
        if self.terms is None or self.rules is None:
            return
        yield _check("header", self._header(self.terms))
        yield _check("versions", self._versions())
        outcomes = ("times", self._times()), ("appends", self._appends()), ("life", self._life(self.rules))
        checked = [_check(name, outcome) for name, outcome in outcomes]
        yield from checked
        if self.terms.clock is not UNSET:
            yield self._clock(flawless(checked))
        yield from self._computed(self.rules) if self.whole else self._hashes(self.rules)
        if head is not None:
            yield self._receipt(head)
        yield self._commitment(self.terms)
        if self.whole and self.secret is not None:
            yield from _Replay(self, self.rules).checks()
        else:
            yield _check("order", self._order(self.rules))
            for name in ("rules", "deals", *_bots(self.events)):
                yield Check(name, None, None, "Cannot be checked: the record is redacted or has no secret.")

    # --- checks without the rules of moves ---

    def _format(self) -> Outcome:
        record = self.record
        if record.format != FORMAT:
            return CheckFailure(None, f"Unknown format {record.format!r}.")
        if self.rules is None:
            return CheckFailure(None, f"Unknown rules {record.rules!r}.")
        if self.terms is None:
            return CheckFailure(1, "The first event must be `opened`.")
        return f"{record.format} of a game by {record.rules}"

    def _header(self, terms: Opened[Any, Any]) -> Outcome:
        """The fields beside the events match the events."""
        record = self.record
        assert self.rules is not None
        said: list[tuple[str, Any, Any]] = [
            ("ruleset", record.ruleset, terms.ruleset),
            ("ruleset", record.ruleset, self.rules.name),
            ("rules", record.rules, terms.rules),
            ("description", description_hash(self.rules), terms.description),
            ("deck", record.deck, terms.deck),
            ("options", record.options, terms.options),
            ("commitment", record.commitment, terms.commitment),
            ("secret", record.secret, terms.secret),
            ("parent", record.parent, parent(terms)),
            ("head", record.head, record.head if self.heads[-1] is UNSET else self.heads[-1]),
            ("result", record.result, result(self.events)),
        ]
        for name, header, event in said:
            if header != event:
                return CheckFailure(None, f"`{name}` differs from the events.")
        if terms.seats not in self.rules.seats:
            return CheckFailure(1, f"A game has {self.rules.seats[0]} to {self.rules.seats[-1]} seats.")
        if record.seats != _or_none(seating, terms.seats, self.events):
            return CheckFailure(None, "`seats` differs from the events.")
        return "matches the events"

    def _versions(self) -> Outcome:
        for version, entry in enumerate(self.entries, 1):
            if entry.version != version:
                return CheckFailure(version, f"The version is {entry.version}.")
        return f"1 to {len(self.entries)}, complete"

    def _times(self) -> Outcome:
        last = ""
        for version, entry in enumerate(self.entries, 1):
            if entry.at != last and not is_time(entry.at):
                return CheckFailure(version, f"{entry.at!r} is not a valid time in UTC with 6 decimals.")
            if entry.at < last:
                return CheckFailure(version, f"{entry.at} is earlier than the event before it.")
            last = entry.at
        return f"{self.entries[0].at} to {last}, never decreasing"

    def _appends(self) -> Outcome:
        """Which events were added together, who has a choice after each append, and where the moves are."""
        searches = () if self.rules is None else self.rules.searches
        if wrong := appends.violation(self.entries, complete=self.whole, searches=searches):
            return CheckFailure(wrong.version, wrong.detail)
        return f"{sum(not entry.more for entry in self.entries)} appends, each complete"

    def _life(self, rules: Rules) -> Outcome:
        """Seats taken and left, the beginning, the end, and who causes each event."""
        if not UUID.fullmatch(self.record.id):
            return CheckFailure(None, "The id of the game is not a lower-case UUID.")
        wrong = violation(rules, self.record.id, self.entries)
        if wrong is not None:
            return CheckFailure(wrong.version, wrong.detail)
        return f"{len(self.entries)} events in a valid order"

    def _clock(self, readable: bool) -> Check:
        """Each append removes exactly the players who have run out of time by then, and nobody else does anything
        before that. `readable`: times, appends and lifecycle are valid."""
        if not readable:
            return Check("clock", None, None, "Cannot be checked: times, appends or lifecycle are not valid.")
        times: timekeeping.Times | None = None
        begin = 0
        for end, entry in enumerate(self.entries, 1):
            if entry.more:
                continue
            append, begin = self.entries[begin:end], end
            if times is not None and (wrong := _untimely(times, append, self.terms)):
                return _check("clock", wrong)
            times = timekeeping.advance(times, append)
        expired = sum(map(is_expiry, self.events))
        return _check("clock", f"players who ran out of time: {expired}; no choice was late")

    def _computed(self, rules: Rules) -> Iterator[Check]:
        """The heads of a complete record follow from its events and the secret. Those of a log must be the same."""
        if self.secret is None:
            self.heads = []
            yield Check("heads", None, None, "Cannot be computed: the secret is not 32 bytes in lower-case hex.")
            return
        before, wrong, self.heads = chain.root(self.record.id), None, []
        for version, entry in enumerate(self.entries, 1):
            link = self._link(rules, version, entry, before)
            before = link.head
            self.heads.append(before.hex())
            if entry.head is not UNSET and wrong is None:
                stated = entry.public, entry.secret, entry.head
                if stated != (link.public.hex(), link.secret.hex(), self.heads[-1]):
                    wrong = CheckFailure(version, "A hash does not match the event and those before it.")
        if wrong is None and self.heads[-1] != self.record.head:
            wrong = CheckFailure(None, "`head` does not follow from the events and the secret.")
        yield _check("heads", wrong or f"{len(self.heads)} heads, computed, up to {self.record.head}")

    def _hashes(self, rules: Rules) -> Iterator[Check]:
        """All hashes of a redacted record in one pass."""
        public: CheckFailure | None = None
        secret: CheckFailure | None = None
        heads: CheckFailure | None = None
        before, known, unseen = chain.root(self.record.id), self.secret is not None, 0
        for version, entry in enumerate(self.entries, 1):
            link = self._link(rules, version, entry, before)
            public_right, secret_right = entry.public == link.public.hex(), entry.secret == link.secret.hex()
            if not public_right and public is None:
                public = CheckFailure(version, "The hash does not match the event as a bystander sees it.")
            if not secret_right:
                if not known or self._is_redacted(version - 1):
                    unseen += 1
                elif secret is None:
                    secret = CheckFailure(version, "The hash does not match the salt and the full event.")
            stated = str(entry.public), str(entry.secret)
            before = link.head if public_right and secret_right else _head(before, *stated)
            if before.hex() != entry.head and heads is None:
                heads = CheckFailure(version, "The head does not match the previous head and the two hashes.")
        count = len(self.entries)
        yield _check("public", public or f"{count} hashes of what a bystander sees")
        if secret is None and not known:
            yield Check("secret", None, None, "Cannot be computed before the secret is revealed.")
        elif secret is None and unseen:
            yield Check("secret", None, None, f"{count - unseen} of {count} hashes; the other events are redacted.")
        else:
            yield _check("secret", secret or f"{count} salted hashes of the full events")
        yield _check("heads", heads or f"{count} links up to {self.record.head}")

    def _link(self, rules: Rules, version: int, entry: Entry[Any, Any], before: bytes) -> chain.Link:
        """The expected hashes; empty bytes for an event that cannot be encoded."""
        try:
            return log.link(rules, entry, version, self.secret or b"", before)
        except Exception:  # a ruleset may raise anything for an event that it could not have written
            return chain.Link(b"", b"", b"")

    def _is_redacted(self, number: int) -> bool:
        """Whether a field of the event, or a move, may be hidden in this entry."""
        entry = self.entries[number]
        first = starts_append(self.entries[number - 1] if number else None)
        branch = self.terms is not None and self.terms.parent is not UNSET
        hides_move = entry.move is UNSET and is_chosen(entry) and (first or branch)
        return hides_move or _hides(entry.event)

    def _receipt(self, head: str) -> Check:
        if not self.heads:
            return Check("receipt", None, None, "Cannot be checked: there are no heads.")
        if head not in self.heads:
            return _check("receipt", CheckFailure(None, "The given head is not in this record."))
        return _check("receipt", f"The given head is that of version {self.heads.index(head) + 1}.")

    def _commitment(self, terms: Opened[Any, Any]) -> Check:
        if self.secret is not None:
            if chain.commitment(self.secret).hex() != terms.commitment:
                return _check("commitment", CheckFailure(1, "It is not the hash of the secret."))
            return _check("commitment", "is the hash of the secret")
        if self.whole:
            return _check("commitment", CheckFailure(1, "The secret is not 32 bytes in lower-case hex."))
        if _bytes(terms.commitment) is None:
            return _check("commitment", CheckFailure(1, "It is not 32 bytes in lower-case hex."))
        return Check("commitment", None, None, "Cannot be checked before the secret is revealed.")

    # --- the rules, as far as a redacted record allows ---

    def _order(self, rules: Rules) -> Outcome:
        """Each event is valid after those before it, as far as the known cards show."""
        now, last = Game(self.record.id), None
        for version, entry in enumerate(self.entries, 1):
            event, by = entry.event, entry.by
            chooses = last is None or by != last.by or starts_append(last)
            try:
                before = last.by if last else None
                wrong = invalid_event(rules, now, event, by, before) or _out_of_turn(rules, now, event, by, chooses)
                if wrong is None:
                    now = game.evolve(rules, now, event)
                    wrong = _wrong_acting(entry, game.to_act(rules, now))
            except Exception as error:
                wrong = _impossible(error)
            if wrong is not None:
                return CheckFailure(version, wrong)
            last = entry
        if now.status == "running" and rules.outcome(now.state) is not None:
            return CheckFailure(len(self.events) + 1, "`ended` must follow: the game has a result.")
        if now.status in ("finished", "aborted") and not now.revealed and game.agreed(now).deal is UNSET:
            return CheckFailure(len(self.events) + 1, "`revealed` must follow: the game is over.")
        return f"{len(self.events)} events, each valid after those before it"


def _untimely(
    times: timekeeping.Times, append: Sequence[Entry[Any, Any]], terms: Opened[Any, Any] | None
) -> CheckFailure | None:
    """How the append differs from what the dials before it allow at its time."""
    first, at = append[0], microseconds(append[0].at)
    if isinstance(first.event, Resumed):  # a player who has still run out of time is removed by the next append
        if first.event.milliseconds > (at - times.at) // MILLISECOND:
            return CheckFailure(first.version, "More time is given back than has passed.")
        return None
    overdue = times.overdue(at)
    if terms is not None and terms.absent == "abort":
        overdue = overdue[:1]
    gone = tuple(entry.event.seat for entry in append if is_expiry(entry.event))
    for number, (seat, other) in enumerate(zip_longest(gone, overdue)):
        version = append[min(number, len(append) - 1)].version
        if seat is None:
            return CheckFailure(version, f"Seat {other} had run out of time before.")
        if seat not in overdue:
            return CheckFailure(version, f"Seat {seat} had not run out of time.")
        if seat != other:
            return CheckFailure(version, f"Seat {other} had run out of time before seat {seat}.")
    return None


class _Mismatch(Exception):
    """The check that fails, the position of the entry, and why."""

    def __init__(self, check: str, position: int, detail: str) -> None:
        self.check, self.failure = check, CheckFailure(position + 1, detail)


class _Replay:
    """Plays the game of a complete record again: carries out the recorded choices and compares what follows from them
    with the recorded events, append by append. Bots are asked again what they choose."""

    def __init__(self, verification: _Verification, rules: Rules) -> None:
        self.rules, self.running, self.searches = rules, verification.running, verification.searches
        self.entries = verification.entries
        self.happened = [(entry.event, entry.by, entry.move) for entry in verification.entries]
        self.bots = _bots(verification.events)
        self.now = Game(verification.record.id)
        self.position = 0
        self.moves = 0
        self.views: dict[Viewer, tuple[Game, int]] = {}
        """The game as viewers see it, and the number of events in it."""
        self.made: list[Made] = []
        """The latest appends with events that stand."""
        self.asked = self.left_out = 0
        self.overruled: CheckFailure | None = None
        """The first move that its bot would not have chosen."""

    def checks(self) -> Iterator[Check]:
        try:
            self._replay()
        except _Mismatch as mismatch:
            yield from self._failed(mismatch)
        except Exception as error:  # rules may raise anything for events that they could not have written
            yield from self._failed(_Mismatch("rules", self.position, _impossible(error)))
        else:
            yield _check("rules", f"{self.moves} moves and their consequences, replayed")
            yield _check("deals", f"{self.now.dealt} dealer steps, derived again")
            for name in self.bots:
                yield _check(name, self.overruled or self._asked())

    def _asked(self) -> str:
        left_out = f"; {self.left_out} of bots that search were not" if self.left_out else ""
        return f"{self.asked} choices of bots, made again from what they saw{left_out}"

    def _failed(self, mismatch: _Mismatch) -> Iterator[Check]:
        for name in ("rules", "deals", *self.bots):
            if name == mismatch.check:
                yield _check(name, mismatch.failure)
            elif name == "bots" and self.overruled is not None:
                yield _check(name, self.overruled)
            else:
                yield Check(name, None, None, f"Correct up to version {self.now.version}; the rest cannot be replayed.")

    def _replay(self) -> None:
        while self.position < len(self.entries):
            self._append()
        if not (self.now.revealed or self.running):
            raise _Mismatch("rules", self.position, "The secret is visible but the game is not over.")

    def _bots_move(self, now: Game, seat: Seat, caused: Sequence[Any]) -> Any:
        """The recorded move of the bot at the seat, compared with what it chooses."""
        position = self.position + len(caused)
        _, by, move = self.happened[position] if position < len(self.happened) else (None, None, UNSET)
        bot = now.bot_at(seat)
        if by != seat or move is UNSET:
            raise _Mismatch("rules", position, f"A move of {bot} at seat {seat} must follow.")
        if move not in self.rules.legal(now.state, seat):
            raise _Mismatch("rules", position, f"Seat {seat} cannot make this move.")
        self.moves += 1
        self._compare_choice(
            position, now, seat, game.bots_choice(self.rules, now, seat, self._view(seat, caused).state)
        )
        return move

    def _compare_choice(self, position: int, now: Game, seat: Seat, chosen: Any) -> None:
        """Compare the recorded move of a bot with what it chooses."""
        self.asked += 1
        if chosen != self.happened[position][2] and self.overruled is None:
            self.overruled = CheckFailure(position + 1, f"{now.bot_at(seat)} at seat {seat} chooses differently.")

    def _searched(self, position: int, seat: Seat) -> Any:
        """What the bot that searches chooses at the seat, which has a choice; None if no such bot plays it."""
        rules, now = self.rules, self.now
        budget = rules.searches.get(now.bot_at(seat) or "")
        if budget is None or seat not in rules.to_act(now.state):
            return None
        if not self.searches:
            self.left_out += 1
            return None
        events = [entry.event for entry in self.entries[:position]]
        return searchers_choice(rules, budget, game.sight(rules, now, seat, events), game.lot(now, seat))

    def _view(self, viewer: Viewer, caused: Sequence[Any] = ()) -> Game:
        """The game as the viewer sees it after `caused`, the events of this append so far."""
        view, known = self.views.get(viewer) or (Game(self.now.id), 0)
        before = [entry.event for entry in self.entries[known : self.position]]
        news = (*before, *caused[max(0, known - self.position) :])
        view = game.fold(self.rules, view, [game.redact(self.rules, event, viewer) for event in news])
        self.views[viewer] = view, self.position + len(caused)
        return view

    def _append(self) -> None:
        """Replay one append: one command, or everything that opened the game."""
        begin, entries = self.position, self.entries
        end = begin + 1 + (max(0, entries[0].more) if begin == 0 else 0)
        acting: tuple[Seat, ...] = ()
        while self.position < min(end, len(entries)):
            decided = self._decided(self.position)
            self._compare(decided)
            self.now, self.position, acting = decided.game, self.position + len(decided.events), decided.acting
        for position in range(begin, self.position):
            entry, more = entries[position], self.position - 1 - position
            wrong = None if entry.more == more else f"`more` must be {more}."
            if wrong := wrong or _wrong_acting(entry, acting):
                raise _Mismatch("rules", position, wrong)
        note(self.made, entries[begin : self.position])

    def _decided(self, position: int) -> Decision:
        """What follows from the command that is recorded at this position."""
        rules, now, (event, by, move) = self.rules, self.now, self.happened[position]
        if now.status == "running" and by is not None and move is not UNSET:
            self.moves += 1
            try:
                if 0 <= by < len(now.players):
                    decided = game.moved(rules, now, by, move)
                    if (chosen := self._searched(position, by)) is not None:
                        self._compare_choice(position, now, by, chosen)
                    return self._answered(decided)
            except Illegal:
                pass
            raise _Mismatch("rules", position, f"Seat {by} cannot make this move.")
        running = now.status == "running"
        common = now.terms is not None and now.terms.deal is not UNSET
        stopped = running and (event == Aborted("operator") or (common and event == Aborted("expired")))
        stopped |= common and now.status in ("finished", "aborted") and isinstance(event, Revealed) and not now.revealed
        if now.status != "waiting" and not (running and type(event) in WHILE_RUNNING) and not stopped:
            detail = "No event can follow here without a move." if running else "No event can follow `revealed`."
            raise _Mismatch("rules", position, detail)
        if wrong := invalid_event(rules, now, event, by, None):
            raise _Mismatch("rules", position, wrong)
        return self._answered(self._of_lifecycle(position))

    def _of_lifecycle(self, position: int) -> Decision:
        """What follows from the valid event of the lifecycle that is recorded at this position."""
        rules, now, (event, by, _) = self.rules, self.now, self.happened[position]
        match event:
            case Left(seat):
                return game.decide(rules, now, now.players[seat], Leave(seat))
            case Gone(cause="expired"):
                return self._timed_out(position)
            case Gone(seat, moved):
                history = Recorded(moved=(seat,) if moved else ())
                return game.decide(rules, now, now.players[seat], Leave(seat, running=True), history)
            case Rejoined(seat):
                return game.decide(rules, now, now.players[seat], Join(seat))
            case TakenBack() if not self._revealed_nothing(event):
                raise _Mismatch("rules", position, "The move revealed something, so all players must agree.")
            case Opened():
                rules.initial(event.seats, event.options, rules.deck_of(event.deck))
        return settled(rules, now, event, by)

    def _answered(self, decided: Decision) -> Decision:
        """The decision with the recorded choices of bots."""
        return game.with_bots(self.rules, decided, self._bots_move)

    def _revealed_nothing(self, taken: TakenBack) -> bool:
        """Whether the move that is taken back revealed nothing."""

        def before(viewer: Viewer) -> Any:
            return game.gone_back(self.rules, self._view(viewer), taken.to).state

        latest = self.made[-1] if self.made else None
        if latest is None or (latest.seat, latest.to) != (taken.seat, taken.to) or self.now.place(taken.to) is None:
            return False
        return revealed_nothing(self.rules, latest, len(self.now.players), before)

    def _timed_out(self, position: int) -> Decision:
        """What follows when the players whose expiries are recorded from this position on are removed."""
        expired = []
        for event, _, _ in self.happened[position:]:
            if not is_expiry(event):
                break
            expired.append(event)
        seats, moved = [event.seat for event in expired], [event.seat for event in expired if event.moved]
        return game.decide(self.rules, self.now, None, TimeOut(tuple(seats)), Recorded(moved=moved))

    def _compare(self, decided: Decision) -> None:
        """Raise a mismatch unless the recorded events from here on are exactly those of the decision."""
        begin, happened = self.position, self.happened
        expected = list(zip(decided.events, decided.by, decided.moves, strict=True))
        if happened[begin : begin + len(expected)] == expected:
            return
        for position, (event, by, _) in enumerate(expected, begin):
            if position == len(happened):
                raise _Mismatch("rules", position, f"The record ends but `{_tag(event)}` must follow.")
            if happened[position] != expected[position - begin]:
                raise self._difference(position, event, by)

    def _difference(self, position: int, event: Any, by: Seat | None) -> _Mismatch:
        """How the entry at this position differs from the event that must be there."""
        found, found_by, _ = self.happened[position]
        if (found, found_by) == (event, by):
            return _Mismatch("rules", position, "Only the first event that a seat's choice caused has a move.")
        dealt = by is None and type(event) not in LIFECYCLE
        if dealt and type(found) is type(event):
            return _Mismatch("deals", position, f"`{_tag(event)}` differs from the deal that the secret yields.")
        cause = "nobody" if by is None else f"seat {by}"
        check = "deals" if dealt else "rules"
        return _Mismatch(check, position, f"`{_tag(event)}` must follow, caused by {cause}.")


# --- helpers ------------------------------------------------------------------------------------------------------


def _check(name: str, outcome: Outcome) -> Check:
    if isinstance(outcome, CheckFailure):
        return Check(name, False, outcome.version, outcome.detail)
    return Check(name, True, None, outcome)


def _bytes(text: str) -> bytes | None:
    """The bytes of a hash; None if the text is not 32 bytes in lower-case hex."""
    try:
        raw = bytes.fromhex(text)
    except ValueError:
        return None
    return raw if len(raw) == 32 and raw.hex() == text else None


def _or_none(function: Any, *arguments: Any) -> Any:
    """The function's result; None if it raises."""
    try:
        return function(*arguments)
    except Exception:
        return None


def _head(before: bytes, public: str, secret: str) -> bytes:
    """The next head; empty if one of the hashes is malformed."""
    parts = _bytes(public), _bytes(secret)
    return b"" if None in parts else sha256(b"".join((before, *filter(None, parts)))).digest()


def _impossible(error: Exception) -> str:
    return f"This event is impossible: {type(error).__name__} {error}".rstrip()


def _tag(event: Any) -> str:
    return str(event.__struct_config__.tag)


def _hides(value: Any) -> bool:
    """Whether the value contains a redacted field (null)."""
    match builtins(value):
        case None:
            return True
        case dict() as fields:
            return any(map(_hides, fields.values()))
        case list() | tuple() as items:
            return any(map(_hides, items))
    return False


def _bots(events: Sequence[Any]) -> tuple[str, ...]:
    """The check of bots, if there was one in the game at some time."""
    from_the_start = any(isinstance(event, Opened) and game.bots_of(event) for event in events[:1])
    played = from_the_start or any(isinstance(event, Gone) and event.bot is not UNSET for event in events)
    return ("bots",) if played else ()


def _wrong_acting(entry: Entry[Any, Any], acting: tuple[Seat, ...]) -> str | None:
    """Why the seats to act after the entry are not these; None if they are, or if the append goes on."""
    if entry.more:
        return None if entry.acting is UNSET else "Only the last event of an append has `acting`."
    return None if entry.acting == acting else f"`acting` must be {list(acting)}."


def _out_of_turn(rules: Rules, now: Game, event: Any, by: Seat | None, chooses: bool) -> str | None:
    """Why the event is not valid now; None if it is, as far as the viewer knows.

    `chooses`: it is the first event that the choice of the seat `by` caused, if there is such a seat.
    """
    if now.status != "running":
        return None
    ended = rules.outcome(now.state)
    if isinstance(event, Ended):
        return None if event.result == ended else "The result differs from the events."
    if ended is not None:
        return "`ended` must follow: the game has a result."
    if by is None or not chooses or type(event) in LIFECYCLE:
        return None
    if by not in game.to_act(rules, now):
        return f"It is not the turn of seat {by}."
    if now.version >= now.longest:
        return FULL
    return None
