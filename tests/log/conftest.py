"""The log on real SQLite files and in PostgreSQL, as the tests of the service have it."""

from tests.service.conftest import *  # noqa: F403
