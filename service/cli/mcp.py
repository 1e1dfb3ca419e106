"""The command `mcp`: a seat for language models. It needs the client package with its extra: `stammtisch[mcp]`."""

import asyncio
from argparse import Namespace

from service.cli.client_errors import client_errors
from service.cli.exit_status import ExitStatus


def run(arguments: Namespace) -> ExitStatus:
    with client_errors(arguments.url, extra="mcp"):
        from stammtisch_client import mcp

        asyncio.run(mcp.serve(arguments))
    return ExitStatus.OK
