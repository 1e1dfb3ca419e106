"""The use cases of games, and the games that are kept in memory."""
