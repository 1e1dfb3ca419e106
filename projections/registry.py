"""All projections that follow from the log alone."""

from projections.deadlines import DEADLINES
from projections.lobby import LOBBY
from projections.standings import STANDINGS
from projections.storage import STORAGE

PROJECTIONS = (LOBBY, STANDINGS, STORAGE, DEADLINES)
