"""A rate limit that all processes count together. Redis computes like `QuotaPolicy.admit`, with identical results."""

from service.extensions.cluster.errors import RedisUnavailable
from service.extensions.cluster.redis_client import RedisClient
from service.server.rate_limit import LocalRateLimiter, QuotaPolicy, RateLimitResult

GCRA = """
    -- KEYS: the identity. ARGV: `QuotaPolicy.advance`, the tolerance. `QuotaPolicy.admit` by the clock of Redis.
    local advance, tolerance = tonumber(ARGV[1]), tonumber(ARGV[2])
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    local arrival = tonumber(redis.call('GET', KEYS[1]) or now)
    arrival = math.min(math.max(arrival, now), now + tolerance)
    local advanced = arrival + advance
    if advanced - now > tolerance then
        return {0, string.format('%.17g', arrival), string.format('%.17g', now)}
    end
    local text = string.format('%.17g', advanced)
    redis.call('SET', KEYS[1], text, 'PX', math.ceil((advanced - now) / 1000))
    return {1, text, string.format('%.17g', now)}
"""


class SharedRateLimiter:
    """Counts in Redis, for all processes together. While Redis is unavailable each process counts for itself."""

    def __init__(self, policy: QuotaPolicy, redis: RedisClient) -> None:
        self.policy = policy
        self._redis = redis
        self._fallback = LocalRateLimiter(policy)
        self._tolerance = repr(policy.tolerance)

    async def hit(self, identity: str, cost: int = 1) -> RateLimitResult:
        arguments = repr(self.policy.advance(cost)), self._tolerance
        try:
            key = self._redis.key(f"limit:{identity}")
            allowed, theoretical_arrival, now = await self._redis.execute("EVAL", GCRA, 1, key, *arguments)
        except RedisUnavailable:
            return self._fallback.hit(identity, cost)
        return RateLimitResult(self.policy, bool(allowed), float(theoretical_arrival) - float(now), cost)
