"""Switches: motion detection, the one thing that a camera's owner may let an app switch."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from homeassistant.components.switch import SwitchEntity
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .api import Camera, MotionDetection, VedetteError
from .const import DOMAIN, SWITCH_SCOPE
from .coordinator import VedetteCoordinator, VedetteEntry
from .entity import VedetteEntity

SCAN_INTERVAL = timedelta(minutes=5)
"""Each look asks the camera itself."""
PARALLEL_UPDATES = 2


async def async_setup_entry(
    hass: HomeAssistant, entry: VedetteEntry, add: AddConfigEntryEntitiesCallback
) -> None:
    """Add a switch for each camera that has motion detection, once it is online and says so."""
    coordinator = entry.runtime_data
    if SWITCH_SCOPE not in coordinator.client.tokens.scopes:
        return
    asked: set[str] = set()

    async def add_if_it_has(camera: Camera) -> None:
        try:
            has_it = await coordinator.client.has_motion_detection(camera)
        except VedetteError:
            # Asked again with the next lists.
            asked.discard(camera.key)
            return
        if has_it:
            add([MotionSwitch(coordinator, camera)], update_before_add=True)

    @callback
    def ask_new() -> None:
        asked.intersection_update(coordinator.data)
        for camera in coordinator.data.values():
            may_switch = camera.is_online and "Config" in camera.permissions
            if may_switch and camera.key not in asked:
                asked.add(camera.key)
                entry.async_create_background_task(
                    hass, add_if_it_has(camera), f"vedette switch {camera.key}"
                )

    ask_new()
    entry.async_on_unload(coordinator.async_add_listener(ask_new))


class MotionSwitch(VedetteEntity, SwitchEntity):
    """Motion detection in a camera."""

    _attr_translation_key = "motion_detection"
    _attr_entity_category = EntityCategory.CONFIG

    def __init__(self, coordinator: VedetteCoordinator, camera: Camera) -> None:
        """Begin without knowing its state."""
        super().__init__(coordinator, camera, "motion_detection")
        self._motion: MotionDetection | None = None

    @property
    def should_poll(self) -> bool:
        """No list says whether motion detection is on."""
        return True

    @property
    def is_on(self) -> bool | None:
        """As the camera said last."""
        return None if self._motion is None else self._motion.is_on

    async def async_update(self) -> None:
        """Ask the camera."""
        camera = self.vedette_camera
        if camera is None or not camera.is_online:
            return
        try:
            self._motion = await self.coordinator.client.motion_detection(camera)
        except VedetteError:
            self._motion = None

    async def async_turn_on(self, **kwargs: Any) -> None:
        """Switch it on."""
        await self._switch(True)

    async def async_turn_off(self, **kwargs: Any) -> None:
        """Switch it off."""
        await self._switch(False)

    async def _switch(self, is_on: bool) -> None:
        camera = self.vedette_camera
        if camera is None:
            raise HomeAssistantError(translation_domain=DOMAIN, translation_key="camera_gone")
        try:
            client = self.coordinator.client
            self._motion = await client.switch_motion_detection(camera, is_on)
        except VedetteError as error:
            raise HomeAssistantError(
                translation_domain=DOMAIN,
                translation_key="not_switched",
                translation_placeholders={"reason": str(error)},
            ) from error
        self.async_write_ha_state()
