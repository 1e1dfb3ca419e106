"""The command `mcp`: a seat for language models. It needs the client package with its extra: `stammtisch[mcp]`."""

import asyncio
from argparse import Namespace

from service.cli.exit_status import ExitStatus
from service.cli.options import Refused


def run(arguments: Namespace) -> ExitStatus:
    try:
        from stammtisch_client import InvalidUrl, NoAnswer, Problem, UnknownHost, mcp
    except ModuleNotFoundError as error:
        raise Refused(f"install clients/python of the repository with its extra `mcp`: {error}") from None
    try:
        asyncio.run(mcp.serve(arguments))
    except (Problem, NoAnswer, UnknownHost) as failure:
        raise Refused(f"{arguments.url}: {failure}") from None
    except InvalidUrl as error:
        raise Refused(error) from None
    return ExitStatus.OK
