"""The settings of embedding."""

from typing import Annotated

from msgspec import Meta, Struct

from service.settings import items


class EmbeddingSettings(Struct, frozen=True, kw_only=True):
    embed_origins: Annotated[
        str,
        Meta(
            pattern=r"^(https?://[^\s/,;'\"]+(, *https?://[^\s/,;'\"]+)*)?$",
            extra={"form": "a list of origins with commas, such as `https://example.com`"},
        ),
    ] = ""
    """Comma-separated origins whose pages may show tables in frames (`/embed`). No other page of the service can be
    framed. Empty: none."""

    @property
    def embedders(self) -> tuple[str, ...]:
        return tuple(items(self.embed_origins))
