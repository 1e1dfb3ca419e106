"""Places that networks share. When all are taken, the network with the most gives one up to a network with fewer.

A limit for everybody would be filled by few, and then refuse all others.
"""

from typing import Generic, TypeVar

from service.live.network import wide_network

H = TypeVar("H")


class NoPlace(Exception):
    """All places are taken, and no network has so many more than this one that it would give one up."""


class Counts:
    """How often each key occurs. Finds the most frequent one without a search."""

    __slots__ = ("_by_key", "_levels")

    def __init__(self) -> None:
        self._by_key: dict[str, int] = {}
        self._levels: list[dict[str, None]] = [{}]
        """The keys by their count. The last level is never empty, unless there is no key."""

    def __getitem__(self, key: str) -> int:
        return self._by_key.get(key, 0)

    def __bool__(self) -> bool:
        return bool(self._by_key)

    @property
    def most(self) -> int:
        return len(self._levels) - 1

    def largest(self) -> str:
        """The key with the highest count; of several, the one that reached it last."""
        return next(reversed(self._levels[-1]))

    def add(self, key: str, change: int = 1) -> None:
        """Change the count of the key by 1 or -1."""
        before = self[key]
        after = before + change
        if before:
            del self._levels[before][key]
        if after:
            if after == len(self._levels):
                self._levels.append({})
            self._levels[after][key] = None
            self._by_key[key] = after
        else:
            del self._by_key[key]
        if not self._levels[-1] and len(self._levels) > 1:
            self._levels.pop()


class Shares(Generic[H]):
    """At most `most` holders have a place.

    Networks are compared twice: first wide ones (/48 of IPv6, /24 of IPv4), then the addresses (/64 of IPv6) in the
    largest. There the holder gives way that came last.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._networks: dict[H, str] = {}
        """The network of each holder, as `network` returns it."""
        self._wide = Counts()
        self._narrow: dict[str, Counts] = {}
        """The counts of its networks by wide network."""
        self._holders: dict[str, dict[H, None]] = {}
        """By network, in the order in which they came."""

    def __len__(self) -> int:
        return len(self._networks)

    def __contains__(self, holder: H) -> bool:
        return holder in self._networks

    def count(self, network: str) -> int:
        """The places of this network."""
        return len(self._holders.get(network, ()))

    def take(self, network: str, holder: H) -> H | None:
        """Give the holder a place until `remove`. Returns the holder who has lost theirs for it, if there is one: the
        caller ends it. Raises `NoPlace`."""
        evicted = self.giving_way(network) if len(self._networks) >= self.most else None
        if evicted is not None:
            self.remove(evicted)
        self.add(network, holder)
        return evicted

    def add(self, network: str, holder: H) -> None:
        """Give the holder a place, even if all are taken."""
        wide = wide_network(network)
        self._networks[holder] = network
        self._wide.add(wide)
        self._narrow.setdefault(wide, Counts()).add(network)
        self._holders.setdefault(network, {})[holder] = None

    def remove(self, holder: H) -> None:
        """Free the holder's place. Does nothing without one."""
        network = self._networks.pop(holder, None)
        if network is None:
            return
        wide = wide_network(network)
        self._wide.add(wide, -1)
        narrow, holders = self._narrow[wide], self._holders[network]
        narrow.add(network, -1)
        if not narrow:
            del self._narrow[wide]
        del holders[holder]
        if not holders:
            del self._holders[network]

    def giving_way(self, network: str) -> H:
        """The holder who gives way to one of this network when all places are taken. Raises `NoPlace`."""
        wide = wide_network(network)
        if self._wide[wide] + 1 < self._wide.most:
            among = self._narrow[self._wide.largest()]
        else:
            among = self._narrow.get(wide, Counts())  # the addresses of the largest network share its places
            if among[network] + 1 >= among.most:
                raise NoPlace
        return next(reversed(self._holders[among.largest()]))

    def check(self, network: str) -> None:
        """Raises `NoPlace` if `take` would."""
        if len(self._networks) >= self.most:
            self.giving_way(network)
