"""Card games: rules as records of pure functions, which are served, verified, played and trained.

The modules of this package are its public API. Everything else in it can change at any time.
"""
