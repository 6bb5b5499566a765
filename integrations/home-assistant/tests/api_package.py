"""Imports the client of the integration by itself, as the package around it needs Home Assistant."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

COMPONENT = Path(__file__).parents[1] / "custom_components" / "vedette"


def imported() -> ModuleType:
    """Import `api` as a package of its own."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(COMPONENT))
    try:
        return importlib.import_module("api")
    finally:
        sys.path.remove(str(COMPONENT))
