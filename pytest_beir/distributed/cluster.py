"""What workers are asked to do: calls go to them, results and failures come back."""

from __future__ import annotations

import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_beir.distributed.connection import Connection, Health
from pytest_beir.distributed.shard import read
from pytest_beir.distributed.task import Done, Failed, NeedsLines, perform
from pytest_beir.errors import RetrieverError
from pytest_beir.retrieval.user_code import described

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_beir.datasets.corpus import Corpus
    from pytest_beir.distributed.shard import Shard

_ATTEMPTS = 3


class WorkerFailure(Exception):  # noqa: N818  # what a traceback shows as the cause
    """The traceback and the log of a worker, for the section of a failure."""


@dataclass(eq=False)
class Call:
    """One function on one part of a corpus: `function(retriever, shard, lines, cache, *rest)`."""

    function: Callable[..., Any]
    shard: Shard
    corpus: Corpus
    retriever: Any
    expected: Mapping[str, str]
    cache: str
    rest: tuple[Any, ...]
    prefers: str | None = None
    future: Any = None
    lines: Any = None
    attempts: int = field(default=0)


class Cluster(Connection):
    """A connected scheduler, and the calls that its workers answer."""

    def start(self, call: Call) -> None:
        """Hand a call over; nothing is waited for."""
        call.attempts += 1
        shard = call.shard
        prefers = call.prefers if call.prefers in self.ask(self.client.nthreads) else None
        call.future = self.submit(
            f"beir-{call.function.__name__}",
            perform,
            dict(call.expected),
            shard.place if shard.shards > 1 else shard.dataset,
            call.function,
            self.send_retriever(call.retriever),
            shard,
            call.lines,
            call.cache,
            *call.rest,
            prefers=prefers,
        )

    def results(
        self,
        calls: Sequence[Call],
        progress: Callable[[Call], None] | None = None,
        take: Callable[[Any], None] | None = None,
    ) -> list[Any]:
        """What the calls give, in their order; each is started unless it has been.

        `progress` is told of every call that is done. With `take`, results are handed over as
        they come, in any order, and not kept.

        Raises:
            RetrieverError: a call failed (its own class of error), or the cluster is lost.

        """
        values: dict[Call, Any] = {}
        to_send: deque[Call] = deque()
        health = Health(self)
        try:
            for call in calls:
                if call.future is None:
                    self.start(call)
            while len(values) < len(calls):
                for call in self._settled(calls, values, to_send):
                    health.seen()
                    outcome = self._outcome(call)
                    if isinstance(outcome, NeedsLines):
                        to_send.append(call)
                    elif outcome is not None:
                        values[call] = None if take is not None else outcome.value
                        if take is not None:
                            take(outcome.value)
                        call.prefers = outcome.worker
                        call.future = call.lines = None
                        if progress is not None:
                            progress(call)
                self._send_some(calls, to_send)
                self._wait([c.future for c in calls if c not in values and c not in to_send])
                health.check()
        finally:
            for call in calls:
                call.future = call.lines = None  # what is under way and not needed is cancelled
        return [values[call] for call in calls]

    def _settled(
        self, calls: Sequence[Call], values: Mapping[Call, Any], to_send: deque[Call]
    ) -> list[Call]:
        return [
            call
            for call in calls
            if call not in values and call not in to_send and call.future.status != "pending"
        ]

    def _outcome(self, call: Call) -> Done | NeedsLines | None:
        """The result; None where the call was lost with a worker, and was started again."""
        if call.future.status == "finished":
            outcome = self.ask(call.future.result)
            if isinstance(outcome, Failed):
                cause = WorkerFailure(f"on {outcome.worker}\n{outcome.details}")
                raise outcome.kind(f"{outcome.message} (on {outcome.worker})") from cause
            found: Done | NeedsLines = outcome
            return found
        if call.future.status != "error" and call.attempts < _ATTEMPTS:
            if self.client.status != "running":
                time.sleep(0.2)
                return None
            call.lines = None
            self.start(call)
            return None
        raise self._broken(call)

    def _broken(self, call: Call) -> RetrieverError:
        """What Dask itself says: a worker that died again and again, or code it cannot load."""
        place = call.shard.place
        if call.future.status != "error":
            return RetrieverError(f"{place}: lost {_ATTEMPTS} times with the workers that had it")
        error = call.future.exception()
        if type(error).__name__ == "KilledWorker":
            text = (
                f"{place}: every worker that tried it died, which mostly is a lack of memory: cut"
                " the corpus into more parts (--beir-scheduler=…,shards=N) or give workers more"
            )
        elif isinstance(error, ImportError):
            text = (
                f"{place}: a worker cannot import what the retriever needs ({described(error)}):"
                " install pytest-beir[distributed] and the retriever's packages on every worker"
            )
        else:
            text = f"{place}: Dask could not run it: {described(error)}"
        failure = RetrieverError(text)
        failure.__cause__ = WorkerFailure(f"{described(error)}\n{self._scheduler_log()}")
        return failure

    def _scheduler_log(self) -> str:
        with suppress(Exception):
            lines = [text for _, text in self.client.get_scheduler_logs(n=20)]
            return "\n".join(["Log of the scheduler:", *reversed(lines)])
        return ""

    def _send_some(self, calls: Sequence[Call], to_send: deque[Call]) -> None:
        """Send lines that workers cannot read, for a few calls at a time."""
        while to_send and sum(call.lines is not None for call in calls) < 2 * self.workers:
            call = to_send.popleft()
            lines = read(call.shard, call.corpus)
            call.lines = self.ask(lambda: self.client.scatter(lines, hash=False))  # noqa: B023  # asked at once
            self.start(call)

    @staticmethod
    def _wait(futures: Sequence[Any]) -> None:
        from distributed import wait

        if not futures or any(future.status != "pending" for future in futures):
            return
        # Cancelled futures are looked at by their status.
        with suppress(TimeoutError, Exception):
            wait(list(futures), timeout=1, return_when="FIRST_COMPLETED")  # type: ignore[no-untyped-call]
