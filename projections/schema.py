"""The tables of the projections. Every row follows from the log and can be rebuilt from it."""

from sqlalchemy import BigInteger, Boolean, Column, Double, Index, Integer, LargeBinary, MetaData, Table, Text, text

METADATA = MetaData()

# SQLite's built-in 64-bit key has the type INTEGER; any other type name costs a second B-tree.
Position = BigInteger().with_variant(Integer, "sqlite")

checkpoints = Table(
    "checkpoints",
    METADATA,
    Column("projection", Text, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("position", Position, nullable=False),
)
"""The version of each projection, and the position of the log up to which it has applied everything."""

isolated = Table(
    "isolated",
    METADATA,
    Column("projection", Text, primary_key=True),
    Column("stream", Text, primary_key=True),
    Column("position", Position, nullable=False),
    Column("cause", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""The streams that a projection leaves out, with the position and error of the event that it could not apply."""

games = Table(
    "games",
    METADATA,
    Column("number", Position, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False, unique=True),
    Column("ruleset", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("open", Integer, nullable=False),
    Column("bots", Boolean, nullable=False),
    Column("listed", Text, nullable=False),
    Index("games_newest", "private", "number"),
    Index("games_of_ruleset", "private", "ruleset", "number"),
    Index("games_of_status", "private", "status", "number"),
    Index("games_of_both", "private", "ruleset", "status", "number"),
)
"""The games of the lobby. `number` is the position of the game's `opened` event in the log, `listed` the JSON of its
`LobbyGame`. The other columns are for searching."""

announcements = Table(
    "announcements",
    METADATA,
    Column("number", Position, primary_key=True, autoincrement=False),
    Column("position", Position, nullable=False, unique=True),
    Column("event", Text, nullable=False),
    Column("before", Text),
    Column("after", Text, nullable=False),
)
"""The latest changes of public games, numbered from 1: the position of the event in the log, its tag, and the JSON of
the `LobbyGame` before and after it."""

members = Table(
    "members",
    METADATA,
    Column("player", Text, primary_key=True),
    Column("private", Boolean, primary_key=True),
    Column("number", Position, primary_key=True, autoincrement=False),
    Column("seated", Boolean, nullable=False),
    Column("unfinished", Boolean, nullable=False),
    # A partial index: finished games do not slow down counting the unfinished ones. SQLite uses it only for a query
    # with the same condition, word for word.
    Index("members_unfinished", "player", sqlite_where=text("unfinished = 1"), postgresql_where=text("unfinished")),
    sqlite_with_rowid=False,
)
"""The members of games: players who sit at a game or have opened it, once for each game. `number` as in `games`."""

invitations = Table(
    "invitations",
    METADATA,
    Column("player", Text, primary_key=True),
    Column("number", Position, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)
"""The waiting games in which a seat is kept for a player. `number` as in `games`."""

stored_games = Table(
    "stored_games",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("player", Text, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""Unfinished games: the player who opened the game, and the bytes of the log that count for it so far."""

stored_bytes = Table(
    "stored_bytes",
    METADATA,
    Column("player", Text, primary_key=True),
    Column("bytes", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""The bytes of the log that count for each player who opened games."""

deadlines = Table(
    "deadlines",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("ruleset", Text, nullable=False),
    Column("allowance", BigInteger, nullable=False),
    Column("due", BigInteger, nullable=False),
    Column("claimed", BigInteger, nullable=False),
    Index("deadlines_due", "due", "game"),
    sqlite_with_rowid=False,
)
"""Unfinished games with a clock. Times are microseconds from 1970: until `due` no player loses their seat for lack of
time; until `claimed` a process looks after the game. `allowance`: how long after the game begins it is due first."""

REVIEWS = MetaData()
"""Of their own: reviews follow from records, but by a computation, so `rebuild` leaves them alone."""

reviews = Table(
    "reviews",
    REVIEWS,
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
    REVIEWS,
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
    REVIEWS,
    Column("game", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("format", Text, primary_key=True),
    Column("choices", Integer, nullable=False),
    Column("loss", Double, nullable=False),
    Column("own", Double, nullable=False),
    sqlite_with_rowid=False,
)
"""What the quick review of a game says of the choices of each seat, for the mean of its player."""
