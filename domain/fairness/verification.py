"""Verification of a record: recomputes from the events everything that the record claims.

For a finished game it checks the commitment, every hash and every deal, and replays the rules, which must yield exactly
the recorded events. For a running game, or for one seat's redacted record, it checks what can be known; a check that
cannot be made has `ok` null.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias

from domain import game
from domain.codec import builtins
from domain.fairness import chain
from domain.fairness.lifecycle import FULL, UUID, invalid_event, violation
from domain.fairness.record import FORMAT, Record, parent, result, seating
from domain.game import LIFECYCLE, Decision, Ended, Game, Left, Opened, Revealed, Rules
from domain.log import Entry
from domain.messages import Value
from domain.ruleset import Seat
from domain.rulesets import VERSIONS

TIME = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])-([0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z")


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


def verify(record: Record[Any, Any, Any], *, head: str | None = None, running: bool = False) -> tuple[Check, ...]:
    """All checks, in reading order. Never raises, whatever the record contains.

    `head` is a head that somebody kept: the record must contain it. `running`: this is the log of a game that is not
    over, with its secret, as only the server has it.
    """
    return tuple(_Verification(record, running).checks(head))


def verified(record: Record[Any, Any, Any]) -> tuple[tuple[Check, ...], tuple[int, ...]]:
    """All checks, and the versions at which the appends end.

    A record does not contain its appends, but the rules yield them: a choice and its consequences are one append. The
    versions are complete if the check `rules` passes. A branch starts with several choices in one append; each of them
    counts as an append of its own.
    """
    verification = _Verification(record, running=False)
    return tuple(verification.checks(None)), tuple(verification.ends)


def flawless(checks: Sequence[Check]) -> bool:
    """Whether no check failed. Checks that could not be made do not count."""
    return all(check.ok is not False for check in checks)


class _Verification:
    """The checks of one record."""

    def __init__(self, record: Record[Any, Any, Any], running: bool) -> None:
        self.record, self.running = record, running
        self.entries = record.events
        self.events = [entry.event for entry in record.events]
        self.by = [entry.by for entry in record.events]
        opened = self.events[0] if self.events else None
        self.terms: Opened[Any, Any] | None = opened if isinstance(opened, Opened) else None
        self.whole = record.secret is not None or (self.terms is not None and self.terms.secret is not None)
        """Whether the record claims to be complete, not redacted."""
        self.secret = self._secret()
        self.rules: Rules | None = VERSIONS.get(record.rules)
        self.ends: list[int] = []
        """The versions at which an append ends, as far as the rules were replayed."""

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
        yield _check("times", self._times())
        yield _check("life", self._life(self.rules))
        yield from self._hashes(self.rules)
        if head is not None:
            yield _check("receipt", self._receipt(head))
        yield self._commitment(self.terms)
        if self.whole and self.secret is not None:
            replay = _Replay(self, self.rules)
            yield from replay.checks()
            self.ends = replay.ends
        else:
            yield _check("order", self._order(self.rules))
            for name in ("rules", "deals"):
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
            ("deck", record.deck, terms.deck),
            ("options", record.options, terms.options),
            ("commitment", record.commitment, terms.commitment),
            ("secret", record.secret, terms.secret),
            ("parent", record.parent, parent(terms)),
            ("head", record.head, self.entries[-1].head),
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

    def _life(self, rules: Rules) -> Outcome:
        """Seats taken and left, the beginning, the end, who causes each event, and the times within an append."""
        if not UUID.fullmatch(self.record.id):
            return CheckFailure(None, "The id of the game is not a lower-case UUID.")
        wrong = violation(rules, self.record.id, self.entries)
        if wrong is not None:
            return CheckFailure(wrong.version, wrong.detail)
        return f"{len(self.entries)} events in a valid order"

    def _hashes(self, rules: Rules) -> Iterator[Check]:
        """All hashes in one pass: for most events the public and the full entry are the same bytes."""
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
                if not known or (not self.whole and _hides(entry.event)):
                    unseen += 1
                elif secret is None:
                    secret = CheckFailure(version, "The hash does not match the salt and the full event.")
            before = link.head if public_right and secret_right else _head(before, entry.public, entry.secret)
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

    def _link(self, rules: Rules, version: int, entry: Entry[Any], before: bytes) -> chain.Link:
        """The expected hashes; empty bytes for an event that cannot be encoded."""
        try:
            full = chain.entry(version, entry.at, entry.by, entry.event)
            shown = game.redact(rules, entry.event, None)
            bare = full if shown is entry.event else chain.entry(version, entry.at, entry.by, shown)
        except Exception:  # a ruleset may raise anything for an event that it could not have written
            return chain.Link(b"", b"", b"")
        return chain.link(before, self.secret or b"", version, bare, full)

    def _receipt(self, head: str) -> Outcome:
        for entry in self.entries:
            if entry.head == head:
                return f"The given head is that of version {entry.version}."
        return CheckFailure(None, "The given head is not in this record.")

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
        for version, (event, by) in enumerate(zip(self.events, self.by, strict=True), 1):
            try:
                wrong = invalid_event(rules, now, event, by, last) or _out_of_turn(rules, now, event, by, last)
                if wrong is None:
                    now = game.evolve(rules, now, event)
            except Exception as error:
                wrong = _impossible(error)
            if wrong is not None:
                return CheckFailure(version, wrong)
            last = by
        if now.status == "running" and rules.result(now.state) is not None:
            return CheckFailure(len(self.events) + 1, "`ended` must follow: the game has a result.")
        if now.status in ("finished", "aborted") and not now.revealed:
            return CheckFailure(len(self.events) + 1, "`revealed` must follow: the game is over.")
        return f"{len(self.events)} events, each valid after those before it"


class _Replay:
    """Plays the game of a complete record again and compares the events that the rules yield with the recorded ones."""

    def __init__(self, verification: _Verification, rules: Rules) -> None:
        self.rules, self.running = rules, verification.running
        self.events, self.by = verification.events, verification.by
        self.at = [entry.at for entry in verification.entries]
        self.now = Game(verification.record.id)
        self.position = 0
        self.moves = 0
        self.ends: list[int] = []
        """The versions at which the replayed decisions end: each was one append."""
        self.farthest = -1
        self.farthest_mismatch: tuple[str, CheckFailure] = ("rules", CheckFailure(1, ""))
        self.hints: dict[type[Any], type[Any]] = {}
        """By type of event: the type of move that caused the last such event."""

    def checks(self) -> Iterator[Check]:
        try:
            finished = self._open() and self._wait() and self._play() and self._end()
        except Exception as error:  # rules may raise anything for events that they could not have written
            finished = False
            self._mismatch("rules", self.position, _impossible(error))
        if finished:
            yield _check("rules", f"{self.moves} moves and their consequences, replayed")
            yield _check("deals", f"{self.now.dealt} dealer steps, derived again")
            return
        name, failure = self.farthest_mismatch
        for one in ("rules", "deals"):
            if one == name:
                yield _check(one, failure)
            else:
                yield Check(one, None, None, f"Correct up to version {self.now.version}; the rest cannot be replayed.")

    def _mismatch(self, check: str, position: int, detail: str) -> bool:
        """Record a mismatch; of several candidate moves the one that gets farthest is reported. Always False."""
        if position > self.farthest:
            self.farthest, self.farthest_mismatch = position, (check, CheckFailure(position + 1, detail))
        return False

    def _open(self) -> bool:
        if wrong := invalid_event(self.rules, self.now, self.events[0], self.by[0], None):
            return self._mismatch("rules", 0, wrong)
        terms = self.events[0]
        self.rules.initial(terms.seats, terms.options, self.rules.deck_of(terms.deck))
        return self._accept(game.decision(self.rules, self.now, [terms], (None,)))

    def _wait(self) -> bool:
        """Replay the events of the waiting game."""
        while self.now.status == "waiting" and self.position < len(self.events):
            event, by = self.events[self.position], self.by[self.position]
            if wrong := invalid_event(self.rules, self.now, event, by, None):
                return self._mismatch("rules", self.position, wrong)
            if isinstance(event, Left):
                sitting = self.now.players[event.seat]
                assert sitting is not None
                decided = game.leave(self.rules, self.now, sitting, event.seat)
            else:
                decided = game.decision(self.rules, self.now, [event], (by,))
            if not self._accept(decided):
                return False
        return True

    def _play(self) -> bool:
        """Find the move behind every append of a seat, by backtracking.

        The events of one move may be a prefix of the events of another one. Later events show which was made:
        consecutive moves of one seat are undone until all of them fit. A move of another seat settles the ones before.
        """
        open_choices: list[tuple[Game, int, int, Iterator[Decision]]] = []
        while self.now.status == "running" and self.position < len(self.events):
            seat = self.by[self.position]
            if seat is None:
                return self._mismatch("rules", self.position, "No event can follow here without a move.")
            if self.position and self.by[self.position - 1] != seat:
                open_choices.clear()
            open_choices.append((self.now, self.position, self.moves, self._candidates(seat)))
            while open_choices:
                self.now, self.position, self.moves, candidates = open_choices[-1]
                while self.ends and self.ends[-1] > self.position:  # of choices that are undone
                    self.ends.pop()
                if (decided := next(candidates, None)) is not None:
                    self._advance(decided)
                    self.moves += 1
                    break
                open_choices.pop()
            else:
                return self._mismatch("rules", self.position, f"No move of seat {seat} leads to this event.")
        return True

    def _candidates(self, seat: Seat) -> Iterator[Decision]:
        """The decisions of the seat's legal moves that match the recorded events, the most likely first."""
        now, position, event = self.now, self.position, self.events[self.position]
        moves = self.rules.legal(now.state, seat) if 0 <= seat < len(now.players) else ()
        kind = type(event)
        hint = self.hints.get(kind)
        for move in sorted(moves, key=lambda move: _unlikeness(move, event, hint)):
            caused = self.rules.decide(now.state, seat, move)
            if self.events[position : position + len(caused)] != caused:
                self._mismatch("rules", position, f"No move of seat {seat} leads to this event.")
                continue
            decided = game.decision(self.rules, now, caused, (seat,) * len(caused))
            if self._fits(decided, position):
                self.hints[kind] = type(move)
                yield decided

    def _fits(self, decided: Decision, position: int) -> bool:
        """Whether the recorded events from the position on are exactly those of the decision."""
        end = position + len(decided.events)
        if (*self.events[position:end],) == decided.events and (*self.by[position:end],) == decided.by:
            late = next((at for at in range(position, end) if self.at[at] != self.at[position]), None)
            return late is None or self._mismatch("rules", late, "It must have the time of the previous event.")
        for at, (event, by) in enumerate(zip(decided.events, decided.by, strict=True), position):
            if at == len(self.events):
                return self._mismatch("rules", at, f"The record ends but `{_tag(event)}` must follow.")
            if self.events[at] != event or self.by[at] != by:
                dealt = by is None and type(event) not in LIFECYCLE
                return self._mismatch(
                    "deals" if dealt else "rules", at,
                    f"`{_tag(event)}` differs from the deal that the secret yields."
                    if dealt and type(self.events[at]) is type(event)
                    else f"`{_tag(event)}` must follow, caused by {'nobody' if by is None else f'seat {by}'}.",
                )  # fmt: skip
        return True

    def _accept(self, decided: Decision) -> bool:
        if not self._fits(decided, self.position):
            return False
        self._advance(decided)
        return True

    def _advance(self, decided: Decision) -> None:
        self.now, self.position = decided.game, self.position + len(decided.events)
        if not (self.now.status == "waiting" and game.agreed(self.now).hotseat):  # which takes all seats in one append
            self.ends.append(self.position)

    def _end(self) -> bool:
        if self.position < len(self.events):
            return self._mismatch("rules", self.position, "No event can follow `revealed`.")
        if not (self.now.revealed or self.running):
            return self._mismatch("rules", self.position, "The secret is visible but the game is not over.")
        return True


def is_time(text: str) -> bool:
    """Whether the text is an existing date and time in UTC with 6 decimals, as the service writes it."""
    found = TIME.fullmatch(text)
    if found is None:
        return False
    year, month, day = map(int, found.group(1, 2, 3))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return year > 0 and 1 <= day <= days[month - 1]


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


def _out_of_turn(rules: Rules, now: Game, event: Any, by: Seat | None, last: Seat | None) -> str | None:
    """Why the event is not valid now; None if it is, as far as the viewer knows.

    `last` is the seat that caused the previous event: it may cause more events in the same append.
    """
    if now.status != "running":
        return None
    ended = rules.result(now.state)
    if isinstance(event, Ended):
        return None if event.result == ended else "The result differs from the events."
    if ended is not None:
        return "`ended` must follow: the game has a result."
    if by is not None and by != last and by not in game.to_act(rules, now):
        return f"It is not the turn of seat {by}."
    if by is not None and by != last and now.version >= now.longest:
        return FULL
    return None


@cache
def _shared(move: Any, event: Any) -> tuple[str, ...]:
    """The names of the fields that the move and the event have in common."""
    return tuple(name for name in move.__struct_fields__ if name in event.__struct_fields__)


def _unlikeness(move: Any, event: Any, hint: type[Any] | None) -> tuple[int, bool, int]:
    """A sort key: moves that share more field values with the event come first."""
    kinds: tuple[Any, Any] = type(move), type(event)
    shared = _shared(*kinds)
    alike = sum(getattr(move, name) == getattr(event, name) for name in shared)
    return len(shared) - alike, kinds[0] is not hint, -alike
