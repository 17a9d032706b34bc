"""Which exceptions of a service are worth another try: by name, so that no client is imported."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

# Names as `module.Class`; the first part of the module alone also counts (`httpx.ConnectError`).
CONNECTIONS = (
    "builtins.ConnectionError",
    "builtins.TimeoutError",
    "asyncio.TimeoutError",
    "concurrent.TimeoutError",
    "http.IncompleteRead",
    "httpx.NetworkError",
    "httpx.TimeoutException",
    "httpx.RemoteProtocolError",
    "requests.ConnectionError",
    "requests.Timeout",
    "requests.ChunkedEncodingError",
    "urllib3.ProtocolError",
    "urllib3.TimeoutError",
    "urllib3.NewConnectionError",
    "aiohttp.ClientConnectionError",
    "aiohttp.ClientPayloadError",
    "openai.APIConnectionError",
    "anthropic.APIConnectionError",
    "elastic_transport.ConnectionError",
    "elastic_transport.ConnectionTimeout",
    "opensearchpy.ConnectionError",
    "botocore.EndpointConnectionError",
    "botocore.ConnectionError",
)
# These are worth another try if the status that they hold is.
STATUSES = (
    "httpx.HTTPStatusError",
    "requests.HTTPError",
    "aiohttp.ClientResponseError",
    "urllib.HTTPError",
    "openai.APIStatusError",
    "anthropic.APIStatusError",
    "grpc.RpcError",
    "elastic_transport.ApiError",
    "elasticsearch.ApiError",
    "opensearchpy.TransportError",
    "qdrant_client.UnexpectedResponse",
    "google.GoogleAPICallError",
)
_PASSING = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS})
_PASSING_GRPC = frozenset({"UNAVAILABLE", "RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED", "ABORTED"})
_LONGEST_WAIT = 60.0


def is_transient(error: BaseException, more: tuple[str | type[BaseException], ...] = ()) -> bool:
    """Whether the same call may succeed a moment later; `more` are names or classes beside ours."""
    classes = tuple(one for one in more if isinstance(one, type))
    names = {one for one in more if isinstance(one, str)}
    if isinstance(error, classes):
        return True
    own = set(_names(type(error)))
    if own & (names | set(CONNECTIONS)):
        return True
    return bool(own & set(STATUSES)) and _is_passing(_status(error))


def asked_to_wait(error: BaseException) -> float:
    """The seconds that the service asks to wait (`Retry-After`), at most 60; 0 if it does not."""
    headers = getattr(getattr(error, "response", error), "headers", None)
    try:
        seconds = float(headers.get("retry-after") or headers.get("Retry-After"))  # type: ignore[union-attr]
    except (AttributeError, TypeError, ValueError):
        return 0.0
    return min(max(seconds, 0.0), _LONGEST_WAIT) if seconds == seconds else 0.0  # noqa: PLR0124  # NaN


def _names(kind: type) -> Iterator[str]:
    for one in kind.__mro__:
        yield f"{one.__module__}.{one.__name__}"
        yield f"{one.__module__.partition('.')[0]}.{one.__name__}"


def _status(error: BaseException) -> Any:
    """An HTTP status as a number, a gRPC one as its name, or None."""
    response = getattr(error, "response", None)
    for holder, name in (
        *((error, name) for name in ("status_code", "status", "code")),
        (response, "status_code"),
        (response, "status"),
    ):
        status = getattr(holder, name, None)
        if callable(status):  # grpc
            return getattr(status(), "name", None)
        if isinstance(status, int):
            return int(status)
    return None


def _is_passing(status: Any) -> bool:
    if isinstance(status, int):
        return status in _PASSING or status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return status in _PASSING_GRPC
