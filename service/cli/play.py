"""The command `play`: a table at a service in this terminal. It needs the client package (`clients/python`)."""

import asyncio
from argparse import Namespace

from service.cli.exit_status import ExitStatus
from service.cli.options import Refused, named_values


def run(arguments: Namespace) -> ExitStatus:
    try:
        from stammtisch_client import InvalidUrl, NoAnswer, Problem, UnknownHost, terminal
    except ModuleNotFoundError as error:
        raise Refused(f"install clients/python of the repository: {error}") from None
    try:
        asyncio.run(
            terminal.play(
                arguments.url, arguments.ruleset, arguments.others or ["careful/1"], game=arguments.game,
                name=arguments.name, token=arguments.token, language=arguments.language,
                options=named_values(arguments.option),
            )
        )  # fmt: skip
    except (Problem, NoAnswer, UnknownHost) as failure:
        raise Refused(f"{arguments.url}: {failure}") from None
    except InvalidUrl as error:
        raise Refused(error) from None
    return ExitStatus.OK
