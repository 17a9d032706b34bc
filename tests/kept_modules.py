"""What has to be imported before a nested run in this process, which forgets what it imports.

Some of it cannot be imported twice, numpy among it; the rest would be imported in each run anew.
"""

from __future__ import annotations

from contextlib import suppress

import scipy.fft
import scipy.sparse
import scipy.special  # noqa: F401

import pytest_beir.plugin.activation
import pytest_beir.plugin.controller
import pytest_beir.plugin.runner
import pytest_beir.reports.folder  # noqa: F401

with suppress(ImportError):
    import pyarrow.compute  # noqa: F401
