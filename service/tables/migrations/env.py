"""Alembic runs this file for each upgrade."""

from alembic import context

from service.tables.migrations import VERSION, metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata(),
    version_table=VERSION.name,
    render_as_batch=True,
)
context.run_migrations()
