"""What the shape of a dataset advises, and what its size can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.gate.power import FEWEST_QUERIES, TYPICAL, detectable_drop
from pytest_beir.inspection.wording import number, percent, share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.inspection.profile import Profile

_ALPHA = 0.05  # of a test of its own
_MANY_CODES = 0.08  # share of content words; BEIR's biomedical and citation sets have .09 to .18
_FOUND_BY_WORDS = 0.5  # nDCG@10 of BM25; it exceeds this on a third of BEIR's datasets
_LONG = 300  # words; encoders of 512 tokens read about 380 words
_ENCODER = 380  # words


def size_advice(queries: int) -> str | None:
    """What a small set can detect, as a sentence; None where a drop can be excluded."""
    if queries >= FEWEST_QUERIES:
        return None
    analyser, system = (
        detectable_drop(TYPICAL[kind], queries, _ALPHA) for kind in ("analyser", "system")
    )
    return (
        f"{queries} judged queries detect a drop of {100 * analyser:.1f} points of nDCG@10 after a"
        f" change of analyser, {100 * system:.1f} after a change of system;"
        f" below {FEWEST_QUERIES} queries a drop cannot be excluded."
    )


def advice(profile: Profile) -> tuple[str, ...]:
    """Sentences that follow from a profile, in order of weight."""
    return tuple(_sentences(profile))


def _sentences(profile: Profile) -> Iterator[str]:
    specialised = _specialised(profile)
    if specialised:
        yield f"{specialised}: run a lexical retriever beside the dense one, and gate both."
    if profile.document_words > _LONG:
        beyond = (
            f", more than the {_ENCODER} or so that an encoder of 512 tokens reads"
            if profile.document_words > _ENCODER
            else ""
        )
        yield (
            f"Documents are long ({number(profile.document_words)} words on average{beyond}). BEIR"
            " asks little about long documents: judge queries of your own whose answer is late"
            " in a document."
        )
    small = size_advice(profile.queries)
    if small:
        yield small


def _specialised(profile: Profile) -> str | None:
    """Why exact words count here, if they do."""
    codes = max(profile.query_codes, profile.document_codes)
    where = "queries" if profile.query_codes >= profile.document_codes else "documents"
    lexical = f"BM25 alone reaches nDCG@10 {share(profile.bm25)}"
    if codes >= _MANY_CODES:
        also = f", and {lexical}" if profile.bm25 >= _FOUND_BY_WORDS else ""
        return (
            f"The vocabulary is specialised ({percent(codes)} of the words in {where} are codes or"
            f" acronyms{also})"
        )
    if profile.bm25 >= _FOUND_BY_WORDS:
        return f"Shared words carry far here ({lexical})"
    return None
