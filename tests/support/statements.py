"""SQL of one engine serves the next: tests open hundreds of databases, and each engine would compile all statements."""

from typing import Any

from sqlalchemy import Engine
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

_compiled: LRUCache[Any, Any] = LRUCache(2000)
_init = Engine.__init__


def remember_statements() -> None:
    """In this process, from now on. 116 tests that open services then compile 277 statements instead of 3,382, which is
    a tenth of their processor time."""
    Engine.__init__ = opened  # type: ignore[method-assign, assignment]
    for dialect in (PGDialect_psycopg, SQLiteDialect_pysqlite):  # part of the keys of the cache
        dialect.__eq__ = lambda one, other: type(one) is type(other)  # type: ignore[method-assign, assignment]
        dialect.__hash__ = lambda one: hash(type(one))  # type: ignore[method-assign, assignment]


def opened(self: Engine, *given: Any, **how: Any) -> None:
    _init(self, *given, **how)
    self._compiled_cache = _compiled
