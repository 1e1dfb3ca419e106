"""Players: tokens, guests, display names and the budgets of callers."""
