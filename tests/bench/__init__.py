"""Benchmarks: each figure beside a floor measured in the same run. `make bench` prints one table.

No time is asserted, because machines differ. The ratios are the reference for later work.
"""
