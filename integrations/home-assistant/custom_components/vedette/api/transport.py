"""Requests to one server: its address, whom it is trusted by, and a time limit."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp

from .errors import CannotConnect, NoVedette

REQUEST_TIMEOUT_S = 20
"""A snapshot may have to wait for the next keyframe."""

SNAPSHOT_MAX_BYTES = 16 * 1024 * 1024


def trust_of(authority: str | None) -> ssl.SSLContext:
    """Trust the usual authorities, or in their place the one that is given as PEM. Reads files: not for the event loop.

    Raises `NoVedette` where the text is no certificate.
    """
    try:
        return ssl.create_default_context(cadata=authority or None)
    except (ssl.SSLError, ValueError) as error:
        raise NoVedette("the certificate of the authority cannot be read") from error


@dataclass(frozen=True)
class Answer:
    """Status and decoded body of a request."""

    status: int
    body: dict[str, Any]


class Http:
    """Sends requests to one server."""

    def __init__(self, session: aiohttp.ClientSession, base: str, trust: ssl.SSLContext) -> None:
        """Take the session of the caller, who also closes it; `base` is the address without a slash behind it."""
        self._session = session
        self._trust = trust
        self.base = base.rstrip("/")

    async def get(self, url: str, headers: Mapping[str, str] | None = None) -> Answer:
        """Fetch JSON from an address of the server."""
        return await self._json("GET", url, headers=headers)

    async def post_form(self, url: str, fields: Mapping[str, str]) -> Answer:
        """Send a form, as OAuth asks for it."""
        return await self._json("POST", url, data=dict(fields))

    async def post_json(
        self, url: str, body: Mapping[str, Any], headers: Mapping[str, str]
    ) -> Answer:
        """Send JSON, as calls are made."""
        return await self._json("POST", url, json=dict(body), headers=headers)

    async def bytes(self, url: str) -> bytes | None:
        """Fetch a file; None where the server has none."""
        try:
            async with self._session.get(
                url, ssl=self._trust, timeout=_timeout(), allow_redirects=False
            ) as response:
                if response.status != 200:
                    return None
                return await _limited(response)
        except (aiohttp.ClientError, TimeoutError) as error:
            raise _failure(error) from error

    async def web_socket(self, url: str) -> aiohttp.ClientWebSocketResponse:
        """Open a socket."""
        try:
            opened = self._session.ws_connect(url, ssl=self._trust)
            return await asyncio.wait_for(opened, REQUEST_TIMEOUT_S)
        except (aiohttp.ClientError, TimeoutError) as error:
            raise _failure(error) from error

    async def _json(self, method: str, url: str, **kwargs: Any) -> Answer:
        try:
            async with self._session.request(
                method,
                url,
                ssl=self._trust,
                timeout=_timeout(),
                allow_redirects=False,
                **kwargs,
            ) as response:
                return Answer(response.status, _decoded(await response.read()))
        except (aiohttp.ClientError, TimeoutError) as error:
            raise _failure(error) from error


def _decoded(data: bytes) -> dict[str, Any]:
    """Answer no fields where the body is no object: who reads the answer misses them."""
    try:
        body = json.loads(data)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _timeout() -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(total=REQUEST_TIMEOUT_S)


async def _limited(response: aiohttp.ClientResponse) -> bytes:
    data = bytearray()
    async for part in response.content.iter_chunked(65536):
        data += part
        if len(data) > SNAPSHOT_MAX_BYTES:
            raise CannotConnect("the snapshot is too large")
    return bytes(data)


def _failure(error: Exception) -> CannotConnect | NoVedette:
    """Name the kind of failure; the text of aiohttp's errors may contain an address with a ticket."""
    if isinstance(error, aiohttp.InvalidURL):
        return NoVedette("this is no address")
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return NoVedette("the certificate of the server is not trusted")
    return CannotConnect(f"no connection ({type(error).__name__})")
