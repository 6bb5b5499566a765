"""What all entities of a camera share."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from homeassistant.core import callback
from homeassistant.helpers.device_registry import DeviceInfo
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.update_coordinator import CoordinatorEntity

from .api import Camera
from .const import DOMAIN
from .coordinator import VedetteCoordinator, VedetteEntry


class VedetteEntity(CoordinatorEntity[VedetteCoordinator]):
    """An entity of one camera."""

    _attr_has_entity_name = True

    def __init__(self, coordinator: VedetteCoordinator, camera: Camera, key: str) -> None:
        """Belong to the camera's device, under a key of its own."""
        super().__init__(coordinator)
        self._camera_key = camera.key
        own = f"{coordinator.config_entry.entry_id}_{camera.key}"
        self._attr_unique_id = f"{own}_{key}"
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, own)},
            name=camera.name,
            model=camera.model or None,
            serial_number=camera.device_serial,
            sw_version=camera.version or None,
            configuration_url=coordinator.client.http.base,
        )

    @property
    def vedette_camera(self) -> Camera | None:
        """The camera as it is now; None where it is gone."""
        return self.coordinator.data.get(self._camera_key)

    @property
    def available(self) -> bool:
        """Whether the camera is there."""
        camera = self.vedette_camera
        return super().available and camera is not None and camera.is_online


def add_for_each_camera(
    entry: VedetteEntry,
    add: AddConfigEntryEntitiesCallback,
    make: Callable[[Camera], Iterable[Entity]],
) -> None:
    """Add entities for all cameras, now and when further ones are allowed."""
    coordinator = entry.runtime_data
    known: set[str] = set()

    @callback
    def add_new() -> None:
        new = [one for key, one in coordinator.data.items() if key not in known]
        known.intersection_update(coordinator.data)
        known.update(one.key for one in new)
        if new:
            add([entity for camera in new for entity in make(camera)])

    add_new()
    entry.async_on_unload(coordinator.async_add_listener(add_new))
