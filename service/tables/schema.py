"""The tables. A change here needs a migration: see `migrations`."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, MetaData, Table, Text, text

METADATA = MetaData()

invites = Table(
    "stammtisch_invites",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("code", Text, nullable=False),
)
"""The invite codes of private games. With the code, a player can see and join the game."""

players = Table(
    "stammtisch_players",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text),
    Column("revision", BigInteger, nullable=False),
    Column("issued", BigInteger, nullable=False),
    Column("renames", Integer, nullable=False),
    Column("forgotten_at", Text),
    Column("banned_at", Text),
    Column("leaving", Boolean, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("blocks", Text),
    Column("face", Text),
    # Partial indexes: most players were never renamed or forgotten. SQLite uses them only for a query with the same
    # condition, word for word.
    *(
        Index(f"stammtisch_players_{name}", column, sqlite_where=text(on_sqlite), postgresql_where=text(on_postgres))
        for name, column, on_sqlite, on_postgres in (
            ("changed", "revision", "revision > 0", "revision > 0"),
            ("forgotten", "forgotten_at", "forgotten_at IS NOT NULL", "forgotten_at IS NOT NULL"),
            ("banned", "banned_at", "banned_at IS NOT NULL", "banned_at IS NOT NULL"),
            ("leaving", "leaving", "leaving = 1", "leaving"),
            ("generation", "generation", "generation > 0", "generation > 0"),
        )
    ),
)
"""The players with their display names; null for former players. Rows are never deleted.

* `revision`: the number of the row's last change among all changes; 0 for a guest who has changed nothing.
* `issued`: when the token that showed the name was issued, in seconds since 1970; 0 if it does not say.
* `renames`: how often the player changed the name or the face.
* `forgotten_at`: when the player was forgotten. The player's tokens are invalid since then.
* `banned_at`: when the operator banned the player; null if they are not banned.
* `leaving`: whether a former or banned player may still have a seat in a game that waits for players.
* `generation`: how often the player has signed out everywhere. Tokens of earlier generations are invalid.
* `blocks`: the ids of the players whom the player has blocked, as a JSON array; null: nobody.
* `face`: the face that the player has chosen; null: none.
"""

codes = Table(
    "stammtisch_codes",
    METADATA,
    Column("hash", Text, primary_key=True),
    Column("player", Text, nullable=False, index=True),
    Column("expires", BigInteger, nullable=False, index=True),
    Column("once", Boolean, nullable=False),
)
"""Codes that can be exchanged for a token of the player until `expires` (seconds since 1970), as SHA-256 hashes. A code
that is valid `once` is deleted by the exchange."""

moderation = Table(
    "stammtisch_moderation",
    METADATA,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("at", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False, index=True),
    Column("reason", Text),
    Column("open", Boolean, nullable=False),
    Index("stammtisch_moderation_open", "open", sqlite_where=text("open = 1"), postgresql_where=text("open")),
)
"""What the operator did, first to last: to which player or game, and why. Rows are never deleted.

* `reason`: in the operator's words; erased when the player is forgotten.
* `open`: whether a running service still has to do it.
"""

descriptions = Table(
    "stammtisch_descriptions",
    METADATA,
    Column("hash", Text, primary_key=True),
    Column("rules", Text, nullable=False),
    Column("package", Text, nullable=False),
    Column("text", Text, nullable=False),
)
"""The descriptions of all rules that a process ever served, by their hash, with the distribution that they came from.
Games stay readable by them when the rules are gone. Rows are never deleted."""

uptimes = Table(
    "stammtisch_uptimes",
    METADATA,
    Column("begun", BigInteger, primary_key=True, autoincrement=False),
    Column("until", BigInteger, nullable=False),
)
"""When at least one process of the service could take moves, in microseconds from 1970. The latest row grows while one
runs. What lies between two rows is an outage."""

webhooks = Table(
    "stammtisch_webhooks",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("owner", Text, nullable=False, index=True),
    Column("url", Text, nullable=False),
    Column("types", Text, nullable=False),
    Column("after", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("cause", Text),
    Column("created", BigInteger, nullable=False),
    Column("live", BigInteger),
    Column("number", Integer, nullable=False),
    Column("rotated", BigInteger),
    Column("failing", BigInteger),
    Column("request", Text),
    Column("rotation", Text),
    Column("changed", BigInteger, nullable=False),
)
"""The webhooks. Times are microseconds from 1970. A row is deleted with the webhook, and when its owner is forgotten:
the address may be personal.

* `owner`: the id of a player, or `namespace:` for the integrating site.
* `types`: the names of the events, with spaces. `after`: seconds after which a turn is reported, if it still stands.
* `status`: `unverified`, `live` or `disabled`; `cause`: why it was disabled.
* `live`: since when events are delivered.
* `number`: the number of the current secret, from 0; `rotated`: since when.
* `failing`: since when every attempt has failed; null after a success.
* `request`: the hash of the request that created it, if that had a key; `rotation`: the key of the last rotation.
* `changed`: the time of the last change. Two changes never have the same.
"""
