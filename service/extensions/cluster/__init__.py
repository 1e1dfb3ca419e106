"""What several processes share through Redis. Nothing in it is needed: the log is the truth."""

from typing import TYPE_CHECKING

from service.extension import Extension

if TYPE_CHECKING:
    from service.extension import Shared
    from service.settings import Settings


def shares(settings: "Settings") -> "Shared | None":
    if not settings.redis:
        return None
    from service.extensions.cluster.cluster import Cluster
    from service.settings import InvalidSettings

    try:
        return Cluster(settings.redis)
    except ValueError as error:
        raise InvalidSettings(f"STAMMTISCH_REDIS: {error}") from None


CLUSTER = Extension(name="cluster", home=__name__, shares=shares)
