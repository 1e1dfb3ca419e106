"""Two processes are asked as one is."""

from tests.service.api.conftest import *  # noqa: F403
