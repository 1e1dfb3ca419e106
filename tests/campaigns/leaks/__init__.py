"""Non-interference over HTTP: no client receives bytes that depend on a card hidden from it."""
