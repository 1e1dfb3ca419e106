"""The event log of all games and players, in an SQLite file, in PostgreSQL, or in another database.

`databases.open_store` opens it. Its interface is `game_log.GameLog`; `recorder.LogRecorder` is what differs between
databases.
"""
