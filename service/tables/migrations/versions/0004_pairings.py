"""Pairings: tables that are opened together."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "stammtisch_pairings",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("day", sa.Text),
        sa.Column("terms", sa.Text, nullable=False),
        sa.Column("secret", sa.Text),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("most", sa.Integer),
        sa.Column("opens_at", sa.Text, nullable=False),
        sa.Column("sit_until", sa.Text),
        sa.Column("closes_at", sa.Text, nullable=False),
        sa.Column("until", sa.Text),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("settled", sa.Boolean, nullable=False),
        sa.Column("looked_at", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("request", sa.Text, nullable=False),
    )
    op.create_index("ix_stammtisch_pairings_owner", "stammtisch_pairings", ["owner"])
    op.create_index("stammtisch_pairings_day", "stammtisch_pairings", ["day", "ruleset"], unique=True)
    op.create_index(
        "stammtisch_pairings_due", "stammtisch_pairings", ["looked_at"], sqlite_where=sa.text("settled = 0"),
        postgresql_where=sa.text("NOT settled"),
    )  # fmt: skip
    op.create_table(
        "stammtisch_pairing_tables",
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("pairing", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("declined", sa.Text, nullable=False),
        sa.Column("player", sa.Text),
        sa.Column("opened", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
    )
    op.create_index("stammtisch_pairing_tables_number", "stammtisch_pairing_tables", ["pairing", "number"], unique=True)
    op.create_table(
        "stammtisch_pairing_players",
        sa.Column("pairing", sa.Text, primary_key=True),
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("part", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("day", sa.Text),
    )
    op.create_index("stammtisch_pairing_players_player", "stammtisch_pairing_players", ["player", "day"])
    op.create_table("stammtisch_organisers", sa.Column("player", sa.Text, primary_key=True))
