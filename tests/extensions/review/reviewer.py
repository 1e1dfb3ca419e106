"""Stands in for `stammtisch review - --stream` where a test is about the queue and not about reviews.

It reads a record and does what the file named by its first argument says, one word a line: `wait` until the file
changes, `first`, `final`, `die`, `rubbish`. It appends a line to the file beside it, so that a test can count jobs.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any


def main() -> None:
    orders = Path(sys.argv[1])
    record = json.loads(sys.stdin.buffer.read())
    with orders.with_suffix(".log").open("a") as log:
        settings = [name for name in os.environ if name.startswith("STAMMTISCH_")]
        alone = os.getsid(0) == os.getpid() and len(os.sched_getaffinity(0)) == 1
        log.write(json.dumps([record["id"], sys.argv[2:], os.nice(0), alone, settings, record.get("names")]) + "\n")
    document = {"format": "stammtisch-review/1", "head": record["head"], "means": means(record)}
    say({"phase": "first", "done": 1, "all": 2})
    while True:
        match orders.read_text().strip():
            case "final":
                break
            case "first":
                say({"state": "first"} | document)
            case "die":
                os.abort()
            case "rubbish":
                sys.stdout.write("rubbish\n")
        say({"phase": "first", "done": 1, "all": 2})
        time.sleep(0.05)
    say({"state": "first"} | document)
    say({"phase": "accounts", "done": 2, "all": 2})
    say({"state": "final"} | document)


def means(record: Any) -> list[Any]:
    """By seat: a loss that depends on the game, so that a mean has an interval."""
    loss = int(record["head"][:2], 16) / 100
    return [{"seat": seat, "choices": 7, "loss": loss, "own": -loss} for seat in range(len(record["seats"]))]


def say(line: object) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
