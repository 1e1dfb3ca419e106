"""Campaigns of docs/reliability.md and docs/bots.md: `python -m tests.campaigns NAME [OPTION...]`."""

import argparse
import sys

from tests.campaigns import agents, attacks, deals, failover, longrun, mutants, newcomer, scale, walks
from tests.campaigns.bots import program as bots
from tests.campaigns.chaos import program as chaos
from tests.campaigns.fuzz import program as fuzz
from tests.campaigns.review import program as review

CAMPAIGNS = {
    "agents": agents, "attacks": attacks, "bots": bots, "chaos": chaos, "deals": deals, "failover": failover,
    "fuzz": fuzz, "longrun": longrun, "mutants": mutants, "newcomer": newcomer, "review": review, "scale": scale,
    "walks": walks,
}  # fmt: skip


def main(arguments: list[str]) -> int:
    """The exit status: 1 if what must hold does not."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns", description=__doc__)
    names = parser.add_subparsers(dest="name", required=True)
    for name, campaign in CAMPAIGNS.items():
        campaign.options(names.add_parser(name, help=(campaign.__doc__ or "").splitlines()[0]))
    given = parser.parse_args(arguments)
    return CAMPAIGNS[given.name].main(given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
