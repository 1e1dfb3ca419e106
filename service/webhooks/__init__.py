"""Webhooks: subscriptions of players and of the integrating site, and the process that delivers events to them."""
