"""Waiting for tasks and events."""

import asyncio
from contextlib import suppress


async def wait_for(event: asyncio.Event, seconds: float) -> None:
    """Wait until the event is set, at most for this time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


async def end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it ends: the library swallows a cancellation that arrives while it connects."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=0.05)
