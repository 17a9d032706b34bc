"""A file of a folder as a document: its title and text, or why it is none."""

from __future__ import annotations

import importlib
import io
import json
import re
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import LocatedError
from pytest_beir.files import yaml_with_lines
from pytest_beir.files.content import plain_file
from pytest_beir.inspection.golden.csv_table import decoded

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_MARKDOWN = (".md", ".markdown", ".mdx", ".qmd")
_BINARY = (
    *(".png", ".jpg", ".jpeg", ".gif", ".webp", ".ico", ".bmp", ".tif", ".tiff", ".mp3", ".mp4"),
    *(".wav", ".ogg", ".mov", ".avi", ".zip", ".gz", ".bz2", ".xz", ".zst", ".tar", ".7z", ".jar"),
    *(".woff", ".woff2", ".ttf", ".otf", ".eot", ".pyc", ".so", ".dll", ".exe", ".bin", ".pkl"),
    *(".npy", ".npz", ".parquet", ".sqlite", ".db", ".doc", ".docx", ".ppt", ".pptx", ".xls"),
    *(".xlsx", ".odt", ".ods", ".odp", ".epub"),
)
_YAML_FRONT = re.compile(r"---[ \t]*\n(?P<front>.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TOML_FRONT = re.compile(r"\+\+\+[ \t]*\n(?P<front>.*?\n)?\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL)
_TOML_TITLE = re.compile(
    r"""^title\s*=\s*(?P<quote>["'])(?P<title>.*)(?P=quote)\s*$""", re.MULTILINE
)
_RULE = r"[=\-`:.'\"~^_*+#]"
_REST_TITLE = re.compile(
    rf"(?:{_RULE}{{3,}}\n)?[ \t]*(?P<title>\S[^\n]*)\n"
    rf"(?P<rule>{_RULE})(?P=rule){{2,}}[ \t]*(?:\n|\Z)"
)
_MOST_ALIASES = 100
_BLOCKS = ("p", "li", "td", "th", "pre", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "div")
_NO_TEXT = ("script", "style", "noscript", "template", "nav", "svg", "head")


class NoTextError(Exception):
    """A file of a folder that cannot be read as a document; its text says why."""


def read_text(path: Path) -> tuple[str, str]:
    r"""The title ("" for none) and the text of a file.

    Markdown gives up its front matter and first heading, reStructuredText its title, HTML all
    that is not text, a notebook its outputs. Line ends are `\n`.

    Raises:
        NoTextError: The file is binary, or needs a library that is not installed.
        DatasetError: It cannot be read, or is text in another encoding than UTF-8.

    """
    suffix = path.suffix.lower()
    if suffix in _BINARY:
        raise NoTextError("binary")
    with plain_file(path) as stream:
        content = stream.read()
    if suffix == ".pdf":
        return _pdf(content)
    if b"\0" in content:
        raise NoTextError("binary")
    text = decoded(path, content).replace("\r\n", "\n").replace("\r", "\n")
    return _READERS.get(suffix, _plain)(text)


def _plain(text: str) -> tuple[str, str]:
    return "", text


def _markdown(text: str) -> tuple[str, str]:
    """The title is the front matter's, else the first heading, which then leaves the text."""
    front = _YAML_FRONT.match(text) or _TOML_FRONT.match(text)
    title = _title_of(front["front"] or "", is_toml=text.startswith("+")) if front else None
    if front and title is not None:
        text = text[front.end() :].lstrip("\n")
    heading, _, rest = text.lstrip().partition("\n")
    named = _heading(heading)
    if named and title in (None, "", named):
        return named, rest.lstrip("\n")
    return title or "", text


def _heading(line: str) -> str:
    """The text of a heading of the first level, "" for another line."""
    if line[:2] not in ("# ", "#\t"):
        return ""
    title = line[1:].strip(" \t")
    closed = title.rstrip("#")
    return closed.rstrip(" \t") or title if closed[-1:] in (" ", "\t", "") else title


def _title_of(front: str, *, is_toml: bool) -> str | None:
    """The front matter's title, "" for none; None for what is not front matter."""
    if is_toml:
        match = _TOML_TITLE.search(front)
        return match["title"] if match else ""
    try:
        fields = yaml_with_lines.parse(front, texts=True, aliases=_MOST_ALIASES).value
    except LocatedError:
        return None
    if not isinstance(fields, dict):
        return None if fields else ""
    title = fields.get("title")
    return " ".join(title.split()) if isinstance(title, str) else ""


def _rest(text: str) -> tuple[str, str]:
    inner = text.lstrip()
    match = _REST_TITLE.match(inner)
    if match is None:
        return "", text
    return match["title"].strip(), inner[match.end() :].lstrip("\n")


def _html(text: str) -> tuple[str, str]:
    soup = _library("bs4", "beautifulsoup4").BeautifulSoup(text, "html.parser")
    heading = soup.find("h1")
    title = soup.title.get_text() if soup.title else heading.get_text() if heading else ""
    for element in soup.find_all(_NO_TEXT):
        element.decompose()
    for element in soup.find_all(("br", *_BLOCKS)):
        element.append("\n") if element.name != "br" else element.replace_with("\n")
    body = soup.get_text()
    lines = (" ".join(line.split()) for line in body.splitlines())
    return " ".join(title.split()), "\n".join(line for line in lines if line)


def _notebook(text: str) -> tuple[str, str]:
    """The cells as they were written, without what running them printed."""
    try:
        cells = json.loads(text)["cells"]
        sources = [
            source if isinstance(source, str) else "".join(source)
            for source in (cell.get("source", "") for cell in cells)
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise NoTextError("not a notebook of Jupyter (no cells)") from None
    return _markdown("\n\n".join(source for source in sources if source.strip()))


def _pdf(content: bytes) -> tuple[str, str]:
    pypdf = _library("pypdf", "pypdf")
    try:
        reader = pypdf.PdfReader(io.BytesIO(content))
        pages = [page.extract_text() for page in reader.pages]
        title = reader.metadata.title if reader.metadata else None
    except Exception as error:  # noqa: BLE001 (a library's many kinds of errors)
        raise NoTextError(f"PDF that cannot be read ({error})") from None
    text = "\n\n".join(page for page in pages if page.strip())
    if not text:
        raise NoTextError("PDF without text (scanned pages?)")
    return str(title or "").strip(), text


def _library(module: str, distribution: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise NoTextError(f"needs {distribution}: pip install 'pytest-beir[documents]'") from None


_READERS: dict[str, Callable[[str], tuple[str, str]]] = {
    **dict.fromkeys(_MARKDOWN, _markdown),
    **dict.fromkeys((".html", ".htm", ".xhtml"), _html),
    **dict.fromkeys((".rst", ".rest"), _rest),
    ".ipynb": _notebook,
}
