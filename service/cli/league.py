"""The command `league`: people, bots, programs and agents play the same deals, and everybody can check the table."""

import asyncio
import socket
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from agents.arena.journal import Journal
from agents.league import terms as agreed
from agents.league.figures import Results, rows
from agents.league.folder import RESULTS, Folder, check
from agents.league.page import PAGES
from agents.league.playing import League, asked
from agents.league.recorded import Absent
from agents.league.terms import InvalidTerms, Terms
from agents.modules import search_here
from agents.table import Bot
from service.cli.client_errors import client_errors
from service.cli.exit_status import ExitStatus
from service.cli.options import Refused
from service.cli.progress import progress_bar
from service.cli.terminal import one_line


def run(arguments: Namespace) -> ExitStatus:
    search_here()
    try:
        if arguments.check:
            return checked(Path(arguments.folder or arguments.terms))
        return played(arguments)
    except (InvalidTerms, Absent) as error:
        raise Refused(error) from None


def checked(folder: Path) -> ExitStatus:
    with progress_bar("boards", 0) as advance:
        wrong = check(folder, advance)
    sys.stdout.write("".join([one_line(each) + "\n" for each in wrong]) or "Everything follows from the terms.\n")
    return ExitStatus.REJECTED if wrong else ExitStatus.OK


def played(arguments: Namespace) -> ExitStatus:
    if arguments.folder is None:
        raise Refused("A league needs a folder.")
    terms, folder = agreed.read(Path(arguments.terms)), new_folder(Path(arguments.folder), arguments.resume)
    secret = folder.announce(terms)
    tokens = folder.tokens(terms)
    if arguments.announce:
        sys.stdout.write(f"Commitment: {agreed.commitment(secret)}\n")
        return ExitStatus.OK
    if terms.has_people != (arguments.service is not None):
        raise Refused("A league with people needs `--service URL`, others have no service.")
    with ExitStack() as stack:
        desk = opened(stack, arguments.desk, terms, tokens)
        bots = [desk.bot(each.name) if desk and each.comes else asked(terms, each) for each in terms.entrant]
        journal = folder.journal(terms)
        if terms.has_people:
            stack.enter_context(client_errors(arguments.service))
            league = at_service(arguments, folder, terms, secret, bots, journal)
        else:
            league = League(terms, secret, bots, journal, review=arguments.review)
        advance = stack.enter_context(progress_bar("boards", terms.boards))
        results = folder.play(league, terms, secret, advance)
    sys.stdout.write("".join([f"{each}\n" for each in [*lines(results), folder.path / PAGES["en"]]]))
    return ExitStatus.OK


def at_service(
    arguments: Namespace, folder: Folder, terms: Terms, secret: str, bots: Sequence[Bot], journal: Journal
) -> League:
    """The league at the service, where it has players for all who are no people."""
    from agents.league.rest import OWNER, Served, registered

    url, known = arguments.service, dict(folder.players())
    if arguments.organiser:
        known[OWNER] = Path(arguments.organiser).read_text(encoding="utf-8").strip()
    tokens = folder.players(asyncio.run(registered(url, terms, known)))
    return Served(terms, secret, bots, journal, url=url, tokens=tokens, review=arguments.review)


def opened(stack: ExitStack, port: int | None, terms: Terms, tokens: Mapping[str, str]) -> Any:
    """The desk, to which every agent has come; None if nobody comes to one."""
    if not tokens:
        return None
    if port is None:
        raise Refused("An entrant comes to the desk: `--desk PORT`.")
    try:
        from agents.league.desk import Desk
    except ModuleNotFoundError as error:
        raise Refused(f"The desk needs the extra `stammtisch[mcp]`: {error}") from None
    at = stack.enter_context(socket.create_server(("127.0.0.1", port)))
    desk = Desk(tokens, at, terms.manners)
    stack.callback(desk.close)
    sys.stderr.write(f"http://127.0.0.1:{at.getsockname()[1]}/mcp waits for: {one_line(', '.join(tokens))}\n")
    desk.everybody.wait()
    return desk


def new_folder(path: Path, resume: bool) -> Folder:
    """Raises `Refused` if it exists: what is published is never overwritten."""
    folder = Folder(path)
    if resume and folder.is_finished:
        raise Refused(f"{path} has a finished league: {RESULTS}.")
    try:
        path.mkdir(parents=True, exist_ok=resume)
    except FileExistsError:
        raise Refused(f"{path} exists already. `--resume` goes on with it.") from None
    return folder


def lines(results: Results) -> list[str]:
    """The table of the terminal."""
    entrants = results.terms.entrant
    width = max([len(each.name) for each in entrants])
    found = []
    for row in rows(results):
        points, own = row.points, row.own
        said = f"{one_line(entrants[row.entrant].name):{width}}  {points.mean:+7.2f} "
        said += f"({points.low:+.2f} to {points.high:+.2f})"
        if own is not None:
            said += f"  own play {own.mean:+.2f} ({own.low:+.2f} to {own.high:+.2f})"
        found.append(f"{said}  rating {row.rating.mean:+.0f}  made for it {row.replaced}  forfeits {row.forfeits}")
    return found
