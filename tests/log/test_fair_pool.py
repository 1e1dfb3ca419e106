"""Threads that share fewer connections than there are threads."""

import logging
from threading import Thread

import pytest
from sqlalchemy import Engine, create_engine

from service.log.connection import FairPool


def test_a_thread_that_returns_a_connection_does_not_take_it_before_one_that_waits() -> None:
    """Otherwise the one that waits gets none until its timeout, while the other one works."""
    engine = create_engine(
        "sqlite://", poolclass=FairPool, pool_size=1, max_overflow=0, pool_timeout=60,
        connect_args={"check_same_thread": False},
    )  # fmt: skip
    order = list[str]()

    def use(name: str) -> None:
        with engine.connect():
            order.append(name)

    second = Thread(target=use, args=["second"])
    with engine.connect():
        second.start()
        until_somebody_waits(engine)
    for _ in range(100):
        use("first")
    second.join(60)
    assert order[0] == "second"


def test_what_the_pool_does_is_not_in_the_log_of_the_service(caplog: pytest.LogCaptureFixture) -> None:
    """The service logs from INFO on, libraries from WARNING on. The library names a logger after a pool's class."""
    caplog.set_level(logging.INFO, logger="service")
    engine = create_engine("sqlite://", poolclass=FairPool)
    with engine.connect():
        pass
    engine.dispose()
    assert caplog.messages == []


def until_somebody_waits(engine: Engine) -> None:
    assert isinstance(engine.pool, FairPool)
    while engine.pool._line.acquire(blocking=False):
        engine.pool._line.release()
