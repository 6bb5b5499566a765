"""What is known of an installation: its cameras and the alarms that last, kept current by events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .alarms import Alarm
from .devices import Camera
from .events import AlarmHeard, CameraStatus, DeviceStatus, Event


class Installation:
    """The state that lists gave and events changed."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.cameras: dict[str, Camera] = {}
        self._lasting: dict[str, Alarm] = {}

    def replace(self, cameras: dict[str, Camera], alarms: Iterable[Alarm]) -> None:
        """Take lists as the server has them now."""
        self.cameras = cameras
        self._lasting = {one.alarm_id: one for one in alarms if one.end_ms is None}

    def apply(self, event: Event) -> None:
        """Take what an event says."""
        if isinstance(event, AlarmHeard):
            self._take(event.alarm)
        elif isinstance(event, DeviceStatus):
            self._change_device(event)
        elif isinstance(event, CameraStatus) and event.camera_key in self.cameras:
            self.cameras[event.camera_key] = replace(
                self.cameras[event.camera_key],
                channel_status=event.status,
                is_recording=event.is_recording,
            )

    def lasting(self, camera: Camera, group: str, types: frozenset[str]) -> list[Alarm]:
        """The lasting alarms of a camera and a group, as far as their types are wanted."""
        return [
            one
            for one in self._lasting.values()
            if one.is_of(camera) and one.group == group and one.type in types
        ]

    def _take(self, alarm: Alarm) -> None:
        if alarm.end_ms is None:
            self._lasting[alarm.alarm_id] = alarm
        else:
            self._lasting.pop(alarm.alarm_id, None)

    def _change_device(self, event: DeviceStatus) -> None:
        for key, camera in self.cameras.items():
            if camera.device_serial == event.device_serial:
                self.cameras[key] = replace(camera, device_status=event.status)
