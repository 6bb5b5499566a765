"""The event socket: hello with the token, resume by number, reconnect with jitter."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import aiohttp

from .alarms import Alarm, alarm_of
from .client import TOKEN_CODES
from .errors import CannotConnect, SignInEnded, VedetteError
from .transport import Http
from .tokens import RotatingTokens

PING_S = 5.0
SILENCE_S = 15.0
"""After this the connection counts as dead: the server answers each ping."""
CLOSE_S = 1.0
"""A peer that is gone answers no closing either."""
FIRST_DELAY_S = 0.5
LAST_DELAY_S = 15.0


@dataclass(frozen=True)
class Connected:
    """Events come from now on. `is_resumed`: nothing was missed since the last connection."""

    is_resumed: bool


@dataclass(frozen=True)
class Disconnected:
    """No events come; the listener tries again by itself."""


@dataclass(frozen=True)
class ListsChanged:
    """Cameras or alarms changed in a way that no event describes: fetch them again."""


@dataclass(frozen=True)
class DeviceStatus:
    """A device is online or not."""

    device_serial: str
    status: int


@dataclass(frozen=True)
class CameraStatus:
    """A channel has video or not, and is recorded or not."""

    camera_key: str
    status: int
    is_recording: bool


@dataclass(frozen=True)
class AlarmHeard:
    """The current state of an alarm; `is_new`: it was raised just now."""

    alarm: Alarm
    is_new: bool


Event = Connected | Disconnected | ListsChanged | DeviceStatus | CameraStatus | AlarmHeard


class EventListener:
    """Listens for as long as it is iterated."""

    def __init__(self, http: Http, tokens: RotatingTokens) -> None:
        """Listen to one server for one sign-in."""
        self._http = http
        self._tokens = tokens
        self._last_seq: int | None = None

    async def events(self) -> AsyncIterator[Event]:
        """All events, over lost connections and renewed tokens. Raises `SignInEnded`."""
        attempt = 0
        while True:
            try:
                async for event in self._one_connection():
                    attempt = 0
                    yield event
            except SignInEnded:
                raise
            except (VedetteError, ConnectionError):
                # Whatever it is may pass; a certificate can be renewed too.
                pass
            yield Disconnected()
            await asyncio.sleep(_delay(attempt))
            attempt += 1

    async def _one_connection(self) -> AsyncIterator[Event]:
        token = await self._tokens.current()
        address = "ws" + self._http.base.removeprefix("http") + "/ws"
        socket = await self._http.web_socket(address)
        pinger = asyncio.create_task(_ping(socket))
        try:
            hello: dict[str, Any] = {"type": "hello", "accessToken": token}
            if self._last_seq is not None:
                hello["since"] = self._last_seq
            await socket.send_json(hello)
            async for message in _messages(socket):
                if message["type"] == "end":
                    await self._ended(message["code"], token)
                    return
                for event in self._events_of(message):
                    yield event
        finally:
            pinger.cancel()
            with contextlib.suppress(aiohttp.ClientError, ConnectionError, TimeoutError):
                await asyncio.wait_for(socket.close(), CLOSE_S)

    async def _ended(self, code: int, token: str) -> None:
        """Go on with the next token, where there is one."""
        if code not in TOKEN_CODES:
            raise SignInEnded(f"the event socket ended with {code}")
        await self._tokens.after(token)

    def _events_of(self, message: dict[str, Any]) -> Iterator[Event]:
        if message["type"] == "welcome":
            is_resumed = self._last_seq is not None
            if self._last_seq is None:
                self._last_seq = message["seq"]
            yield Connected(is_resumed)
        elif message["type"] == "reset":
            self._last_seq = message["seq"]
            yield ListsChanged()
        elif message["type"] == "event" and self._is_new(message["seq"]):
            self._last_seq = message["seq"]
            yield from _read(message["event"])

    def _is_new(self, seq: int) -> bool:
        """A resumed connection may repeat what was seen already."""
        return self._last_seq is None or seq > self._last_seq


def _read(event: dict[str, Any]) -> Iterator[Event]:
    """What concerns an app; kinds that follow in later versions are left out."""
    kind = event["kind"]
    if kind == "alarm":
        yield AlarmHeard(alarm_of(event["alarm"]), event["isNew"])
    elif kind == "deviceStatus":
        yield DeviceStatus(event["deviceSerial"], event["status"])
    elif kind == "channelStatus":
        key = f"{event['deviceSerial']}_{event['channelNo']}"
        yield CameraStatus(key, event["status"], event["isRecording"])
    elif kind in ("alarmsMissed", "resourcesChanged", "rightsChanged"):
        yield ListsChanged()


async def _messages(
    socket: aiohttp.ClientWebSocketResponse,
) -> AsyncIterator[dict[str, Any]]:
    while True:
        try:
            message = await socket.receive(SILENCE_S)
        except (TimeoutError, aiohttp.ClientError) as error:
            raise CannotConnect("the event socket is silent") from error
        if message.type is not aiohttp.WSMsgType.TEXT:
            return
        try:
            yield json.loads(message.data)
        except ValueError as error:
            raise CannotConnect("the event socket sends no JSON") from error


async def _ping(socket: aiohttp.ClientWebSocketResponse) -> None:
    """Keep asking until the socket is gone, which its reader notices too."""
    with contextlib.suppress(ConnectionError, aiohttp.ClientError):
        while not socket.closed:
            await asyncio.sleep(PING_S)
            await socket.send_json({"type": "ping"})


def _delay(attempt: int) -> float:
    """Half of it is left to chance: all programs lose a server in the same instant."""
    whole = min(FIRST_DELAY_S * 2 ** min(attempt, 10), LAST_DELAY_S)
    return whole * (0.5 + random.random() / 2)
