"""The routes are tested like those of the core, the table like its projections."""

from tests.projections.conftest import engine, given, projections  # noqa: F401
from tests.service.api.conftest import *  # noqa: F403
