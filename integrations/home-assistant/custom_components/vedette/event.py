"""Events: each alarm of a camera, the moment it is raised."""

from __future__ import annotations

from datetime import UTC, datetime

from homeassistant.components.event import EventEntity
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .api import Alarm, Camera
from .coordinator import VedetteCoordinator, VedetteEntry
from .entity import VedetteEntity, add_for_each_camera


async def async_setup_entry(
    hass: HomeAssistant, entry: VedetteEntry, add: AddConfigEntryEntitiesCallback
) -> None:
    """Add one entity for each camera."""
    coordinator = entry.runtime_data
    add_for_each_camera(entry, add, lambda camera: [AlarmEvent(coordinator, camera)])


class AlarmEvent(VedetteEntity, EventEntity):
    """Alarms of one camera; the type of the alarm is the type of the event."""

    _attr_translation_key = "alarm"

    def __init__(self, coordinator: VedetteCoordinator, camera: Camera) -> None:
        """Offer the types that are told."""
        super().__init__(coordinator, camera, "alarm")
        self._attr_event_types = sorted(coordinator.types)

    @property
    def available(self) -> bool:
        """Also while the camera is away: it may be what the alarm is about."""
        return self.coordinator.last_update_success and self.vedette_camera is not None

    async def async_added_to_hass(self) -> None:
        """Hear alarms from now on."""
        await super().async_added_to_hass()
        self.async_on_remove(self.coordinator.on_new_alarm(self._heard))

    @callback
    def _heard(self, alarm: Alarm) -> None:
        camera = self.vedette_camera
        if camera is None or not alarm.is_of(camera):
            return
        begun = datetime.fromtimestamp(alarm.start_ms / 1000, UTC)
        self._trigger_event(
            alarm.type,
            {
                "alarm_id": alarm.alarm_id,
                "group": alarm.group,
                "severity": alarm.severity,
                "begun": begun.isoformat(),
            },
        )
        self.async_write_ha_state()
