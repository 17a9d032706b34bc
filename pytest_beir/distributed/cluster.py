"""The connection to a Dask scheduler: calls go to its workers, results and failures come back."""

from __future__ import annotations

import time
import warnings
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from pytest_beir.distributed import worker
from pytest_beir.distributed.shard import read
from pytest_beir.distributed.task import Done, Failed, NeedsLines, perform
from pytest_beir.errors import RetrieverError, UsageError
from pytest_beir.retrieval.user_code import described

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_beir.datasets.corpus import Corpus
    from pytest_beir.distributed.address import SchedulerAddress
    from pytest_beir.distributed.shard import Shard

_CONNECT = 15.0  # seconds for the scheduler, and then for its first worker
_LOST = 10.0  # seconds without a scheduler
_IDLE = 60.0  # seconds without a worker
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


class Cluster:
    """A scheduler with its workers, connected when it is first used."""

    def __init__(self, address: SchedulerAddress) -> None:
        self.address = address
        self.workers = 0
        self.shards = 0
        self._client: Any = None
        self._local: Any = None
        self._gone: str = ""
        self._retrievers: dict[bytes, Any] = {}

    def connect(self) -> None:
        """Connect, and wait for the first worker.

        Raises:
            UsageError: Dask is not installed.
            RetrieverError: there is no scheduler at the address, or it has no worker.

        """
        if self._gone:
            raise RetrieverError(self._gone)
        if self._client is not None:
            return
        try:
            import distributed
        except ImportError as error:
            raise UsageError(
                "--beir-scheduler needs Dask: pip install 'pytest-beir[distributed]'"
            ) from error
        address = self.address
        where: dict[str, Any] = {"address": address.url}
        try:
            if address.local_workers is not None:
                self._local = distributed.LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=address.local_workers,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=":0",
                )
                where = {"address": self._local}
            elif address.file is not None:
                where = {"scheduler_file": str(address.file)}
            self._client = distributed.Client(  # type: ignore[no-untyped-call]
                **where, timeout=_CONNECT, set_as_default=False
            )
            self._client.wait_for_workers(address.local_workers or 1, timeout=_CONNECT)
        except (OSError, TimeoutError, ValueError, TypeError, RuntimeError) as error:
            has_scheduler = self._client is not None
            self.close()
            self._gone = self._unreachable(error, has_scheduler=has_scheduler)
            raise RetrieverError(self._gone) from error
        self.workers = len(self._client.nthreads())

    def send_retriever(self, packed: bytes) -> Any:
        """The retriever on the cluster, once, whoever needs it there."""
        if packed not in self._retrievers:
            self._retrievers[packed] = self._submit("beir-retriever", _same, packed)
        return self._retrievers[packed]

    def start(self, call: Call) -> None:
        """Hand a call over; nothing is waited for."""
        call.attempts += 1
        shard = call.shard
        prefers = call.prefers if call.prefers in self._ask(self._client.nthreads) else None
        call.future = self._submit(
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
        health = _Health(self)
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

    def release(self) -> None:
        """Let workers close their retriever and forget what it indexed; nothing is disconnected."""
        self._retrievers.clear()
        client = self._client
        with suppress(Exception):  # what cannot be told to close is closed with its process
            if client is not None and client.status == "running":
                client.run(worker.close_retriever, on_error="ignore")

    def close(self) -> None:
        """Close the retrievers on the workers, the connection, and the workers started here."""
        self.release()
        client, self._client = self._client, None
        local, self._local = self._local, None
        for each in (client, local):
            with suppress(Exception):
                if each is not None:
                    each.close(timeout=_CONNECT)

    def lost(self, reason: str) -> RetrieverError:
        """The error of a cluster that is no more; every later call raises it too."""
        self._gone = (
            f"{reason}; datasets that were finished are kept: start it again, then repeat the run"
            " (--beir-runs=DIR and --beir-resume keep answers within a dataset)"
        )
        return RetrieverError(self._gone)

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"the scheduler {self.address.text}"

    def _unreachable(self, error: Exception, *, has_scheduler: bool) -> str:
        if has_scheduler:
            return (
                f"{self.name} has no worker after {_CONNECT:.0f} seconds: start some, as"
                " `dask worker ADDRESS`"
            )
        return (
            f"{self.name} cannot be reached ({described(error)}): start it with `dask scheduler`,"
            " check address and port, and for tls:// Dask's settings distributed.comm.tls"
        )

    def _submit(self, key: str, function: Any, *arguments: Any, prefers: str | None = None) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a model is large, and is sent once
            return self._ask(
                lambda: self._client.submit(
                    function,
                    *arguments,
                    key=f"{key}-{uuid4().hex}",
                    pure=False,
                    workers=None if prefers is None else [prefers],
                    allow_other_workers=prefers is not None,
                )
            )

    def _ask(self, question: Callable[[], Any]) -> Any:
        """What the client answers; one that has lost its scheduler raises or hangs about."""
        if self._gone:
            raise RetrieverError(self._gone)
        try:
            return question()
        except (OSError, TimeoutError, RuntimeError) as error:
            raise self.lost(f"{self.name} was lost ({described(error)})") from error

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
            outcome = self._ask(call.future.result)
            if isinstance(outcome, Failed):
                cause = WorkerFailure(f"on {outcome.worker}\n{outcome.details}")
                raise outcome.kind(f"{outcome.message} (on {outcome.worker})") from cause
            found: Done | NeedsLines = outcome
            return found
        if call.future.status != "error" and call.attempts < _ATTEMPTS:
            if self._client.status != "running":
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
            lines = [text for _, text in self._client.get_scheduler_logs(n=20)]
            return "\n".join(["Log of the scheduler:", *reversed(lines)])
        return ""

    def _send_some(self, calls: Sequence[Call], to_send: deque[Call]) -> None:
        """Send lines that workers cannot read, for a few calls at a time."""
        while to_send and sum(call.lines is not None for call in calls) < 2 * self.workers:
            call = to_send.popleft()
            lines = read(call.shard, call.corpus)
            call.lines = self._ask(lambda: self._client.scatter(lines, hash=False))  # noqa: B023  # asked at once
            self.start(call)

    @staticmethod
    def _wait(futures: Sequence[Any]) -> None:
        from distributed import wait

        if not futures or any(future.status != "pending" for future in futures):
            return
        # Cancelled futures are looked at by their status.
        with suppress(TimeoutError, Exception):
            wait(list(futures), timeout=1, return_when="FIRST_COMPLETED")  # type: ignore[no-untyped-call]


class _Health:
    """Whether there are a scheduler and workers, asked about once a second."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._connected = self._worked = self._asked = time.monotonic()

    def seen(self) -> None:
        """Something came back."""
        self._connected = self._worked = time.monotonic()

    def check(self) -> None:
        """Raise RetrieverError where nobody has been there for long."""
        now = time.monotonic()
        if now - self._asked < 1:
            return
        self._asked = now
        cluster = self._cluster
        client = cluster._client  # noqa: SLF001  # the other half of one class
        if client.status == "running":
            self._connected = now
        elif now - self._connected > _LOST:
            raise cluster.lost(f"{cluster.name} was lost")
        else:
            return
        if cluster._ask(client.nthreads):  # noqa: SLF001
            self._worked = now
        elif now - self._worked > _IDLE:
            raise cluster.lost(f"{cluster.name} has had no worker for {_IDLE:.0f} seconds")


def _same(packed: bytes) -> bytes:
    return packed
