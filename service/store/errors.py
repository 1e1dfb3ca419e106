"""The errors of the event store."""


class Conflict(Exception):
    """The stream already has an event of that version."""


class Unavailable(Exception):
    """The database cannot be reached or cannot commit now. An append was recorded completely or not at all."""
