"""The arguments of commands."""

from argparse import ArgumentParser, _SubParsersAction

from service.cli.parser import parser


def commands(given: tuple[str, ...] = ()) -> dict[str, ArgumentParser]:
    """The parser of each command."""
    [below] = [each for each in parser(given)._actions if isinstance(each, _SubParsersAction)]
    return dict(below.choices)


def test_a_command_that_runs_has_the_arguments_that_are_listed() -> None:
    """Those of other commands are not made then, nor are the settings, which only the help shows."""
    for name, complete in commands().items():
        ((only, alone),) = commands((name, "--help")).items()
        assert (only, alone.format_help()) == (name, complete.format_help())
        (brief,) = commands((name,)).values()
        assert brief.format_usage() == complete.format_usage()


def test_other_words_are_compared_with_all_commands() -> None:
    every = set(commands())
    assert {"serve", "verify"} < every
    for given in ((), ("--version",), ("sreve",), ("--help", "serve")):
        assert set(commands(given)) == every
