"""Tokens of a sign-in, and who renews them: one refresh at a time, as each refresh token works once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

RENEW_BEFORE_S = 60
"""A token that ends so soon is renewed first: a call with it may arrive too late."""


@dataclass(frozen=True)
class TokenSet:
    """What the server gave for a sign-in. Its text shows no token."""

    access_token: str = field(repr=False)
    refresh_token: str = field(repr=False)
    expires_at: float
    scopes: frozenset[str]

    def stored(self) -> dict[str, Any]:
        """As it is kept."""
        return {
            "access_token": self.access_token,
            "refresh_token": self.refresh_token,
            "expires_at": self.expires_at,
            "scope": " ".join(sorted(self.scopes)),
        }

    @staticmethod
    def from_stored(stored: Mapping[str, Any]) -> TokenSet:
        """As `stored` wrote it."""
        return TokenSet(
            access_token=stored["access_token"],
            refresh_token=stored["refresh_token"],
            expires_at=stored["expires_at"],
            scopes=frozenset(stored["scope"].split()),
        )


class RotatingTokens:
    """Gives the current access token and renews it, never twice with the same refresh token."""

    def __init__(
        self,
        tokens: TokenSet,
        refresh: Callable[[TokenSet], Awaitable[TokenSet]],
        keep: Callable[[TokenSet], None],
    ) -> None:
        """`keep` is called with new tokens before anybody gets them."""
        self._tokens = tokens
        self._refresh = refresh
        self._keep = keep
        self._renewing: asyncio.Task[None] | None = None

    @property
    def tokens(self) -> TokenSet:
        """The current tokens, for who ends the sign-in."""
        return self._tokens

    @property
    def scopes(self) -> frozenset[str]:
        """What the account allowed."""
        return self._tokens.scopes

    async def current(self) -> str:
        """Give an access token that is still good for a while."""
        lasts_s = self._tokens.expires_at - time.time()
        if self._renewing is not None or lasts_s < RENEW_BEFORE_S:
            await self._renewed()
        return self._tokens.access_token

    async def after(self, refused: str) -> str:
        """Give the access token that follows the refused one; whoever else was refused with it gets the same."""
        if self._tokens.access_token == refused:
            await self._renewed()
        return self._tokens.access_token

    async def _renewed(self) -> None:
        """Wait for the one refresh under way. It goes on where its callers are cancelled: the old refresh token is used up by then."""
        if self._renewing is None:
            self._renewing = asyncio.create_task(self._renew())
        await asyncio.shield(self._renewing)

    async def _renew(self) -> None:
        try:
            self._tokens = await self._refresh(self._tokens)
            self._keep(self._tokens)
        finally:
            self._renewing = None
