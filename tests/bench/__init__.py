"""Benchmarks: every figure beside a floor that is measured in the same run. `make bench` prints them as one table.

Nothing here is a test: no time is asserted, for machines differ. The ratios are what later work has to beat.
"""
