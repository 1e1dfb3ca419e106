"""Campaigns that measure the review: what it finds, what it invents, whom it ranks, and whether luck has the mean 0."""
