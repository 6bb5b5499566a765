"""Calls to a Vedette server, with the access token of an app."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from .alarms import Alarm, AlarmType, alarm_of
from .devices import Camera, MotionDetection, camera_of
from .errors import CallRefused, CannotConnect, SignInEnded
from .transport import Http
from .tokens import RotatingTokens

SUCCESS = 200
TOKEN_CODES = frozenset({1001, 1002})
"""Not signed in; the token has ended."""
STALE = 1010
DEVICE_PAGE = 200
ALARM_PAGE = 200
LISTS_AT_ONCE = 4
"""Calls of one refresh that the server is asked to work on together."""


class VedetteClient:
    """Typed calls; each may raise `CannotConnect`, `SignInEnded` or `CallRefused`."""

    def __init__(self, http: Http, tokens: RotatingTokens) -> None:
        """Call one server for one sign-in."""
        self.http = http
        self.tokens = tokens

    async def call(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Make any call; a token that is refused is renewed once."""
        token = await self.tokens.current()
        code, data = await self._send(path, body, token)
        if code in TOKEN_CODES:
            code, data = await self._send(path, body, await self.tokens.after(token))
        if code in TOKEN_CODES:
            raise SignInEnded(f"{path} answered {code}")
        if code != SUCCESS:
            raise CallRefused(path, code)
        return data

    async def cameras(self) -> dict[str, Camera]:
        """All channels that the account chose for the app, by their keys."""
        slots = asyncio.Semaphore(LISTS_AT_ONCE)

        async def of_device(device: dict[str, Any]) -> list[Camera]:
            async with slots:
                return [
                    camera_of(device, channel)
                    async for channel in self._pages(
                        "channel/list",
                        {"deviceSerial": device["deviceSerial"]},
                        "channelList",
                    )
                ]

        devices = [device async for device in self._pages("device/list", {}, "deviceList")]
        lists = await asyncio.gather(*(of_device(device) for device in devices))
        return {camera.key: camera for cameras in lists for camera in cameras}

    async def snapshot(self, camera: Camera) -> bytes | None:
        """A JPEG of now; None where there is none."""
        answer = await self.call("capture/get", camera.address)
        return await self.http.bytes(answer["url"])

    async def stream_address(self, camera: Camera, quality: int = 0) -> str | None:
        """An RTSP address for one start of a stream: it ends a minute after it is made or was last used. None where the server serves none."""
        answer = await self.call("media/url", {**camera.address, "quality": quality})
        return answer["rtspUrl"] or None

    async def lasting_alarms(self) -> list[Alarm]:
        """All alarms that have not ended."""
        alarms: list[Alarm] = []
        page: dict[str, Any] = {"isActive": True, "pageSize": ALARM_PAGE}
        while True:
            answer = await self.call("alarm/list", page)
            alarms += [alarm_of(row) for row in answer["alarmList"]]
            if answer["next"] is None:
                return alarms
            page = {**page, "cursor": answer["next"]}

    async def alarm_types(self) -> list[AlarmType]:
        """The types that raise an alarm."""
        answer = await self.call("alarm/types", {})
        return [
            AlarmType(row["type"], row["group"], row["nameEn"], row["nameZh"])
            for row in answer["typeList"]
            if row["clears"] is None or row["type"] == "Online"
        ]

    async def has_motion_detection(self, camera: Camera) -> bool:
        """Whether motion detection of the camera can be switched."""
        answer = await self.call("config/list", camera.address)
        return "motion" in answer["sectionList"]

    async def motion_detection(self, camera: Camera) -> MotionDetection:
        """Read whether motion detection is on, from the device itself."""
        answer = await self.call("config/get", {**camera.address, "section": "motion"})
        return _motion_of(answer)

    async def switch_motion_detection(self, camera: Camera, is_on: bool) -> MotionDetection:
        """Switch motion detection and leave its other settings; once more where somebody changed them meanwhile."""
        for attempt in (1, 2):
            answer = await self.call("config/get", {**camera.address, "section": "motion"})
            change = {
                **camera.address,
                "section": "motion",
                "value": {"on": is_on},
                "version": answer["version"],
            }
            try:
                return _motion_of(await self.call("config/set", change))
            except CallRefused as refusal:
                if refusal.code != STALE or attempt == 2:
                    raise
        raise AssertionError("every attempt returns or raises")

    async def _send(
        self, path: str, body: dict[str, Any], token: str
    ) -> tuple[int, dict[str, Any]]:
        answer = await self.http.post_json(
            f"{self.http.base}/api/v1/{path}",
            body,
            {"authorization": f"Bearer {token}"},
        )
        code, data = answer.body.get("code"), answer.body.get("data")
        if not isinstance(code, int):
            raise CannotConnect(f"{path} got no answer ({answer.status})")
        return code, data if isinstance(data, dict) else {}

    async def _pages(
        self, path: str, body: dict[str, Any], name: str
    ) -> AsyncIterator[dict[str, Any]]:
        seen, page_no = 0, 1
        while True:
            answer = await self.call(path, {**body, "pageNo": page_no, "pageSize": DEVICE_PAGE})
            for row in answer[name]:
                yield row
            seen += len(answer[name])
            if not answer[name] or seen >= answer["total"]:
                return
            page_no += 1


def _motion_of(answer: dict[str, Any]) -> MotionDetection:
    return MotionDetection(bool(answer["value"].get("on")), answer["version"])
