"""Adds the golden games and choices that are missing: `python -m tests.golden`, or `make golden`."""

import sys

from domain.rulesets import VERSIONS
from tests.golden import add, choices

for rules in VERSIONS.values():
    for file in (*add(rules), *choices.add(rules)):
        sys.stdout.write(f"{file.parent.name}/{file.name}\n")
