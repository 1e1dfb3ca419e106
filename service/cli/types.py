"""The command `types`: writes the types of a picture beside it, so that an editor checks `table.js`."""

import sys
from argparse import Namespace
from pathlib import Path

from service.cli.exit_status import ExitStatus
from service.settings import InvalidSettings

FILE = Path(__file__).parents[2] / "web" / "core" / "picture.js"


def run(arguments: Namespace) -> ExitStatus:
    """Write the file, also over an earlier one. Raises `InvalidSettings`."""
    folder = Path(arguments.folder)
    text = FILE.read_text(encoding="utf-8")
    target = folder / FILE.name
    if not (folder / "table.js").is_file():
        raise InvalidSettings(f"{folder} has no table.js; nothing is written")
    mark = text.partition("*/")[0]
    if target.exists() and not target.read_text(encoding="utf-8", errors="replace").startswith(mark):
        raise InvalidSettings(f"{target} is another file; nothing is written")
    target.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{target}: the types of table.js\n")
    return ExitStatus.OK
