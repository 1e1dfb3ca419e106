"""Environments for reinforcement learning: every ruleset with any number of seats. Needs `stammtisch[train]`."""
