"""The faces that players choose."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("stammtisch_players", sa.Column("face", sa.Text))
