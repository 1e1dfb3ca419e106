"""Players: tokens, guests and display names."""
