"""Alarms as the server sends them, and which of them last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .devices import Camera


@dataclass(frozen=True)
class AlarmType:
    """A kind of alarm with its names for people."""

    type: str
    group: str
    name_en: str
    name_zh: str


@dataclass(frozen=True)
class Alarm:
    """One alarm; `end_ms` is None while it lasts, `channel_no` 0 where the device itself raised it."""

    alarm_id: str
    type: str
    group: str
    severity: str
    device_serial: str
    channel_no: int
    start_ms: int
    end_ms: int | None

    def is_of(self, camera: Camera) -> bool:
        """Whether the camera raised it; what a device with one camera says of itself counts as said by the camera."""
        if self.device_serial != camera.device_serial:
            return False
        by_device = self.channel_no == 0 and camera.is_alone
        return by_device or self.channel_no == camera.channel_no


def alarm_of(row: dict[str, Any]) -> Alarm:
    """Read an alarm of a list or an event."""
    return Alarm(
        alarm_id=row["alarmId"],
        type=row["type"],
        group=row["group"],
        severity=row["severity"],
        device_serial=row["deviceSerial"],
        channel_no=row["channelNo"],
        start_ms=row["time"],
        end_ms=row["endTime"],
    )
