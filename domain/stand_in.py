"""Rulesets with nothing but a description: their games can be read, and nothing else.

A service whose package was uninstalled still has the log of its games. By the description, which it keeps, events
decode to what was stored, and are redacted: what a bystander does not see is hidden from everybody.
"""

from collections.abc import Iterable
from functools import partial, reduce
from operator import or_
from typing import Any

import msgspec
from msgspec import UNSET, defstruct
from msgspec.structs import replace

from domain.deck import Deck, UnknownDeck
from domain.description import Description
from domain.messages import Dealing, Event, Move, Value
from domain.ruleset import Ruleset, Tally


class AnyDeck(Deck[Any]):
    """A deck with these data."""

    __slots__ = ()
    data_type = UnknownDeck


def unknown(kind: type[Any], value: Any) -> Any:
    """The `dec_hook` of decoders: makes values of `UnknownDeck`."""
    if kind is UnknownDeck and isinstance(value, dict):
        return UnknownDeck(value)
    raise NotImplementedError


class Nothing(Value):
    """The table of a game whose rules are not known."""


class Noted(Event):
    """No ruleset has this event. A union needs two members."""


class Noting(Move):
    """No ruleset has this move. A union needs two members."""


def stand_in(rules: str, texts: Iterable[bytes] = ()) -> Ruleset[Any, Any, Any]:
    """A ruleset that reads the games of these rules, by all descriptions that they ever had; nobody can move. Without
    a description only the events that every game has can be read."""
    known = [msgspec.json.decode(text, type=Description) for text in texts]
    dealing = {kind for each in known for kind in each.draws}
    events = [_message(Dealing if kind in dealing else Event, kind, names)
              for kind, names in _merged(each.events for each in known).items()]  # fmt: skip
    moves = [_message(Move, kind, names) for kind, names in _merged(each.moves for each in known).items()]
    hidden = dict[str, dict[str, int]]()
    for each in known:
        for kind, depths in each.hidden.items():
            hidden[kind] = {name: min(depth, hidden.get(kind, {}).get(name, depth)) for name, depth in depths.items()}
    name, _, version = rules.rpartition("/")
    return Ruleset(
        name=name, home=__name__, version=int(version), seats=range(1, 1001), options=Any, deck=AnyDeck, deck_files=(),
        minutes=1, difficulty="easy",
        state=Nothing, move=reduce(or_, moves, Noting), event=reduce(or_, events, Noted),
        initial=lambda _seats, _options, _deck: Nothing(), to_act=lambda _: (), legal=lambda _state, _seat: [],
        decide=_undecided, evolve=lambda state, _: state, redact=partial(_redacted, hidden),
        deal=lambda _state, _chance: [], result=lambda _: None, tally=lambda _: Tally(()), standing=lambda _: (),
        imagine=_undecided, features=lambda _state, _seat: [], bots={},
    )  # fmt: skip


def is_stand_in(rules: Ruleset[Any, Any, Any]) -> bool:
    return rules.home == __name__


def _message(base: type[Any], kind: str, names: Iterable[str]) -> Any:
    fields = [(name, Any, UNSET) for name in names]
    return defstruct(f"unknown_{kind}", fields, bases=(base,), tag=kind, tag_field="type", frozen=True, kw_only=True)


def _merged(parts: Iterable[dict[str, tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    found = dict[str, tuple[str, ...]]()
    for part in parts:
        for kind, names in part.items():
            found[kind] = tuple(dict.fromkeys([*found.get(kind, ()), *names]))
    return found


def _undecided(*_: Any) -> Any:
    raise NotImplementedError("the rules are not known")


def _redacted(hidden: dict[str, dict[str, int]], event: Any, _viewer: Any) -> Any:
    fields = hidden.get(event.__struct_config__.tag)
    if not fields:
        return event
    given = {name: getattr(event, name) for name in fields}
    return replace(event, **{name: backs(value, fields[name]) for name, value in given.items() if value is not UNSET})


def backs(value: Any, depth: int) -> Any:
    return [backs(item, depth - 1) for item in value] if depth and isinstance(value, list) else None
