"""Faults under load: real processes, real databases, and clients that ask again until they are answered.

`make chaos`, or `python -m tests.campaigns.chaos --faults N --minutes M`.
"""
