"""Faults in one process on SQLite, two on PostgreSQL with Redis, and four with a standby as well. Prints a report."""

import asyncio
import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.campaigns.chaos.campaign import campaign
from tests.campaigns.chaos.deployment import on_postgres, on_sqlite, with_standby

DEPLOYMENTS = {
    "sqlite": ("One process on SQLite", on_sqlite),
    "postgres": ("Two on PostgreSQL with Redis", on_postgres),
    "failover": ("Four on PostgreSQL with a synchronous standby, and Redis", with_standby),
}


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--faults", type=int, default=1000, help="number of faults, on all databases together")
    parser.add_argument("--minutes", type=float, default=20, help="upper limit of the duration")
    parser.add_argument("--on", choices=DEPLOYMENTS, action="append", help="the databases; all by default")
    parser.add_argument("--seed", type=int, default=1)


def main(given: Namespace) -> int:
    chosen = given.on or list(DEPLOYMENTS)
    for name in chosen:
        title, deploy = DEPLOYMENTS[name]
        with TemporaryDirectory() as folder, deploy(Path(folder)) as deployment:
            begun, number = time.monotonic(), -(-given.faults // len(chosen))
            result = asyncio.run(campaign(deployment, number, given.minutes * 60 / len(chosen), given.seed))
            minutes = (time.monotonic() - begun) / 60
        sys.stdout.write(f"\n{title}: {result.faults} faults in {minutes:.1f} minutes\n\n{result}\n")
        sys.stdout.flush()
        if result.complaints:
            sys.stderr.write(result.complaints[0])
            return 1
    return 0
