"""The messages of pairings in the play channel."""

from typing import Annotated, Generic, TypeVar

from msgspec import UNSET, Meta, UnsetType

from domain.messages import Value, snake
from service.api.operations import Exchange
from service.channel.messages import Answer, Invite, Request
from service.extensions.pairings.resources import PairedTable, SharedDeal
from service.extensions.pairings.rows import State

P = TypeVar("P")  # a problem document

PairingName = Annotated[str, Meta(max_length=64, description="The id of the pairing.")]


class FollowPairing(Request):
    """Subscribes to a pairing: to its state, and to its tables as the caller may see them.

    A second `follow_pairing` of the same pairing replaces the first one.
    """

    pairing: PairingName
    invite: Invite = None


class FollowingPairing(Answer):
    """The pairing is followed. A message `pairing` with all of it follows."""

    pairing: PairingName


class UnfollowPairing(Request):
    """Ends the subscription to a pairing."""

    pairing: PairingName


class UnfollowedPairing(Answer):
    """The pairing is not followed. No further message about it is sent."""

    pairing: PairingName


class PairingNews(Value, tag="pairing", tag_field="type"):
    """A change of a followed pairing. The first one has all tables."""

    pairing: PairingName
    state: State
    """`planned`, `open`, `over`, or `cancelled`: no further table begins."""
    deal: SharedDeal | None
    """The deal that all tables have in common; null if each has its own."""
    tables: tuple[PairedTable, ...]
    """The tables that have changed, as the caller may see them now."""


class EndPairing(Value, Generic[P], tag=snake, tag_field="type"):
    """A pairing is no longer followed: everything is over and was sent, or the `problem` says why."""

    pairing: PairingName
    problem: P | UnsetType = UNSET
    """The reason; absent: everything is over."""


EXCHANGES = (
    Exchange(FollowPairing, FollowingPairing, sends=(PairingNews, EndPairing)),
    Exchange(UnfollowPairing, UnfollowedPairing),
)
