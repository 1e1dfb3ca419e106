"""What commands that talk to a service with the client package (`clients/python`) have in common."""

from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module

from service.cli.options import Refused


@contextmanager
def client_errors(url: str, extra: str = "") -> Generator[None, None, None]:
    """Refusals instead of exceptions of the client. `extra`: what the command needs of the client package, a module and
    the extra with its name."""
    try:
        from stammtisch_client import InvalidUrl, NoAnswer, Problem, UnknownHost

        if extra:
            import_module(f"stammtisch_client.{extra}")
    except ModuleNotFoundError as error:
        of = f" with its extra `{extra}`" if extra else ""
        raise Refused(f"install clients/python of the repository{of}: {error}") from None
    try:
        yield
    except (Problem, NoAnswer, UnknownHost) as failure:
        raise Refused(f"{url}: {failure}") from None
    except InvalidUrl as error:
        raise Refused(error) from None
