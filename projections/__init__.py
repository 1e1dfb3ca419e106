"""What is asked of the log: views of one game, and tables across all games that may be thrown away at any time."""
