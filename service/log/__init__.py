"""The event log of all games and players, in an SQLite file, in PostgreSQL, or in another database.

`databases.open_store` opens it. `event_store.Store` is its interface, `backend.Backend` what differs between databases.
"""
