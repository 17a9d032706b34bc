"""Which exceptions are worth another try."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from pytest_beir.retrieval.transient import asked_to_wait, is_transient


def made(module: str, name: str, bases: tuple[type, ...] = (Exception,), **fields: Any) -> Any:
    """An exception of a client that need not be installed."""
    kind = type(name, bases, {"__module__": module})
    error = kind()
    for field, value in fields.items():
        setattr(error, field, value)
    return error


def status_error(status: int, **headers: str) -> Exception:
    request = httpx.Request("GET", "http://search.test")
    response = httpx.Response(status, headers=headers, request=request)
    return httpx.HTTPStatusError("no", request=request, response=response)


class Code:
    def __init__(self, name: str) -> None:
        self.name = name


PASSING = [
    ConnectionRefusedError(),
    TimeoutError(),
    httpx.ConnectError("refused"),
    httpx.ReadTimeout("late"),
    status_error(429),
    status_error(503),
    made(
        "requests.exceptions", "ConnectTimeout", (made("requests.exceptions", "Timeout").__class__,)
    ),
    made("requests.exceptions", "HTTPError", response=type("R", (), {"status_code": 502})()),
    made("aiohttp.client_exceptions", "ClientConnectionError"),
    made("aiohttp.client_exceptions", "ClientResponseError", status=500),
    made("openai", "APIStatusError", status_code=429),
    made("openai", "APIConnectionError"),
    made("grpc", "RpcError", code=lambda: Code("UNAVAILABLE")),
    made("urllib.error", "HTTPError", code=504),
]
LASTING = [
    ValueError(),
    KeyError("x"),
    PermissionError(),
    httpx.UnsupportedProtocol("x"),
    status_error(404),
    status_error(401),
    made("openai", "APIStatusError", status_code=400),
    made("grpc", "RpcError", code=lambda: Code("INVALID_ARGUMENT")),
    made("elsewhere", "HTTPError", code=504),
]


@pytest.mark.parametrize("error", PASSING, ids=lambda error: type(error).__name__)
def test_connections_and_busy_services_are_transient(error: Any) -> None:
    assert is_transient(error)


@pytest.mark.parametrize("error", LASTING, ids=lambda error: type(error).__name__)
def test_other_errors_are_not(error: Any) -> None:
    assert not is_transient(error)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("3", 3.0), ("0", 0.0), ("9999", 60.0), ("Tue, 1 Dec", 0.0), ("nan", 0.0)],
)
def test_retry_after_is_heeded_within_limits(value: str, seconds: float) -> None:
    assert asked_to_wait(status_error(429, **{"retry-after": value})) == seconds


def test_most_errors_ask_for_no_wait() -> None:
    assert asked_to_wait(ValueError()) == 0.0
