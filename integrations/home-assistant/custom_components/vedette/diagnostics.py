"""Diagnostics for a report: what the entry knows, without secrets and names."""

from __future__ import annotations

from typing import Any

from homeassistant.core import HomeAssistant

from .coordinator import VedetteEntry


async def async_get_config_entry_diagnostics(
    hass: HomeAssistant, entry: VedetteEntry
) -> dict[str, Any]:
    """Name each thing that is shown; whatever an entry holds beside them stays out."""
    coordinator = entry.runtime_data
    return {
        "scopes": sorted(coordinator.client.tokens.scopes),
        "is_listening": coordinator.is_listening,
        "last_update_success": coordinator.last_update_success,
        "alarm_types": sorted(coordinator.types),
        "cameras": [
            {
                "model": camera.model,
                "version": camera.version,
                "device_status": camera.device_status,
                "channel_status": camera.channel_status,
                "is_recording": camera.is_recording,
                "permissions": sorted(camera.permissions),
            }
            for camera in coordinator.data.values()
        ],
    }
