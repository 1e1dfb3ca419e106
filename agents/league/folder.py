"""The folder of a league: what is written when, so that a run can end at any moment and go on."""

import gzip
import secrets
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from shutil import copy2
from tempfile import TemporaryDirectory
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from agents.arena.boards import Board, Outcome
from agents.arena.journal import Journal, opened
from agents.league.figures import Claims, Results
from agents.league.page import pages
from agents.league.playing import League, NotInJournal, again
from agents.league.recorded import Recorded, WrongRecord
from agents.league.terms import InvalidTerms, Terms, checked, commitment, public
from domain.codec import encode
from domain.messages import Value

T = TypeVar("T")

SECRET, TERMS, JOURNAL, RECORDS = "secret", "terms.json", "choices.ndjson", "games.ndjson.gz"
RESULTS, CLAIMS, TOKENS, FINISHED = "results.json", "claims.json", "tokens.json", "finished.ndjson"
PLAYERS = "players.json"

LARGEST = 16_000_000
"""Bytes of a record that is read."""


class Announced(Value):
    """The content of `terms.json`, which is published before anybody gives an entropy."""

    terms: Terms
    commitment: str


class Folder:
    """Raises `InvalidTerms` if it is one of other terms, and OSError."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def is_finished(self) -> bool:
        return (self.path / RESULTS).exists()

    def announce(self, terms: Terms) -> str:
        """Draw the secret and write the terms with the commitment to it, unless both are there. Returns the secret."""
        file = self.path / SECRET
        if not file.exists():
            self.write(SECRET, secrets.token_hex(32).encode(), private=True)
        secret = file.read_text(encoding="ascii")
        said = encode(Announced(terms.published, commitment(secret))) + b"\n"
        if not (self.path / TERMS).exists():
            self.write(TERMS, said)
        elif (self.path / TERMS).read_bytes() != said:
            raise InvalidTerms(f"{self.path / TERMS} announces other terms.")
        return secret

    def tokens(self, terms: Terms) -> Mapping[str, str]:
        """By name, the tokens of the entrants that come to the desk. They are drawn once, for their owners only."""
        if not any(each.comes for each in terms.entrant):
            return {}
        if not (self.path / TOKENS).exists():
            drawn = {each.name: secrets.token_urlsafe(24) for each in terms.entrant if each.comes}
            self.write(TOKENS, encode(drawn) + b"\n", private=True)
        return msgspec.json.decode((self.path / TOKENS).read_bytes(), type=dict[str, str])

    def players(self, tokens: Mapping[str, str] | None = None) -> Mapping[str, str]:
        """The tokens of the league's players at a service, for the league only. `tokens`: they are kept from now on."""
        if tokens is not None:
            self.write(PLAYERS, encode(tokens) + b"\n", private=True)
        if not (self.path / PLAYERS).exists():
            return {}
        return msgspec.json.decode((self.path / PLAYERS).read_bytes(), type=dict[str, str])

    def journal(self, terms: Terms) -> Journal:
        """Raises `InvalidTerms` if it is of other terms, or of other entropies."""
        try:
            return Journal(self.path / JOURNAL, encode(kept(terms)))
        except (ValueError, RecursionError):
            raise InvalidTerms(f"{self.path} has answers to other terms, or to other entropies.") from None

    def play(self, league: League, terms: Terms, secret: str, progress: Callable[[int], None]) -> Results:
        """Play what is open and write everything. The results come last: with them the league is finished."""
        results, claims = self.made(league, terms, secret, progress)
        if len(results.counted) < 2:
            raise InvalidTerms("On fewer than two boards every game has a result: there is nothing to compare.")
        written = encode(results) + b"\n"
        self.write(CLAIMS, encode(claims) + b"\n")
        self.show(results, written, claims)
        self.write(RESULTS, written)
        (self.path / FINISHED).unlink()
        return results

    def made(
        self, league: League, terms: Terms, secret: str, progress: Callable[[int], None]
    ) -> tuple[Results, Claims]:
        """Play what is open and write the records."""
        boards, times = list[Board](), [Counter[int]() for _ in terms.entrant]
        part, manner = self.path / f"{RECORDS}.part", encode([kept(terms), league.review])
        with gzip.GzipFile(part, "wb", mtime=0) as records, Finished(self.path / FINISHED, manner) as known:
            for outcome in chain(known.boards, map(known.added, league.outcomes(len(known.boards)))):
                boards.append(outcome.board)
                records.writelines(outcome.records)
                for all_, some in zip(times, outcome.times, strict=True):
                    all_.update(some)
                progress(1)
        part.replace(self.path / RECORDS)
        return Results(terms=kept(terms), secret=secret, boards=tuple(boards)), claims_of(league, times)

    def show(self, results: Results, written: bytes, claims: Claims) -> None:
        for name, content in self.pages(results, written, claims).items():
            self.write(name, content)

    def pages(self, results: Results, written: bytes, claims: Claims) -> dict[str, bytes]:
        """By name. `written`: the results as they are in their file."""
        hashes = {name: digest((self.path / name).read_bytes()) for name in (TERMS, JOURNAL, RECORDS)}
        hashes[RESULTS] = digest(written)
        return {name: text.encode() for name, text in pages(results, claims, hashes).items()}

    def write(self, name: str, content: bytes, *, private: bool = False) -> None:
        """All of it or nothing."""
        file = self.path / f"{name}.part"
        file.unlink(missing_ok=True)
        file.touch(0o600 if private else 0o666, exist_ok=False)
        file.write_bytes(content)
        file.replace(self.path / name)


class Finished:
    """The boards that are finished, in a file, so that a run that goes on does not play and weigh them again.

    The journal alone would be enough, but a board of six with a review takes 8 to 20 s of processor time.
    """

    def __init__(self, file: Path, terms: bytes) -> None:
        try:
            lines, self._file = opened(file, terms)
        except ValueError:  # of other entropies, or weighed otherwise
            file.unlink()
            lines, self._file = opened(file, terms)
        self.boards = [outcome(line) for line in lines]

    def __enter__(self) -> "Finished":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def added(self, outcome: Outcome) -> Outcome:
        self._file.write(encode(outcome) + b"\n")
        self._file.flush()
        return outcome


def outcome(line: bytes) -> Outcome:
    parts = tuple[Board, tuple[dict[int, int], ...], tuple[bytes, ...]]
    board, times, records = msgspec.json.decode(line, type=parts)
    return Outcome(board, tuple(map(Counter, times)), records)


def kept(terms: Terms) -> Terms:
    """With the entropies, without addresses."""
    return replace(terms, entrant=tuple(map(public, terms.entrant)))


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def claims_of(league: League, times: Sequence[Counter[int]]) -> Claims:
    usage = league.journal.usage()
    return Claims(
        choices=tuple([each.total() for each in times]),
        seconds=tuple([sum([time * many for time, many in each.items()]) / 1e6 for each in times]),
        usage=tuple([usage.get(bot, {}) for bot in range(len(times))]),
    )


# --- checking ---------------------------------------------------------------------------------------------------------


def check(path: Path, progress: Callable[[int], None]) -> list[str]:
    """What is wrong with a finished league: all but the claims is made again, from the secret and the answers.

    Raises `InvalidTerms` and OSError.
    """
    announced = decoded(path / TERMS, Announced)
    written = (path / RESULTS).read_bytes()
    results = decoded(path / RESULTS, Results)
    terms = checked(results.terms, found=True)
    wrong = []
    if commitment(results.secret) != announced.commitment:
        wrong.append(f"The secret of {RESULTS} is not that of the commitment in {TERMS}.")
    if terms.published != announced.terms or terms != results.terms:
        wrong.append(f"The terms of {RESULTS} are not those of {TERMS}.")
    if wrong:
        return wrong
    with TemporaryDirectory() as scratch:
        folder = Folder(Path(scratch))
        copy2(path / JOURNAL, scratch)
        (folder.path / SECRET).write_text(results.secret, encoding="ascii")
        folder.announce(terms)
        bots = [again(terms, each) for each in terms.entrant]
        try:
            given = (terms, results.secret, bots, folder.journal(terms))
            if terms.has_people:
                records = unpacked(path / RECORDS)
                league: League = Recorded(*given, review=results.weighed, records=records)
            else:
                league = League(*given, review=results.weighed)
            made, _ = folder.made(league, terms, results.secret, progress)
        except (NotInJournal, WrongRecord) as error:
            return [str(error)]
        except (InvalidTerms, IndexError):
            return [f"{JOURNAL} has answers to other terms, or impossible ones."]
        if encode(made) + b"\n" != written:
            return [f"{RESULTS} differs from what follows from the terms, the secret and the answers."]
        if not same_records(folder.path / RECORDS, path / RECORDS):
            wrong.append(f"{RECORDS} differs from what follows from the terms, the secret and the answers.")
    claims = decoded(path / CLAIMS, Claims)
    if {len(each) for each in (claims.choices, claims.seconds, claims.usage)} != {len(terms.entrant)}:
        return [*wrong, f"{CLAIMS} does not have one claim of each kind for every entrant."]
    found = Folder(path).pages(results, written, claims)
    return wrong + [
        f"{name} is not the page of these files." for name in found if (path / name).read_bytes() != found[name]
    ]


def unpacked(file: Path) -> Iterator[bytes]:
    """The records in the file. One that is too large, or cannot be unpacked, ends them."""
    with gzip.open(file) as lines:
        try:
            while (line := lines.readline(LARGEST)).endswith(b"\n"):
                yield line
        except (OSError, EOFError, zlib.error):
            return


def same_records(ours: Path, theirs: Path) -> bool:
    """No more is unpacked of theirs than there can be."""
    with gzip.open(ours) as one, gzip.open(theirs) as other:
        try:
            return (wanted := one.read()) == other.read(len(wanted) + 1)
        except (OSError, EOFError, zlib.error):
            return False


def decoded(file: Path, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidTerms(f"{file}: {error}") from None
