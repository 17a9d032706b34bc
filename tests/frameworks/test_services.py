"""The recipes of docs/services.md against the real services, where these are installed."""

from __future__ import annotations

import gc
import importlib.util
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

from pytest_beir import BM25, load_dataset, score_run
from pytest_beir.retrieval.retriever import wrap

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).resolve().parents[2] / "docs" / "services.md"
CONFTESTS = dict(
    re.findall(
        r"^```python\n# conftest.py: (\S+)\n(.*?)^```$",
        PAGE.read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
)
DATASET = "boiler-manual"

pytestmark = pytest.mark.filterwarnings("default")  # what the services' clients warn of is theirs


@pytest.fixture(autouse=True)
def _warned_here() -> Iterator[None]:
    """What clients leave open is warned of in the test that left it, not in a later one."""
    yield
    gc.collect()


def ndcg(name: str) -> float:
    """What the page's conftest scores."""
    names: dict[str, Any] = {}
    text = CONFTESTS[name].replace('@pytest.fixture(scope="session")\n', "")
    exec(text, names)  # noqa: S102  # our page
    dataset = load_dataset(DATASET)
    retriever = wrap(names["retriever"]())
    run = retriever.rankings(dataset, 100).run
    retriever.close()
    scores = score_run(dataset.qrels, run)["nDCG@10"]
    return sum(scores.values()) / len(scores)


def need(module: str) -> None:
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed: tox -e frameworks")


@pytest.fixture
def embed(monkeypatch: pytest.MonkeyPatch) -> None:
    """An application that embeds texts: their words and parts of words, hashed."""

    def embed(texts: list[str]) -> list[list[float]]:
        rows = []
        for text in texts:
            row = [0.0] * 512
            for word in re.findall(r"\w+", text.lower()):
                for part in (word, *(word[at : at + 4] for at in range(len(word) - 3))):
                    row[zlib.crc32(part.encode()) % 512] += 1.0 if part == word else 0.3
            rows.append([value**0.5 + 1e-6 for value in row])
        return rows

    module = ModuleType("my_app")
    module.embed = embed  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "my_app", module)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def test_sqlite_full_text() -> None:
    assert ndcg("sqlite") > 0.6


@pytest.fixture
def service() -> Iterator[tuple[str, list[int]]]:
    """A search service that is busy now and then; its address, and how many it served at once."""
    dataset = load_dataset(DATASET)
    engine = BM25()
    assert dataset.corpus is not None
    engine.index(dataset.corpus)
    lock, now, most, seen = threading.Lock(), [0], [0], [0]

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with lock:
                now[0] += 1
                most[0] = max(most[0], now[0])
                seen[0] += 1
                is_busy = seen[0] % 40 == 0
            asked = parse_qs(urlsplit(self.path).query)
            found = engine.search({"q": asked["q"][0]}, int(asked["size"][0]))["q"]
            hits = [{"id": key, "score": score} for key, score in found.items()]
            content = json.dumps({"hits": hits}).encode()
            with lock:
                now[0] -= 1
            self.send_response(503 if is_busy else 200)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", most
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_http_service_that_is_busy_now_and_then(
    service: tuple[str, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, most = service
    monkeypatch.setenv("SEARCH_URL", address)
    dataset = load_dataset(DATASET)
    expected = wrap(BM25()).rankings(dataset, 100).run
    scores = score_run(dataset.qrels, expected)["nDCG@10"].values()
    assert ndcg("http") == pytest.approx(sum(scores) / len(scores), abs=1e-12)
    assert 1 <= most[0] <= 8


@pytest.mark.usefixtures("embed")
def test_chroma(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("chromadb")
    port = free_port()
    command = shutil.which("chroma", path=str(Path(sys.executable).parent)) or "chroma"
    words = [command, "run", "--path", str(tmp_path), "--port", str(port)]
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(words, stdout=log, stderr=log)
        try:
            for _ in range(120):
                with socket.socket() as one:
                    if one.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.5)
            monkeypatch.setenv("CHROMA_PORT", str(port))
            monkeypatch.setenv("ANONYMIZED_TELEMETRY", "False")
            assert ndcg("chroma") > 0.4
        finally:
            server.terminate()
            server.wait(30)


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server in a folder that its user may enter, which is another one where root tests."""
    need("pgserver")
    need("psycopg")
    import pgserver

    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # as said
        server = pgserver.get_server(Path(folder) / "pg", cleanup_mode="stop")
        monkeypatch.setenv("DATABASE_URL", server.get_uri())
        yield
        server.cleanup()


@pytest.mark.usefixtures("database")
def test_postgresql_full_text() -> None:
    assert ndcg("postgresql") > 0.4


@pytest.mark.usefixtures("database", "embed")
def test_pgvector() -> None:
    assert ndcg("pgvector") > 0.4
