"""The descriptions of the rules that were served."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "stammtisch_descriptions",
        sa.Column("hash", sa.Text, primary_key=True),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("package", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
