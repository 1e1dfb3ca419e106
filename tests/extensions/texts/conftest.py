"""The routes are tested like those of the core."""

from tests.service.api.conftest import *  # noqa: F403
