"""Cameras: live video by RTSP and snapshots."""

from __future__ import annotations

import asyncio
import logging

from homeassistant.components.camera import Camera as CameraEntity
from homeassistant.components.camera import CameraEntityFeature
from homeassistant.components.stream import Stream
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .api import Camera, VedetteError
from .coordinator import VedetteCoordinator, VedetteEntry
from .entity import VedetteEntity, add_for_each_camera

_LOGGER = logging.getLogger(__name__)

ADDRESS_LASTS_S = 45
"""The server forgets an address that nobody opened for a minute."""


async def async_setup_entry(
    hass: HomeAssistant, entry: VedetteEntry, add: AddConfigEntryEntitiesCallback
) -> None:
    """Add one entity for each camera that may be watched."""

    def make(camera: Camera) -> list[VedetteCamera]:
        may_watch = "Realplay" in camera.permissions
        return [VedetteCamera(entry.runtime_data, camera)] if may_watch else []

    add_for_each_camera(entry, add, make)


class VedetteCamera(VedetteEntity, CameraEntity):
    """Video of one camera. Each start of a stream asks for an address of its own."""

    _attr_name = None
    _attr_supported_features = CameraEntityFeature.STREAM

    def __init__(self, coordinator: VedetteCoordinator, camera: Camera) -> None:
        """Begin without a stream."""
        VedetteEntity.__init__(self, coordinator, camera, "camera")
        CameraEntity.__init__(self)
        self._renewing: asyncio.Task[None] | None = None

    @property
    def is_recording(self) -> bool:
        """Whether Vedette records it now."""
        camera = self.vedette_camera
        return camera is not None and camera.is_recording

    async def stream_source(self) -> str | None:
        """A new address; None where the server gives none."""
        camera = self.vedette_camera
        if camera is None:
            return None
        try:
            return await self.coordinator.client.stream_address(camera)
        except VedetteError as error:
            _LOGGER.debug("No video of %s: %s", self.entity_id, error)
            return None

    async def async_camera_image(
        self, width: int | None = None, height: int | None = None
    ) -> bytes | None:
        """A snapshot, in the size of the video."""
        camera = self.vedette_camera
        if camera is None:
            return None
        try:
            return await self.coordinator.client.snapshot(camera)
        except VedetteError as error:
            _LOGGER.debug("No snapshot of %s: %s", self.entity_id, error)
            return None

    async def async_create_stream(self) -> Stream | None:
        """Give a stream that stood still a new address, as the old one has ended."""
        kept = self.stream
        stream = await super().async_create_stream()
        if stream is None:
            return None
        stream.set_update_callback(self._stream_changed)
        if stream is kept and not stream.outputs():
            await self._renew(stream)
        return stream

    async def async_will_remove_from_hass(self) -> None:
        """Stop renewing."""
        if self._renewing is not None:
            self._renewing.cancel()
        await super().async_will_remove_from_hass()

    @callback
    def _stream_changed(self) -> None:
        self.async_write_ha_state()
        is_over = self._renewing is None or self._renewing.done()
        if self.stream is not None and not self.stream.available and is_over:
            self._renewing = self.hass.async_create_background_task(
                self._renew_while_broken(self.stream), f"{self.entity_id} address"
            )

    async def _renew_while_broken(self, stream: Stream) -> None:
        """Home Assistant tries again and again with the address that the stream has then."""
        while stream is self.stream and not stream.available:
            await self._renew(stream)
            await asyncio.sleep(ADDRESS_LASTS_S)

    async def _renew(self, stream: Stream) -> None:
        if (source := await self.stream_source()) is not None:
            stream.source = source
