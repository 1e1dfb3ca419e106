"""Steady play for hours: memory, open files and times must stay flat.

`make longrun`, or `python -m tests.campaigns.longrun --minutes M`.
"""
