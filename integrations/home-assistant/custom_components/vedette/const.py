"""Names and choices of the integration."""

from datetime import timedelta
from typing import Final

DOMAIN: Final = "vedette"

CONF_AUTHORITY: Final = "authority"
CONF_ALARM_TYPES: Final = "alarm_types"

SCOPES: Final = (
    "openid",
    "profile",
    "offline_access",
    "device.list",
    "live",
    "alarm.read",
)
SWITCH_SCOPE: Final = "config"
"""Asked for where the account wants switches."""
CONF_SWITCHES: Final = "switches"

LISTS_EVERY: Final = timedelta(minutes=5)
"""Events keep everything current; this is for what they cannot say, and for servers behind which no socket stays open."""

USUAL_GROUPS: Final = frozenset(
    {
        "motion",
        "person",
        "behaviour",
        "vehicle",
        "sound",
        "fire",
        "input",
        "access",
    }
)
"""Groups whose alarms are told as long as nobody chose otherwise."""
