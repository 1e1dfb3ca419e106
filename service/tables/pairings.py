"""The tables of pairings. They are beside those that the log needs, so that who changes the log need not know them."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, Table, Text, text

from service.tables.schema import METADATA

pairings = Table(
    "stammtisch_pairings",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("owner", Text, nullable=False, index=True),
    Column("ruleset", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("day", Text),
    Column("terms", Text, nullable=False),
    Column("secret", Text),
    Column("code", Text, nullable=False),
    Column("most", Integer),
    Column("opens_at", Text, nullable=False),
    Column("sit_until", Text),
    Column("closes_at", Text, nullable=False),
    Column("until", Text),
    Column("state", Text, nullable=False),
    Column("settled", Boolean, nullable=False),
    Column("looked_at", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("request", Text, nullable=False),
    Column("organiser", Boolean, nullable=False, server_default=text("false")),
    Index("stammtisch_pairings_day", "day", "ruleset", unique=True),
    Index(
        "stammtisch_pairings_due", "looked_at", sqlite_where=text("settled = 0"), postgresql_where=text("NOT settled")
    ),
)
"""The pairings: several tables that are opened together. Times are texts, as in events.

* `day`: of a deal of the day. `owner`: the player who opened it; empty for a day.
* `terms`: what the tables share, as JSON. `rules`: the version that all of them play.
* `secret`: that of the deal that all tables have in common; null if each has its own.
* `code`: gives access to the pairing. `most`: how many tables it can have; null: any number.
* `closes_at`: no table begins from then on. `until`: everything is revealed then.
* `state`: `planned`, `open`, `over` or `cancelled`. `settled`: nothing is left to do.
* `looked_at`: when the service looks after it next. `request`: the hash of the request that opened it.
* `organiser`: whether its owner was an organiser.
"""

pairing_tables = Table(
    "stammtisch_pairing_tables",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("pairing", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("seats", Text, nullable=False),
    Column("declined", Text, nullable=False),
    Column("player", Text),
    Column("opened", Boolean, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("told", Boolean, nullable=False, server_default=text("false")),
    Index("stammtisch_pairing_tables_number", "pairing", "number", unique=True),
)
"""The tables of pairings, as they are to be opened: everything that happened at them is in the log.

* `seats`: who they are for, as in `opened`. `declined`: the seats of people who have blocked the owner.
* `player`: the player who asked for the table, and sits at it from its opening on; null if the owner did.
* `told`: whether the owner was told that it is over.
"""

pairing_players = Table(
    "stammtisch_pairing_players",
    METADATA,
    Column("pairing", Text, primary_key=True),
    Column("player", Text, primary_key=True),
    Column("part", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("day", Text),
    Index("stammtisch_pairing_players_player", "player", "day"),
)
"""Who has a table of a pairing. `part` is empty if all tables have the same deal, so nobody has two of them; otherwise
it is the game."""

organisers = Table(
    "stammtisch_organisers",
    METADATA,
    Column("player", Text, primary_key=True),
)
"""The players whom the operator lets open large pairings."""

notices = Table(
    "stammtisch_notices",
    METADATA,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("owner", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("data", Text, nullable=False),
    Column("at", Text, nullable=False),
)
"""What `owner` is to be told of a resource, `subject`, that is no game. See `service.tables.notices`."""
