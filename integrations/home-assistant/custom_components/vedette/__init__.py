"""Vedette in Home Assistant: cameras, alarms and motion detection of an installation."""

from __future__ import annotations

from homeassistant.const import CONF_TOKEN, Platform
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConfigEntryAuthFailed, ConfigEntryNotReady

from .api import (
    OAuthApp,
    RotatingTokens,
    SignInEnded,
    TokenSet,
    VedetteClient,
    VedetteError,
)
from .connection import connect
from .coordinator import VedetteCoordinator, VedetteEntry
from .sign_in import stored

PLATFORMS = [Platform.BINARY_SENSOR, Platform.CAMERA, Platform.EVENT, Platform.SWITCH]


async def async_setup_entry(hass: HomeAssistant, entry: VedetteEntry) -> bool:
    """Sign in with the stored tokens, fetch the cameras and listen to events."""
    try:
        connection = await connect(hass, entry.data)
        client = VedetteClient(connection.http, _tokens_of(hass, entry, connection.app))
        all_types = await client.alarm_types()
    except SignInEnded as error:
        raise ConfigEntryAuthFailed(str(error)) from error
    except VedetteError as error:
        raise ConfigEntryNotReady(str(error)) from error
    coordinator = VedetteCoordinator(hass, entry, client, all_types)
    await coordinator.async_config_entry_first_refresh()
    entry.runtime_data = coordinator
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    entry.async_create_background_task(hass, coordinator.listen(), "vedette events")
    return True


async def async_unload_entry(hass: HomeAssistant, entry: VedetteEntry) -> bool:
    """Take the entities away; Home Assistant ends the listening itself."""
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)


async def async_remove_entry(hass: HomeAssistant, entry: VedetteEntry) -> None:
    """End the sign-in at the server too, as far as it can be reached."""
    try:
        connection = await connect(hass, entry.data)
        await connection.app.revoke(TokenSet.from_stored(entry.data[CONF_TOKEN]))
    except VedetteError:
        return


def _tokens_of(hass: HomeAssistant, entry: VedetteEntry, app: OAuthApp) -> RotatingTokens:
    def keep(tokens: TokenSet) -> None:
        data = {**entry.data, CONF_TOKEN: stored(tokens)}
        hass.config_entries.async_update_entry(entry, data=data)

    return RotatingTokens(TokenSet.from_stored(entry.data[CONF_TOKEN]), app.refresh, keep)
