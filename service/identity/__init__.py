"""Who calls: tokens, guests and display names."""
