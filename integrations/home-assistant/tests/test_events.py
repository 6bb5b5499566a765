"""The event socket and the tokens behind it, against a server that loses, repeats, ends and falls silent."""

from __future__ import annotations

import asyncio
import time
import unittest
from collections.abc import Awaitable, Callable
from typing import Any
from unittest import mock

import aiohttp
from aiohttp import web

from api_package import imported

api = imported()

Session = Callable[[web.WebSocketResponse, dict[str, Any]], Awaitable[None]]


def status(seq: int) -> dict[str, Any]:
    """An event with this number."""
    event = {"kind": "deviceStatus", "deviceSerial": f"CAM{seq}", "status": 1}
    return {"type": "event", "seq": seq, "event": event}


def tokens_of(name: str, seconds: float = 3600) -> Any:
    """Tokens that are called so."""
    return api.TokenSet(name, f"refresh {name}", time.time() + seconds, frozenset())


class EventSocketTest(unittest.IsolatedAsyncioTestCase):
    """Each test plays the connections of a server one after the other."""

    async def asyncSetUp(self) -> None:
        """Start a server that takes the next session for each connection."""
        self.sessions: list[Session] = []
        self.hellos: list[dict[str, Any]] = []
        self.refreshed: list[str] = []
        self.kept: list[str] = []
        app = web.Application()
        app.router.add_get("/ws", self._serve)
        self.runner = web.AppRunner(app)
        await self.runner.setup()
        site = web.TCPSite(self.runner, "127.0.0.1", 0)
        await site.start()
        port = self.runner.addresses[0][1]
        self.session = aiohttp.ClientSession()
        self.http = api.Http(self.session, f"http://127.0.0.1:{port}", api.trust_of(None))

    async def asyncTearDown(self) -> None:
        """Stop both."""
        await self.session.close()
        await self.runner.cleanup()

    async def _serve(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        hello = await socket.receive_json()
        self.hellos.append(hello)
        await self.sessions.pop(0)(socket, hello)
        return socket

    async def _refresh(self, old: Any) -> Any:
        self.refreshed.append(old.refresh_token)
        if len(self.refreshed) > 1:
            raise api.SignInEnded("invalid_grant")
        return tokens_of("second")

    def _listener(self, tokens: Any) -> Any:
        kept = lambda new: self.kept.append(new.access_token)  # noqa: E731 -- a name for its place
        return api.EventListener(self.http, api.RotatingTokens(tokens, self._refresh, kept))

    async def test_resumes_behind_the_last_event_and_drops_what_comes_twice(self) -> None:
        """A lost connection loses no event and repeats none."""

        async def first(socket: web.WebSocketResponse, _hello: dict[str, Any]) -> None:
            await socket.send_json({"type": "welcome", "seq": 4, "now": 0})
            await socket.send_json(status(5))

        async def second(socket: web.WebSocketResponse, _hello: dict[str, Any]) -> None:
            await socket.send_json({"type": "welcome", "seq": 9, "now": 0})
            for seq in (5, 6):
                await socket.send_json(status(seq))
            await socket.send_json({"type": "reset", "seq": 9})
            await socket.receive()

        self.sessions = [first, second]
        heard = await heard_until(self._listener(tokens_of("first")), api.ListsChanged)
        self.assertEqual(
            heard,
            [
                api.Connected(is_resumed=False),
                api.DeviceStatus("CAM5", 1),
                api.Disconnected(),
                api.Connected(is_resumed=True),
                api.DeviceStatus("CAM6", 1),
                api.ListsChanged(),
            ],
        )
        self.assertEqual([one.get("since") for one in self.hellos], [None, 5])

    async def test_gives_up_a_connection_that_is_silent(self) -> None:
        """A server that answers no ping is left, and found again."""
        over = asyncio.Event()

        async def silent(socket: web.WebSocketResponse, _hello: dict[str, Any]) -> None:
            await socket.send_json({"type": "welcome", "seq": 1, "now": 0})
            await over.wait()

        async def reset(socket: web.WebSocketResponse, _hello: dict[str, Any]) -> None:
            await socket.send_json({"type": "reset", "seq": 2})
            await socket.receive()

        self.sessions = [silent, reset]
        with mock.patch.object(api.events, "SILENCE_S", 0.2):
            heard = await heard_until(self._listener(tokens_of("first")), api.ListsChanged)
        over.set()
        self.assertEqual(
            heard, [api.Connected(is_resumed=False), api.Disconnected(), api.ListsChanged()]
        )

    async def test_goes_on_with_the_next_token_and_ends_where_there_is_none(self) -> None:
        """A token that ends is renewed once; a grant that ends is told."""

        async def over(socket: web.WebSocketResponse, _hello: dict[str, Any]) -> None:
            await socket.send_json({"type": "welcome", "seq": 1, "now": 0})
            await socket.send_json({"type": "end", "code": 1002})

        self.sessions = [over, over]
        with self.assertRaises(api.SignInEnded):
            await heard_until(self._listener(tokens_of("first")), type(None))
        self.assertEqual([one["accessToken"] for one in self.hellos], ["first", "second"])
        self.assertEqual(self.kept, ["second"])
        self.assertEqual(self.refreshed, ["refresh first", "refresh second"])

    async def test_renews_a_token_that_ends_soon_and_loses_none_to_a_cancelled_caller(self) -> None:
        """Who gives up while a refresh is under way leaves the new token to the next."""
        under_way, answered = asyncio.Event(), asyncio.Event()

        async def slow(old: Any) -> Any:
            self.refreshed.append(old.refresh_token)
            under_way.set()
            await answered.wait()
            return tokens_of("second")

        tokens = api.RotatingTokens(
            tokens_of("first", 30), slow, lambda new: self.kept.append(new.access_token)
        )
        impatient = asyncio.create_task(tokens.current())
        await under_way.wait()
        impatient.cancel()
        await asyncio.gather(impatient, return_exceptions=True)
        patient = asyncio.create_task(tokens.current())
        answered.set()
        self.assertEqual(await patient, "second")
        self.assertEqual((self.refreshed, self.kept), (["refresh first"], ["second"]))


async def heard_until(listener: Any, last: type) -> list[Any]:
    """All events up to one of a kind."""
    heard: list[Any] = []
    async for event in listener.events():
        heard.append(event)
        if isinstance(event, last):
            break
    return heard


if __name__ == "__main__":
    unittest.main()
