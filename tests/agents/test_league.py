"""A league: one seat a board, common deals, results that can be checked, runs that go on after a crash."""

import gzip
import json
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from agents.arena.boards import Board, Outcome
from agents.arena.journal import Journal
from agents.arena.statistics import points_on
from agents.league.figures import Claims, Results, own_play, pairs, rows, saved
from agents.league.folder import CLAIMS, FINISHED, RECORDS, RESULTS, SECRET, TERMS, Finished, Folder, check, decoded
from agents.league.page import PAGES, evenness
from agents.league.playing import League, asked
from agents.league.schedule import schedule
from agents.league.terms import InvalidTerms, read
from agents.table import UNITS, Answer
from domain.fairness.common_deal import same_deal
from domain.fairness.record import decode
from domain.fairness.verification import verify
from service.__main__ import main
from tests.support.served_bots import Answering, Served

Serve = Callable[[Answering], Served]
FIRST, BAD = b'{"index":0,"usage":{"words":3}}', b'{"index":999}'
HOUSE = {"careful": "careful", "easy": "easy", "random": "random"}


def toml(file: Path, bots: dict[str, str], more: str = "", **terms: Any) -> str:
    """Terms in this file. `more`: lines of the last entrant."""
    all_terms = {"title": "A trial", "ruleset": "scout", "seats": 2, "boards": 3, "think": 60} | terms
    lines = [f"{name} = {json.dumps(value)}" for name, value in all_terms.items()]
    for name, bot in bots.items():
        lines += ["[[entrant]]", f"name = {json.dumps(name)}", f"bot = {json.dumps(bot)}"]
    file.write_text("\n".join([*lines, more]), encoding="utf-8")
    return str(file)


def played(folder: Path, bots: dict[str, str], *flags: str, more: str = "", **terms: Any) -> Results:
    file = toml(folder.with_suffix(".toml"), bots, more, **terms)
    assert main(["league", file, str(folder), *flags]) == 0
    return decoded(folder / RESULTS, Results)


def records_of(folder: Path) -> list[bytes]:
    return gzip.decompress((folder / RECORDS).read_bytes()).splitlines()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A league of house players and fillers, weighed in one world only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agents.arena.boards.WORLDS", 1)
        patch.setattr("agents.league.folder.secrets.token_hex", lambda _: 32 * "5a")
        folder = tmp_path_factory.mktemp("league") / "house"
        played(folder, HOUSE | {'<b>erring</b> & "co"': "erring:50"}, "--review", seats=3, boards=2)
        yield folder


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Two boards of single rounds of two entrants, weighed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agents.arena.boards.WORLDS", 1)
        folder = tmp_path_factory.mktemp("league") / "small"
        played(folder, {"careful": "careful", "erring": "erring:5"}, "--review", ruleset="skyjo", boards=2)
        yield folder


# --- who plays whom ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("entrants", "seats", "boards"), [(6, 3, 60), (9, 3, 31), (8, 4, 24), (4, 2, 7), (3, 3, 6)])
def test_seats_and_meetings_are_even(entrants: int, seats: int, boards: int) -> None:
    sat, met = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for tables in schedule([""] * entrants, seats, boards, b"seed" * 8):
        assert sorted(each for table in tables for each in table) == [*range(entrants)]
        for table in tables:
            sat.update(enumerate(table))
            met.update(combinations(sorted(table), 2))
    sittings = [sat[seat, each] for seat in range(seats) for each in range(entrants)]
    assert max(sittings) - min(sittings) <= 1
    meetings = [met[pair] for pair in combinations(range(entrants), 2)]
    assert max(meetings) - min(meetings) <= seats  # one grouping, which is played with every rotation


def test_entrants_of_one_owner_never_share_a_table() -> None:
    owners = ["a", "b", "", "a", "b", ""]
    for tables in schedule(owners, 3, 30, b"seed" * 8):
        for table in tables:
            owned = [owners[each] for each in table if owners[each]]
            assert len(owned) == len(set(owned))


def test_the_schedule_follows_from_the_seed() -> None:
    one, again, other = (schedule([""] * 6, 3, 12, seed) for seed in (b"1" * 32, b"1" * 32, b"2" * 32))
    assert one == again != other


# --- what can be checked ----------------------------------------------------------------------------------------------


def test_every_record_verifies_and_the_games_of_a_board_have_one_deal(house: Path) -> None:
    found = [decode(each) for each in records_of(house)]
    assert all(check.ok for record in found for check in verify(record))
    assert len({record.id for record in found}) == len(found) == 4
    for one, other in zip(found[::2], found[1::2], strict=True):
        assert same_deal([one, other]).ok
    assert not same_deal([found[0], found[2]]).ok


def test_the_commitment_opens_and_the_deals_follow_from_the_secret_and_the_entropies(house: Path) -> None:
    announced, results = (json.loads((house / name).read_bytes()) for name in (TERMS, RESULTS))
    assert sha256(results["secret"].encode()).hexdigest() == announced["commitment"]
    entropies = [each.get("entropy", "") for each in results["terms"]["entrant"]]
    seed = sha256("\n".join([results["secret"], *entropies]).encode()).digest()
    for number, board in enumerate(results["boards"]):
        assert board["secret"] == sha256(seed + f"\n{number}".encode()).hexdigest()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({RESULTS: lambda text: re.sub(rb'"own":\[(-?\d+)', rb'"own":[9', text, count=1)}, "results.json differs"),
        ({RESULTS: lambda text: text[: text.index(b'"games":[{') + 9] + b"]}]}"}, "results.json differs"),
        (
            {
                PAGES["de"]: lambda text: text.replace(b"careful", b"careless"),
                RECORDS: lambda text: gzip.compress(gzip.decompress(text)[:-2] + b" \n"),
            },
            "games.ndjson.gz differs .* index.html is not .* index.de.html is not",
        ),
        ({RECORDS: lambda _: gzip.compress(bytes(10**6)) * 50}, "games.ndjson.gz differs"),
        ({RECORDS: lambda text: text[:-9]}, "games.ndjson.gz differs"),
        ({RESULTS: lambda text: re.sub(rb'"secret":"..', rb'"secret":"00', text, count=1)}, "that of the commitment"),
        ({RESULTS: lambda text: text.replace(b'"title":"A', b'"title":"B')}, "are not those of"),
        ({CLAIMS: lambda _: b'{"choices":[1],"seconds":[1],"usage":[{}]}'}, "claims.json does not have one"),
    ],
    ids=["figures", "boards", "records and pages", "large records", "torn records", "secret", "terms", "claims"],
)
def test_what_was_changed_afterwards_is_found(
    small: Path, tmp_path: Path, changes: dict[str, Callable[[bytes], bytes]], says: str
) -> None:
    folder = shutil.copytree(small, tmp_path / "changed")
    for file, change in changes.items():
        before = (folder / file).read_bytes()
        (folder / file).write_bytes(change(before))
        assert (folder / file).read_bytes() != before
    assert re.search(says, " ".join(check(folder, lambda _: None)))


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"title":"\xff"}', b'{"more":' + 9000 * b"["])
def test_files_that_cannot_be_read_are_refused(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    for number, name in enumerate((TERMS, RESULTS, CLAIMS)):
        folder = shutil.copytree(small, tmp_path / f"{number}")
        (folder / name).write_bytes(content)
        assert main(["league", str(folder), "--check"]) == 2
        assert name in capsys.readouterr().err
    journal = folder / "choices.ndjson"
    shutil.copy2(small / CLAIMS, folder)
    journal.write_bytes(journal.read_bytes() + content + b"\n")
    assert check(folder, lambda _: None) == ["choices.ndjson has answers to other terms, or impossible ones."]


def test_an_answer_that_was_left_out_is_found(serve: Serve, tmp_path: Path) -> None:
    bot = serve(lambda _: FIRST)
    folder = tmp_path / "league"
    played(folder, {"agent": bot.url, "careful": "careful"}, boards=2)
    assert check(folder, lambda _: None) == []
    journal = folder / "choices.ndjson"
    whole = journal.read_bytes()
    journal.write_bytes(whole[: whole[:-1].rindex(b"\n") + 1])
    assert check(folder, lambda _: None) == ["The journal has not every answer of agent."]
    for index in (b"9999", b'"x"'):
        journal.write_bytes(re.sub(rb'"index":0', b'"index":' + index, whole, count=1))
        assert check(folder, lambda _: None) == ["choices.ndjson has answers to other terms, or impossible ones."]


def test_neither_addresses_nor_entropies_are_announced(serve: Serve, tmp_path: Path) -> None:
    """An address may have a password in it. Entropies come after the commitment, and change every deal."""
    bot = serve(lambda _: FIRST)
    bots = {"careful": "careful", "agent": f"{bot.url}/secret-path"}
    folder = tmp_path / "league"
    file = toml(tmp_path / "league.toml", bots, boards=2)
    assert main(["league", file, str(folder), "--announce"]) == 0
    announced = (folder / TERMS).read_bytes()
    assert (folder / SECRET).stat().st_mode & 0o077 == 0
    toml(tmp_path / "league.toml", bots, 'entropy = "chosen later"', boards=2)
    assert main(["league", file, str(folder), "--resume"]) == 0
    assert (folder / TERMS).read_bytes() == announced
    for written in folder.iterdir():
        content = gzip.decompress(written.read_bytes()) if written.suffix == ".gz" else written.read_bytes()
        assert b"secret-path" not in content and f":{bot.server.server_port}".encode() not in content, written
    results = decoded(folder / RESULTS, Results)
    assert results.terms.entrant[1].entropy == "chosen later"
    assert check(folder, lambda _: None) == []


def test_terms_that_were_announced_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = toml(tmp_path / "l.toml", HOUSE, seats=3, boards=2)
    folder = str(tmp_path / "l")
    assert main(["league", file, folder, "--announce"]) == 0
    assert main(["league", file, folder]) == 2
    assert "exists already" in capsys.readouterr().err
    toml(tmp_path / "l.toml", HOUSE, seats=3, boards=3)
    assert main(["league", file, folder, "--resume"]) == 2
    assert "announces other terms" in capsys.readouterr().err


# --- figures ----------------------------------------------------------------------------------------------------------


def test_points_are_those_ahead_of_the_table_and_sum_to_nothing(house: Path) -> None:
    for board in decoded(house / RESULTS, Results).boards:
        for game in board.games:
            ahead = [points_on(board, each) for each in game.seating]
            assert sum(ahead) == pytest.approx(0)
            first, *others = game.scores
            assert ahead[0] == first - sum(others) / len(others)


def test_what_own_play_saves_is_measured_in_points() -> None:
    """In a field of four a difference of 3 in own play is one of 4 in points: nothing is saved by a smaller unit."""
    own = [3.0, -3.0, 6.0, 0.0]
    assert saved([each * 4 / 3 for each in own], own, 4) == pytest.approx(1)
    assert saved([each * 8 / 3 for each in own], own, 4) == pytest.approx(4)
    assert saved(own, [2.0] * 4, 4) is None


def test_own_play_is_what_the_review_says_of_the_own_choices(house: Path) -> None:
    """The house player is the ruler: what it might have chosen costs nothing."""
    results = decoded(house / RESULTS, Results)
    found = {results.terms.entrant[row.entrant].name: row for row in rows(results)}
    for board in results.boards:
        for game in board.games:
            assert [own_play(board, each) for each in game.seating] == [*(game.own or ())]
    assert found["random"].own is not None and found["random"].own.mean < 0
    ruler = [own_play(board, each) for board in results.boards for each in (0, 4, 5)]
    assert ruler.count(0) > len(ruler) / 2
    compared = {(each.one, each.other): each for each in pairs(results)}
    assert compared[0, 2].own is not None and compared[0, 2].own.mean > 0 and (compared[0, 2].saves or 0) > 0


# --- entrants that fail -----------------------------------------------------------------------------------------------


def test_choices_made_for_an_entrant_are_counted_and_shown(serve: Serve, tmp_path: Path) -> None:
    bot = serve(lambda asked: BAD if len(asked["seen"]) % 2 else FIRST)
    results = played(tmp_path / "l", {"agent": bot.url, "careful": "careful"}, boards=2, retries=0, strikes=1000)
    row = next(each for each in rows(results) if each.entrant == 0)
    assert row.replaced > 2 and row.forfeits == 0
    text = (tmp_path / "l" / PAGES["en"]).read_text()
    assert f'data-of="Choices made for it">{row.replaced} of ' in text and " words<" in text
    strict = played(tmp_path / "s", {"agent": bot.url, "careful": "careful"}, boards=2, retries=0, strikes=1)
    assert next(each for each in rows(strict) if each.entrant == 0).forfeits == 2


@pytest.mark.parametrize(
    "more",
    [
        '"usage":{"words":1e308}', '"usage":{"words":-1}', f'"usage":{{"{41 * "x"}":1}}',
        f'"usage":{json.dumps({str(unit): 1 for unit in range(UNITS + 1)})}', f'"more":{4000 * "["}{4000 * "]"}',
    ],
    ids=["infinite sums", "negative", "long unit", "many units", "nested"],
)  # fmt: skip
def test_an_answer_that_cannot_be_read_costs_a_choice_and_ends_no_league(
    serve: Serve, tmp_path: Path, more: str
) -> None:
    bot = serve(lambda _: f'{{"index":0,{more}}}'.encode())
    results = played(tmp_path / "l", {"agent": bot.url, "careful": "careful"}, boards=2, retries=0, strikes=1)
    assert next(each for each in rows(results) if each.entrant == 0).forfeits == 2
    assert check(tmp_path / "l", lambda _: None) == []


def test_units_of_usage_do_not_grow_with_the_choices(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "choices.ndjson", b"{}")
    for move in range(3 * UNITS):
        journal.write((0, (0, 1), move), 1, Answer(0, usage={f"unit {move}": 1, "words": 2}))
    (units,) = journal.usage().values()
    assert len(units) == UNITS and units["words"] == 6 * UNITS


def test_code_of_an_entrant_can_do_anything_but_end_the_league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answers are in the journal: the check needs no code of anybody."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    Path("wild_bots.py").write_text(
        "from random import random\n"
        "def wild(view, seat, moves, dice):\n"
        "    if random() < 0.1: raise SystemError('boom')\n"
        "    if random() < 0.1: raise SystemExit\n"
        "    if random() < 0.3: return [None, 1.0, 'a', 10**5000, -1, moves][int(random() * 6)]\n"
        "    return int(random() * len(moves))\n"
    )
    folder = tmp_path / "l"
    results = played(folder, {"wild": "wild_bots:wild", "careful": "careful"}, boards=2, strikes=1000)
    assert sum(row.replaced for row in rows(results)) > 0
    Path("wild_bots.py").write_text("raise SystemError('imported')")
    del sys.modules["wild_bots"]
    assert check(folder, lambda _: None) == []


# --- runs that go on --------------------------------------------------------------------------------------------------


def test_a_run_that_was_killed_anywhere_goes_on_with_the_same_result(serve: Serve, tmp_path: Path) -> None:
    """SIGKILL can leave each of these states: files are missing, or their last line is torn."""
    bot = serve(lambda _: FIRST)
    bots = {"agent": bot.url, "careful": "careful", "easy": "easy", "random": "random"}
    whole = tmp_path / "whole"
    results = played(whole, bots)
    questions = len(bot.asked)
    lines = (whole / "choices.ndjson").read_bytes().splitlines(keepends=True)
    assert len(lines) == questions + 1 and not (whole / FINISHED).exists()
    finished = tmp_path / "finished"  # the boards in the form of a run that goes on
    keep = shutil.copytree(whole, finished)
    (keep / RESULTS).unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Folder, "show", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        assert main(["league", str(tmp_path / "whole.toml"), str(keep), "--resume"]) == 130
    boards = (keep / FINISHED).read_bytes()
    wanted = {name: (whole / name).read_bytes() for name in (TERMS, RESULTS, RECORDS)}
    for share, places in ((0.0, (0.0,)), (0.5, (0.0,)), (1.0, (0.0, 0.4, 1.0))):  # boards end after their answers
        for place in places:
            folder = tmp_path / f"{share}-{place}"
            folder.mkdir()
            for name in (SECRET, TERMS):
                shutil.copy2(whole / name, folder)
            known = lines[0] + b"".join(lines[1:])[: int(share * len(b"".join(lines[1:])))]
            (folder / "choices.ndjson").write_bytes(known)
            if share == 1.0:
                (folder / FINISHED).write_bytes(boards[: int(place * len(boards))])
            (folder / f"{RECORDS}.part").write_bytes(b"torn")
            bot.asked.clear()
            assert main(["league", str(tmp_path / "whole.toml"), str(folder), "--resume"]) == 0
            assert len(bot.asked) == questions - (known.count(b"\n") - 1)
            assert {name: (folder / name).read_bytes() for name in wanted} == wanted
            if share < 1.0:
                break
    assert results.boards


def test_finished_boards_of_another_run_are_forgotten(tmp_path: Path) -> None:
    """Of other entropies, or of a run with another `--review`."""
    file, one = tmp_path / FINISHED, Outcome(Board(0, "", ()), (), ())
    with Finished(file, b'["a"]') as known:
        known.added(one)
    with Finished(file, b'["a"]') as known:
        assert known.boards == [one]
    with Finished(file, b'["b"]') as known:
        assert known.boards == []
    assert file.read_bytes() == b'["b"]\n'


@pytest.mark.by_default()
def test_a_process_that_is_killed_again_and_again_ends_with_the_same_result(serve: Serve, tmp_path: Path) -> None:
    """Ten times with SIGKILL, after 1, 2, 3 ... more answers; no answer is asked for twice."""
    bot = serve(lambda _: FIRST)
    bots = {"agent": bot.url, "careful": "careful", "easy": "easy", "random": "random"}
    folder = tmp_path / "killed"
    file = toml(tmp_path / "killed.toml", bots, boards=8, at_once=8)
    assert main(["league", file, str(folder), "--announce"]) == 0
    command = [sys.executable, "-m", "service", "league", file, str(folder), "--resume"]
    for round_ in range(10):
        before = len(bot.asked)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=Path(__file__).parents[2])
        while process.poll() is None and len(bot.asked) <= before + round_:
            time.sleep(0.01)
        process.kill()
        process.wait()
    assert main(["league", file, str(folder), "--resume"]) == 0
    lines = [json.loads(line) for line in (folder / "choices.ndjson").read_text().splitlines()[1:]]
    keys = [(line["board"], tuple(line["seating"]), line["move"]) for line in lines]
    assert len(keys) == len(set(keys)) and len(bot.asked) <= len(keys) + 10 * 8  # those that were under way
    assert check(folder, lambda _: None) == []


def test_a_folder_with_nothing_but_a_secret_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, folder = toml(tmp_path / "l.toml", HOUSE, seats=3, boards=2), tmp_path / "l"
    folder.mkdir()
    (folder / f"{SECRET}.part").write_bytes(b"torn")
    assert main(["league", file, str(folder), "--resume"]) == 0
    assert main(["league", str(folder), "--check"]) == 0
    assert "Everything follows" in capsys.readouterr().out
    assert main(["league", file, str(folder), "--resume"]) == 2


# --- the page ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES.values())
def test_the_page_asks_for_nothing_and_escapes_what_is_not_ours(house: Path, name: str) -> None:
    text = (house / name).read_text(encoding="utf-8")
    assert "<b>" not in text and "&lt;b&gt;erring&lt;/b&gt; &amp; &quot;co&quot;" in text
    assert not re.search(r"<script|<img|<link|src=|url\(|https?:", text)
    assert "default-src 'none'" in text
    assert set(re.findall(r'href="([^"]*)"', text)) <= set(PAGES.values())


def test_the_pages_say_the_same_figures_in_their_language(house: Path) -> None:
    english, german = ((house / PAGES[language]).read_text(encoding="utf-8") for language in ("en", "de"))
    numbers = re.compile(r"[+\u2212]\d+[.,]\d\d")
    assert [each.replace(",", ".") for each in numbers.findall(german)] == numbers.findall(english)
    assert "Eigenes Spiel" in german and "Own play" in english
    even = evenness(decoded(house / RESULTS, Results))
    assert (even["least"], even["most"]) == (0, 1)


PUBLISHED = pytest.mark.parametrize(
    "published",
    [pytest.param(folder, id=folder.name, marks=() if folder.name == "scout" else pytest.mark.checked)
     for folder in sorted((Path(__file__).parents[1] / "league").glob("*/"))],
)  # fmt: skip


@PUBLISHED
def test_the_pages_of_a_published_league_show_its_results(published: Path) -> None:
    """`--check` of it takes minutes."""
    written = (published / RESULTS).read_bytes()
    results, claims = decoded(published / RESULTS, Results), decoded(published / CLAIMS, Claims)
    for name, content in Folder(published).pages(results, written, claims).items():
        assert (published / name).read_bytes() == content, name


@pytest.mark.by_default()
@PUBLISHED
def test_a_published_league_is_made_again(published: Path) -> None:
    assert check(published, lambda _: None) == []


# --- bad terms --------------------------------------------------------------------------------------------------------


def test_the_terms_of_the_documentation_can_be_read(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "league.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"(?s)```toml\n(.*?)```", text)
    (tmp_path / "terms.toml").write_text(block)
    assert len(read(tmp_path / "terms.toml").entrant) == 3


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"ruleset": "chess"}, "There is no ruleset"),
        ({"ruleset": "scout/99"}, "There is no ruleset"),
        ({"seats": 9}, "has 2 to 5 seats"),
        ({"boards": 1}, "boards"),
        ({"boards": 10_001}, "boards"),
        ({"bots": {"a": "nobody", "b": "easy"}}, "There is no bot"),
        ({"bots": {"a": "careful"}}, "length >= 2"),
        ({"bots": {"a": "desk:1", "b": "easy"}}, "There is no bot"),
        *[({"bots": {"a": url, "b": "easy"}}, "without name and password") for url in (
            "http://user:secret@host", "http://host:port", "http://", "https://:1", "http:/host", "http:", "http://host:99999",
        )],
        ({"bots": {"a\u001bb": "careful", "b": "easy"}}, "regex"),
        ({"bots": {"": "careful", "b": "easy"}}, "length >= 1"),
        ({"bots": {"careful/1 (1)": "careful", "b": "easy", "c": "easy"}}, "same name"),
        ({"options": {"no_such": 1}}, "is not an option"),
        ({"options": {"rounds": "many"}}, "not"),
        ({"think": 0}, "think"),
        ({"colour": "red"}, "unknown field"),
        ({"more": 'entropy = "\\u0000"'}, "regex"),
        ({"more": "games = 0"}, "games"),
        ({"sit": 60}, "`sit` is for people"),
        ({"bots": {"a": "player:", "b": "easy"}}, "with the id of a player"),
        ({"bots": {"a": "player:../me", "b": "easy"}}, "with the id of a player"),
        ({"bots": {"a": "player:x:1", "b": "player:x:1"}}, "A player is an entrant once"),
        ({"bots": {"a": "player:x:1", "b": "easy"}, "think": 4}, "People have 5 to"),
        ({"bots": {"a": "player:x:1", "b": "easy"}, "sit": 0}, "sit"),
    ],
)  # fmt: skip
def test_bad_terms_are_refused_with_their_reason(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    change = dict(change)
    bots, more = change.pop("bots", {"a": "careful", "b": "easy"}), change.pop("more", "")
    options = change.pop("options", None)
    file = Path(toml(tmp_path / "bad.toml", bots, more, **change))
    if options:
        file.write_text(
            file.read_text() + "\n[options]\n" + "\n".join(f"{k} = {json.dumps(v)}" for k, v in options.items())
        )
    with pytest.raises(InvalidTerms, match=says):
        read(file)


def test_an_owner_with_more_entrants_than_tables_is_refused(tmp_path: Path) -> None:
    file = toml(tmp_path / "l.toml", HOUSE, "", seats=3, boards=2)
    text = (
        Path(file)
        .read_text()
        .replace('bot = "careful"', 'bot = "careful"\nowner = "x"')
        .replace('bot = "easy"', 'bot = "easy"\nowner = "x"')
    )
    Path(file).write_text(text)
    with pytest.raises(InvalidTerms, match="more entrants than a board has tables"):
        read(Path(file))


@pytest.mark.by_default()
def test_house_players_are_in_the_right_order_in_every_league(tmp_path: Path) -> None:
    """Two each of careful, easy and random, 60 boards: in 20 of 20 leagues all six are. Records are not made."""
    terms = read(
        Path(toml(tmp_path / "l.toml", {f"{bot} {n}": bot for bot in HOUSE for n in (1, 2)}, seats=3, boards=60))
    )
    for seed in range(20):
        league = League(terms, f"seed {seed}", [asked(terms, each) for each in terms.entrant], Journal())
        league.records = False
        boards = [outcome.board for outcome in league.outcomes()]
        means = [fmean([points_on(board, each) for board in boards]) for each in range(6)]
        careful, easy, random = means[:2], means[2:4], means[4:]
        assert min(careful) > max(easy) and min(easy) > max(random), seed
