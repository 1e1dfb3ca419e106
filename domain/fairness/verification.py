"""The proof of a game: everything that its record claims, checked again from its events alone.

Of a game that is over all of it: the commitment, every hash, every deal, and that the rules, carried out once more,
yield exactly the recorded events. Of a game that runs, or of one seat's record, as much as can be known from it; a
check that cannot be made says so instead of claiming anything.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias

from domain import game
from domain.codec import builtins
from domain.fairness import chain
from domain.fairness.life import UUID, broken, misplaced
from domain.fairness.record import FORMAT, Record, parent, result, seating
from domain.game import LIFECYCLE, Decision, Ended, Game, Left, Opened, Revealed, Rules
from domain.log import Entry
from domain.messages import Value
from domain.ruleset import Seat
from domain.rulesets import VERSIONS

TIME = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])-([0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z")


class Check(Value):
    """One claim of a record. `ok` is null where it could not be checked; `version` is the first bad one, if any."""

    name: str
    ok: bool | None
    version: int | None
    detail: str


class Fault(NamedTuple):
    """What is wrong, and from which version on; None: not with any event."""

    version: int | None
    detail: str


Finding: TypeAlias = Fault | str
"""What is wrong, or what was found to be right."""


def verify(record: Record[Any, Any, Any], *, head: str | None = None, running: bool = False) -> tuple[Check, ...]:
    """All checks, in the order in which they are best read. Whatever is in the record, nothing is raised.

    `head` is one that somebody has seen and kept: the record must still contain it. `running` says that this is the
    log of a game that is not over, which only who keeps the log can have with its secret.
    """
    return tuple(_Proof(record, running).checks(head))


def verified(record: Record[Any, Any, Any]) -> tuple[tuple[Check, ...], tuple[int, ...]]:
    """All checks, and the versions at which the appends end.

    A record does not tell its appends, but the rules do: what follows from a choice is appended with it. The versions
    are all there where the check `rules` is right. Of a branch, which begins with several choices in one append, each
    of them counts as one.
    """
    proof = _Proof(record, running=False)
    return tuple(proof.checks(None)), tuple(proof.ends)


def flawless(checks: Sequence[Check]) -> bool:
    """Nothing is wrong, as far as could be checked."""
    return all(check.ok is not False for check in checks)


class _Proof:
    """A record while it is checked."""

    def __init__(self, record: Record[Any, Any, Any], running: bool) -> None:
        self.record, self.running = record, running
        self.entries = record.events
        self.events = [entry.event for entry in record.events]
        self.by = [entry.by for entry in record.events]
        opened = self.events[0] if self.events else None
        self.terms: Opened[Any, Any] | None = opened if isinstance(opened, Opened) else None
        self.whole = record.secret is not None or (self.terms is not None and self.terms.secret is not None)
        """Whether the record claims to hide nothing."""
        self.secret = self._secret()
        self.rules: Rules | None = VERSIONS.get(record.rules)
        self.ends: list[int] = []
        """The versions at which an append ends, as far as the rules were carried out again."""

    def _secret(self) -> bytes | None:
        """The secret that the events tell, if they do and if it is one."""
        last = self.events[-1] if self.events else None
        told = (self.terms.secret if self.terms else None) or (last.secret if isinstance(last, Revealed) else None)
        return _bytes(told) if told is not None else None

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
            again = _Again(self, self.rules)
            yield from again.checks()
            self.ends = again.ends
        else:
            yield _check("order", self._order(self.rules))
            for name in ("rules", "deals"):
                yield Check(name, None, None, "Cannot be checked: this record has not all cards, or not the secret.")

    # --- what needs no rules ---

    def _format(self) -> Finding:
        record = self.record
        if record.format != FORMAT:
            return Fault(None, f"The format {record.format!r} is not known here.")
        if self.rules is None:
            return Fault(None, f"The rules {record.rules!r} are not known here.")
        if self.terms is None:
            return Fault(1, "The first event must be `opened`.")
        return f"{record.format} of a game by {record.rules}"

    def _header(self, terms: Opened[Any, Any]) -> Finding:
        """Everything beside the events says what they say."""
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
                return Fault(None, f"`{name}` is not what the events say.")
        if terms.seats not in self.rules.seats:
            return Fault(1, f"A game has {self.rules.seats[0]} to {self.rules.seats[-1]} seats.")
        if record.seats != _quietly(seating, terms.seats, self.events):
            return Fault(None, "`seats` is not what the events say.")
        return "says what the events say"

    def _versions(self) -> Finding:
        for version, entry in enumerate(self.entries, 1):
            if entry.version != version:
                return Fault(version, f"There stands version {entry.version}.")
        return f"1 to {len(self.entries)}, none is missing"

    def _times(self) -> Finding:
        last = ""
        for version, entry in enumerate(self.entries, 1):
            if entry.at != last and not is_time(entry.at):
                return Fault(version, f"{entry.at!r} is no time in UTC with 6 decimals.")
            if entry.at < last:
                return Fault(version, f"{entry.at} is before the event before it.")
            last = entry.at
        return f"{self.entries[0].at} to {last}, never running back"

    def _life(self, rules: Rules) -> Finding:
        """What needs no rules of moves: who comes and goes, the beginning, the end, and what happens at one time."""
        if not UUID.fullmatch(self.record.id):
            return Fault(None, "The id of the game is no UUID in lower case.")
        wrong = broken(rules, self.record.id, self.entries)
        if wrong is not None:
            return Fault(wrong.version, wrong.detail)
        return f"{len(self.entries)} events, each of which can come when it does"

    def _hashes(self, rules: Rules) -> Iterator[Check]:
        """All hashes in one go, because what is hashed is the same for most of them."""
        public: Fault | None = None
        secret: Fault | None = None
        heads: Fault | None = None
        before, known, unseen = chain.root(self.record.id), self.secret is not None, 0
        for version, entry in enumerate(self.entries, 1):
            link = self._link(rules, version, entry, before)
            public_right, secret_right = entry.public == link.public.hex(), entry.secret == link.secret.hex()
            if not public_right and public is None:
                public = Fault(version, "The hash is not that of the event as a bystander sees it.")
            if not secret_right:
                if not known or (not self.whole and _hides(entry.event)):
                    unseen += 1
                elif secret is None:
                    secret = Fault(version, "The hash is not that of the salt and the whole event.")
            before = link.head if public_right and secret_right else _head(before, entry.public, entry.secret)
            if before.hex() != entry.head and heads is None:
                heads = Fault(version, "The head does not follow from the one before it and the two hashes.")
        count = len(self.entries)
        yield _check("public", public or f"{count} hashes of what a bystander sees")
        if secret is None and not known:
            yield Check("secret", None, None, "Cannot be computed before the secret is revealed.")
        elif secret is None and unseen:
            yield Check("secret", None, None, f"{count - unseen} of {count} hashes; the other events are not whole.")
        else:
            yield _check("secret", secret or f"{count} salted hashes of everything")
        yield _check("heads", heads or f"{count} links up to {self.record.head}")

    def _link(self, rules: Rules, version: int, entry: Entry[Any], before: bytes) -> chain.Link:
        """The hashes as they should be; empty ones of what cannot be hashed."""
        try:
            full = chain.entry(version, entry.at, entry.by, entry.event)
            shown = game.redact(rules, entry.event, None)
            bare = full if shown is entry.event else chain.entry(version, entry.at, entry.by, shown)
        except Exception:  # whatever a ruleset makes of an event that it cannot have written
            return chain.Link(b"", b"", b"")
        return chain.link(before, self.secret or b"", version, bare, full)

    def _receipt(self, head: str) -> Finding:
        for entry in self.entries:
            if entry.head == head:
                return f"The head that was seen is that of version {entry.version}."
        return Fault(None, "The head that was seen is none of this record's.")

    def _commitment(self, terms: Opened[Any, Any]) -> Check:
        if self.secret is not None:
            right = chain.commitment(self.secret).hex() == terms.commitment
            return _check(
                "commitment", "is the hash of the secret" if right else Fault(1, "It is not the hash of the secret.")
            )
        if self.whole:
            return _check("commitment", Fault(1, "The secret is not 32 bytes in lower-case hex."))
        if _bytes(terms.commitment) is None:
            return _check("commitment", Fault(1, "It is not 32 bytes in lower-case hex."))
        return Check("commitment", None, None, "Cannot be checked before the secret is revealed.")

    # --- the rules, as far as one viewer can follow them ---

    def _order(self, rules: Rules) -> Finding:
        """The events can follow on each other, as far as can be told without knowing all cards."""
        now, last = Game(self.record.id), None
        for version, (event, by) in enumerate(zip(self.events, self.by, strict=True), 1):
            try:
                wrong = misplaced(rules, now, event, by, last) or _out_of_turn(rules, now, event, by, last)
                if wrong is None:
                    now = game.evolve(rules, now, event)
            except Exception as error:
                wrong = _impossible(error)
            if wrong is not None:
                return Fault(version, wrong)
            last = by
        if now.status == "running" and rules.result(now.state) is not None:
            return Fault(len(self.events) + 1, "The game has a result, and must end.")
        if now.status in ("finished", "aborted") and not now.revealed:
            return Fault(len(self.events) + 1, "The game is over and the secret is not revealed.")
        return f"{len(self.events)} events, each of which can follow on those before it"


class _Again:
    """The game of a whole record, played once more: what the rules yield is compared with what was recorded."""

    def __init__(self, proof: _Proof, rules: Rules) -> None:
        self.rules, self.running = rules, proof.running
        self.events, self.by = proof.events, proof.by
        self.at = [entry.at for entry in proof.entries]
        self.now = Game(proof.record.id)
        self.position = 0
        self.moves = 0
        self.ends: list[int] = []
        """Where the decisions end that were carried out: each was one append."""
        self.deepest = -1
        self.fault: tuple[str, Fault] = ("rules", Fault(1, ""))
        self.hints: dict[type[Any], type[Any]] = {}
        """By type of event: the type of move from which the last such event followed."""

    def checks(self) -> Iterator[Check]:
        try:
            finished = self._open() and self._gather() and self._play() and self._end()
        except Exception as error:  # rules are made for what they have written themselves
            finished = False
            self._blame("rules", self.position, _impossible(error))
        if finished:
            yield _check("rules", f"{self.moves} moves and all that followed from them, carried out again")
            yield _check("deals", f"{self.now.dealt} steps of the dealer, derived again")
            return
        name, fault = self.fault
        for one in ("rules", "deals"):
            if one == name:
                yield _check(one, fault)
            else:
                yield Check(one, None, None, f"Right up to version {self.now.version}, then the game cannot go on.")

    def _blame(self, check: str, position: int, detail: str) -> bool:
        """Of several ways to read what was recorded the one counts that comes farthest."""
        if position > self.deepest:
            self.deepest, self.fault = position, (check, Fault(position + 1, detail))
        return False

    def _open(self) -> bool:
        if wrong := misplaced(self.rules, self.now, self.events[0], self.by[0], None):
            return self._blame("rules", 0, wrong)
        terms = self.events[0]
        self.rules.initial(terms.seats, terms.options, self.rules.deck_of(terms.deck))
        return self._accept(game.decision(self.rules, self.now, [terms], (None,)))

    def _gather(self) -> bool:
        """Everybody sits down."""
        while self.now.status == "waiting" and self.position < len(self.events):
            event, by = self.events[self.position], self.by[self.position]
            if wrong := misplaced(self.rules, self.now, event, by, None):
                return self._blame("rules", self.position, wrong)
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
        """For every event of a seat, the move is found that it followed from.

        One move may yield the beginning of what another one yields. Then it shows further on which was made: moves by
        the same seat without a pause are taken back until all of them fit. Where another goes on there is no doubt.
        """
        doubtful: list[tuple[Game, int, int, Iterator[Decision]]] = []
        while self.now.status == "running" and self.position < len(self.events):
            seat = self.by[self.position]
            if seat is None:
                return self._blame("rules", self.position, "Nothing follows here without a move.")
            if self.position and self.by[self.position - 1] != seat:
                doubtful.clear()
            doubtful.append((self.now, self.position, self.moves, self._candidates(seat)))
            while doubtful:
                self.now, self.position, self.moves, candidates = doubtful[-1]
                while self.ends and self.ends[-1] > self.position:  # of choices that are taken back
                    self.ends.pop()
                if (decided := next(candidates, None)) is not None:
                    self._advance(decided)
                    self.moves += 1
                    break
                doubtful.pop()
            else:
                return self._blame("rules", self.position, f"No move of seat {seat} leads to this event.")
        return True

    def _candidates(self, seat: Seat) -> Iterator[Decision]:
        """What follows from the moves of the seat that fit what was recorded, the likeliest first."""
        now, position, event = self.now, self.position, self.events[self.position]
        moves = self.rules.legal(now.state, seat) if 0 <= seat < len(now.players) else ()
        kind = type(event)
        hint = self.hints.get(kind)
        for move in sorted(moves, key=lambda move: _unlikeness(move, event, hint)):
            caused = self.rules.decide(now.state, seat, move)
            if self.events[position : position + len(caused)] != caused:
                self._blame("rules", position, f"No move of seat {seat} leads to this event.")
                continue
            decided = game.decision(self.rules, now, caused, (seat,) * len(caused))
            if self._fits(decided, position):
                self.hints[kind] = type(move)
                yield decided

    def _fits(self, decided: Decision, position: int) -> bool:
        """Whether exactly this was recorded from the position on."""
        end = position + len(decided.events)
        if (*self.events[position:end],) == decided.events and (*self.by[position:end],) == decided.by:
            late = next((at for at in range(position, end) if self.at[at] != self.at[position]), None)
            return late is None or self._blame("rules", late, "It comes at the time of the event before it.")
        for at, (event, by) in enumerate(zip(decided.events, decided.by, strict=True), position):
            if at == len(self.events):
                return self._blame("rules", at, f"The record ends though `{_tag(event)}` must follow.")
            if self.events[at] != event or self.by[at] != by:
                dealt = by is None and type(event) not in LIFECYCLE
                return self._blame(
                    "deals" if dealt else "rules", at,
                    f"The dealer's `{_tag(event)}` is another one than follows from the secret."
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
        if not (self.now.status == "waiting" and game.agreed(self.now).hotseat):  # where all seats are taken at once
            self.ends.append(self.position)

    def _end(self) -> bool:
        if self.position < len(self.events):
            return self._blame("rules", self.position, "Nothing can follow on the end of a game.")
        if not (self.now.revealed or self.running):
            return self._blame("rules", self.position, "The secret is open, so the game must be over, but it is not.")
        return True


def is_time(text: str) -> bool:
    """Whether this is a date that exists, and a time of that day, as our clock writes it."""
    found = TIME.fullmatch(text)
    if found is None:
        return False
    year, month, day = map(int, found.group(1, 2, 3))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return year > 0 and 1 <= day <= days[month - 1]


# --- small questions ----------------------------------------------------------------------------------------------


def _check(name: str, finding: Finding) -> Check:
    if isinstance(finding, Fault):
        return Check(name, False, finding.version, finding.detail)
    return Check(name, True, None, finding)


def _bytes(text: str) -> bytes | None:
    """The bytes of a hash; None if this is not 32 bytes in lower-case hex."""
    try:
        raw = bytes.fromhex(text)
    except ValueError:
        return None
    return raw if len(raw) == 32 and raw.hex() == text else None


def _quietly(function: Any, *arguments: Any) -> Any:
    """What the function returns; None if it cannot do with these arguments."""
    try:
        return function(*arguments)
    except Exception:
        return None


def _head(before: bytes, public: str, secret: str) -> bytes:
    """The head that follows; none follows from what are no hashes."""
    parts = _bytes(public), _bytes(secret)
    return b"" if None in parts else sha256(b"".join((before, *filter(None, parts)))).digest()


def _impossible(error: Exception) -> str:
    return f"This cannot have happened: {type(error).__name__} {error}".rstrip()


def _tag(event: Any) -> str:
    return str(event.__struct_config__.tag)


def _hides(value: Any) -> bool:
    """Whether there is the back of a card somewhere in the event."""
    match builtins(value):
        case None:
            return True
        case dict() as fields:
            return any(map(_hides, fields.values()))
        case list() | tuple() as items:
            return any(map(_hides, items))
    return False


def _out_of_turn(rules: Rules, now: Game, event: Any, by: Seat | None, last: Seat | None) -> str | None:
    """Why the table does not admit the event now; None if it does, as far as the viewer knows.

    `last` is the seat that caused the event before: who goes on in a turn need not be in turn.
    """
    if now.status != "running":
        return None
    ended = rules.result(now.state)
    if isinstance(event, Ended):
        return None if event.result == ended else "The result is not what the events say."
    if ended is not None:
        return "The game has a result, and must end."
    if by is not None and by != last and by not in game.to_act(rules, now):
        return f"It is not for seat {by} to move."
    if by is not None and by != last and now.version >= now.longest:
        return "The game has its greatest length, so it must be aborted."
    return None


@cache
def _shared(move: Any, event: Any) -> tuple[str, ...]:
    """The names of the fields that both have."""
    return tuple(name for name in move.__struct_fields__ if name in event.__struct_fields__)


def _unlikeness(move: Any, event: Any, hint: type[Any] | None) -> tuple[int, bool, int]:
    """The smaller, the likelier it is that the event followed from the move: fields of one name tend to be the same."""
    kinds: tuple[Any, Any] = type(move), type(event)
    shared = _shared(*kinds)
    alike = sum(getattr(move, name) == getattr(event, name) for name in shared)
    return len(shared) - alike, kinds[0] is not hint, -alike
