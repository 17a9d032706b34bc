"""Rankings made elsewhere: the path of a run file or of a folder of them, or a mapping."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_beir.retrieval.run_files import RunFiles
from pytest_beir.retrieval.run_mapping import RunMapping

describes = (
    "the path of a run file, or a mapping {query id: {document id: score}}, for several datasets"
    " {dataset: {query id: {document id: score}}}"
)
_RUN_FILE = re.compile(r"\{dataset\}|\.(trec|run|res|txt|tsv)(\.gz)?$", re.IGNORECASE)


def matches(value: Any) -> bool:
    """Whether it is a path, a text that looks like one, or a mapping."""
    if isinstance(value, str):
        return bool(_RUN_FILE.search(value)) or os.sep in value
    return isinstance(value, (os.PathLike, Mapping)) and not callable(value)


def adapt(value: Any) -> RunFiles | RunMapping:
    """The rankings of the files or of the mapping; of a folder, the file `<dataset>.trec`."""
    if isinstance(value, Mapping):
        return RunMapping(value)
    named = os.fspath(value)
    is_folder = Path(named).is_dir() or not (_RUN_FILE.search(named) or Path(named).suffix)
    return RunFiles(os.path.join(named, "{dataset}.trec") if is_folder else named)  # noqa: PTH118
