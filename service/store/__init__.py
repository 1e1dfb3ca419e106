"""The event store: the log of everything that happened, in SQLite or PostgreSQL."""
