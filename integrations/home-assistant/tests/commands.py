"""Answers one JSON command a line with one JSON answer a line, by the methods of an object."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any


async def serve(begin: Callable[[dict[str, Any]], Awaitable[Any]], named: type[Exception]) -> None:
    """Begin with the first line, then answer until there are no more; errors of the named kind are answers too."""
    loop = asyncio.get_running_loop()

    async def line() -> str:
        return await loop.run_in_executor(None, sys.stdin.readline)

    served = await begin(json.loads(await line()))
    while text := await line():
        command = json.loads(text)
        try:
            answer = {"answer": await getattr(served, command["do"])(command)}
        except named as error:
            answer = {"error": type(error).__name__, "text": str(error)}
        print(json.dumps(answer), flush=True)
