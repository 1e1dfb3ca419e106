"""The messages are tested like those of the core."""

from tests.service.channel.conftest import *  # noqa: F403
