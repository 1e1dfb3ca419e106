"""Locks without waiting."""

import asyncio


def acquired_at_once(lock: asyncio.Lock) -> bool:
    """Acquire the lock if it is free and nobody waits for it. `lock.release()` releases it."""
    if lock.locked():
        return False
    acquiring = lock.acquire()
    try:
        acquiring.send(None)
    except StopIteration:
        return True
    acquiring.close()  # others wait already
    return False
