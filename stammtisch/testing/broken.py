"""What the laws say, and what an author reads when one is broken."""

import traceback
from pathlib import Path
from typing import Any, NamedTuple

from domain.ruleset import Ruleset, Viewer

MOST = 600
"""The most characters of a message."""


class Law(NamedTuple):
    """A law of every ruleset."""

    says: str
    do: str
    """What usually mends it."""


LAWS = {
    "playing": Law(
        "Every seat to act has a legal move, and every listed move is accepted.",
        "`decide` must accept what `legal` lists; `evolve` must handle every event; `to_act` names seats with a move.",
    ),
    "replay": Law(
        "The same events give the same state, and the same moves and secret the same events.",
        "`evolve`, `decide` and `deal` must depend on their arguments alone; every field needs a type that JSON keeps.",
    ),
    "shadow": Law(
        "Each view has the shape of the truth and agrees with it wherever it shows a face.",
        "`evolve` computed something from a card that this seat does not see. Let `decide` put it into an event.",
    ),
    "legality": Law(
        "Every view gives the seats to act, and the seat's own view its legal moves.",
        "`legal` and `to_act` must follow from the view: they may not need cards that the seat cannot see.",
    ),
    "redaction": Law(
        "Redaction hides faces and nothing else, once and for all, and a bystander sees least.",
        "`redact` may only set fields to None, and returns the same object if it hides nothing.",
    ),
    "secrecy": Law(
        "None means hidden: wherever the type of an event allows it, a bystander sees None. What is absent is UNSET.",
        "Hide the field in `redact`, or take None out of its type; an open event derives from `Open`.",
    ),
    "wire": Law(
        "Events, states, views and moves survive JSON.",
        "Use types that msgspec decodes again: tuples, strings, integers, Literals, Structs.",
    ),
    "completeness": Law(
        "Every listed move is accepted, and every other well-formed move raises Illegal, without a reason.",
        "`decide` begins with `if move not in legal(state, seat): raise Illegal`.",
    ),
    "conservation": Law(
        "All zones together hold exactly the deck, after every event.",
        "An event moved a card and `evolve` forgot it at one end; or a zone has no `CARD` in its type: write `cards`.",
    ),
    "dealing": Law(
        "The first event of each step of the dealer, and no other, is a Dealing; no seat has a move then.",
        "`deal` returns [] unless nobody is to act; the first event of each step derives from `Dealing`.",
    ),
    "fairness": Law(
        "Every deal follows from the secret, the entropies, its event and its number.",
        "All chance must come from the argument of `deal`: no random numbers, no order of sets.",
    ),
    "description": Law(
        "The description of the ruleset is enough to check what is drawn and what is hidden.",
        "Declare `draws` in the event: what `deal` draws, in its order, and where it lies. Hide whole cards, in lists.",
    ),
    "moves": Law(
        "A move is shown to its seat alone, and the same events look the same whatever the move was.",
        "What others may see of a move must be in its events.",
    ),
    "tally": Law(
        "Every viewer gets the tally of the truth, or null where it depends on hidden cards.",
        "`tally` gives one number for each seat, and None where it would need a hidden card.",
    ),
    "features": Law(
        "Features are always as many whole numbers, and views with other legal moves have other features.",
        "Write `features`: every card in its zone, the own seat first, and whatever `legal` depends on.",
    ),
    "bots": Law(
        "Every published bot chooses one of its legal moves from its view, and the same dice give the same choice.",
        "A bot gets the view of its seat: faces can be None. It returns an index, and draws lots from its dice.",
    ),
    "labels": Law(
        "Every event becomes a sentence, every question has its values, and no label names what does not exist.",
        "Placeholders are fields of the event, in `prompts` of the view. Names in labels.json are those of the code.",
    ),
    "marks": Law(
        "Marked seats are seats, lists by seat have one item for each, and null at an empty place hides no card.",
        "Seats have the type `Seat`, lists by seat `BySeat[...]`, and places that can be empty the mark `EMPTY`.",
    ),
    "two_worlds": Law(
        "With two hidden cards exchanged and the same moves, nobody can tell the worlds apart without seeing one.",
        "An event tells somebody about a card that they do not see. If the rules want that, name it in `telling`.",
    ),
    "termination": Law(
        "Random play ends, with a result.",
        "`result` must give scores and winners: the best score wins, unless `ranks` say it. Teams share both.",
    ),
    "imagined": Law(
        "An imagined history looks to its seat as the real one, and could have happened.",
        "`imagine` returns the events as they were, with faces for hidden cards that fit all later events.",
    ),
    "undo": Law(
        "What was taken back never happened: the table is that of the game without the move.",
        "`evolve` and `decide` may not remember anything outside of the state.",
    ),
}
"""By name, in the order in which they are checked."""

GOLDEN = Law(
    "A game that was played looks the same to everybody for ever, and its moves have the same consequences.",
    "Take the change back, or give the rules the next `version`. Until somebody has played: delete it, then --write.",
)
"""Of golden games, which not every ruleset has."""


class Fault(AssertionError):
    """A law is broken: `what` is wrong, `at` which event, for which `seat` (None: a bystander)."""

    def __init__(self, what: str, at: str = "", seat: Viewer | str = "") -> None:
        super().__init__(what)
        self.what, self.at, self.seat = what, at, seat


class Refused(Fault):
    """The play itself failed: a listed move was refused, or the rules raised."""


class Inapplicable(Exception):
    """The law says nothing about this ruleset. The message says why."""


class Broken(AssertionError):
    """A law is broken. The text is all that an author needs; it has at most `MOST` characters."""

    def __init__(self, law: str, rules: Ruleset[Any, Any, Any], again: str, error: Exception) -> None:
        """`again`: the command that repeats it."""
        fault = error if isinstance(error, Fault) else Fault(raised(error))
        self.law = law
        self.at, self.what = fault.at, fault.what
        self.seat = fault.seat
        says, do = GOLDEN if law == "golden" else LAWS[law]
        before = [f"{rules.rules} breaks the law {law!r}: {says}"]
        before += [f"  at    {fault.at}"] if fault.at else []
        before += [f"  seat  {'a bystander' if fault.seat is None else fault.seat}"] if fault.seat != "" else []
        after = [f"  do    {do}", f"  again {again}"]
        room = MOST - sum([len(line) + 1 for line in (*before, *after)]) - len("  what  ")
        super().__init__("\n".join([*before, f"  what  {clipped(fault.what, room)}", *after]))


def clipped(text: str, most: int) -> str:
    text = " ".join(text.split()) or "the values differ"
    return text if len(text) <= most else f"{text[: most - 4]} ..."


def raised(error: Exception) -> str:
    """What was raised, and where outside of this package: in the rules."""
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    here = str(Path(__file__).parent)
    last = next((frame for frame in reversed(frames) if not frame.filename.startswith(here)), None)
    return text if last is None else f"{text} ({Path(last.filename).name}, line {last.lineno})"
