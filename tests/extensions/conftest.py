"""Tests of extensions use what the tests of the service and of the pages use."""

from tests.service.conftest import *  # noqa: F403
from tests.web.conftest import *  # noqa: F403
