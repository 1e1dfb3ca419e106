"""Files of the pages of the latest releases, so that an upgrade needs no pause.

While a service is upgraded, processes of two releases answer: a page may come from one and its files from the other.
Later, a page that was open before asks for files of its release. So every process stores the files of its release in
the database before it serves, and serves those of other releases from there.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from service.core import Core
from service.extension import Extension, Serving

if TYPE_CHECKING:
    from domain.game import Rules
    from projections.projection import Projection


def serve(core: Core, _rulesets: "Mapping[str, Rules]") -> Serving:
    from service.extensions.releases.routes import release_routes

    return release_routes(core) if core.settings.web == "on" else Serving()


def tables() -> "tuple[Projection, ...]":
    from service.extensions.releases.table import RELEASES

    return (RELEASES,)


RELEASES = Extension(name="releases", home=__name__, serve=serve, tables=tables)
