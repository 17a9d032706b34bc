"""Processes that begin as copies of a Python which has loaded everything already.

Loading takes a process longer than most scenarios take to run. There are two such Pythons, and a
run with workers uses both: what depends on the order of a set differs between its processes, as it
does between those of any run.
"""

from __future__ import annotations

import atexit
import gc
import itertools
import json
import os
import select
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

IS_POSSIBLE = sys.platform == "linux"  # a copy of a process that loaded numpy crashes elsewhere
WORDS = 200_000  # bytes: more than arguments and environment take, and what a socket takes at once
MODULE = """
import runpy, sys
try:
    import sitecustomize
except ImportError:
    pass
del sys.argv[0]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


class Copy:
    """A process that began as a copy of the Python at an address."""

    def __init__(self, address: str, source: str, arguments: Sequence[str], files: list[int]):
        self._connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WORDS)
        self._connection.connect(address)
        asked = [source, arguments, str(Path.cwd()), dict(os.environ)]
        socket.send_fds(self._connection, [json.dumps(asked).encode()], files)
        self.pid = int(self._connection.recv(32))
        self._status: int | None = None

    def wait(self) -> int:
        """Its exit status, negative after a signal, as `subprocess` has it."""
        if self._status is None:
            self._status = int(self._connection.recv(32))
            self._connection.close()
        return self._status

    def kill(self) -> None:
        if self._status is None:
            os.kill(self.pid, signal.SIGKILL)


@dataclass
class WarmPython:
    """The two Pythons, which are started when they are first needed."""

    addresses: list[str] = field(default_factory=list)
    _servers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _folder: tempfile.TemporaryDirectory[str] | None = None

    def run(self, source: str, *arguments: str, files: list[int]) -> int:
        """The exit status of `python -c source` with standard input, output and errors there."""
        self._start()
        return Copy(self.addresses[0], source, arguments, files).wait()

    def command(self) -> str:
        """What a shell runs as `python`, when all that it is given is `-m module` and words."""
        self._start()
        return shlex.join([sys.executable, "-IS", __file__, self.addresses[0]])

    def _start(self) -> None:
        if self._servers:
            return
        self._folder = tempfile.TemporaryDirectory(prefix="warm-")
        self.addresses = [str(Path(self._folder.name) / name) for name in "ab"]
        for own, other in (self.addresses, reversed(self.addresses)):
            server = subprocess.Popen(
                [sys.executable, __file__, own, other],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the tests, whose end ends this
                env=os.environ | {"PYTHONHASHSEED": "random"},
            )
            self._servers.append(server)
        for server in self._servers:
            assert server.stdout is not None
            assert server.stdout.readline() == b"ready\n"

    def close(self) -> None:
        for server in self._servers:
            server.communicate()
        if self._folder is not None:
            self._folder.cleanup()


def _requests(address: str) -> tuple[list[Any], list[int]] | None:
    """What this copy is asked to be; nothing in the original, once the tests have ended."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(address)
    listener.listen()
    awake, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    copies: dict[int, socket.socket] = {}
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        ready, _, _ = select.select([listener.fileno(), awake, 0], [], [])
        if awake in ready:
            os.read(awake, 4096)
            _report_ends(copies)
        if listener.fileno() in ready:
            connection, _ = listener.accept()
            content, files, _, _ = socket.recv_fds(connection, WORDS, 3)
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for opened in (listener, connection, *copies.values()):
                    opened.close()
                os.close(awake)
                os.close(wake)
                return json.loads(content), files
            for each in files:
                os.close(each)
            copies[pid] = connection
            connection.send(str(pid).encode())
        if 0 in ready:
            return None


def _report_ends(copies: dict[int, socket.socket]) -> None:
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            with copies.pop(pid) as connection, suppress(OSError):  # who asked may be gone
                connection.send(str(os.waitstatus_to_exitcode(status)).encode())


def _become(asked: list[Any], files: list[int], base: list[str]) -> str:
    """The source to run, in a process that looks as if it had been started for it."""
    source, arguments, folder, environment = asked
    for number, each in enumerate(files):
        os.dup2(each, number)
        os.close(each)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, closefd=False)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv[:] = ["-c", *arguments]
    sys.path[:] = ["", *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep)), *base]
    sys.dont_write_bytecode = bool(environment.get("PYTHONDONTWRITEBYTECODE"))
    return str(source)


def _let_workers_be_copies(addresses: list[str]) -> None:
    """Let execnet start a worker as a copy, each time of the other Python."""
    from execnet import gateway_io
    from execnet.gateway_base import Popen2IO

    turns = itertools.cycle(addresses)

    def start(self: Any, args: list[str], execmodel: Any) -> None:
        (theirs_in, ours_in), (ours_out, theirs_out) = os.pipe(), os.pipe()
        self.popen = Copy(next(turns), args[-1], (), [theirs_in, theirs_out, 2])
        os.close(theirs_in)
        os.close(theirs_out)
        outgoing, incoming = os.fdopen(ours_in, "wb"), os.fdopen(ours_out, "rb")
        Popen2IO.__init__(self, outgoing, incoming, execmodel)

    gateway_io.Popen2IOMaster.__init__ = start  # type: ignore[method-assign]


def _ran(source: str) -> int:
    """The exit status of the source, by Python's own rules."""
    try:
        exec(compile(source, "<string>", "exec"), {"__name__": "__main__"})  # noqa: S102
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        sys.stderr.write(f"{end.code}\n")
        return 1
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
        return 1
    return 0


def _load() -> list[str]:
    """The path without what belongs to this file; everything that scenarios need is loaded."""
    from _pytest.config import default_plugins

    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    base = [each for each in sys.path[1:] if each not in given]
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    for name in ("tests.kept_modules", *(f"_pytest.{each}" for each in default_plugins)):
        import_module(name)
    with suppress(ImportError):
        for name in ("xdist.dsession", "xdist.remote", "xdist.workermanage"):
            import_module(name)
        # pytest warns of plugins that are loaded before it can rewrite their assertions.
        sys.modules["xdist"].__doc__ = "PYTEST_DONT_REWRITE"
    gc.collect()
    gc.freeze()
    return base


if __name__ == "__main__" and sys.argv[2] == "-m":
    sys.exit(Copy(sys.argv[1], MODULE, sys.argv[3:], [0, 1, 2]).wait())

if __name__ == "__main__":
    own, other = sys.argv[1:]
    base = _load()
    request = _requests(own)
    if request is not None:
        source = _become(*request, base)
        with suppress(ImportError):
            _let_workers_be_copies([other, own])
        status = _ran(source)
        # Only what a process does at its end, for taking all apart that is loaded takes longer.
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(status & 0xFF)
