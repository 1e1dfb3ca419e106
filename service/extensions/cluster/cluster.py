"""Redis, and what the processes of a service share through it."""

from service.extensions.cluster.limiter import SharedRateLimiter
from service.extensions.cluster.listener import Listener
from service.extensions.cluster.redis_client import RedisClient
from service.extensions.cluster.version_cache import VersionCache
from service.process.metrics import Metrics
from service.server.rate_limit import QuotaPolicy


class Cluster:
    """Raises `ValueError` for an invalid URL."""

    def __init__(self, url: str) -> None:
        self.lines = RedisClient(url)
        self.versions = VersionCache(self.lines)
        self.listener = Listener(self.lines)

    async def start(self) -> None:
        await self.lines.start()

    async def stop(self) -> None:
        await self.lines.stop()

    def limiter(self, policy: QuotaPolicy) -> SharedRateLimiter:
        return SharedRateLimiter(policy, self.lines)

    def measure(self, metrics: Metrics) -> None:
        versions, redis = self.versions, self.lines
        metrics.counters |= {
            "redis_hits": ("Lookups of a game in the version cache that found it.", lambda: versions.hits),
            "redis_misses": ("Lookups of a game in the version cache that did not find it.", lambda: versions.misses),
            "redis_answers": (
                "Requests for a game that were served from responses cached in Redis.", lambda: versions.answers,
            ),
            "redis_failures": ("Commands to Redis that failed or timed out.", lambda: redis.losses),
        }  # fmt: skip
        metrics.gauges["redis_up"] = "Whether Redis is available: 1 or 0.", lambda: redis.up
