"""The sign-in as Home Assistant runs it: its redirect and its PKCE, with our requests."""

from __future__ import annotations

import time
from typing import Any

from aiohttp import ClientError

from homeassistant.core import HomeAssistant
from homeassistant.helpers.config_entry_oauth2_flow import (
    LocalOAuth2ImplementationWithPkce,
)

from .api import TokenSet, VedetteError
from .connection import Connection
from .const import DOMAIN


class VedetteSignIn(LocalOAuth2ImplementationWithPkce):
    """Signs in at one server; its own authority, which Home Assistant does not know, is trusted too."""

    def __init__(
        self,
        hass: HomeAssistant,
        connection: Connection,
        client_id: str,
        scopes: tuple[str, ...],
    ) -> None:
        """Sign in for these scopes."""
        server = connection.server
        super().__init__(hass, DOMAIN, client_id, server.authorization_url, server.token_url)
        self._connection = connection
        self._scopes = scopes

    @property
    def name(self) -> str:
        """The name of what is signed in to."""
        return "Vedette"

    @property
    def extra_authorize_data(self) -> dict[str, Any]:
        """The scopes; without `prompt=consent` there is no refresh token (OpenID Connect Core 11)."""
        asked = {"scope": " ".join(self._scopes), "prompt": "consent"}
        return {**asked, **super().extra_authorize_data}

    async def async_resolve_external_data(self, external_data: Any) -> dict[str, Any]:
        """Redeem the code. Home Assistant explains the failures of aiohttp to its user."""
        try:
            tokens = await self._connection.app.redeem(
                external_data["code"],
                external_data["state"]["redirect_uri"],
                self.code_verifier,
            )
        except VedetteError as error:
            raise ClientError(str(error)) from error
        return stored(tokens)


def stored(tokens: TokenSet) -> dict[str, Any]:
    """As an entry keeps tokens. Home Assistant computes `expires_at` of a new entry from the seconds beside it."""
    seconds = max(0, int(tokens.expires_at - time.time()))
    return {**tokens.stored(), "expires_in": seconds}
