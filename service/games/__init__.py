"""The use cases of games, and the cache of games in memory."""
