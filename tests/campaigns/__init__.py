"""Long runs: chaos, fuzz, leaks, mutants and steady play."""
