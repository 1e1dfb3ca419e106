"""The tables of the projections. Every row follows from the log and can be rebuilt from it."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, MetaData, Table, Text, text

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
