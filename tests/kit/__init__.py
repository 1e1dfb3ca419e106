"""Given-when-then, the laws of every ruleset, and zones of cards."""
