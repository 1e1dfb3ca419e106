"""Measures bots by duplicate deals.

A board is a secret from which all chance of its games follows: the deals, and the dice of a bot by seat and number of
events. The bots play every board in several seatings, so luck is mostly common to all of them. Boards are independent
of each other, games of one board are not: every interval is over boards.
"""
