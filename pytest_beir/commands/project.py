"""What several commands ask for: the project's folder, its `beir.yaml` and its baselines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.baselines import store
from pytest_beir.configuration.config import load_config, project_folder
from pytest_beir.configuration.option_values import config_file
from pytest_beir.errors import BeirError, UsageError
from pytest_beir.files.paths import user_path

if TYPE_CHECKING:
    import argparse

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.configuration.config import Config


@dataclass(frozen=True)
class Project:
    """Where a command works: `folder` as pytest would find it from the working directory."""

    folder: Path
    config: Config
    baselines: Path

    def stored(self, retriever: str, dataset: str) -> Baseline | None:
        """A stored baseline.

        Raises:
            BaselineError: It is malformed.

        """
        return store.load(self.baselines, retriever, dataset)

    def readable(self, retriever: str, dataset: str) -> Baseline | None:
        """A stored baseline, None also where it cannot be read."""
        try:
            return self.stored(retriever, dataset)
        except BeirError:
            return None


def add_options(parser: argparse.ArgumentParser, *, baselines: bool = True) -> None:
    """Add `--config`, and `--baselines` unless it is of no use."""
    parser.add_argument("--config", metavar="FILE", help="default: beir.yaml of the project folder")
    if baselines:
        parser.add_argument(
            "--baselines", metavar="DIR", help="default: baselines/ in the project folder"
        )


def open_project(args: argparse.Namespace, *, is_written: bool = False) -> Project:
    """The project of the working directory, with what the options put in its place.

    Unless baselines are to be written, a folder of them that is named must be there.

    Raises:
        UsageError: The folder of baselines is not one.

    """
    folder = project_folder(Path.cwd())
    given = getattr(args, "baselines", None)
    baselines = user_path(given) if given else folder / "baselines"
    if given and not is_written and not baselines.is_dir():
        raise UsageError(f"--baselines={given}: {baselines} is not a folder")
    named = user_path(args.config) if args.config is not None else None
    file = config_file("--config", named, args.config, folder)
    return Project(folder, load_config(file), baselines)
