"""Validation of imported records: their fields may contain exactly what the API accepts, or generates itself.

Verification (`fairness.verification`) shows that the events of a record follow from each other. It does not restrict
the strings that players and operators choose, such as names, ids and the provenance of a deck: anybody can invent a
game with any of them. Everything else in a record follows from these strings, and verification checks it.
"""

import re
from datetime import datetime
from typing import Any

from msgspec import MsgspecError, convert

from domain.codec import encode
from domain.deck import DeckData
from domain.fairness.record import Record
from domain.game import Joined, Opened, Parent
from domain.player import LONGEST_ID, Name
from service.games.decks import MAX_DECK_BYTES, TEXT_RULE, undisplayable_text
from service.identity.display_names import InvalidName, is_game_id, is_player_id, normalized_name

_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
_MAX_VERSION = 2**31 - 1
"""The highest version that the API accepts."""


class InvalidField(Exception):
    """The API does not accept the value. The message names the field and the rule, and never quotes the value."""

    def __init__(self, field: str, rule: str) -> None:
        super().__init__(f"`{field}` {rule}")


def check_fields(record: Record[Any, Any, Any, Any]) -> None:
    """Raise `InvalidField` for the first field that the API would not have accepted."""
    _game_id(record.id, "id")
    _deck(record.deck, "deck")
    _parent(record.parent, "parent")
    people = set[str]()
    for number, assignment in enumerate(record.seats):
        if assignment.player is not None:
            _player(assignment.player, f"seats[{number}].player")
            people.add(assignment.player)
    last: str | None = None
    for number, entry in enumerate(record.events):
        if entry.at != last:  # events of one append share it
            _time(entry.at, f"events[{number}].at")
            last = entry.at
        match entry.event:
            case Opened() as opened:
                field = f"events[{number}].event"
                _player(opened.opener, f"{field}.opener")
                people.add(opened.opener)
                _deck(opened.deck, f"{field}.deck")
                _parent(opened.parent, f"{field}.parent")
            case Joined(player=player):
                _player(player, f"events[{number}].event.player")
    if not record.names.keys() <= people:
        raise InvalidField("names", "must contain the opener and players at the seats only")
    for name in record.names.values():
        _name(name, "names")


def _game_id(text: str, field: str) -> None:
    if not is_game_id(text):
        raise InvalidField(field, "must be a UUID in lower case")


def _player(player: str, field: str) -> None:
    if not is_player_id(player):
        raise InvalidField(field, f"must have 1 to {LONGEST_ID} letters, digits or any of . _ : @ | -")


def _name(name: str, field: str) -> None:
    try:
        shown = normalized_name(convert(name, Name))
    except MsgspecError:
        raise InvalidField(field, "must have 1 to 40 characters each and no control characters") from None
    except InvalidName as error:
        raise InvalidField(field, str(error)) from None
    if shown != name:
        raise InvalidField(field, "must be composed (NFC), with single spaces between their words")


def _parent(parent: Any, field: str) -> None:
    if not isinstance(parent, Parent):
        return
    _game_id(parent.id, f"{field}.id")
    _game_id(parent.root, f"{field}.root")
    if not 1 <= parent.at <= _MAX_VERSION:
        raise InvalidField(f"{field}.at", f"must be from 1 to {_MAX_VERSION}")


def _deck(deck: DeckData, field: str) -> None:
    if len(encode(deck)) > MAX_DECK_BYTES:
        raise InvalidField(field, f"must have at most {MAX_DECK_BYTES // 1024} KiB")
    if (path := undisplayable_text(deck, field)) is not None:
        raise InvalidField(path, TEXT_RULE)


def _time(text: str, field: str) -> None:
    try:
        if not _TIME.fullmatch(text):
            raise ValueError
        datetime.fromisoformat(text)
    except ValueError:
        raise InvalidField(field, "must be a time in UTC with 6 decimals, YYYY-MM-DDTHH:MM:SS.ffffffZ") from None
