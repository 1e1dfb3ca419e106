"""What users of Redis need without its library, which is loaded on use."""


class RedisUnavailable(Exception):
    """Redis cannot be reached or does not respond. The command may have been executed."""
