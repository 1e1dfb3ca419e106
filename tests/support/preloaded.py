"""What the processes of `forked` share: every module that serving imports, the models of the handlers (see
`registration`), and objects that are no garbage.

Without the freeze a server that starts would look through all of them for garbage, and copy their memory.
"""

import gc
from pathlib import Path
from tempfile import TemporaryDirectory

from service import settings
from service.app import create_app
from service.cli import serve
from service.extensions.cluster import redis_client
from service.log import postgres
from tests.support.registration import framework, remember_signatures

__all__ = ["postgres", "redis_client", "serve"]

remember_signatures()
with TemporaryDirectory() as folder:
    app = framework(create_app(settings.read({}, database=str(Path(folder, "games.db")))))
app.asgi_router.handle_routing("/v1/rulesets", "GET")
gc.collect()
gc.freeze()
