"""The connection to a Dask scheduler and its workers: made once, watched, and closed."""

from __future__ import annotations

import time
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from pytest_beir.distributed import worker
from pytest_beir.errors import RetrieverError, UsageError
from pytest_beir.retrieval.user_code import described

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_beir.distributed.address import SchedulerAddress

_CONNECT = 15.0  # seconds for the scheduler, and then for its first worker
_LOST = 10.0  # seconds without a scheduler
_IDLE = 60.0  # seconds without a worker


class Connection:
    """A scheduler with its workers, connected when it is first used."""

    def __init__(self, address: SchedulerAddress) -> None:
        self.address = address
        self.workers = 0
        self.shards = 0
        self.client: Any = None
        self._local: Any = None
        self._gone: str = ""
        self._retrievers: dict[bytes, Any] = {}

    def connect(self) -> None:
        """Connect, and wait for the first worker.

        Raises:
            UsageError: Dask is not installed.
            RetrieverError: There is no scheduler at the address, or it has no worker.

        """
        if self._gone:
            raise RetrieverError(self._gone)
        if self.client is not None:
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
            self.client = distributed.Client(  # type: ignore[no-untyped-call]
                **where, timeout=_CONNECT, set_as_default=False
            )
            self.client.wait_for_workers(address.local_workers or 1, timeout=_CONNECT)
        except (OSError, TimeoutError, ValueError, TypeError, RuntimeError) as error:
            has_scheduler = self.client is not None
            self.close()
            self._gone = self._unreachable(error, has_scheduler=has_scheduler)
            raise RetrieverError(self._gone) from error
        self.workers = len(self.client.nthreads())

    def release(self) -> None:
        """Let workers close their retriever and forget what it indexed; nothing is disconnected."""
        self._retrievers.clear()
        client = self.client
        with suppress(Exception):  # what cannot be told to close is closed with its process
            if client is not None and client.status == "running":
                client.run(worker.close_retriever, on_error="ignore")

    def close(self) -> None:
        """Close the retrievers on the workers, the connection, and the workers started here."""
        self.release()
        client, self.client = self.client, None
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

    def send_retriever(self, packed: bytes) -> Any:
        """The retriever on the cluster, once, whoever needs it there."""
        if packed not in self._retrievers:
            self._retrievers[packed] = self.submit("beir-retriever", _same, packed)
        return self._retrievers[packed]

    def submit(self, key: str, function: Any, *arguments: Any, prefers: str | None = None) -> Any:
        """The future of a function that a worker calls, one that is preferred if it is free."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a model is large, and is sent once
            return self.ask(
                lambda: self.client.submit(
                    function,
                    *arguments,
                    key=f"{key}-{uuid4().hex}",
                    pure=False,
                    workers=None if prefers is None else [prefers],
                    allow_other_workers=prefers is not None,
                )
            )

    def ask(self, question: Callable[[], Any]) -> Any:
        """What the client answers; one that has lost its scheduler raises or hangs about.

        Raises:
            RetrieverError: The scheduler is lost.

        """
        if self._gone:
            raise RetrieverError(self._gone)
        try:
            return question()
        except (OSError, TimeoutError, RuntimeError) as error:
            raise self.lost(f"{self.name} was lost ({described(error)})") from error

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


class Health:
    """Whether there are a scheduler and workers, asked about once a second."""

    def __init__(self, cluster: Connection) -> None:
        self._cluster = cluster
        self._connected = self._worked = self._asked = time.monotonic()

    def seen(self) -> None:
        """Something came back."""
        self._connected = self._worked = time.monotonic()

    def check(self) -> None:
        """Check that scheduler and workers are there, about once a second.

        Raises:
            RetrieverError: There was no scheduler or no worker for long.

        """
        now = time.monotonic()
        if now - self._asked < 1:
            return
        self._asked = now
        cluster = self._cluster
        client = cluster.client
        if client.status == "running":
            self._connected = now
        elif now - self._connected > _LOST:
            raise cluster.lost(f"{cluster.name} was lost")
        else:
            return
        if cluster.ask(client.nthreads):
            self._worked = now
        elif now - self._worked > _IDLE:
            raise cluster.lost(f"{cluster.name} has had no worker for {_IDLE:.0f} seconds")


def _same(packed: bytes) -> bytes:
    return packed
