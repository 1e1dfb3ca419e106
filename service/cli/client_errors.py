"""What commands that talk to a service with the client package (`clients/python`) have in common."""

from collections.abc import Generator
from contextlib import contextmanager

from service.cli.options import Refused


@contextmanager
def client_errors(url: str, extra: str = "") -> Generator[None, None, None]:
    """Refusals instead of exceptions of the client. `extra`: of the client package, which the command needs."""
    try:
        from stammtisch_client import InvalidUrl, NoAnswer, Problem, UnknownHost
    except ModuleNotFoundError as error:
        raise _missing(error, extra) from None
    try:
        yield
    except ModuleNotFoundError as error:
        raise _missing(error, extra) from None
    except (Problem, NoAnswer, UnknownHost) as failure:
        raise Refused(f"{url}: {failure}") from None
    except InvalidUrl as error:
        raise Refused(error) from None


def _missing(error: ModuleNotFoundError, extra: str) -> Refused:
    of = f" with its extra `{extra}`" if extra else ""
    return Refused(f"install clients/python of the repository{of}: {error}")
