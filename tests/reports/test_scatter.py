"""The scatter of a dataset's queries."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from pytest_beir.reports.scatter import scatter


def _drawn(svg: str) -> dict[str, list[tuple[int, int]]]:
    """Points by their width."""
    found = re.findall(r'<path d="((?:M\d+ \d+h0)+)"[^>]*stroke-width="([\d.]+)"', svg)
    return {
        width: [(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h0", path)]
        for path, width in found
    }


def test_a_query_lies_right_of_its_stored_score_and_above_its_new_one() -> None:
    svg = scatter({"q": 0.25, "gone": 1.0}, {"q": 0.75, "new": 0.5}, "nDCG@10")
    assert _drawn(svg) == {"5": [(46 + 65, 8 + 65)]}


def test_queries_in_one_place_are_one_wider_point() -> None:
    before = {f"q{number}": 1.0 for number in range(5)} | {"alone": 0.0}
    svg = scatter(before, before, "nDCG@10")
    assert _drawn(svg) == {"5": [(46, 268)], "7.5": [(306, 8)]}


def test_ten_thousand_queries_stay_a_small_drawing() -> None:
    before = {str(number): number % 97 / 97 for number in range(10_000)}
    now = {str(number): number % 89 / 89 for number in range(10_000)}
    assert sum(map(len, _drawn(scatter(before, now, "nDCG@10")).values())) <= 97 * 89
    assert len(scatter(before, now, "nDCG@10")) < 100_000


def test_it_is_well_formed_whatever_the_metric_is_called() -> None:
    svg = scatter({"q": 1.0}, {"q": 0.0}, "a<b & c")
    texts = [each.text for each in ET.fromstring(svg).iter() if each.text]  # noqa: S314  # our own
    assert "a<b & c of a query in the baseline" in texts


def test_nothing_is_drawn_without_a_query_that_has_both() -> None:
    assert scatter({"q": 1.0}, {"other": 1.0}, "nDCG@10") == ""


def test_the_axis_is_named_below_its_numbers_and_within_the_drawing() -> None:
    drawn = ET.fromstring(scatter({"q": 1.0}, {"q": 0.0}, "nDCG@10"))  # noqa: S314  # our own
    bottom = float(drawn.attrib["viewBox"].split()[3])
    heights = [(each.text, float(each.attrib["y"])) for each in drawn.iter() if "y" in each.attrib]
    name = dict(heights)["nDCG@10 of a query in the baseline"]
    assert max(y for text, y in heights if text in {"0", "1"}) < name < bottom
