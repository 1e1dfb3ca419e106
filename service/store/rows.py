"""Rows of the event log: as the service writes and reads them, and as a database stores them."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from domain.codec import encode


class Row(NamedTuple):
    """One event in the log. The topic is the kind of the stream and the tag of the event, never a Python path."""

    stream: str
    version: int
    topic: str
    value: Any


class Logged(NamedTuple):
    """A row with its position in the log of all streams. Positions increase, with gaps."""

    position: int
    row: Row


class Headline(NamedTuple):
    """Where an event is: its position in the log of all streams, its stream, and its version there."""

    position: int
    stream: str
    version: int


class StoredRow(NamedTuple):
    """A row with its value as JSON. It has the fields of the library's `StoredEvent`."""

    originator_id: str
    originator_version: int
    topic: str
    state: bytes


class RowMapper:
    """Encodes and decodes values. `kinds` gives the type of the values for each kind of stream."""

    def __init__(self, kinds: Mapping[str, Any]) -> None:
        decoders = {kind: msgspec.json.Decoder(value_type) for kind, value_type in kinds.items()}
        self._decoder = cache(lambda topic: decoders[topic.rpartition(".")[0]])

    def to_stored(self, rows: Sequence[Row]) -> list[StoredRow]:
        return [StoredRow(stream, version, topic, encode(value)) for stream, version, topic, value in rows]

    def to_row(self, stored: Any) -> Row:
        """From a `StoredEvent` or `Notification` of the library."""
        topic = stored.topic
        value = self._decoder(topic).decode(stored.state)
        return Row(str(stored.originator_id), stored.originator_version, topic, value)

    def values(self, states: Sequence[tuple[str, bytes]]) -> list[Any]:
        """The values of these topics and states."""
        decoder = self._decoder
        return [decoder(topic).decode(state) for topic, state in states]
