"""The types of a picture: an author's `table.js` is checked in its own folder, with nothing of this repository."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from service.__main__ import main
from tests.support.wheel import ROOT

PICTURES = {path.parent.name: path for path in ROOT.glob("examples/*/src/*/table.js")} | {
    "hearts": ROOT / "stammtisch" / "template" / "table.js"
}


def checked(*folders: Path) -> str:
    """What the type checker says of these pictures; empty if nothing."""
    deno = Path(sys.executable).with_name("deno")
    files = [str(folder / "table.js") for folder in folders]
    done = subprocess.run(
        [deno, "check", "--quiet", *files], cwd=folders[0].parent, env={"NO_COLOR": "1"}, capture_output=True, text=True
    )
    assert (done.returncode == 0) == (done.stderr == ""), done.stderr
    return done.stderr


def test_pictures_are_checked_in_the_folder_of_their_author(tmp_path: Path):
    """Whatever is wrong in one is found: the types are not `any`."""
    folders = [tmp_path / name for name in PICTURES]
    for folder, path in zip(folders, PICTURES.values(), strict=True):
        folder.mkdir()
        shutil.copy(path, folder / "table.js")
        assert main(["types", str(folder)]) == 0
        assert main(["types", str(folder)]) == 0  # again, after an update
    assert len(folders) == 4 and checked(*folders) == ""
    hearts = folders[-1] / "table.js"
    text = hearts.read_text()
    hearts.write_text(re.sub('kind: "pile"', 'kind: "heap"', text, count=1))
    assert '"heap"' in checked(folders[-1])


def test_types_are_written_beside_a_picture_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["types", str(tmp_path)]) == 2
    assert "has no table.js" in capsys.readouterr().err
    (tmp_path / "table.js").write_text("export default {};")
    (tmp_path / "picture.js").write_text("export const own = 1;")
    assert main(["types", str(tmp_path)]) == 2
    assert "is another file" in capsys.readouterr().err
    assert (tmp_path / "picture.js").read_text() == "export const own = 1;"
