"""Players: tokens, registration, display names, and who was forgotten."""
