"""The files of the pages of each release, as processes of other releases need them."""

from sqlalchemy import BigInteger, Column, Engine, LargeBinary, MetaData, Table, Text, delete, insert, select

from projections.database import reading, writing
from projections.projection import Projection

META = MetaData()

releases = Table(
    "releases",
    META,
    Column("digest", Text, primary_key=True),
    Column("served", BigInteger, nullable=False),
    Column("files", LargeBinary, nullable=False),
)
"""By the digest in their URLs. `served`: when a process of the release started last, in microseconds. `files`: about
0.4 MB, see `packed` in `routes`."""

RELEASES = Projection(name="releases", version=1, tables=(releases,), apply=lambda _connection, _events: None)

KEPT = 8
"""Releases whose files are kept: those that started last."""


def keep(engine: Engine, digest: str, files: bytes, now: int) -> None:
    newest = select(releases.c.digest).order_by(releases.c.served.desc()).limit(KEPT)
    with writing(engine) as connection:
        connection.execute(delete(releases).where(releases.c.digest == digest))
        connection.execute(insert(releases).values(digest=digest, served=now, files=files))
        kept = [*connection.execute(newest).scalars()]
        connection.execute(delete(releases).where(releases.c.digest.not_in(kept)))


def files_of(engine: Engine, digest: str) -> bytes | None:
    with reading(engine) as connection:
        found: bytes | None = connection.execute(
            select(releases.c.files).where(releases.c.digest == digest)
        ).scalar_one_or_none()
    return found
