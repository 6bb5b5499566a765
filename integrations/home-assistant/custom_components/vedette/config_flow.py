"""Adds an installation: address and app, sign-in by OAuth, and options for which alarms are told."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import voluptuous as vol

from homeassistant.config_entries import (
    SOURCE_REAUTH,
    SOURCE_RECONFIGURE,
    ConfigEntry,
    ConfigFlowResult,
    OptionsFlowWithReload,
)
from homeassistant.const import CONF_CLIENT_ID, CONF_CLIENT_SECRET, CONF_URL
from homeassistant.core import callback
from homeassistant.helpers import selector
from homeassistant.helpers.config_entry_oauth2_flow import AbstractOAuth2FlowHandler

from .api import CannotConnect, NoVedette, TokenSet, VedetteError, account_of
from .connection import Connection, connect
from .const import (
    CONF_ALARM_TYPES,
    CONF_AUTHORITY,
    CONF_SWITCHES,
    DOMAIN,
    SCOPES,
    SWITCH_SCOPE,
)
from .coordinator import alarm_types_of
from .sign_in import VedetteSignIn

_LOGGER = logging.getLogger(__name__)

PASSWORD = selector.TextSelector(
    selector.TextSelectorConfig(type=selector.TextSelectorType.PASSWORD)
)
LINES = selector.TextSelector(selector.TextSelectorConfig(multiline=True))
ADDRESS = selector.TextSelector(selector.TextSelectorConfig(type=selector.TextSelectorType.URL))
SCHEMA = vol.Schema(
    {
        vol.Required(CONF_URL): ADDRESS,
        vol.Required(CONF_CLIENT_ID): str,
        vol.Optional(CONF_CLIENT_SECRET): PASSWORD,
        vol.Optional(CONF_AUTHORITY): LINES,
        vol.Required(CONF_SWITCHES, default=False): bool,
    }
)


class VedetteFlow(AbstractOAuth2FlowHandler, domain=DOMAIN):
    """Asks where the server is and which app it knows Home Assistant as, then signs in."""

    DOMAIN = DOMAIN

    def __init__(self) -> None:
        """Begin without a server."""
        super().__init__()
        self._data: dict[str, Any] = {}
        self._connection: Connection | None = None

    @property
    def logger(self) -> logging.Logger:
        """Where the base class writes."""
        return _LOGGER

    @staticmethod
    @callback
    def async_get_options_flow(config_entry: ConfigEntry) -> VedetteOptions:
        """Offer options."""
        return VedetteOptions()

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Add an installation."""
        return await self._ask("user", user_input, {})

    async def async_step_reauth(self, entry_data: Mapping[str, Any]) -> ConfigFlowResult:
        """Sign in again where the account revoked what it had allowed."""
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Show address and app once more: the secret may have been replaced."""
        return await self._ask("reauth_confirm", user_input, self._get_reauth_entry().data)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Change the address, the app or what is asked for."""
        return await self._ask("reconfigure", user_input, self._get_reconfigure_entry().data)

    async def async_oauth_create_entry(self, data: dict[str, Any]) -> ConfigFlowResult:
        """Store the sign-in, for the same account as before where there was one."""
        assert self._connection is not None
        tokens = TokenSet.from_stored(data["token"])
        try:
            account_id, name = await account_of(
                self._connection.http, self._connection.server, tokens
            )
        except VedetteError:
            return self.async_abort(reason="oauth_failed")
        await self.async_set_unique_id(account_id)
        whole = {**self._data, **data}
        if self.source in (SOURCE_REAUTH, SOURCE_RECONFIGURE):
            self._abort_if_unique_id_mismatch(reason="wrong_account")
            is_reauth = self.source == SOURCE_REAUTH
            entry = self._get_reauth_entry() if is_reauth else self._get_reconfigure_entry()
            return self.async_update_reload_and_abort(entry, data=whole)
        self._abort_if_unique_id_configured()
        return self.async_create_entry(title=f"Vedette ({name})", data=whole)

    async def _ask(
        self, step_id: str, given: dict[str, Any] | None, known: Mapping[str, Any]
    ) -> ConfigFlowResult:
        errors: dict[str, str] = {}
        if given is not None:
            self._data = _cleaned(given, known)
            try:
                self._connection = await connect(self.hass, self._data)
            except CannotConnect:
                errors["base"] = "cannot_connect"
            except NoVedette:
                errors["base"] = "no_vedette"
            else:
                return await self._sign_in(self._connection)
        shown = {**known, **(given or {}), CONF_CLIENT_SECRET: None}
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(SCHEMA, shown),
            errors=errors,
        )

    async def _sign_in(self, connection: Connection) -> ConfigFlowResult:
        wanted = (SWITCH_SCOPE,) if self._data[CONF_SWITCHES] else ()
        self.flow_impl = VedetteSignIn(
            self.hass, connection, self._data[CONF_CLIENT_ID], (*SCOPES, *wanted)
        )
        return await self.async_step_auth()


def _cleaned(given: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """As an entry keeps it. A secret that is left empty stays, for the same app."""
    data = {name: one for name, one in given.items() if one != ""}
    data[CONF_URL] = str(data[CONF_URL]).strip().rstrip("/")
    is_same_app = data[CONF_CLIENT_ID] == known.get(CONF_CLIENT_ID)
    if is_same_app and CONF_CLIENT_SECRET in known:
        data.setdefault(CONF_CLIENT_SECRET, known[CONF_CLIENT_SECRET])
    return data


class VedetteOptions(OptionsFlowWithReload):
    """Which types of alarms become events and states."""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Show all types by their names, as the server gives them."""
        if user_input is not None:
            return self.async_create_entry(data=user_input)
        coordinator = getattr(self.config_entry, "runtime_data", None)
        if coordinator is None:
            return self.async_abort(reason="not_loaded")
        is_chinese = self.hass.config.language.startswith("zh")
        options = [
            selector.SelectOptionDict(
                value=one.type, label=one.name_zh if is_chinese else one.name_en
            )
            for one in coordinator.all_types
        ]
        chosen = sorted(alarm_types_of(self.config_entry, coordinator.all_types))
        choice = selector.SelectSelector(
            selector.SelectSelectorConfig(
                options=options,
                multiple=True,
                mode=selector.SelectSelectorMode.DROPDOWN,
            )
        )
        return self.async_show_form(
            step_id="init",
            data_schema=vol.Schema({vol.Required(CONF_ALARM_TYPES, default=chosen): choice}),
        )
