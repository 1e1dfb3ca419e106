"""Adds the golden games that are missing: `python -m tests.golden`, or `make golden`."""

import sys

from domain.rulesets import VERSIONS
from tests.golden import add

for rules in VERSIONS.values():
    for file in add(rules):
        sys.stdout.write(f"{file.parent.name}/{file.name}\n")
