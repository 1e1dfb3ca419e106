"""Notices of pairings."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    for table, column in (("pairings", "organiser"), ("pairing_tables", "told")):
        added = sa.Column(column, sa.Boolean, nullable=False, server_default=sa.text("false"))
        op.add_column(f"stammtisch_{table}", added)
    op.create_table(
        "stammtisch_notices",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
    )
