"""The event log of all games and players, in an SQLite file, in PostgreSQL, or in another database.

`databases.open_store` opens it. `game_log.GameLog` is its interface, `recorder.LogRecorder` what differs between databases.
"""
