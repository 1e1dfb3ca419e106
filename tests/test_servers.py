"""The database servers of the test suite."""

import pytest
from psycopg import OperationalError
from redis.exceptions import RedisError

from tests.support import servers
from tests.support.servers import Postgres


def test_every_database_is_a_separate_copy_of_its_template(postgres: Postgres) -> None:
    with postgres.database() as model:
        postgres.execute("CREATE TABLE seats (seat int)", model)
        with postgres.database(model) as first, postgres.database(model) as second:
            postgres.execute("INSERT INTO seats VALUES (1)", first)
            assert postgres.execute("SELECT * FROM seats", first) == [(1,)]
            assert postgres.execute("SELECT * FROM seats", second) == []
    with pytest.raises(OperationalError):
        postgres.execute("", model)


def test_stopped_servers_can_be_started_again() -> None:
    with servers.postgres() as postgres, servers.redis() as redis:
        postgres.execute("CREATE TABLE seats (seat int)")
        redis.execute("SET", "seat", "1")
        postgres.stop()
        redis.stop()
        with pytest.raises(OperationalError):
            postgres.execute("SELECT 1")
        with pytest.raises(RedisError):
            redis.execute("PING")
        postgres.start()
        redis.start()
        assert postgres.execute("SELECT count(*) FROM seats") == [(0,)]
        assert redis.execute("GET", "seat") is None
