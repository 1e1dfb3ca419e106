"""Where a result comes from: every choice of a finished game, weighed in worlds that its seat could imagine.

`job.review` is the whole of it; `hints`, `puzzles` and `means` are other uses. docs/review.md has the method.
"""
