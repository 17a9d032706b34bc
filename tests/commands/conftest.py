"""A project whose measurements are made by hand: reports, baselines and runs to work on."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir import cli
from pytest_beir.baselines import store
from pytest_beir.baselines.baseline import Acceptance
from pytest_beir.baselines.next_baseline import next_baseline
from pytest_beir.baselines.update import Update
from pytest_beir.configuration.config import load_config
from pytest_beir.configuration.declaration import resolve
from pytest_beir.datasets.reader import load_dataset
from pytest_beir.evaluation.evaluate import evaluate
from pytest_beir.evaluation.result import failed
from pytest_beir.evaluation.rules import rules_for
from pytest_beir.evaluation.scored import retrieve
from pytest_beir.reports import folder as report_folder
from pytest_beir.reports import html
from pytest_beir.reports.story import compose
from pytest_beir.reports.wording import one_line
from pytest_beir.retrieval.retriever import wrap
from pytest_beir.retrieval.run_files import write_run
from pytest_beir.suite.assembly import assemble
from pytest_beir.suite.run import DidNotRun

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pytest_beir.baselines.baseline import Category
    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.evaluation.result import Evaluation

QUERIES = 40
WRITTEN = "2026-02-03"

Ranks = dict[str, int]


def answers(queries: Sequence[str], ranks: Mapping[str, int]) -> dict[str, dict[str, float]]:
    """Rankings that put the relevant document of each query at the rank that is given, else first.

    Rank 0 leaves it out.
    """
    found = {}
    for query in queries:
        documents = [f"x{number:02d}" for number in range(20)]
        rank = ranks.get(query, 1)
        if rank:
            documents.insert(rank - 1, "d" + query[1:])
        found[query] = {each: 100.0 - place for place, each in enumerate(documents)}
    return found


@dataclass
class Canned:
    """A retriever that ranks as it is told."""

    ranks: Ranks
    name: str = "canned"
    version: str | None = "1"
    trained_on: tuple[str, ...] | None = None

    def index(self, corpus: Mapping[str, Mapping[str, str]]) -> None:
        pass

    def search(
        self,
        queries: Mapping[str, str],
        top_k: int,  # noqa: ARG002  # the answers are shorter
    ) -> dict[str, dict[str, float]]:
        return answers(list(queries), self.ranks)


def drop(queries: int = 20, rank: int = 5) -> Ranks:
    """Ranks under which so many queries find their document later."""
    return {f"q{number:02d}": rank for number in range(queries)}


@dataclass
class Workshop:
    """A project folder; `run` is the command line, everything else measures as the gate does."""

    path: Path
    names: list[str] = field(default_factory=list)
    weights: dict[str, float] = field(default_factory=dict)

    def dataset(
        self, name: str, *, queries: int = QUERIES, weight: float = 1.0, alike: int = 0
    ) -> Path:
        """A dataset in which query q07 has the relevant document d07, declared in beir.yaml.

        So many of the first queries as `alike` says have one text.
        """
        home = self.path / "data" / name
        (home / "qrels").mkdir(parents=True)
        numbers = [f"{number:02d}" for number in range(queries)]
        documents = [f"d{n}" for n in numbers] + [f"x{n:02d}" for n in range(20)]
        _lines(home / "corpus.jsonl", [{"_id": d, "title": "", "text": d} for d in documents])
        texts = ["the same"] * alike + [f"{name} {n}" for n in numbers[alike:]]
        _lines(
            home / "queries.jsonl",
            [{"_id": f"q{n}", "text": text} for n, text in zip(numbers, texts, strict=True)],
        )
        rows = ["query-id\tcorpus-id\tscore", *(f"q{n}\td{n}\t1" for n in numbers)]
        (home / "qrels" / "test.tsv").write_text("\n".join(rows) + "\n")
        self.names.append(name)
        self.weights[name] = weight
        self.config()
        return home

    def config(self, more: str = "") -> None:
        """Write beir.yaml: the datasets, and what else is given."""
        entries = [
            f"  - {{name: {name}, path: data/{name}, weight: {self.weights[name]}}}"
            for name in self.names
        ]
        (self.path / "beir.yaml").write_text("\n".join(["datasets:", *entries, more, ""]))

    def read(self, name: str) -> Dataset:
        return load_dataset(self.path / "data" / name, name=name, cache_dir=self.path / "cache")

    def judge(self, retriever: Canned, name: str, ranks: Ranks | None) -> Evaluation:
        """The evaluation of a dataset against the stored baseline; ranks None: the search fails."""
        config = load_config(self.path / "beir.yaml")
        declared = resolve(None, config, base=self.path)
        if ranks is None:
            error = failed(retriever.name, name, "test", "the search raised ValueError: oh")
            return replace(error, message=one_line(error))
        scored = retrieve(
            self.read(name),
            wrap(replace(retriever, ranks=ranks)),
            name=retriever.name,
            metrics=config.metrics_for(retriever.name),
            group_field=config.groups.field if config.groups else None,
        )
        stored = store.load(self.path / "baselines", retriever.name, name)
        rules = rules_for(config, retriever.name, declared)
        found = evaluate(scored, stored, rules, scored.dataset)
        return replace(found, message=one_line(found))

    def store(
        self,
        name: str,
        ranks: Ranks | None = None,
        *,
        retriever: str = "canned",
        folder: str = "baselines",
        anchor: bool = True,
        reason: str | None = None,
    ) -> None:
        """Write a baseline; without `anchor` only its current vectors."""
        old = store.load(self.path / folder, retriever, name)
        found = self.judge(Canned({}, retriever), name, ranks or {})
        category: Category = "new" if old is None else "neutral"
        new = found.as_baseline(
            accepted=Acceptance(WRITTEN, "abc1234", category, reason),
            versions={"pytest-beir": "0.1.0", "retriever": "1"},
        )
        update = Update(category, current=True, anchor=anchor)
        store.save(self.path / folder, next_baseline(old, new, update))

    def job(
        self,
        report: str,
        ranks: Mapping[str, Ranks | None] | None = None,
        *,
        only: Sequence[str] | None = None,
        retrievers: Sequence[Canned] = (Canned({}),),
        commit: str = "abc1234",
        flags: Mapping[str, str] | None = None,
    ) -> Path:
        """What `pytest --beir --beir-report=… --beir-only=…` writes."""
        config = load_config(self.path / "beir.yaml")
        declared = resolve(None, config, base=self.path)
        selected = [name for name in self.names if only is None or name in only]
        given = ranks or {}
        evaluations = [
            self.judge(retriever, name, given.get(name, {}))
            for retriever in retrievers
            for name in selected
        ]
        evaluations = [
            replace(each, flags=(*each.flags, flags[each.dataset]))
            if flags and each.dataset in flags
            else each
            for each in evaluations
        ]
        run = assemble(
            suite=declared,
            selected=selected,
            config=config,
            evaluations=evaluations,
            did_not_run=[
                DidNotRun(each.name, name, "deselected by --beir-only", on_purpose=True)
                for each in retrievers
                for name in self.names
                if name not in selected
            ],
            stored=lambda retriever, name: store.load(self.path / "baselines", retriever, name),
            environment={"commit": commit, "pytest-beir": "0.1.0", "python": "3.11.4"},
        )
        folder = self.path / report
        accepted = Acceptance(WRITTEN, commit)
        scores = [
            each.as_baseline(
                accepted=accepted, versions={"pytest-beir": "0.1.0", "retriever": each.version}
            )
            for each in evaluations
            if each.scores is not None
        ]
        report_folder.write(compose(run), folder, scores=scores)
        return folder

    def trec(self, path: str, name: str, ranks: Ranks | None = None) -> Path:
        """A run file for a dataset."""
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        write_run(target, answers(list(self.read(name).queries), ranks or {}), "canned")
        return target

    def run(self, *words: str) -> int:
        return cli.main(words)

    def report(self, folder: str) -> Any:
        return json.loads((self.path / folder / "beir.json").read_text())

    def edit(self, folder: str, old: str, new: str) -> None:
        """Change the text of a report, which must hold `old`."""
        path = self.path / folder / "beir.json"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))


def _lines(path: Path, objects: Sequence[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(each) + "\n" for each in objects))


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    """An empty project folder, from which commands are run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    return Workshop(tmp_path)


@pytest.fixture
def make_retriever() -> type[Canned]:
    """Canned retrievers, for jobs with several or with another version."""
    return Canned


@pytest.fixture
def dropped() -> Ranks:
    """Ranks under which half of the queries find their document at rank 5."""
    return drop()


@pytest.fixture(autouse=True)
def _without_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """No charts, which take longer than all else; the page has tests of its own."""
    monkeypatch.setattr(html, "is_available", lambda: False)
