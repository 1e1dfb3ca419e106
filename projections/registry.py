"""The projections of the core. All follow from the log alone."""

from projections.deadlines import DEADLINES
from projections.lobby import LOBBY
from projections.storage import STORAGE

PROJECTIONS = (LOBBY, STORAGE, DEADLINES)
