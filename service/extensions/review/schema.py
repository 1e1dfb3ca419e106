"""The tables of reviews. They follow from records, but by a computation, so `rebuild` leaves them alone."""

from sqlalchemy import BigInteger, Column, Double, Index, Integer, LargeBinary, MetaData, Table, Text

META = MetaData()

reviews = Table(
    "reviews",
    META,
    Column("head", Text, primary_key=True),
    Column("plan", Text, primary_key=True),
    Column("format", Text, primary_key=True),
    Column("ruleset", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("size", Integer, nullable=False),
    Column("used", BigInteger, nullable=False),
    Column("pace", Integer, nullable=False),
    Index("reviews_used", "used", "size"),
)
"""Finished reviews, by the head of the record, the plan and the format. They can be deleted at any time.

* `body`: the document, compressed; `size`: its bytes.
* `used`: when it was last read, to the minute, in microseconds from 1970.
* `pace`: what the job has taken for each event of the record, in microseconds.
"""

review_jobs = Table(
    "review_jobs",
    META,
    Column("head", Text, primary_key=True),
    Column("plan", Text, primary_key=True),
    Column("format", Text, primary_key=True),
    Column("ruleset", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("events", Integer, nullable=False),
    Column("caller", Text, nullable=False),
    Column("network", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("turn", BigInteger, nullable=False),
    Column("queued", BigInteger, nullable=False),
    Column("asked", BigInteger, nullable=False),
    Column("claimed", BigInteger, nullable=False),
    Column("started", BigInteger, nullable=False),
    Column("phase", Text, nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("first", LargeBinary),
    Column("failures", Integer, nullable=False),
    Column("again", BigInteger, nullable=False),
)
"""Reviews that are being made, wait, or have failed: 64 rows at most. Times are microseconds from 1970.

* `events`: the length of the record. What a review takes grows with it.
* `caller`, `network`: who asked first. Networks take turns: the smallest `turn` is next.
* `status`: `waiting`, `running` or `failed`.
* `asked`: when somebody last asked for it; `claimed`: until then, a process works on it.
* `phase`, `done`, `total`: the progress. `first`: the first answer, compressed.
* `failures`: how often it has failed; `again`: before this time it is not tried again.
"""

review_means = Table(
    "review_means",
    META,
    Column("game", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("format", Text, primary_key=True),
    Column("choices", Integer, nullable=False),
    Column("loss", Double, nullable=False),
    Column("own", Double, nullable=False),
    sqlite_with_rowid=False,
)
"""What the quick review of a game says of the choices of each seat, for the mean of its player."""
