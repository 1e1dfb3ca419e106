"""The command `bot`: plays at a service with a bot of the house, or with a function of a Python module.

It needs the client package (`clients/python`), and speaks HTTP like everybody else.
"""

import asyncio
import logging
import random
import sys
import tomllib
from argparse import Namespace
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from agents.bots import FUNCTION, UnknownBot, bot_named
from agents.external import Forfeited
from agents.served import question
from domain.messages import Value
from domain.registry import RULESETS
from domain.ruleset import Ruleset
from service.cli.client_errors import client_errors
from service.cli.exit_status import ExitStatus
from service.cli.options import Refused

C = TypeVar("C")


class BotConfig(Value, forbid_unknown_fields=True, kw_only=True):
    """The options of the command. A configuration file has the same names."""

    url: str = "http://127.0.0.1:8000"
    name: str = "Bot"
    bot: str = "careful"
    rulesets: tuple[str, ...] = ()
    games: int = 1
    total: int | None = None
    token: str = "stammtisch-bot.token"


def run(arguments: Namespace) -> ExitStatus:
    logging.basicConfig(format="%(message)s", stream=sys.stderr, level=logging.WARNING)
    logging.getLogger("stammtisch.bot").setLevel(logging.INFO)
    asyncio.run(play(configured(arguments)))
    return ExitStatus.OK


def configured(arguments: Namespace) -> BotConfig:
    """The options of the command line, else those of the file, else the defaults. Raises `Refused`."""
    try:
        of_file = tomllib.loads(Path(arguments.config).read_text()) if arguments.config else {}
        given = {name: getattr(arguments, name) for name in BotConfig.__struct_fields__}
        given["rulesets"] = given["rulesets"].split(",") if given["rulesets"] else None
        config = msgspec.convert(of_file | {key: value for key, value in given.items() if value is not None}, BotConfig)
    except (msgspec.ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"{arguments.config or 'options'}: {error}") from None
    if config.games < 1 or (config.total is not None and config.total < 1):
        raise Refused("games and total must be at least 1")
    return config


async def play(config: BotConfig) -> None:
    """Play until the configured number of games is over. Raises `Refused`."""
    with client_errors(config.url):
        from stammtisch_client import AsyncClient
        from stammtisch_client import bot as runner

        async with AsyncClient(config.url, patience=None) as stranger:
            served = {each.name: each.rules for each in await stranger.rulesets()}
        rulesets, choose = playable(config, served)
        try:
            await runner.play(
                config.url, config.name, choose, token=config.token, rulesets=rulesets, games=config.games,
                total=config.total,
            )  # fmt: skip
        except Forfeited as forfeit:
            raise Refused(f"{config.bot}: {forfeit}") from None


def playable(config: BotConfig, served: dict[str, str]) -> tuple[Collection[str], Callable[[Any], int]]:
    """The rulesets that the bot plays at this service, and the function that chooses. Raises `Refused`."""
    unknown = [name for name in config.rulesets if name not in served]
    if unknown:
        raise Refused(f"the service does not have the ruleset {unknown[0]}; it has {', '.join(served)}")
    bots = {
        name: house_bot(rules, config.bot)
        for name, rules in RULESETS.items()
        if served.get(name) == rules.rules and (not config.rulesets or name in config.rulesets)
    }
    missing = [name for name in config.rulesets or served if name not in bots]
    if config.rulesets and missing:
        raise Refused(f"the service plays {served[missing[0]]}, which this version does not know")
    return bots.keys(), lambda choice: bots[choice.ruleset](choice)


def house_bot(rules: Ruleset[Any, Any, Any], name: str) -> Callable[[Any], int]:
    """A bot by its name: published, with or without a version, a search, or MODULE:FUNCTION. Raises `Refused`."""
    try:
        bot = bot_named(rules, name)
    except UnknownBot as error:
        if FUNCTION.fullmatch(name):
            raise Refused(error) from None
        known = ", ".join(rules.house)
        turns = "" if rules.appraise is None else "[xTURNS]"
        raise Refused(f"{rules.name} has no bot {name}; it has {known} and deep:WORLDSxMOVES{turns}") from None
    return lambda choice: bot.choose(question(rules, choice, DICE, looks_back=bot.looks_back))


class Dice:
    """Random numbers of this process: nobody has to be able to repeat the choices of an external bot."""

    def below(self, n: int) -> int:
        return random.randrange(n)

    def shuffled(self, items: Sequence[C]) -> tuple[C, ...]:
        return tuple(random.sample(items, len(items)))


DICE = Dice()
