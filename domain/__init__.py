"""The games and their rules, pure: no clock, no input or output, no randomness but what the dealer is handed."""
