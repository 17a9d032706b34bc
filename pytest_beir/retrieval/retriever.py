"""A user's retriever behind one face: rankings of a dataset, whatever form the retriever has."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib import metadata
from time import perf_counter
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import AnswerError, RetrieverError
from pytest_beir.phrasing import plural
from pytest_beir.retrieval.adapters import adapted
from pytest_beir.retrieval.answers import Answers
from pytest_beir.retrieval.call_shape import form_of
from pytest_beir.retrieval.open_retriever import STORED, OpenRetriever, fail
from pytest_beir.retrieval.ranked_list import by_rank
from pytest_beir.retrieval.rankings import Asked, Rankings
from pytest_beir.retrieval.run_files import RunFiles
from pytest_beir.retrieval.user_code import attribute, shown, text
from pytest_beir.scoring.ranking_table import RankingTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.retrieval.call_shape import Form


def wrap(value: object) -> RetrieverUnderTest:
    """A retriever made of the value of a `retriever` fixture; nothing of it is called.

    Raises:
        RetrieverError: it has none of the known forms, and what was looked for is listed.

    """
    if isinstance(value, RetrieverUnderTest):
        return value
    plain = adapted(value)
    return RetrieverUnderTest(plain, None if isinstance(plain, STORED) else form_of(plain))


class RetrieverUnderTest:
    """Indexes, searches and closes the user's retriever by the contract, and checks its answers.

    One corpus is indexed at a time; it is indexed again only if another was in between.
    """

    def __init__(self, value: Any, form: Form | None) -> None:
        self._value = value
        self._form = form
        self._open = OpenRetriever(value, form)
        self._answers: frozenset[str] = frozenset()

    @property
    def form(self) -> Form | None:
        """How it is used; None for rankings made elsewhere."""
        return self._form

    @property
    def version(self) -> str | None:
        """The retriever's `version` as text, None where it declares none."""
        version = self._declared("version")
        return None if version is None or callable(version) or version == "" else text(str(version))

    @property
    def trained_on(self) -> frozenset[str] | None:
        """Names of the datasets it was trained on; None, unknown, where it does not say.

        Raises:
            RetrieverError: It is not a collection of names.

        """
        names = self._declared("trained_on")
        if names is None or callable(names):
            return None
        if isinstance(names, str) or not isinstance(names, Collection):
            raise RetrieverError(
                f"trained_on is {shown(names)}: give a collection of dataset names, empty for none"
            )
        return frozenset(text(str(name)) for name in names)

    @property
    def recorded(self) -> Mapping[str, str]:
        """What a baseline should say of how the answers came about; their form among it.

        The form is that of the last dataset retrieved, absent before and where nothing was asked.
        """
        declared = self._declared("recorded")
        said = dict(declared) if isinstance(declared, Mapping) else {}
        if self._answers:
            said["answers"] = ", ".join(sorted(self._answers))
        return {str(key): str(value) for key, value in said.items()}

    @property
    def libraries(self) -> tuple[str, ...]:
        """The installed distributions whose versions decide the rankings, by their names."""
        names = self._declared("libraries")
        if isinstance(names, str) or not isinstance(names, Collection):
            return ()
        return tuple(str(name) for name in names if _is_installed(str(name)))

    @property
    def declared_name(self) -> str | None:
        """The `name` of the fixture's value, None where it declares none.

        What a factory builds is not asked: it exists only after a dataset was taken up, and a
        name that changed in between would split one retriever's baselines.

        Raises:
            RetrieverError: The name is not text. Ignored, it would send the baseline to another
                folder.

        """
        name = attribute(self._value, "name")
        # On a class, a property is the descriptor, not its value.
        if name is None or callable(name) or isinstance(name, property):
            return None
        if not isinstance(name, str):
            raise RetrieverError(f"the retriever's name is {shown(name)}: give text, or None")
        return text(name) if name.strip() else None

    def rankings(
        self,
        part: Dataset,
        top_k: int,
        *,
        query_batch: int = 1000,
        progress: Callable[[int, int], None] | None = None,
        on_batch: Callable[[Mapping[str, Mapping[str, float]]], None] | None = None,
        answered: Mapping[str, Mapping[str, float]] | None = None,
    ) -> Rankings:
        """The rankings of one part's judged queries, checked and cut to `top_k`.

        `answered` are rankings of an earlier run: their queries are not searched again.
        `progress(done, total)` and `on_batch(answers)` are called after each batch, which is one
        query where the retriever takes one at a time; the former also before the first.

        Raises:
            RetrieverError: the retriever raised, which is chained.
            AnswerError: an answer is malformed; query and document are named.

        """
        known = {
            query: dict(documents)
            for query, documents in (answered or {}).items()
            if query in part.queries
        }
        return self.rank(part, top_k, Asked(known, query_batch, progress, on_batch))

    def rank(self, part: Dataset, top_k: int, asked: Asked) -> Rankings:
        """The rankings, with those of `asked` among them."""
        run: dict[str, Mapping[str, float]] = dict(asked.known)
        open_queries = {query: text for query, text in part.queries.items() if query not in run}
        total = len(part.queries)
        done = total - len(open_queries)
        asked.tell(done, total)
        seconds_index = seconds_search = 0.0
        if open_queries:
            start = perf_counter()
            self._open.prepare(part)
            seconds_index = perf_counter() - start
        answers = Answers(part.name, part.corpus, top_k)
        table: RankingTable | None = None  # in the place of `run`, as long as nothing needs dicts

        def take(found: object, batch: Mapping[str, str]) -> None:
            nonlocal done, table
            checked = _checked(answers, found, batch, part.name)
            if isinstance(checked, RankingTable) and not run:
                table = checked
            else:
                run.update(checked)
            done += len(batch)
            asked.save(checked)
            asked.tell(done, total)

        try:
            at_once = self._open.takes_all(saving=asked.on_batch is not None)
            size = max(1, len(open_queries)) if at_once else asked.query_batch
            seconds_search = self._open.search_all(part, open_queries, top_k, size, take)
        except (RetrieverError, AnswerError) as error:
            if done and type(error) in (RetrieverError, AnswerError):
                error.args = (
                    f"{error}; {self._so_far(done, total, saved=asked.on_batch is not None)}",
                )
            raise
        self._answers = frozenset(answers.forms if self._form is not None else ())
        if table is not None and answers.ties.loses_most:
            run, table = {query: table[query] for query in table}, None
        notes = self._settle_ties(answers, run, part)
        ordered = {query: run[query] for query in part.queries if query in run}
        return Rankings(
            ordered if table is None else table,
            part.corpus is not None,
            seconds_index,
            seconds_search,
            notes,
            attribute(self._open.built or self._value, "beir_stages") or {},
        )

    def searcher(
        self, part: Dataset
    ) -> Callable[[Mapping[str, str], int], Mapping[str, Mapping[str, float]]]:
        """A function (queries, top_k) that searches the part, which is indexed now.

        It checks the form of each answer, not whether its ids are in the corpus: it is for
        measuring and for trying single queries, whose ids need not be judged ones.
        """
        self._open.prepare(part)

        def search(queries: Mapping[str, str], top_k: int) -> Mapping[str, Mapping[str, float]]:
            self._open.prepare(part)
            answers = Answers(part.name, None, top_k)
            run: dict[str, Mapping[str, float]] = {}

            def take(found: object, batch: Mapping[str, str]) -> None:
                run.update(_checked(answers, found, batch, part.name))

            self._open.search_all(part, queries, top_k, max(1, len(queries)), take)
            return run

        return search

    def answer_to(self, part: Dataset, queries: dict[str, str], top_k: int) -> None:
        """Let the retriever answer these very queries, and drop the answer."""
        self._open.prepare(part)
        if not self._open.takes_one_query:
            self._open.search(part, queries, top_k)

    def index_again(self) -> None:
        """Have the next search index anew, for what varies from one index to the next."""
        self._open.index_again()

    def close(self) -> None:
        """Close what is open, for good; a retriever without `close()` is merely forgotten."""
        self._open.close()

    @property
    def searches(self) -> bool:
        """Whether it searches at all: rankings made elsewhere are only read."""
        return not isinstance(self._value, STORED)

    @property
    def may_cost(self) -> bool:
        """Whether another search may cost money, or would read the same file: never unasked."""
        return self._open.may_cost

    def _declared(self, name: str) -> Any:
        for value in (self._open.built, self._value):
            found = attribute(value, name)
            # On a class, a property is the descriptor, not its value.
            if found is not None and not isinstance(found, property):
                return found
        return None

    def _so_far(self, done: int, total: int, *, saved: bool) -> str:
        """How many queries were answered before an error, and how to go on from there."""
        count = f"{done:,} of {total:,} answered"
        if not saved:
            return f"{count} and not saved: --beir-runs=DIR saves answers as they come"
        if self.version is None:
            return f"{count} and saved: give the retriever a `version` to go on with --beir-resume"
        return f"{count}: go on with --beir-resume"

    def _settle_ties(
        self, answers: Answers, run: dict[str, Mapping[str, float]], part: Dataset
    ) -> tuple[str, ...]:
        """Notes on scores that 32 bits cannot tell apart; an error where these are the rule."""
        if not isinstance(self._value, RunFiles):
            answers.ties.refuse_loss()
            return answers.notes
        ranks = self._value.notes(part.name)
        if not answers.ties.loses_most:
            return (*ranks, *answers.notes)
        for query in answers.ties.lost:
            by_score = sorted(run[query].items(), key=lambda row: (row[1], row[0]), reverse=True)
            run[query] = by_rank([document for document, _ in by_score])
        note = (
            f"most scores of {len(answers.ties.lost):,} of"
            f" {plural(len(run), 'query')} are equal at 32 bits, at which trec_eval compares; the"
            " order of the file's own scores was taken instead"
        )
        return (*ranks, note)


def _is_installed(distribution: str) -> bool:
    try:
        metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True


def _checked(
    answers: Answers, found: object, asked: Collection[str], dataset: str
) -> Mapping[str, Mapping[str, float]]:
    """The answer, checked; one that is computed while it is read may raise what it likes."""
    try:
        return answers.checked(found, asked)
    except Exception as error:  # noqa: BLE001  # the user's code may raise anything
        fail(error, dataset, "reading the answer")
