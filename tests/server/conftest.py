"""Tests of the server and its processes use what the tests of the service use."""

from tests.service.conftest import *  # noqa: F403
