"""The errors of the event store."""


class Conflict(Exception):
    """The stream already has an event of that version."""


class Unavailable(Exception):
    """The database cannot be reached or cannot commit now. An append was recorded completely or not at all."""


class Barred(Exception):
    """The player was forgotten, or is banned, and can own nothing new."""

    def __init__(self, *, forgotten: bool) -> None:
        super().__init__("the player was forgotten" if forgotten else "the player is banned")
        self.forgotten = forgotten
