"""The setting of reviews."""

from typing import Literal

from msgspec import Struct


class ReviewSettings(Struct, frozen=True, kw_only=True):
    review: Literal["on", "off"] = "on"
    """Whether finished games are reviewed on request: a process of low priority makes one review at a time, and uses up
    to one core and 1 GiB. `off`: neither the API nor the pages mention reviews."""
