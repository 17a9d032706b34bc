"""Links lead somewhere: pages, places in them, and the few addresses outside of the project."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")),
    ROOT / "examples" / "README.md",
    *DOCS,
]
OUTSIDE = {
    "distributed.dask.org",
    "github.com",
    "ir-measur.es",
    "keepachangelog.com",
    "pypi.org",
    "semver.org",
}
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)


def prose(page: Path) -> str:
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def links(page: Path) -> list[str]:
    return _LINK.findall(prose(page))


def anchors(page: Path) -> set[str]:
    """The places that have one name both on the site and where the repository is shown."""
    headings = [re.sub(r"[`*]|\]\([^)]*\)|\[", "", text) for text in _HEADING.findall(prose(page))]
    site, repository = [], []
    for heading in headings:
        plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
        plain = re.sub(r"[^\w\s-]", "", plain).strip().lower()
        site.append(re.sub(r"[-\s]+", "-", plain))
        repository.append(re.sub(r"[^\w\s-]", "", heading).strip().lower().replace(" ", "-"))
    return {name for name in site if name in repository and site.count(name) == 1}


def is_outside(link: str) -> bool:
    return bool(urlsplit(link).scheme)


def test_there_are_links_to_follow() -> None:
    followed = [link for page in PAGES for link in links(page)]
    assert sum("#" in link for link in followed) > 5
    assert sum(map(is_outside, followed)) > 5


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_pages_and_places_in_them(page: Path) -> None:
    for link in links(page):
        if is_outside(link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name) if name else page
        assert target.is_file(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.name)
def test_pages_of_the_site_link_inside_of_it(page: Path) -> None:
    for link in links(page):
        if not is_outside(link):
            assert (page.parent / link.partition("#")[0]).resolve().is_relative_to(page.parent), (
                link
            )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_addresses_outside_are_whole_encrypted_and_known(page: Path) -> None:
    for link in filter(is_outside, links(page)):
        address = urlsplit(link)
        assert address.scheme == "https", link
        assert address.hostname in OUTSIDE, link
        assert re.fullmatch(r"[\w./#%-]*", address.path + address.fragment), link
        assert not address.query, link


def test_every_page_is_in_the_sites_navigation_and_on_its_first_page() -> None:
    navigation = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    listed = re.findall(r"[\w-]+\.md", yaml.safe_dump(navigation))
    assert sorted(listed) == [page.name for page in DOCS]
    first = {link.partition("#")[0] for link in links(ROOT / "docs" / "index.md")}
    assert {page.name for page in DOCS} - first == {"index.md"}
