"""Faults under load: real processes, real databases, clients that repeat each request until it is answered.

`make chaos`, or `python -m tests.campaigns chaos --faults N --minutes M`.
"""
