"""Files packed otherwise than by gzip."""

from __future__ import annotations

import bz2
import importlib
import lzma
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.errors import RunFileError
from pytest_beir.retrieval.run_files import RunFiles, read_run
from pytest_beir.retrieval.run_forms import packed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TREC = b"1 Q0 d7 1 2.5 tag\n1 Q0 d3 2 1.0 tag\n"
RUN = {"1": {"d7": 2.5, "d3": 1.0}}


@pytest.mark.parametrize(("end", "pack"), [(".bz2", bz2.compress), (".xz", lzma.compress)])
@pytest.mark.parametrize(
    ("name", "content"), [("run.trec", TREC), ("run.json", b'{"1": {"d7": 2.5, "d3": 1.0}}')]
)
def test_what_is_packed_reads_the_same(
    tmp_path: Path, end: str, pack: Callable[[bytes], bytes], name: str, content: bytes
) -> None:
    path = tmp_path / f"{name}{end}"
    path.write_bytes(pack(content))
    assert read_run(path) == RUN
    assert RunFiles(path).load("x", ["1", "2"], 1) == {"1": {"d7": 2.5}}


@pytest.mark.parametrize("module", ["zstandard", "lz4.frame"])
def test_what_other_libraries_pack_reads_the_same(tmp_path: Path, module: str) -> None:
    library = pytest.importorskip(module, reason=f"needs {module.partition('.')[0]}")
    compress: Any = library.compress if module == "lz4.frame" else library.ZstdCompressor().compress
    path = tmp_path / ("run.trec.lz4" if module == "lz4.frame" else "run.trec.zst")
    path.write_bytes(compress(TREC))
    assert read_run(path) == RUN


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(module: str) -> Any:
        raise ImportError(module)

    path = tmp_path / "run.trec.zst"
    path.write_bytes(b"(\xb5/\xfd")
    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(RunFileError, match=r"reading \.zst needs zstandard: pip install"):
        read_run(path)


@pytest.mark.parametrize("content", [b"nothing of the kind", bz2.compress(TREC)[:-5]])
def test_a_damaged_file_is_an_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.trec.bz2"
    path.write_bytes(content)
    with pytest.raises(RunFileError, match="damaged bz2"):
        read_run(path)


def test_a_packed_run_with_a_bad_line_says_so(tmp_path: Path) -> None:
    path = tmp_path / "run.trec.bz2"
    path.write_bytes(bz2.compress(TREC + b"1 Q0 d9\n"))
    with pytest.raises(RunFileError, match="some line does not have the six columns"):
        read_run(path)


def test_a_file_that_unpacks_to_far_more_than_rankings_do_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.trec.xz"
    path.write_bytes(lzma.compress(b"q Q0 d 1 1 t\n" * 6_000_000))
    with pytest.raises(RunFileError, match="unpacks to more than 67,108,864 bytes"):
        read_run(path)


@pytest.mark.parametrize(("ending", "pack"), [("bz2", bz2.compress), ("xz", lzma.compress)])
def test_the_limit_holds_in_every_form(
    ending: str, pack: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "_SMALL", 1 << 19)  # a bz2 of megabytes takes seconds to make
    path = tmp_path / f"bomb.trec.{ending}"
    path.write_bytes(pack(b"q Q0 d 1 1 t\n" * 60_000))
    with pytest.raises(RunFileError, match="unpacks to more than 524,288 bytes"):
        read_run(path)
