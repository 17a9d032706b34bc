"""The declared suite: words, sets, suites, folders, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_beir.configuration.config import Config, load_config
from pytest_beir.configuration.declaration import named_by_config, resolve, resolve_stored
from pytest_beir.configuration.declared_dataset import DeclaredDataset
from pytest_beir.datasets.catalog import Catalog, Entry, NamedSet
from pytest_beir.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Resolve = Callable[..., tuple[DeclaredDataset, ...]]


def entry(name: str, *parts: str) -> Entry:
    return Entry.model_construct(name=name, parts=dict.fromkeys(parts))


def named_set(name: str, *members: str) -> NamedSet:
    return NamedSet.model_construct(name=name, members=members)


_ENTRIES = [
    entry("scifact"),
    entry("nfcorpus"),
    entry("trec-covid"),
    entry("cqadupstack", "android", "unix"),
    entry("own-one"),
]
_SETS = [
    named_set("public-2", "scifact", "nfcorpus"),
    named_set("all-3", "nfcorpus", "scifact", "cqadupstack"),
    named_set("bundled", "own-one"),
]
SMALL = Catalog.model_construct(
    entries={each.name: each for each in _ENTRIES}, sets={each.name: each for each in _SETS}
)


@pytest.fixture
def declare(tmp_path: Path) -> Resolve:
    """Resolve words typed in `tmp_path/here` under a config in `tmp_path/project`."""
    (tmp_path / "here").mkdir()
    (tmp_path / "project").mkdir()

    def declare(words: str | None, config: str = "") -> tuple[DeclaredDataset, ...]:
        file = tmp_path / "project/beir.yaml"
        file.write_text(config, encoding="utf-8")
        return resolve(
            None if words is None else [words],
            load_config(file),
            base=tmp_path / "here",
            catalog=SMALL,
        )

    return declare


def names(declared: tuple[DeclaredDataset, ...]) -> list[str]:
    return [item.name for item in declared]


def test_without_words_and_config_the_bundled_set_is_declared(tmp_path: Path) -> None:
    declared = resolve(None, Config(), base=tmp_path, catalog=SMALL)
    assert declared == (DeclaredDataset("own-one"),)


def test_words_keep_their_order_and_sets_that_of_the_catalogue(declare: Resolve) -> None:
    assert names(declare("trec-covid, all-3")) == [
        "trec-covid",
        "nfcorpus",
        "scifact",
        "cqadupstack",
    ]


def test_several_values_of_the_option_add_up(tmp_path: Path) -> None:
    words = ["scifact", "nfcorpus,trec-covid"]
    declared = resolve(words, Config(), base=tmp_path, catalog=SMALL)
    assert names(declared) == ["scifact", "nfcorpus", "trec-covid"]


def test_overlapping_sets_and_names_are_one_dataset_each(declare: Resolve) -> None:
    assert names(declare("public-2,all-3,scifact")) == ["scifact", "nfcorpus", "cqadupstack"]


def test_folders_on_the_command_line_count_from_where_it_was_typed(
    declare: Resolve, tmp_path: Path
) -> None:
    assert declare("docs=data/x,./sub/own,../up/") == (
        DeclaredDataset("docs", tmp_path / "here/data/x"),
        DeclaredDataset("own", tmp_path / "here/sub/own"),
        DeclaredDataset("up", tmp_path / "up"),
    )


def test_folders_in_the_config_count_from_the_file(declare: Resolve, tmp_path: Path) -> None:
    config = "datasets: [data/a, {name: b, path: ../b}]\nsuites: {pr: [c=data/c, b, d/e]}\n"
    project = tmp_path / "project"
    assert declare(None, config) == (
        DeclaredDataset("a", project / "data/a"),
        DeclaredDataset("b", tmp_path / "b"),
    )
    assert declare("pr", config) == (
        DeclaredDataset("c", project / "data/c"),
        DeclaredDataset("b", tmp_path / "b"),
        DeclaredDataset("e", project / "d/e"),
    )


def test_an_absolute_folder_stays_as_it_is(declare: Resolve, tmp_path: Path) -> None:
    assert declare(f"{tmp_path}/scifact") == (DeclaredDataset("scifact", tmp_path / "scifact"),)


def test_a_folder_may_have_an_equals_sign_in_its_path(declare: Resolve, tmp_path: Path) -> None:
    assert declare("./a=b/docs") == (DeclaredDataset("docs", tmp_path / "here/a=b/docs"),)


def test_an_entrys_settings_hold_wherever_its_name_is_used(
    declare: Resolve, tmp_path: Path
) -> None:
    config = "datasets: [nfcorpus, {name: scifact, split: train, weight: 5}]\n"
    scifact = DeclaredDataset("scifact", None, "train", None, 5.0)
    assert declare(None, config) == (DeclaredDataset("nfcorpus"), scifact)
    assert declare("public-2", config) == (scifact, DeclaredDataset("nfcorpus"))
    assert declare("scifact=x", config) == (replace(scifact, path=tmp_path / "here/x"),)


def test_a_local_copy_in_the_config_takes_the_sets_place(declare: Resolve, tmp_path: Path) -> None:
    config = "datasets: [public-2, {name: scifact, path: copy, drop_identical_ids: false}]\n"
    assert declare(None, config) == (
        DeclaredDataset("scifact", tmp_path / "project/copy", None, False),  # noqa: FBT003
        DeclaredDataset("nfcorpus"),
    )


def test_suites_may_hold_sets_suites_and_entries(declare: Resolve, tmp_path: Path) -> None:
    config = (
        "datasets: [{name: docs, path: d}]\n"
        "suites: {small: [docs, trec-covid], big: [public-2, small, docs]}\n"
    )
    assert names(declare("big", config)) == ["scifact", "nfcorpus", "docs", "trec-covid"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("scifact,scifact", "'scifact' is given twice"),
        ("scifact,x/SCIFACT", "'SCIFACT' is given twice"),
        ("a/docs,b/docs", "'docs' is given twice"),
        ("public-2,scifact=x", "two datasets are called 'scifact'"),
        ("sci-fact", "did you mean 'scifact'"),
        ("SciFact", "did you mean 'scifact'"),
        ("public-3", "did you mean 'public-2'"),
        ("docs", "a folder of your own: docs=FOLDER"),
        ("@public-2", "write 'public-2'"),
        ("", "an empty word"),
        ("scifact,", "an empty word"),
        ("docs=", "no folder after '='"),
        ("=x", "'' is not a dataset's name"),
        ("..", "'..' is not a dataset's name"),
        ("data\\docs", "a folder is written with '/'"),
        ("./", "give it one: NAME=./"),
        ("data/my docs", "give it one: NAME=data/my docs"),
        ("SciFact=x", "write scifact=x"),
        ("public-2=x", "'public-2', which is a named set"),
        ("x/public-2", "OTHERNAME=x/public-2"),
        ("cqadupstack/android", "write 'cqadupstack'"),
    ],
)
def test_a_wrong_word_is_a_usage_error_that_says_what_to_write(
    declare: Resolve, words: str, message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        declare(words)
    assert str(caught.value).startswith("--beir-datasets: ")
    assert message in str(caught.value)


def test_a_folder_of_a_forum_is_read_where_it_exists(declare: Resolve, tmp_path: Path) -> None:
    folder = tmp_path / "here/cqadupstack/android"
    folder.mkdir(parents=True)
    assert declare("cqadupstack/android") == (DeclaredDataset("android", folder),)


@pytest.mark.parametrize(
    ("words", "config", "line", "message"),
    [
        (None, "datasets:\n- scifact\n- nfcorpsu\n", 3, "did you mean 'nfcorpus'"),
        (None, "datasets: [{name: docs, weight: 2}]", 1, "give your own data a 'path'"),
        (None, "datasets: [{name: public-2, path: x}]", 1, "is a named set"),
        (None, "datasets: [{name: Scifact, path: x}]", 1, "write 'scifact'"),
        (None, "datasets: [x/public-2]", 1, "is a named set"),
        ("a", "suites: {a: [b],\n b: [c],\n c: [a]}", 3, "contains itself: a -> b -> c -> a"),
        ("a", "suites: {a: [a]}", 1, "contains itself: a -> a"),
        (
            "s0",
            "suites:\n" + "".join(f"  s{n}: [s{n + 1}]\n" for n in range(3000)) + "  s3000: [nq]\n",
            21,
            "suites within suites, more than 20 deep",
        ),
        ("a", "suites:\n  a:\n  - scifact\n  - nfcorpsu\n", 4, "did you mean 'nfcorpus'"),
        ("scifact", "suites: {public-2: [scifact]}", 1, "a named set has this name"),
        ("scifact", "suites: {NFCorpus: [scifact]}", 1, "a dataset of the catalogue has"),
        (
            "scifact",
            "gate:\n  overrides:\n    trec-covd: {margin: .04}\n",
            3,
            "did you mean 'trec-covid'",
        ),
        (
            "scifact",
            "retrievers:\n  x:\n    gate: {overrides: {foo: {margin: .04}}}\n",
            3,
            "no dataset has this name",
        ),
    ],
)
def test_a_wrong_word_in_the_config_is_refused_with_its_line(
    declare: Resolve, words: str | None, config: str, line: int, message: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        declare(words, config)
    assert f"beir.yaml:{line}: " in str(caught.value)
    assert message in str(caught.value)


@pytest.mark.parametrize("dataset", ["trec-covid", "docs", "typed", "other"])
def test_an_override_may_name_any_dataset_that_some_run_could_declare(
    declare: Resolve, dataset: str
) -> None:
    config = (
        "datasets: [{name: docs, path: d}]\nsuites: {pr: [x/other]}\n"
        f"gate: {{overrides: {{{dataset}: {{margin: .04}}}}}}\n"
    )
    assert names(declare("typed=t", config)) == ["typed"]


def test_the_config_names_its_datasets_and_those_of_every_suite(tmp_path: Path) -> None:
    file = tmp_path / "beir.yaml"
    file.write_text("datasets: [trec-covid]\nsuites: {a: [b], b: [public-2, x/docs]}")
    named = named_by_config(load_config(file), catalog=SMALL)
    assert named == {"trec-covid", "scifact", "nfcorpus", "docs"}
    assert named_by_config(Config(), catalog=SMALL) == frozenset()


def test_two_suites_may_not_name_different_folders_alike_but_for_their_case(
    declare: Resolve,
) -> None:
    config = "suites: {a: [one/docs], b: [two/Docs], c: [one/docs]}"
    with pytest.raises(UsageError, match=r"two datasets are called 'Docs': .*one.* and .*two"):
        declare("a,b", config)
    assert names(declare("a,c", config)) == ["docs"]


def test_suites_that_name_others_twice_are_each_expanded_once(declare: Resolve) -> None:
    levels = "".join(
        f"  s{n}: [s{n + 1}, t{n + 1}]\n  t{n}: [t{n + 1}, s{n + 1}]\n" for n in range(18)
    )
    declared = declare("s0", f"suites:\n{levels}  s18: [scifact]\n  t18: [nfcorpus]\n")
    assert [each.name for each in declared] == ["scifact", "nfcorpus"]


def test_stored_datasets_are_resolved_together_and_may_be_unknown(tmp_path: Path) -> None:
    file = tmp_path / "beir.yaml"
    file.write_text("gate: {overrides: {mine: {margin: 0.1}}}\n", encoding="utf-8")
    declared = resolve_stored(["scifact", "mine"], load_config(file), base=tmp_path)
    assert declared == (DeclaredDataset("scifact"), DeclaredDataset("mine"))
    with pytest.raises(ConfigError, match=r"beir\.yaml:1: .*no dataset has this name"):
        resolve_stored(["scifact"], load_config(file), base=tmp_path)
