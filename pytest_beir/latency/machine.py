"""The class of machine that times were taken on: ratios do not carry over to another.

Python, NumPy and the reference belong to it, since they decide how fast the reference is.
"""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pytest_beir.latency.reference import VERSION


@dataclass(frozen=True)
class Machine:
    """What must be equal for two latencies to be compared."""

    processor: str
    architecture: str
    cores: int
    system: str
    python: str
    numpy: str
    reference: int
    accelerator: str | None = None

    def differences(self, other: Machine) -> tuple[str, ...]:
        """What differs, as `cores: 2 then, 8 now`; `other` is the present machine."""
        return tuple(
            f"{name}: {then} then, {now} now"
            for name, then in vars(self).items()
            if (now := getattr(other, name)) != then
        )


def this_machine() -> Machine:
    """The machine that runs this process."""
    return Machine(
        processor=_processor(),
        architecture=platform.machine(),
        cores=os.cpu_count() or 1,
        system=platform.system(),
        python=".".join(platform.python_version_tuple()[:2]),
        numpy=".".join(np.__version__.split(".")[:2]),
        reference=VERSION,
        accelerator=_accelerator(),
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    for line in lines:
        name, _, value = line.partition(":")
        if name.strip() in ("model name", "Hardware", "cpu model"):
            return value.strip()
    return platform.processor() or "unknown"


def _accelerator() -> str | None:
    """The GPU that a loaded torch uses; torch is not imported for this."""
    torch = sys.modules.get("torch")
    try:
        if torch is not None and torch.cuda.is_available():
            return str(torch.cuda.get_device_name())
    except (AttributeError, RuntimeError):
        return None
    return None
