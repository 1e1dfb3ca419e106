"""A client of Stammtisch, a service that hosts card games."""

from . import errors, models, problems
from .client import AsyncClient
from .errors import (
    InvalidPatch,
    InvalidSignature,
    InvalidUrl,
    NoAnswer,
    Problem,
    StammtischError,
    UnknownHost,
    Unsealed,
)  # fmt: skip
from .record import Check, Record, Verification
from .ruleset import Ruleset
from .rulesets import RULESETS
from .sync import Client, Table, Turn
from .table import AsyncTable, AsyncTurn, Hint, Made, State
from .webhooks import WebhookEvent, verify_webhook

__version__ = "0.1.0"

__all__ = [
    "RULESETS", "AsyncClient", "AsyncTable", "AsyncTurn", "Check", "Client", "Hint", "InvalidPatch",
    "InvalidSignature", "InvalidUrl", "Made", "NoAnswer", "Problem", "Record", "Ruleset", "StammtischError",
    "State", "Table", "Turn", "UnknownHost", "Unsealed", "Verification", "WebhookEvent", "errors", "models",
    "problems", "verify_webhook",
]  # fmt: skip
