"""The client of Vedette: sign-in, calls and events by aiohttp alone, without Home Assistant."""

from .alarms import Alarm, AlarmType
from .client import VedetteClient
from .devices import Camera, MotionDetection
from .errors import (
    CallRefused,
    CannotConnect,
    NoVedette,
    SignInEnded,
    SignInRefused,
    VedetteError,
)
from .events import (
    AlarmHeard,
    CameraStatus,
    Connected,
    DeviceStatus,
    Disconnected,
    Event,
    EventListener,
    ListsChanged,
)
from .installation import Installation
from .oauth import OAuthApp, Server, account_of, discover
from .tokens import RotatingTokens, TokenSet
from .transport import Http, trust_of

__all__ = [
    "Alarm",
    "AlarmHeard",
    "AlarmType",
    "CallRefused",
    "Camera",
    "CameraStatus",
    "CannotConnect",
    "Connected",
    "DeviceStatus",
    "Disconnected",
    "Event",
    "EventListener",
    "Http",
    "Installation",
    "ListsChanged",
    "MotionDetection",
    "NoVedette",
    "OAuthApp",
    "RotatingTokens",
    "Server",
    "SignInEnded",
    "SignInRefused",
    "TokenSet",
    "VedetteClient",
    "VedetteError",
    "account_of",
    "discover",
    "trust_of",
]
