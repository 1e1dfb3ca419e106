"""What the API says, whatever the entry: operations, bodies, problems, and what a caller sees of a game."""
