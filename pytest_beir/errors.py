"""The errors of the project: each text names the place, the value, and what mends it."""

from __future__ import annotations


class BeirError(Exception):
    """Any error that this project raises on purpose; its text is written for the user."""


class UsageError(BeirError):
    """An option or a combination of options that cannot be carried out (exit status 4)."""


class ConfigError(UsageError):
    """`beir.yaml` is malformed, or names what does not exist."""


class DatasetError(BeirError):
    """A dataset's files are missing, malformed or contradict each other."""


class DownloadError(DatasetError):
    """A dataset could not be fetched whole and verified."""


class RetrieverError(BeirError):
    """The user's retriever fits no known form, or raised."""


class AnswerError(RetrieverError):
    """A retriever's answer is malformed: NaN, unknown ids, wrong types, missing queries."""


class RunFileError(RetrieverError):
    """A run file is missing or malformed."""


class ScoringError(BeirError, ValueError):
    """Judgements or rankings that cannot be scored."""


class ComparisonError(BeirError, ValueError):
    """Two sets of scores that cannot be paired query by query."""


class BaselineError(BeirError):
    """A stored baseline is missing a part, malformed or cannot be written."""


class ReportError(BeirError):
    """A report (`beir.json`) is malformed, or shards do not fit together."""


class ScoresFileError(BeirError):
    """A file of published or exported scores is malformed, or contradicts itself."""
