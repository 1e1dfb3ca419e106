"""Live updates: subscriptions, and the runner that keeps the projections up to date."""
