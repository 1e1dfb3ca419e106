"""Read models folded from the log: views of single games, and tables across all games that can always be rebuilt."""
