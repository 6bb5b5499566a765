"""States that last: on while an alarm of a group lasts at a camera."""

from __future__ import annotations

from dataclasses import dataclass

from homeassistant.components.binary_sensor import (
    BinarySensorDeviceClass,
    BinarySensorEntity,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .api import Camera
from .coordinator import VedetteCoordinator, VedetteEntry
from .entity import VedetteEntity, add_for_each_camera


@dataclass(frozen=True)
class GroupRow:
    """How a group of alarms is shown."""

    group: str
    device_class: BinarySensorDeviceClass
    is_usual: bool = False
    """Shown from the start; others are switched on one by one."""


GROUPS = (
    GroupRow("motion", BinarySensorDeviceClass.MOTION, is_usual=True),
    GroupRow("person", BinarySensorDeviceClass.OCCUPANCY, is_usual=True),
    GroupRow("vehicle", BinarySensorDeviceClass.OCCUPANCY),
    GroupRow("behaviour", BinarySensorDeviceClass.SAFETY),
    GroupRow("sound", BinarySensorDeviceClass.SOUND),
    GroupRow("fire", BinarySensorDeviceClass.SAFETY),
    GroupRow("picture", BinarySensorDeviceClass.TAMPER),
)


async def async_setup_entry(
    hass: HomeAssistant, entry: VedetteEntry, add: AddConfigEntryEntitiesCallback
) -> None:
    """Add one entity for each camera and group."""
    coordinator = entry.runtime_data

    def make(camera: Camera) -> list[GroupSensor]:
        return [GroupSensor(coordinator, camera, row) for row in GROUPS]

    add_for_each_camera(entry, add, make)


class GroupSensor(VedetteEntity, BinarySensorEntity):
    """On while an alarm of the group lasts."""

    def __init__(self, coordinator: VedetteCoordinator, camera: Camera, row: GroupRow) -> None:
        """Show one group of one camera."""
        super().__init__(coordinator, camera, row.group)
        self._group = row.group
        self._attr_translation_key = row.group
        self._attr_device_class = row.device_class
        self._attr_entity_registry_enabled_default = row.is_usual

    @property
    def is_on(self) -> bool | None:
        """Whether one lasts; unknown where the camera is gone."""
        camera = self.vedette_camera
        if camera is None:
            return None
        return len(self.coordinator.lasting(camera, self._group)) > 0
