"""Connects to the server of an entry: its trust, its addresses, its app."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from homeassistant.const import CONF_CLIENT_ID, CONF_CLIENT_SECRET, CONF_URL
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession

from .api import Http, OAuthApp, Server, discover, trust_of
from .const import CONF_AUTHORITY


@dataclass(frozen=True)
class Connection:
    """A server that answered."""

    http: Http
    server: Server
    app: OAuthApp


async def connect(hass: HomeAssistant, data: Mapping[str, Any]) -> Connection:
    """Find the sign-in of a server. Raises `CannotConnect` or `NoVedette`."""
    # Reads the files of the system's authorities.
    trust = await hass.async_add_executor_job(trust_of, data.get(CONF_AUTHORITY))
    http = Http(async_get_clientsession(hass), data[CONF_URL], trust)
    server = await discover(http)
    secret = data.get(CONF_CLIENT_SECRET, "")
    return Connection(http, server, OAuthApp(http, server, data[CONF_CLIENT_ID], secret))
