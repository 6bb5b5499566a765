"""Stand-ins for the few parts of Home Assistant that the integration builds on: they prove that it runs, not that Home Assistant runs it."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import secrets
import sys
from collections.abc import Callable, Coroutine
from enum import Enum, Flag, auto
from types import ModuleType, SimpleNamespace
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

T = TypeVar("T")
REDIRECT_URI = "https://my.home-assistant.io/redirect/oauth"


class NotReady(Exception):
    """Stands for `ConfigEntryNotReady` and `UpdateFailed`."""


class AuthFailed(Exception):
    """Stands for `ConfigEntryAuthFailed`."""


class ServiceFailed(Exception):
    """Stands for `HomeAssistantError`."""

    def __init__(self, **_words: Any) -> None:
        """Take the keys of a translation."""


class Entry(Generic[T]):
    """Stands for `ConfigEntry`."""

    def __init__(self, data: dict[str, Any], unique_id: str) -> None:
        """Hold what a flow created."""
        self.data, self.options, self.entry_id = data, {}, "entry"
        self.unique_id = unique_id
        self.tasks: list[asyncio.Task[Any]] = []
        self.reauths = 0

    def async_on_unload(self, _undo: Callable[[], None]) -> None:
        """Nothing is unloaded here."""

    def async_create_background_task(
        self, _hass: Any, work: Coroutine[Any, Any, None], _name: str
    ) -> None:
        """Run it."""
        self.tasks.append(asyncio.get_running_loop().create_task(work))

    def async_start_reauth(self, _hass: Any) -> None:
        """Count."""
        self.reauths += 1


class Hass:
    """Stands for `HomeAssistant`."""

    def __init__(self, session: Any) -> None:
        """Begin without entities."""
        self.session = session
        self.entities: list[Any] = []
        self.config = SimpleNamespace(language="zh-Hans")
        self.config_entries = self

    async def async_add_executor_job(self, run: Callable[..., T], *args: Any) -> T:
        """Run it in a thread."""
        return await asyncio.get_running_loop().run_in_executor(None, run, *args)

    def async_create_background_task(
        self, work: Coroutine[Any, Any, None], _name: str
    ) -> asyncio.Task[None]:
        """Run it."""
        return asyncio.get_running_loop().create_task(work)

    def async_update_entry(self, entry: Entry[Any], data: dict[str, Any]) -> None:
        """Store."""
        entry.data = data

    async def async_forward_entry_setups(self, entry: Entry[Any], platforms: list[Words]) -> None:
        """Set the platforms up."""

        def add(entities: list[Any], update_before_add: bool = False) -> None:
            for one in entities:
                one.hass, one.entity_id = self, f"{one._attr_unique_id}"
                asyncio.get_running_loop().create_task(self._added(one))

        for name in platforms:
            module = __import__(f"vedette.{name.value}", fromlist=["async_setup_entry"])
            await module.async_setup_entry(self, entry, add)

    async def _added(self, entity: Any) -> None:
        await entity.async_added_to_hass()
        await entity.async_update()
        self.entities.append(entity)


class Entity:
    """Stands for all base classes of entities."""

    _attr_available = True

    def __init__(self) -> None:
        """Count the writes of states."""
        self.writes = 0

    @property
    def available(self) -> bool:
        """As the base class answers."""
        return True

    async def async_added_to_hass(self) -> None:
        """Nothing to do."""

    async def async_update(self) -> None:
        """Nothing to do."""

    def async_on_remove(self, _undo: Callable[[], None]) -> None:
        """Nothing is removed here."""

    def async_write_ha_state(self) -> None:
        """Count."""
        self.writes = getattr(self, "writes", 0) + 1


class CoordinatorEntity(Entity, Generic[T]):
    """Stands for the class of that name."""

    def __init__(self, coordinator: Any) -> None:
        """Know the coordinator."""
        super().__init__()
        self.coordinator = coordinator

    @property
    def should_poll(self) -> bool:
        """As the base class answers, whatever `_attr_should_poll` says."""
        return False

    @property
    def available(self) -> bool:
        """As the base class answers."""
        return self.coordinator.last_update_success


class Coordinator(Generic[T]):
    """Stands for `DataUpdateCoordinator`."""

    def __init__(self, hass: Any, _log: Any, *, config_entry: Any, **_more: Any) -> None:
        """Begin without data."""
        self.hass, self.config_entry = hass, config_entry
        self.data: Any = None
        self.last_update_success = True
        self._listeners: list[Callable[[], None]] = []

    async def async_config_entry_first_refresh(self) -> None:
        """Fetch; a failure is the caller's."""
        self.data = await self._async_update_data()

    async def async_refresh(self) -> None:
        """Fetch and tell."""
        try:
            self.data = await self._async_update_data()
            self.last_update_success = True
        except NotReady:
            self.last_update_success = False
        except AuthFailed:
            self.last_update_success = False
            self.config_entry.async_start_reauth(self.hass)
        self.async_update_listeners()

    def async_add_listener(self, heard: Callable[[], None]) -> Callable[[], None]:
        """Tell from now on."""
        self._listeners.append(heard)
        return lambda: self._listeners.remove(heard)

    def async_update_listeners(self) -> None:
        """Tell all."""
        for heard in list(self._listeners):
            heard()


class Stream:
    """Stands for the class of that name: a source, and outputs while somebody watches."""

    def __init__(self, source: str) -> None:
        """Begin with an output."""
        self.source, self.available, self.watched = source, True, True
        self.changed: Callable[[], None] = lambda: None

    def outputs(self) -> dict[str, str]:
        """One while it is watched."""
        return {"hls": ""} if self.watched else {}

    def set_update_callback(self, changed: Callable[[], None]) -> None:
        """Tell from now on."""
        self.changed = changed


class CameraEntity(Entity):
    """Stands for `Camera`: makes one stream and keeps it."""

    def __init__(self) -> None:
        """Begin without a stream."""
        super().__init__()
        self.stream: Stream | None = None

    async def async_create_stream(self) -> Stream | None:
        """Make it, or give the kept one."""
        if self.stream is None:
            source = await self.stream_source()
            self.stream = None if source is None else Stream(source)
        return self.stream

    async def async_will_remove_from_hass(self) -> None:
        """Nothing to do."""


class EventEntity(Entity):
    """Stands for the class of that name."""

    def _trigger_event(self, event_type: str, attributes: dict[str, Any]) -> None:
        if event_type not in self._attr_event_types:
            raise ValueError(event_type)
        self.last = (event_type, attributes)


class SignIn:
    """Stands for `LocalOAuth2ImplementationWithPkce`."""

    def __init__(
        self, hass: Any, domain: str, client_id: str, authorize_url: str, token_url: str
    ) -> None:
        """Make the secret of one sign-in."""
        self.domain, self.client_id, self.authorize_url = domain, client_id, authorize_url
        self.code_verifier = secrets.token_urlsafe(96)[:128]

    @property
    def extra_authorize_data(self) -> dict[str, Any]:
        """The challenge of RFC 7636."""
        digest = hashlib.sha256(self.code_verifier.encode("ascii")).digest()
        challenge = base64.urlsafe_b64encode(digest).decode("ascii").rstrip("=")
        return {"code_challenge": challenge, "code_challenge_method": "S256"}


class FlowHandler:
    """Stands for `AbstractOAuth2FlowHandler`."""

    source = "user"

    def __init_subclass__(cls, domain: str = "") -> None:
        """Take the domain."""

    def __init__(self) -> None:
        """Begin without a sign-in."""
        self.flow_impl: Any = None
        self.known: Entry[Any] | None = None

    def _get_reauth_entry(self) -> Entry[Any] | None:
        return self.known

    _get_reconfigure_entry = _get_reauth_entry

    async def async_step_auth(self) -> dict[str, Any]:
        """Say where the browser goes."""
        impl = self.flow_impl
        query = {
            "response_type": "code",
            "client_id": impl.client_id,
            "redirect_uri": REDIRECT_URI,
            "state": "a state",
        }
        return {"url": f"{impl.authorize_url}?{urlencode({**query, **impl.extra_authorize_data})}"}

    async def come_back(self, code: str) -> dict[str, Any]:
        """The browser is back, as `async_step_creation` takes it."""
        data = {"code": code, "state": {"redirect_uri": REDIRECT_URI}}
        token = await self.flow_impl.async_resolve_external_data(data)
        return await self.async_oauth_create_entry(
            {"auth_implementation": self.flow_impl.domain, "token": token}
        )

    async def async_set_unique_id(self, unique_id: str) -> None:
        """Remember."""
        self.unique_id = unique_id

    def _abort_if_unique_id_configured(self) -> None:
        pass

    def _abort_if_unique_id_mismatch(self, reason: str) -> None:
        if self.known is None or self.known.unique_id != self.unique_id:
            raise ValueError(reason)

    def async_create_entry(self, **entry: Any) -> dict[str, Any]:
        """Answer it."""
        return entry

    def async_update_reload_and_abort(
        self, entry: Entry[Any], data: dict[str, Any]
    ) -> dict[str, Any]:
        """Store it."""
        entry.data = data
        return {"reason": "reauth_successful"}

    def async_abort(self, reason: str) -> dict[str, Any]:
        """Answer why."""
        return {"reason": reason}

    def add_suggested_values_to_schema(self, schema: Any, _values: Any) -> Any:
        """Leave it."""
        return schema

    def async_show_form(self, **form: Any) -> dict[str, Any]:
        """Answer it."""
        return form


class FormPart(SimpleNamespace):
    """Stands for a part of a form."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Keep what was given."""
        super().__init__(args=args, **kwargs)

    def __hash__(self) -> int:
        return id(self)


class Words(str, Enum):
    """Stands for names of states and platforms."""

    BINARY_SENSOR, CAMERA, EVENT, SWITCH = "binary_sensor", "camera", "event", "switch"
    MOTION, OCCUPANCY, SAFETY, SOUND, TAMPER = "motion", "occupancy", "safety", "sound", "tamper"
    CONFIG, PASSWORD, URL, DROPDOWN = "config", "password", "url", "dropdown"


class Features(Flag):
    """Stands for `CameraEntityFeature`."""

    STREAM = auto()


def install() -> None:
    """Put the stand-ins where the integration imports them from."""
    same = {"callback": lambda run: run}
    registry = SimpleNamespace(async_update_device=lambda *_args, **_kwargs: None)
    modules: dict[str, dict[str, Any]] = {
        "voluptuous": {name: FormPart for name in ("Schema", "Required", "Optional")},
        "homeassistant": {},
        "homeassistant.const": {
            "CONF_CLIENT_ID": "client_id",
            "CONF_CLIENT_SECRET": "client_secret",
            "CONF_TOKEN": "token",
            "CONF_URL": "url",
            "EntityCategory": Words,
            "Platform": Words,
        },
        "homeassistant.core": {"HomeAssistant": Hass, **same},
        "homeassistant.exceptions": {
            "ConfigEntryAuthFailed": AuthFailed,
            "ConfigEntryNotReady": NotReady,
            "HomeAssistantError": ServiceFailed,
        },
        "homeassistant.config_entries": {
            "SOURCE_REAUTH": "reauth",
            "SOURCE_RECONFIGURE": "reconfigure",
            "ConfigEntry": Entry,
            "ConfigFlowResult": dict,
            "OptionsFlowWithReload": FlowHandler,
        },
        "homeassistant.helpers": {},
        "homeassistant.helpers.selector": {
            name: FormPart
            for name in (
                "SelectOptionDict",
                "SelectSelector",
                "SelectSelectorConfig",
                "TextSelector",
                "TextSelectorConfig",
            )
        }
        | {"SelectSelectorMode": Words, "TextSelectorType": Words},
        "homeassistant.helpers.aiohttp_client": {
            "async_get_clientsession": lambda hass: hass.session
        },
        "homeassistant.helpers.config_entry_oauth2_flow": {
            "AbstractOAuth2FlowHandler": FlowHandler,
            "LocalOAuth2ImplementationWithPkce": SignIn,
        },
        "homeassistant.helpers.device_registry": {
            "DeviceInfo": dict,
            "async_get": lambda _hass: registry,
            "async_entries_for_config_entry": lambda *_args: [],
        },
        "homeassistant.helpers.entity": {"Entity": Entity},
        "homeassistant.helpers.entity_platform": {"AddConfigEntryEntitiesCallback": Any},
        "homeassistant.helpers.update_coordinator": {
            "CoordinatorEntity": CoordinatorEntity,
            "DataUpdateCoordinator": Coordinator,
            "UpdateFailed": NotReady,
        },
        "homeassistant.components": {},
        "homeassistant.components.binary_sensor": {
            "BinarySensorDeviceClass": Words,
            "BinarySensorEntity": Entity,
        },
        "homeassistant.components.camera": {
            "Camera": CameraEntity,
            "CameraEntityFeature": Features,
        },
        "homeassistant.components.event": {"EventEntity": EventEntity},
        "homeassistant.components.stream": {"Stream": Stream},
        "homeassistant.components.switch": {"SwitchEntity": Entity},
    }
    for name, contents in modules.items():
        module = ModuleType(name)
        vars(module).update(contents)
        sys.modules[name] = module
        parent, _, own = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], own, module)
