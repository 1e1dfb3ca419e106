"""No chance: ids and secrets are counted instead of drawn, so whatever is opened and dealt comes out the same."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from types import SimpleNamespace
from uuid import UUID

import pytest

from service.games import commands
from service.identity import players
from service.tables import mutable


@contextmanager
def no_chance() -> Iterator[None]:
    """Within it the service draws nothing. It counts from the beginning each time it is entered."""
    numbers = count(1)

    def secret(size: int) -> bytes:
        return next(numbers).to_bytes(size)

    def number() -> UUID:
        return UUID(int=next(numbers))

    with pytest.MonkeyPatch.context() as patch:
        for drawing in (commands, mutable):
            patch.setattr(drawing, "os", SimpleNamespace(**{**vars(os), "urandom": secret}))
        patch.setattr(commands, "new_id", lambda: str(number()))
        patch.setattr(players, "uuid", SimpleNamespace(uuid4=number))
        yield
