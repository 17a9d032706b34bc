"""`beir.html`: a page that opens anywhere, and shows whatever a corpus holds as text."""

from __future__ import annotations

import dataclasses
import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.explanation.explain import Explanation
from pytest_beir.explanation.query_views import QueryView, RankedDocument
from pytest_beir.reports import html
from pytest_beir.reports.story import StoredMean, compose

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_beir.suite.run import SuiteRun
    from tests.reports.conftest import Factory

pytestmark = pytest.mark.skipif(
    not html.is_available(), reason="the page needs the extra [report], which is not installed"
)

EVIL = "</pre><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture(scope="module")
def run(make: Factory, realistic_run: SuiteRun) -> SuiteRun:
    """A run with a query, a document and a name that are markup."""
    ranked = (
        RankedDocument("d1", EVIL, 1),
        RankedDocument(EVIL, "an unjudged one", None),
        RankedDocument("d3", "judged, and not relevant", 0),
    )
    view = QueryView("q1", EVIL, 0.9, 0.1, ranked, ranked[::-1])
    failed = make.evaluation(
        "docs", "regressed", make.metric(0.5, 0.4, "regressed", 0.001), notes=(EVIL,)
    )
    failed = dataclasses.replace(failed, explanation=Explanation(views=(view,)))
    wide = dataclasses.replace(failed, dataset="a-name-without-any-break-" * 4)
    return dataclasses.replace(
        realistic_run, evaluations=(*realistic_run.evaluations, failed, wide)
    )


@pytest.fixture(scope="module")
def page(run: SuiteRun) -> str:
    means = [StoredMean("2026-01-01", f"c{i}abcdef", "nDCG@10", 0.5 + i / 100, 0.5) for i in (1, 2)]
    return html.render(compose(run, drift={("bm25", "docs"): means}, is_first=True))


def test_what_comes_from_a_corpus_is_text_and_no_markup(page: str) -> None:
    assert "<script" not in page
    assert "onerror=alert" not in page.replace("&lt;img src=x onerror=alert", "")
    assert page.count("&lt;script&gt;") >= 4


def test_it_is_one_file_without_script_and_network(page: str) -> None:
    assert not re.search(r"<[^>]*\s(?:xlink:)?(?:src|href)=[\"']?(?![#\"'])", page)
    assert "url(http" not in page
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page


def test_a_document_is_marked_in_words(page: str) -> None:
    for mark in ("relevant, grade 1", "unjudged", "not relevant"):
        assert f">{mark}</span>" in page


def test_without_texts_only_ids_are_named(run: SuiteRun) -> None:
    page = html.render(compose(run, texts=False))
    assert "an unjudged one" not in page
    assert "Shoes with a wide toe box" not in page
    assert ">d3" in page or "d3\n" in page or " d3" in page


def test_every_chart_has_its_own_ids(page: str) -> None:
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_drift_over_past_updates_is_drawn_from_two_on(page: str, run: SuiteRun) -> None:
    assert "Drift over the updates" in page
    assert "Drift over the updates" not in html.render(compose(run))


def test_every_chart_of_a_run_has_its_title_and_the_same_in_words(page: str) -> None:
    for title in (
        "How much each dataset moved",
        "nDCG@10, baseline and now",
        "R@100, baseline and now",
    ):
        assert title in page
    assert "a triangle down regressed, up improved, a diamond is inconclusive" in page
    assert "The anchor is .500, the baseline .500." in page
    assert "Quality by time" not in page  # nothing was timed


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("needs chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1200])
def test_it_opens_offline_without_errors_and_folds_out_and_fits(
    browser: Any, page: str, tmp_path: Path, scheme: str, width: int
) -> None:
    path = tmp_path / "beir.html"
    path.write_text(page, encoding="utf-8")
    wrong: list[str] = []
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, offline=True
    )
    tab = context.new_page()
    tab.on("console", lambda message: wrong.append(message.text))
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on("dialog", lambda dialog: wrong.append(dialog.message))
    tab.on("request", lambda asked: None if asked.url == path.as_uri() else wrong.append(asked.url))
    tab.goto(path.as_uri())
    details = tab.query_selector_all("details")
    assert details
    assert not any(each.get_property("open").json_value() for each in details)
    for each in details:  # from the keyboard, outer ones first
        each.query_selector("summary").focus()
        tab.keyboard.press("Enter")
    assert all(each.get_property("open").json_value() for each in details)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    ink, paper = tab.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert _contrast(ink, paper) >= 7
    for name in ("regressed", "inconclusive", "improved", "soft"):
        colour = tab.evaluate(f"getComputedStyle(document.querySelector('.{name}')).color")
        assert _contrast(colour, paper) >= 4.5, name
    outside = tab.evaluate(_OUTSIDE)
    assert outside == [], "texts of charts that are cut off"
    assert wrong == []
    context.close()


_OUTSIDE = """[...document.querySelectorAll('figure svg')].flatMap((chart) => {
    const {left, right} = chart.getBoundingClientRect();
    return [...chart.querySelectorAll('text')].filter((text) => {
        const box = text.getBoundingClientRect();
        return box.width && (box.left < left - 1 || box.right > right + 1);
    }).map((text) => text.textContent);
})"""


def test_a_print_shows_what_is_folded(browser: Any, page: str, tmp_path: Path) -> None:
    path = tmp_path / "beir.html"
    path.write_text(page, encoding="utf-8")
    tab = browser.new_page()
    tab.goto(path.as_uri())
    assert not tab.locator("pre").first.is_visible()
    tab.emulate_media(media="print")
    assert tab.locator("details pre").first.evaluate("each => each.checkVisibility()")
    tab.close()


def _contrast(one: str, other: str) -> float:
    """The contrast of two CSS colours, as WCAG 2 computes it."""
    light, dark = sorted(map(_luminance, (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
