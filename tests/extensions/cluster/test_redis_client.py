"""The Redis client pipelines commands, and rejects them at once while the server is unavailable."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress

import pytest

from service.extensions.cluster.errors import RedisUnavailable
from service.extensions.cluster.redis_client import RedisClient
from tests.support import servers
from tests.support.servers import Redis

pytestmark = [pytest.mark.anyio, pytest.mark.waits]


async def add(client: RedisClient, key: str, amount: int) -> int:
    return int(await client.execute("INCRBY", client.key(key), amount))


@pytest.fixture
async def client(redis_url: str) -> AsyncIterator[RedisClient]:
    client = RedisClient(redis_url)
    await client.start()
    assert client.up
    yield client
    await client.stop()


@pytest.fixture
def own() -> Iterator[Redis]:
    with servers.redis() as server:
        yield server


async def reconnected(client: RedisClient) -> None:
    await _until(lambda: client.up)


async def test_every_caller_gets_the_response_to_its_own_command(client: RedisClient):
    sums = await asyncio.gather(*(add(client, f"key-{n % 50}", n) for n in range(500)))
    assert sorted(sums[:50]) == list(range(50))
    assert sums[450:] == [sum(range(n % 50, n + 1, 50)) for n in range(450, 500)]


async def test_lookups_share_a_command(redis: Redis, client: RedisClient):
    await asyncio.gather(*(add(client, f"sum-{n}", n) for n in range(50)))
    redis.execute("CONFIG", "RESETSTAT")
    found = await asyncio.gather(*(client.lookup([client.key(f"sum-{n}"), client.key("none")]) for n in range(50)))
    assert found == [[b"%d" % n, None] for n in range(50)]
    assert redis.execute("INFO", "commandstats")["cmdstat_mget"]["calls"] == 1


async def test_a_new_epoch_begins_when_the_data_is_lost(redis: Redis, client: RedisClient):
    before = client.epoch
    await client.lookup([])
    assert client.epoch == before != b""
    redis.execute("FLUSHALL")
    await client.lookup([])
    assert client.epoch == b""
    await client.lookup([])
    assert client.epoch not in (b"", before)


async def test_the_client_recovers_from_an_error_response(client: RedisClient):
    with pytest.raises(RedisUnavailable):
        await client.execute("NO SUCH COMMAND")
    await reconnected(client)
    assert await add(client, "key", 1) == 1


async def test_commands_to_a_slow_server_time_out(own: Redis):
    client = RedisClient(own.url)
    await client.start()
    with own.frozen():
        for _ in range(2):
            with pytest.raises(RedisUnavailable):
                await add(client, "key", 1)
    await reconnected(client)
    await client.stop()


async def test_a_cancelled_command_does_not_affect_the_others(client: RedisClient):
    waiting = [asyncio.ensure_future(add(client, "key", 1)) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[1].cancel()
    assert (await waiting[0], await waiting[2]) == (1, 3)


async def test_data_from_before_a_restart_of_the_server_is_never_read(own: Redis):
    client = RedisClient(own.url)
    await client.start()
    assert await add(client, "key", 5) == 5
    own.execute("SAVE")
    own.stop(signal.SIGKILL)
    with pytest.raises(RedisUnavailable):
        await add(client, "key", 5)
    own.start()
    assert own.execute("KEYS", "*:key")
    await reconnected(client)
    assert await add(client, "key", 5) == 5
    await client.stop()


async def test_commands_are_rejected_at_once_while_the_server_is_unavailable(own: Redis):
    own.stop()
    client = RedisClient(own.url)
    await client.start()
    for _ in range(100):
        command = add(client, "key", 1)
        with pytest.raises(RedisUnavailable):
            command.send(None)  # raises before it waits for anything
    assert client.losses == 100
    own.start()
    await reconnected(client)
    assert await add(client, "key", 1) == 1
    await client.stop()


async def test_all_subscribers_receive_a_publication(redis_url: str, client: RedisClient):
    other = RedisClient(redis_url)
    messages: list[list[bytes | None]] = [[], []]

    async def listen(client: RedisClient, received: list[bytes | None]) -> None:
        async for lines in client.listen("news"):
            received += [None] if lines is None else lines

    listeners = [asyncio.ensure_future(listen(*each)) for each in zip((client, other), messages, strict=True)]
    await _until(lambda: messages == [[None], [None]])
    client.publish("news", b"one")
    client.publish("news", b"two")
    client.publish("another channel", b"other")
    await _until(lambda: messages == [[None, b"one", b"two"]] * 2)
    for listener in listeners:
        listener.cancel()
    await asyncio.gather(*listeners, return_exceptions=True)


async def test_a_subscriber_is_notified_when_messages_may_have_been_lost(own: Redis):
    client, messages = RedisClient(own.url), []

    async def listen() -> None:
        async for lines in client.listen("news"):
            messages.append(lines)  # noqa: PERF401 - the stream never ends

    await client.start()
    listening = asyncio.ensure_future(listen())
    await _until(lambda: messages == [None])
    own.stop()
    own.start()
    await _until(lambda: messages == [None, None])
    with suppress(RedisUnavailable):  # the first command finds the old connection broken
        await add(client, "key", 1)
    await reconnected(client)
    client.publish("news", b"again")
    await _until(lambda: messages == [None, None, [b"again"]])
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    await client.stop()


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
