"""Live updates: subscriptions and their budgets, and the runner that keeps the projections up to date."""
