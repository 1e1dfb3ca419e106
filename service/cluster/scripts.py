"""What users of Redis need without the library: a service without Redis does not load it."""

import asyncio
from collections.abc import Sequence
from hashlib import sha1


class RedisUnavailable(Exception):
    """Redis cannot be reached or does not respond. The command may have been executed."""


class Script:
    """A Lua script for one key. It must be idempotent: it runs again when a response is lost."""

    __slots__ = ("again", "first", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        sha = sha1(source.encode(), usedforsecurity=False).hexdigest()
        self.first, self.again = (
            packed((name, what.encode(), b"1")) for name, what in ((b"EVAL", source), (b"EVALSHA", sha))
        )


def packed(parts: Sequence[bytes]) -> bytes:
    """Parts of a command as Redis reads them."""
    return b"".join([b"$%d\r\n%b\r\n" % (len(part), part) for part in parts])


async def end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it ends: the library swallows a cancellation that arrives while it connects."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=0.05)
