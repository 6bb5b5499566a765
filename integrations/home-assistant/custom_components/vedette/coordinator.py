"""Keeps cameras and alarms of an entry current, by events and, every few minutes, by lists."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Iterable
from typing import TypeAlias

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import ConfigEntryAuthFailed
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.update_coordinator import DataUpdateCoordinator, UpdateFailed

from .api import (
    Alarm,
    AlarmHeard,
    AlarmType,
    Camera,
    Connected,
    Disconnected,
    Event,
    EventListener,
    Installation,
    ListsChanged,
    SignInEnded,
    VedetteClient,
    VedetteError,
)
from .const import CONF_ALARM_TYPES, DOMAIN, LISTS_EVERY, USUAL_GROUPS

_LOGGER = logging.getLogger(__name__)

SPREAD_S = 2.0
"""All programs hear of a change in the same instant: each waits a part of this before it fetches lists."""


class VedetteCoordinator(DataUpdateCoordinator[dict[str, Camera]]):
    """What one entry knows of its installation."""

    config_entry: VedetteEntry

    def __init__(
        self,
        hass: HomeAssistant,
        entry: VedetteEntry,
        client: VedetteClient,
        all_types: list[AlarmType],
    ) -> None:
        """Begin without cameras."""
        super().__init__(
            hass,
            _LOGGER,
            config_entry=entry,
            name=DOMAIN,
            update_interval=LISTS_EVERY,
        )
        self.client = client
        self.all_types = all_types
        self.types = alarm_types_of(entry, all_types)
        self.is_listening = False
        self._installation = Installation()
        self._alarm_callbacks: set[Callable[[Alarm], None]] = set()

    @callback
    def on_new_alarm(self, heard: Callable[[Alarm], None]) -> Callable[[], None]:
        """Call back for each alarm that is raised from now on; the answer ends it."""
        self._alarm_callbacks.add(heard)
        return lambda: self._alarm_callbacks.discard(heard)

    def lasting(self, camera: Camera, group: str) -> list[Alarm]:
        """The alarms of a group that last at a camera."""
        return self._installation.lasting(camera, group, self.types)

    async def listen(self) -> None:
        """Take events until the entry is unloaded or the sign-in ends."""
        listener = EventListener(self.client.http, self.client.tokens)
        try:
            async for event in listener.events():
                await self._take(event)
        except SignInEnded:
            self.config_entry.async_start_reauth(self.hass)
        finally:
            self.is_listening = False

    async def _take(self, event: Event) -> None:
        if isinstance(event, (Connected, Disconnected)):
            self.is_listening = isinstance(event, Connected)
        if isinstance(event, ListsChanged):
            await asyncio.sleep(random.random() * SPREAD_S)
        if isinstance(event, ListsChanged) or event == Connected(is_resumed=False):
            await self.async_refresh()
            return
        self._installation.apply(event)
        if isinstance(event, AlarmHeard) and event.is_new:
            self._tell(event.alarm)
        self.async_update_listeners()

    def _tell(self, alarm: Alarm) -> None:
        if alarm.type in self.types:
            for heard in list(self._alarm_callbacks):
                heard(alarm)

    async def _async_update_data(self) -> dict[str, Camera]:
        try:
            cameras = await self.client.cameras()
            alarms = await self.client.lasting_alarms()
        except SignInEnded as error:
            raise ConfigEntryAuthFailed(str(error)) from error
        except VedetteError as error:
            raise UpdateFailed(str(error)) from error
        self._installation.replace(cameras, alarms)
        self._forget_others(cameras)
        return self._installation.cameras

    def _forget_others(self, cameras: dict[str, Camera]) -> None:
        """Remove the devices of cameras that are gone, or no longer allowed."""
        registry = dr.async_get(self.hass)
        entry_id = self.config_entry.entry_id
        wanted = {(DOMAIN, f"{entry_id}_{key}") for key in cameras}
        for device in dr.async_entries_for_config_entry(registry, entry_id):
            if not wanted & device.identifiers:
                registry.async_update_device(device.id, remove_config_entry_id=entry_id)


def alarm_types_of(entry: ConfigEntry, all_types: Iterable[AlarmType]) -> frozenset[str]:
    """The types that are told: those chosen, else those of the usual groups."""
    chosen = entry.options.get(CONF_ALARM_TYPES)
    if chosen is not None:
        return frozenset(chosen)
    return frozenset(one.type for one in all_types if one.group in USUAL_GROUPS)


VedetteEntry: TypeAlias = ConfigEntry[VedetteCoordinator]
