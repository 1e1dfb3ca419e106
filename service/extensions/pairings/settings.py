"""The settings of pairings."""

from typing import Annotated

from msgspec import Meta, Struct


class PairingSettings(Struct, frozen=True, kw_only=True):
    days: Annotated[
        str,
        Meta(
            pattern=r"^(default|none|[a-z][a-z0-9_.-]*(, *[a-z][a-z0-9_.-]*)*)$(?!\n)",
            extra={"form": "`default`, `none`, or a list of rulesets with commas, such as `one,another`"},
        ),
    ] = "default"
    """The rulesets that have a deal of the day, with commas between them. `default`: those that suggest themselves for
    it. `none`: there is no deal of the day."""
