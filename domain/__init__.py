"""The games and their rules, pure: no clock, no I/O, no randomness except the dealer's numbers."""
