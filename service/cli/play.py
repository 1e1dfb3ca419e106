"""The command `play`: a table at a service in this terminal. It needs the client package (`clients/python`)."""

import asyncio
from argparse import Namespace

from service.cli.client_errors import client_errors
from service.cli.exit_status import ExitStatus
from service.cli.options import named_values


def run(arguments: Namespace) -> ExitStatus:
    with client_errors(arguments.url):
        from stammtisch_client import terminal

        asyncio.run(
            terminal.play(
                arguments.url, arguments.ruleset, arguments.others or ["careful/1"], game=arguments.game,
                name=arguments.name, token=arguments.token, language=arguments.language,
                options=named_values(arguments.option),
            )
        )  # fmt: skip
    return ExitStatus.OK
