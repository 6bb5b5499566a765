"""Sign-in by OAuth 2: discovery, tokens for a code with PKCE (RFC 7636), refresh and revocation (RFC 7009)."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from .errors import CannotConnect, NoVedette, SignInEnded, SignInRefused
from .transport import Answer, Http
from .tokens import TokenSet

DISCOVERY_PATH = "/oidc/.well-known/openid-configuration"


@dataclass(frozen=True)
class Server:
    """The addresses of a server's sign-in, and the scopes that it offers."""

    issuer: str
    authorization_url: str
    token_url: str
    revocation_url: str
    account_url: str
    scopes: frozenset[str]


async def discover(http: Http) -> Server:
    """Ask the server for its addresses of sign-in (OpenID Connect Discovery 1.0).

    Raises `NoVedette` where it answers something else, or names addresses of another server.
    """
    answer = await http.get(http.base + DISCOVERY_PATH)
    if answer.status >= 500:
        raise CannotConnect(f"the server answered {answer.status}")
    try:
        server = Server(
            issuer=str(answer.body["issuer"]),
            authorization_url=str(answer.body["authorization_endpoint"]),
            token_url=str(answer.body["token_endpoint"]),
            revocation_url=str(answer.body["revocation_endpoint"]),
            account_url=str(answer.body["userinfo_endpoint"]),
            scopes=frozenset(answer.body["scopes_supported"]),
        )
    except (KeyError, TypeError) as error:
        raise NoVedette("no sign-in is offered at this address") from error
    if not server.scopes >= {"device.list", "live"}:
        raise NoVedette("another program answers at this address")
    addresses = (server.token_url, server.revocation_url, server.account_url)
    if not all(url.startswith(http.base + "/") for url in addresses):
        raise NoVedette("the server names addresses of another one")
    return server


class OAuthApp:
    """The app as it is registered at the server, with an empty secret where it is public."""

    def __init__(self, http: Http, server: Server, client_id: str, client_secret: str) -> None:
        """Bind the app to one server."""
        self._http = http
        self._server = server
        self._client_id = client_id
        self._client_secret = client_secret

    async def redeem(self, code: str, redirect_uri: str, verifier: str) -> TokenSet:
        """Get the first tokens for the code with which the browser came back. Raises `SignInRefused`."""
        answer = await self._token(
            {
                "grant_type": "authorization_code",
                "code": code,
                "redirect_uri": redirect_uri,
                "code_verifier": verifier,
            }
        )
        if answer.status != 200:
            raise SignInRefused(_reason(answer))
        return _tokens(answer.body)

    async def refresh(self, tokens: TokenSet) -> TokenSet:
        """Get the next tokens. The server takes each refresh token once: a second use ends the sign-in. Raises `SignInEnded`."""
        answer = await self._token(
            {"grant_type": "refresh_token", "refresh_token": tokens.refresh_token}
        )
        if answer.status != 200:
            raise SignInEnded(_reason(answer))
        return _tokens(answer.body)

    async def revoke(self, tokens: TokenSet) -> None:
        """Tell the server that the sign-in is no longer needed."""
        fields = {"token": tokens.refresh_token, "token_type_hint": "refresh_token"}
        await self._http.post_form(self._server.revocation_url, {**fields, **self._credentials()})

    async def _token(self, fields: dict[str, str]) -> Answer:
        answer = await self._http.post_form(
            self._server.token_url, {**fields, **self._credentials()}
        )
        if answer.status == 429 or answer.status >= 500:
            raise CannotConnect(f"the server answered {answer.status}")
        return answer

    def _credentials(self) -> dict[str, str]:
        secret = {"client_secret": self._client_secret} if self._client_secret else {}
        return {"client_id": self._client_id, **secret}


async def account_of(http: Http, server: Server, tokens: TokenSet) -> tuple[str, str]:
    """Id and name of the account that signed in."""
    answer = await http.get(server.account_url, {"authorization": f"Bearer {tokens.access_token}"})
    if answer.status != 200 or "sub" not in answer.body:
        raise SignInRefused("the server does not tell whose sign-in it is")
    account_id = str(answer.body["sub"])
    return account_id, str(answer.body.get("name", account_id))


def _tokens(body: dict[str, Any]) -> TokenSet:
    try:
        return TokenSet(
            access_token=str(body["access_token"]),
            refresh_token=str(body["refresh_token"]),
            expires_at=time.time() + float(body["expires_in"]),
            scopes=frozenset(str(body.get("scope", "")).split()),
        )
    except (KeyError, ValueError) as error:
        raise SignInRefused("the server gave no refresh token") from error


def _reason(answer: Answer) -> str:
    """The code of RFC 6749 5.2, which contains no secret."""
    return str(answer.body.get("error", answer.status))
