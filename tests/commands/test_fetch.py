from __future__ import annotations

import argparse
import io
import json
import zipfile
from functools import partial
from hashlib import md5
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.commands import fetch
from pytest_beir.datasets import catalog as catalogue
from pytest_beir.datasets.reader import load_dataset
from pytest_beir.errors import DatasetError, DownloadError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILES = {
    "corpus.jsonl": json.dumps({"_id": "d1", "title": "", "text": "a"}),
    "queries.jsonl": json.dumps({"_id": "q1", "text": "a"}),
    "qrels/test.tsv": "q1\td1\t1\n",
}


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    fetch.register(parser.add_subparsers())
    args = parser.parse_args(["fetch", *words])
    return int(args.run(args))


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - http.server's name
        """Say nothing."""


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server of small zips, which the catalogue takes for the official ones."""
    folder = tmp_path / "mirror"
    folder.mkdir()
    whole = catalogue.load_catalog()
    entries = dict(whole.entries)
    for name in ("scifact", "nfcorpus"):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as packed:
            for path, text in FILES.items():
                packed.writestr(f"{name}/{path}", text)
        (folder / f"{name}.zip").write_bytes(buffer.getvalue())
        digest = md5(buffer.getvalue(), usedforsecurity=False).hexdigest()
        entries[name] = entries[name].model_copy(update={"zip_md5": digest})
    small = whole.sets["bundled"].model_copy(update={"members": ("scifact", "nfcorpus")})
    changed = whole.model_copy(update={"entries": entries, "sets": {"small-2": small}})
    monkeypatch.setattr(fetch, "load_catalog", lambda: changed)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_datasets_and_sets_are_fetched_once_each(
    mirror: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cache = tmp_path / "cache"
    assert run("scifact", "small-2", f"--mirror={mirror}", f"--cache={cache}") == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{name}: {cache / 'datasets' / name}" for name in ("scifact", "nfcorpus")
    ]
    assert load_dataset("nfcorpus", cache_dir=cache, offline=True).queries == {"q1": "a"}


def test_the_mirror_of_the_environment_serves_too(
    mirror: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BEIR_MIRROR", mirror)
    assert run("scifact", f"--cache={tmp_path / 'cache'}") == 0


def test_a_file_the_mirror_lacks_is_an_error(mirror: str, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match=r"quora\.zip: HTTP 404"):
        run("quora", f"--mirror={mirror}", f"--cache={tmp_path / 'cache'}")


def test_an_unknown_name_fetches_nothing(mirror: str, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no dataset is called"):
        run("scifact", "scifcat", f"--mirror={mirror}", f"--cache={tmp_path / 'cache'}")
    assert not (tmp_path / "cache").exists()


def test_bundled_data_need_no_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("cycling-forum", f"--cache={tmp_path}") == 0
    assert "cycling-forum: " in capsys.readouterr().out
