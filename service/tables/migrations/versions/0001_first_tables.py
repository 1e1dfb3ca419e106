"""The first tables. A database from before the first migration may have them."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "stammtisch_invites",
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("code", sa.Text, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "stammtisch_players",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("issued", sa.BigInteger, nullable=False),
        sa.Column("renames", sa.Integer, nullable=False),
        sa.Column("forgotten_at", sa.Text),
        sa.Column("banned_at", sa.Text),
        sa.Column("leaving", sa.Boolean, nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "stammtisch_codes",
        sa.Column("hash", sa.Text, primary_key=True),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("once", sa.Boolean, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "stammtisch_moderation",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("open", sa.Boolean, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "stammtisch_webhooks",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("types", sa.Text, nullable=False),
        sa.Column("after", sa.Integer, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("cause", sa.Text),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("live", sa.BigInteger),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("rotated", sa.BigInteger),
        sa.Column("failing", sa.BigInteger),
        sa.Column("request", sa.Text),
        sa.Column("rotation", sa.Text),
        sa.Column("changed", sa.BigInteger, nullable=False),
        if_not_exists=True,
    )
    for name, table, column, on_sqlite, on_postgres in (
        ("stammtisch_players_changed", "players", "revision", "revision > 0", "revision > 0"),
        ("stammtisch_players_forgotten", "players", "forgotten_at", *["forgotten_at IS NOT NULL"] * 2),
        ("stammtisch_players_banned", "players", "banned_at", *["banned_at IS NOT NULL"] * 2),
        ("stammtisch_players_leaving", "players", "leaving", "leaving = 1", "leaving"),
        ("stammtisch_players_generation", "players", "generation", "generation > 0", "generation > 0"),
        ("stammtisch_moderation_open", "moderation", "open", "open = 1", "open"),
        ("ix_stammtisch_codes_player", "codes", "player", None, None),
        ("ix_stammtisch_codes_expires", "codes", "expires", None, None),
        ("ix_stammtisch_moderation_subject", "moderation", "subject", None, None),
        ("ix_stammtisch_webhooks_owner", "webhooks", "owner", None, None),
    ):
        op.create_index(
            name,
            f"stammtisch_{table}",
            [column],
            sqlite_where=on_sqlite and sa.text(on_sqlite),
            postgresql_where=on_postgres and sa.text(on_postgres),
            if_not_exists=True,
        )
