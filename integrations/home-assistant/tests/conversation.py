"""Talks to a running Vedette as the integration does: one JSON command a line, one JSON answer a line."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import aiohttp

from api_package import imported
from commands import serve

api = imported()

SCOPES = ("openid", "profile", "offline_access", "device.list", "live", "alarm.read", "config")
REDIRECT_URI = "https://my.home-assistant.io/redirect/oauth"


class Conversation:
    """The parts of the client, as far as the sign-in has come."""

    def __init__(self, session: aiohttp.ClientSession, start: dict[str, Any]) -> None:
        """Take the address of the server, its authority and the app."""
        authority = Path(start["authority"]).read_text(encoding="utf-8")
        self.http = api.Http(session, start["base"], api.trust_of(authority))
        self.start = start
        self.kept: list[str] = []
        self.heard: list[Any] = []
        self.listening: asyncio.Task[None] | None = None

    async def discover(self, _command: dict[str, Any]) -> Any:
        """Find the server's sign-in, and say where Home Assistant sends the browser."""
        self.server = await api.discover(self.http)
        app = self.start["clientId"], self.start["clientSecret"]
        self.app = api.OAuthApp(self.http, self.server, *app)
        self.verifier = secrets.token_urlsafe(96)[:128]
        digest = hashlib.sha256(self.verifier.encode("ascii")).digest()
        query = {
            "response_type": "code",
            "client_id": self.start["clientId"],
            "redirect_uri": REDIRECT_URI,
            "state": "a state",
            "code_challenge": base64.urlsafe_b64encode(digest).decode("ascii").rstrip("="),
            "code_challenge_method": "S256",
            "scope": " ".join(SCOPES),
            "prompt": "consent",
        }
        return f"{self.server.authorization_url}?{urlencode(query)}"

    async def redeem(self, command: dict[str, Any]) -> Any:
        """Turn the code into tokens and tell whose they are."""
        tokens = await self.app.redeem(command["code"], REDIRECT_URI, self.verifier)
        stored = api.TokenSet.from_stored(json.loads(json.dumps(tokens.stored())))
        self.tokens = api.RotatingTokens(
            stored, self.app.refresh, lambda new: self.kept.append(new.refresh_token)
        )
        self.client = api.VedetteClient(self.http, self.tokens)
        account_id, name = await api.account_of(self.http, self.server, tokens)
        return {
            "hasAccountId": account_id != "",
            "name": name,
            "scopes": sorted(tokens.scopes),
            "shown": repr(tokens),
        }

    async def cameras(self, _command: dict[str, Any]) -> Any:
        """List the cameras."""
        self.by_key = await self.client.cameras()
        return [
            {
                "key": key,
                "name": one.name,
                "isOnline": one.is_online,
                "permissions": sorted(one.permissions),
            }
            for key, one in self.by_key.items()
        ]

    async def snapshot(self, command: dict[str, Any]) -> Any:
        """Fetch a snapshot; its first and last bytes tell a JPEG."""
        data = await self.client.snapshot(self.by_key[command["key"]])
        return (
            None
            if data is None
            else {"bytes": len(data), "first": data[:3].hex(), "last": data[-2:].hex()}
        )

    async def stream(self, command: dict[str, Any]) -> Any:
        """Decode frames of an RTSP address with ffmpeg, which Home Assistant uses too."""
        self.address = await self.client.stream_address(self.by_key[command["key"]])
        return await frames_of(self.address)

    async def stream_again(self, _command: dict[str, Any]) -> Any:
        """Open the same address once more."""
        return await frames_of(self.address)

    async def motion(self, command: dict[str, Any]) -> Any:
        """Switch motion detection, and read it back from the camera."""
        camera = self.by_key[command["key"]]
        if not await self.client.has_motion_detection(camera):
            return None
        await self.client.switch_motion_detection(camera, command["isOn"])
        return (await self.client.motion_detection(camera)).is_on

    async def types(self, _command: dict[str, Any]) -> Any:
        """The names of alarm types."""
        return {
            one.type: [one.group, one.name_en, one.name_zh]
            for one in await self.client.alarm_types()
        }

    async def listen(self, _command: dict[str, Any]) -> Any:
        """Listen to events from now on."""
        self.installation = api.Installation()
        self.installation.replace(self.by_key, await self.client.lasting_alarms())

        async def run() -> None:
            try:
                async for event in api.EventListener(self.http, self.tokens).events():
                    self.heard.append(event)
                    self.installation.apply(event)
            except api.SignInEnded as ended:
                self.heard.append(ended)

        self.listening = asyncio.create_task(run())
        return None

    async def heard_kinds(self, _command: dict[str, Any]) -> Any:
        """What was heard up to now, also when no call is allowed any more."""
        return [type(one).__name__ for one in self.heard]

    async def events(self, command: dict[str, Any]) -> Any:
        """What was heard up to now, and the alarms that last at a camera."""
        types = frozenset(command["types"])
        camera = self.installation.cameras[command["key"]]
        lasting = self.installation.lasting(camera, "motion", types)
        return {
            "heard": [type(one).__name__ for one in self.heard],
            "lasting": [one.type for one in lasting],
            "listed": [one.type for one in await self.client.lasting_alarms() if one.type in types],
        }

    async def refresh(self, _command: dict[str, Any]) -> Any:
        """Have the token renewed twice, each time by ten callers at once."""
        for _round in range(2):
            token = await self.tokens.current()
            after = await asyncio.gather(*(self.tokens.after(token) for _caller in range(10)))
            assert len({token, *after}) == 2
        await self.client.cameras()
        return len(set(self.kept))


async def frames_of(address: str | None) -> int:
    """How many of the first frames ffmpeg decodes."""
    program = (
        "ffprobe",
        "-v",
        "error",
        "-rtsp_transport",
        "tcp",
        "-count_frames",
        "-read_intervals",
        "%+#10",
    )
    shown = (
        "-select_streams",
        "v",
        "-show_entries",
        "stream=nb_read_frames",
        "-of",
        "csv=p=0",
        str(address),
    )
    running = await asyncio.create_subprocess_exec(
        *program, *shown, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    out, _err = await running.communicate()
    return int(out.split()[0]) if out.split() else 0


async def main() -> None:
    """Answer commands with a session of their own."""
    async with aiohttp.ClientSession() as session:

        async def begin(start: dict[str, Any]) -> Conversation:
            return Conversation(session, start)

        await serve(begin, api.VedetteError)


asyncio.run(main())
