"""Everything that touches the world: the store, the clock, HTTP, the command line."""
