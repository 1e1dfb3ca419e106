"""Programs that play: search, the arena that measures them, environments to train them. Stands on the domain alone."""
