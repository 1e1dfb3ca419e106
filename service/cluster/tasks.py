"""What users of Redis need without the library: a service without Redis does not load it."""

import asyncio


class RedisUnavailable(Exception):
    """Redis cannot be reached or does not respond. The command may have been executed."""


async def end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it ends: the library swallows a cancellation that arrives while it connects."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=0.05)
