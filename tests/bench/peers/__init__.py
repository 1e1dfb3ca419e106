"""Comparison with boardgame.io, a server in JavaScript, and rlskyjo, a compiled engine."""
