"""The installed package: its names, its public API, and packages of other authors beside it."""
