"""Cameras as the server lists them: one for each channel of a device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

ONLINE = 1
"""Value of `status` of a device and of a channel."""


@dataclass(frozen=True)
class Camera:
    """One channel of a device."""

    device_serial: str
    channel_no: int
    name: str
    model: str
    version: str
    device_status: int
    channel_status: int
    is_recording: bool
    is_alone: bool
    """The device has no other channel."""
    permissions: frozenset[str]

    @property
    def is_online(self) -> bool:
        """Whether device and channel are there."""
        return self.device_status == ONLINE and self.channel_status == ONLINE

    @property
    def key(self) -> str:
        """Names the camera within the installation."""
        return f"{self.device_serial}_{self.channel_no}"

    @property
    def address(self) -> dict[str, Any]:
        """As calls name a channel."""
        return {"deviceSerial": self.device_serial, "channelNo": self.channel_no}


def camera_of(device: dict[str, Any], channel: dict[str, Any]) -> Camera:
    """Read a row of `channel/list` with its device."""
    is_alone = device["channelTotal"] <= 1
    return Camera(
        device_serial=device["deviceSerial"],
        channel_no=channel["channelNo"],
        name=device["deviceName"] if is_alone else channel["channelName"],
        model=device["deviceModel"],
        version=device["deviceVersion"],
        device_status=device["status"],
        channel_status=channel["status"],
        is_recording=channel["isRecording"],
        is_alone=is_alone,
        permissions=frozenset(channel["permission"]),
    )


@dataclass(frozen=True)
class MotionDetection:
    """Whether a camera looks for motion; `version` names the state that was read."""

    is_on: bool
    version: str
