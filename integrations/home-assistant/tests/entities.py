"""Runs the whole integration on stand-ins for Home Assistant, against a running Vedette, by commands."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp

import stand_ins
from commands import serve

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[1] / "custom_components"))
stand_ins.install()

import vedette  # noqa: E402 -- needs the stand-ins
from vedette import config_flow, diagnostics  # noqa: E402 -- likewise


class Installed:
    """One entry from its flow to its removal."""

    def __init__(self, session: aiohttp.ClientSession, start: dict[str, Any]) -> None:
        """Take the address of the server, its authority and the app."""
        self.hass = stand_ins.Hass(session)
        self.given = {
            "url": start["base"] + "/",
            "client_id": start["clientId"],
            "client_secret": start["clientSecret"],
            "authority": Path(start["authority"]).read_text(encoding="utf-8"),
            "switches": True,
        }
        self.entry: Any = None

    async def flow(self, command: dict[str, Any]) -> Any:
        """Fill the form in, with what the command changes in it; answers its errors or where the browser goes."""
        self.running = config_flow.VedetteFlow()
        self.running.hass, self.running.known = self.hass, self.entry
        given = {**self.given, **command.get("change", {})}
        if self.entry is None:
            shown = await self.running.async_step_user(given)
        else:
            self.running.source = "reauth"
            await self.running.async_step_reauth(self.entry.data)
            shown = await self.running.async_step_reauth_confirm(given)
        return shown.get("errors") or shown["url"]

    async def come_back(self, command: dict[str, Any]) -> Any:
        """Go on with the code; a new entry is set up."""
        done = await self.running.come_back(command["code"])
        if self.entry is None:
            self.entry = stand_ins.Entry(done["data"], self.running.unique_id)
        self.hass.entities.clear()
        await vedette.async_setup_entry(self.hass, self.entry)
        return done.get("title", done.get("reason"))

    async def entities(self, _command: dict[str, Any]) -> Any:
        """The entities by their keys, with what they show."""
        return {
            one._attr_unique_id.removeprefix("entry_"): {
                "available": one.available,
                "isPolled": one.should_poll,
                "isOn": getattr(one, "is_on", None),
                "last": getattr(one, "last", [None])[0],
            }
            for one in self.hass.entities
        }

    async def video(self, command: dict[str, Any]) -> Any:
        """A snapshot, and how the source of a stream changes."""
        camera = self._entity(command["entity"])
        image = await camera.async_camera_image()
        stream = await camera.async_create_stream()
        sources = [stream.source]
        await camera.async_create_stream()
        sources.append(stream.source)
        stream.watched = False
        await camera.async_create_stream()
        sources.append(stream.source)
        stream.watched, stream.available = True, False
        stream.changed()
        while stream.source == sources[-1]:
            await asyncio.sleep(0)
        stream.available = True
        await camera.async_will_remove_from_hass()
        sources.append(stream.source)
        return {"image": image[:3].hex(), "sources": [sources.index(one) for one in sources]}

    async def switch(self, command: dict[str, Any]) -> Any:
        """Turn motion detection off or on, and ask the camera."""
        entity = self._entity(command["entity"])
        await (entity.async_turn_on() if command["isOn"] else entity.async_turn_off())
        await entity.async_update()
        return entity.is_on

    async def diagnostics(self, _command: dict[str, Any]) -> Any:
        """What a report shows, and which of the entry's secrets stand in it."""
        shown = await diagnostics.async_get_config_entry_diagnostics(self.hass, self.entry)
        data, token = self.entry.data, self.entry.data["token"]
        secret = [
            data["client_secret"],
            token["access_token"],
            token["refresh_token"],
            data["url"],
            data["client_id"],
        ]
        return {"shown": shown, "leaked": [one for one in secret if one in json.dumps(shown)]}

    async def options(self, command: dict[str, Any]) -> Any:
        """The names of the types that the options offer, those that are chosen, and what a choice stores."""
        options = config_flow.VedetteOptions()
        options.hass, options.config_entry = self.hass, self.entry
        (fields,) = (await options.async_step_init())["data_schema"].args
        ((field, selector),) = fields.items()
        labels = {one.value: one.label for one in selector.args[0].options}
        done = await options.async_step_init({"alarm_types": command["chosen"]})
        return {"labels": labels, "chosen": field.default, "stored": done["data"]}

    async def renewed(self, _command: dict[str, Any]) -> Any:
        """Renew the token; whether the entry holds the new one."""
        tokens = self.entry.runtime_data.client.tokens
        before = await tokens.current()
        after = await tokens.after(before)
        return [before != after, self.entry.data["token"]["access_token"] == after]

    async def reauths(self, _command: dict[str, Any]) -> Any:
        """How often a new sign-in was asked for."""
        return self.entry.reauths

    async def remove(self, _command: dict[str, Any]) -> Any:
        """Remove the entry."""
        await vedette.async_remove_entry(self.hass, self.entry)
        return None

    def _entity(self, key: str) -> Any:
        found = [one for one in self.hass.entities if one._attr_unique_id == f"entry_{key}"]
        return found[0] if found else SimpleNamespace()


async def main() -> None:
    """Answer commands with a session of their own."""
    async with aiohttp.ClientSession() as session:

        async def begin(start: dict[str, Any]) -> Installed:
            return Installed(session, start)

        await serve(begin, ValueError)


asyncio.run(main())
