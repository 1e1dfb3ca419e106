"""A game: one play of a ruleset, from `opened` to the last event.

Read in this order; each module knows only those before it: `clock`, `events`, `state`, `evolution`, `refusals`,
`consequences`, `log`, `undo`, `questions`, `commands`, `decisions`, `bots`, `opening`, `timekeeping`. The ruleset
holds the cards; the game holds the players, the terms, and the secret from which all deals follow. Like a ruleset it
has `evolve` and `redact`, so the laws about a ruleset's views hold for the whole game.
"""

from domain.game.bots import *
from domain.game.consequences import *
from domain.game.decisions import *
from domain.game.events import *
from domain.game.evolution import *
from domain.game.opening import *
from domain.game.refusals import *
from domain.game.state import *
