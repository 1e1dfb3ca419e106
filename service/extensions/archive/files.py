"""Games that are over as files: immutable, named by the hash of their content.

A file is the record of a game without names, compressed by zstd. Of the rows of an archived game the log keeps the
first and the last; both say where the file is. So its id stays taken, and its end keeps its place in the log.

Several processes and machines may share the folder. A file appears under its name when it is complete, and two
processes that store the same game write the same content.
"""

import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from msgspec.structs import asdict, replace

from domain.codec import encode
from domain.fairness import record
from domain.game import Rules
from domain.game.log import Stored
from service.log.elsewhere import Archived, Damaged
from service.log.errors import Unavailable

MARK = "stammtisch-archive"
"""A file in the folder. Without it the folder is another one: the right one is not mounted."""

LEVEL = 9
"""Of the compression: 11 to 37 bytes for each event, in 0.4 to 2.1 ms for a game. Level 19 saves another twentieth, and
takes 15 to 110 ms."""

MAX_ENTRIES = 50_000
"""Entries of archived games that stay in memory, for readers that come back for the next page."""


class NotRestorable(Exception):
    """The entries do not follow from their record, so they must stay rows."""


class Archive:
    """The files in a folder. Public and private games are in folders of their own. All methods block."""

    def __init__(self, folder: Path) -> None:
        """Raises `OSError` unless the folder exists and can be written to."""
        self._folder = folder
        self._rules_of: Callable[[str], Rules] | None = None
        """The rules of this name and version, also of those that are not loaded; None: only those that are."""
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK) or not folder.is_dir():
            raise NotADirectoryError(f"{folder} is not a folder that can be written to")
        self._recent: OrderedDict[str, list[Any]] = OrderedDict()

    def path(self, digest: str, *, private: bool) -> Path:
        return self._folder / ("private" if private else "public") / digest[:2] / f"{digest}.json.zst"

    def learn(self, rules_of: Callable[[str], Rules]) -> None:
        self._rules_of = rules_of

    @property
    def is_marked(self) -> bool:
        """Whether games were archived in this folder. Raises `OSError`."""
        return (self._folder / MARK).exists()

    # --- writing ---

    def mark(self) -> None:
        (self._folder / MARK).touch()
        _sync(self._folder)

    def store(self, text: bytes, *, private: bool) -> str:
        """Store a record durably, unless it is there. Returns its hash. Raises `OSError`, also if what is stored
        cannot be read back."""
        digest = sha256(text).hexdigest()
        path = self.path(digest, private=private)
        if _content(path) == text:  # an earlier attempt was interrupted, or another process was faster
            return digest
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{digest}.{os.getpid()}.{os.urandom(4).hex()}.part")
        try:
            with part.open("xb") as file:
                file.write(zstd.compress(text, LEVEL))
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        for folder in (path.parent, path.parent.parent, self._folder):
            _sync(folder)
        if _content(path) != text:
            raise OSError(f"{path} cannot be read back")
        return digest

    # --- reading ---

    def packed(self, digest: str) -> bytes | None:
        """The file of a public game, as it is stored; None if there is none. Raises `Unavailable`."""
        try:
            return self.path(digest, private=False).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Unavailable(str(error)) from error

    def text(self, where: Archived) -> bytes:
        """The record of an archived game. Raises `Damaged`, and `Unavailable` if the folder is not there."""
        path = self.path(where.hash, private=where.private)
        try:
            text = _content(path)
            if text is None and not self.is_marked:
                raise Unavailable(f"{self._folder} is not the folder of archived games: is it mounted?")
        except OSError as error:
            raise Unavailable(str(error)) from error
        if text is None or sha256(text).hexdigest() != where.hash:
            raise Damaged(f"{path} is {'missing' if text is None else 'damaged'}")
        return text

    def entries(self, stream: str, where: Archived) -> list[Any]:
        """The entries of an archived game. One thread at a time may call it. Raises as `text`."""
        if (known := self._recent.pop(stream, None)) is None:
            known = restored(self.text(where), imported=where.imported, rules_of=self._rules_of)
            if known[-1].version != where.last:
                raise Damaged(f"the file of {stream} has {len(known)} entries instead of {where.last}")
        self._recent[stream] = known
        while len(self._recent) > 1 and sum(map(len, self._recent.values())) > MAX_ENTRIES:
            self._recent.popitem(last=False)
        return known


def archivable(game_id: str, entries: Sequence[Stored[Any, Any]]) -> bytes:
    """The record from which exactly these entries follow, except that it has no idempotency keys. Raises
    `NotRestorable`."""
    try:
        text = encode(record.complete(record.of(game_id, entries)))
        again = restored(text, imported=entries[0].imported)
        same = [encode(one) == encode(replace(two, command=None)) for one, two in zip(again, entries, strict=True)]
    except Exception as error:  # a damaged row can raise anything
        raise NotRestorable(f"{type(error).__name__}: {error}") from error
    if not all(same):
        raise NotRestorable(f"the row of version {same.index(False) + 1} does not follow from the record")
    return text


def restored(text: bytes, *, imported: bool, rules_of: Callable[[str], Rules] | None = None) -> list[Stored[Any, Any]]:
    """The entries that follow from a complete record. Raises `record.Unreadable`."""
    try:
        found = record.hashed(record.decode(text))
    except record.Uncheckable:
        if rules_of is None:  # or the rules are loaded, and the format is a later one: then this fails as well
            raise
        found = record.trusted(text, rules_of)
    return [Stored(**asdict(entry), imported=imported) for entry in found.events]


def unpacked(content: bytes) -> bytes:
    """The text of a file. Raises `Damaged`."""
    try:
        return zstd.decompress(content)
    except zstd.ZstdError as error:
        raise Damaged(str(error)) from error


def _content(path: Path) -> bytes | None:
    """The text of the file; None if there is none, and empty if it cannot be decompressed. Raises `OSError`."""
    try:
        return zstd.decompress(path.read_bytes())
    except FileNotFoundError:
        return None
    except zstd.ZstdError:
        return b""


def _sync(folder: Path) -> None:
    """Make the names in the folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
