from collections.abc import Callable, Iterator

import pytest

from tests.support.served_bots import Answering, Served


@pytest.fixture
def serve() -> Iterator[Callable[[Answering], Served]]:
    served: list[Served] = []

    def start(answer: Answering) -> Served:
        served.append(Served(answer))
        return served[-1]

    yield start
    for each in served:
        each.close()
