"""Whom players have blocked."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("stammtisch_players", sa.Column("blocks", sa.Text))
