"""The tables beside the log, on the databases that the tests of the service have."""

from tests.service.conftest import *  # noqa: F403
