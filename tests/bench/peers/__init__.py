"""Ours beside what others use for the same: boardgame.io, a server in JavaScript, and rlskyjo, a compiled engine."""
