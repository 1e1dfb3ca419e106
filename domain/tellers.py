"""The `Teller` of each ruleset, made once for each language."""

from functools import cache
from typing import Any

import msgspec

from domain.schemas import schemas
from domain.telling import Teller


@cache
def teller(rules: Any, language: str) -> Teller:
    """Writes tables of the ruleset as text, in `en` or `de`."""
    return Teller({"labels": msgspec.to_builtins(rules.labels), "schemas": schemas(rules)}, language)
