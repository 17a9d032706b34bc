"""The event loop in which a retriever's coroutines run: one, from its first use to its last.

A client that is bound to a loop, such as an HTTP client with open connections, can so be used for
every query of every dataset.
"""

from __future__ import annotations

import asyncio
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable


_TURNS = 100


class EventLoop:
    """A loop that is made when the first coroutine comes."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None

    def result_of(self, value: Any) -> Any:
        """The value itself, or what it gives when it is awaited."""
        return self.run(value) if isawaitable(value) else value

    def run(self, awaitable: Awaitable[Any]) -> Any:
        """What the awaitable gives; a test that is itself a coroutine may ask too."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            weakref.finalize(self, self._loop.close)  # where nobody closes the retriever
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return self._run(self._loop, awaitable)
        with ThreadPoolExecutor(1) as thread:  # no loop may run inside another one's thread
            return thread.submit(self._run, self._loop, awaitable).result()

    def close(self) -> None:
        """Give the loop back; the next coroutine gets another."""
        if self._loop is not None:
            self.run(self._loop.shutdown_asyncgens())
            self._loop.close()
            self._loop = None

    @staticmethod
    def _run(loop: asyncio.AbstractEventLoop, awaitable: Awaitable[Any]) -> Any:
        task = loop.create_task(_awaited(awaitable))
        try:
            return loop.run_until_complete(task)
        except BaseException:
            if not task.done():  # interrupted, so end what is under way
                _end_all(loop)
            raise


def _end_all(loop: asyncio.AbstractEventLoop) -> None:
    """Cancel what is under way; the interrupt comes out of each task that waits for another."""
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    for _ in range(_TURNS):
        if all(task.done() for task in tasks):
            break
        with suppress(BaseException):
            loop.call_soon(loop.stop)
            loop.run_forever()
    for task in tasks:
        if task.done() and not task.cancelled():
            task.exception()  # looked at, so that nothing complains of it later


async def _awaited(awaitable: Awaitable[Any]) -> Any:
    return await awaitable
