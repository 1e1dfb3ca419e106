"""The play channel: one web socket for the moves and events of all games of a player."""
