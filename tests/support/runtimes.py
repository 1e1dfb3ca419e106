"""The inside of services that run in this process."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from service import app
from service.runtime import Runtime
from service.settings import Settings


@contextmanager
def runtimes() -> Iterator[list[Runtime]]:
    """Those of the services that start within the context, in their order."""
    made: list[Runtime] = []

    def kept(settings: Settings) -> Runtime:
        made.append(Runtime(settings))
        return made[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "Runtime", kept)
        yield made
