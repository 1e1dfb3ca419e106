"""Pairings in the play channel: the same as their streams."""

from contextlib import ExitStack
from typing import Any

from domain.codec import encode
from service.channel.calls import in_task
from service.channel.channels import Client
from service.channel.follows import Subscribed
from service.extensions.pairings.desk import Desk
from service.extensions.pairings.messages import (
    EndPairing,
    FollowingPairing,
    FollowPairing,
    PairingNews,
    UnfollowedPairing,
    UnfollowPairing,
)
from service.extensions.pairings.pairings import NoSuchPairing
from service.extensions.pairings.problems import PROBLEMS
from service.extensions.pairings.resources import PairingResource
from service.extensions.pairings.rows import Pairing
from service.extensions.pairings.stream import Sent, subject
from service.server.web_socket import text_frame


class PairingFollow(Subscribed):
    """A followed pairing. It reads nothing before `start`."""

    __slots__ = ("_desk", "_id", "_news", "_sent", "_watching")

    def __init__(self, channel: Client, desk: Desk, id: str) -> None:
        self._desk, self._id = desk, id
        self._sent = Sent()
        self._news = True
        """Whether something may have changed since."""
        self._watching = ExitStack()
        super().__init__(channel, name_of(id), subject(id))
        self._reading = True

    def start(self) -> None:
        self._watching.enter_context(self._desk.watches.watch(self._id))
        self._reading = False
        self.wake()

    def notify(self) -> None:
        self._news = True
        self.wake()

    def _send_news(self) -> None:
        if self._news and not self._reading and self._channel.socket.writable:
            self._news = False
            first = self._sent.number is None
            self._read(in_task(self._desk.watches.seen(self._id, self._channel.player_id, first=first)), self._send)

    def _send(self, found: tuple[Pairing, PairingResource]) -> None:
        of, seen = found
        if (news := self._sent.news(seen)) is not None:
            _, change = news
            told = PairingNews(self._id, change.state, change.deal, change.tables)
            self._channel.socket.send(text_frame(encode(told)))
            self._channel.channels.runtime.subscriptions.delivered += 1
        if of.settled:
            self._end(None)
        elif self._news:
            self.wake()

    def stop(self) -> None:
        self._watching.close()
        super().stop()

    def _last(self, problem: Any) -> Any:
        return EndPairing(self._id, problem)


def name_of(id: str) -> str:
    """The name of the follow, which no game has."""
    return f"\0pairing {id}"


class Follows:
    """Answers the requests of channels."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def follow(self, channel: Client, request: FollowPairing) -> FollowingPairing | UnfollowedPairing:
        pairing = request.pairing
        follow: PairingFollow
        follow = channel.take(name_of(pairing), lambda: PairingFollow(channel, self._desk, pairing))
        try:
            await in_task(self._desk.pairings.visible(pairing, channel.player_id, request.invite))
        except Exception as error:
            if not follow.stopped:
                channel.forget(name_of(pairing))
            if isinstance(error, NoSuchPairing):
                raise PROBLEMS[NoSuchPairing](error) from None
            raise
        if follow.stopped:  # overtaken by another request, or a close
            return UnfollowedPairing(request.id, pairing)
        follow.start()
        return FollowingPairing(request.id, pairing)

    async def unfollow(self, channel: Client, request: UnfollowPairing) -> UnfollowedPairing:
        channel.forget(name_of(request.pairing))
        return UnfollowedPairing(request.id, request.pairing)
