"""Tests of players and their tokens use what the tests of the API use."""

from tests.service.api.conftest import *  # noqa: F403
from tests.service.conftest import *  # noqa: F403
