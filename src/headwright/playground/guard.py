"""The doorkeeper of the served playground: other websites in the same browser must not reach it.

A page of anywhere can send requests to 127.0.0.1, and can give its own name that address (DNS rebinding). The former come with an
Origin that is not ours, the latter with a Host that is not ours. marimo sees neither.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any, final

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# Scripts, styles and fonts come from this server; marimo's own page has inline scripts, and loads a widget's module from a blob.
# The browser refuses whatever else a page might ask for.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob: data:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; worker-src 'self' blob:; connect-src 'self' data: blob:; "
    "object-src 'none'; frame-ancestors 'none'; base-uri 'self'; form-action 'self'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


@final
class Guard:
    """An ASGI application in front of another. `hosts` are the values of Host that are ours; None: any name may lead here."""

    def __init__(self, app: App, *, hosts: Collection[str] | None) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = scope["type"]
        if kind not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        fault = self._fault(scope)
        if fault is None:
            return await self._app(scope, receive, _with_headers(send))
        if kind == "websocket":
            return await send({"type": "websocket.close", "code": 1008, "reason": fault})
        text = fault.encode()
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(text)).encode())]
        await send({"type": "http.response.start", "status": 403, "headers": headers})
        await send({"type": "http.response.body", "body": text})

    def _fault(self, scope: Scope) -> str | None:
        """Why a request is refused, or None."""
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or (self._hosts is not None and hosts[0] not in self._hosts):
            return "This address belongs to the headwright playground, but the request names another host."
        origins = _values(scope, b"origin")
        if any(origin not in (f"http://{hosts[0]}", f"https://{hosts[0]}") for origin in origins):
            return "The request comes from another website."
        if _values(scope, b"sec-fetch-site") not in ([], ["same-origin"], ["none"]) and not _is_visit(scope):
            return "The request comes from another website."
        return None


def own_hosts(address: str, port: int) -> frozenset[str]:
    """The values of Host by which a browser on this machine may call a server on loopback.

    >>> sorted(own_hosts("127.0.0.1", 8000))
    ['127.0.0.1:8000', 'localhost:8000']
    """
    own = f"[{address}]" if ":" in address else address
    names = {own, "localhost"}
    return frozenset({f"{name}:{port}" for name in names} | (names if port == 80 else set()))


def _is_visit(scope: Scope) -> bool:
    """Whether a person follows a link to the page: the browser shows it as a page of its own, out of the other site's reach."""
    return (
        _values(scope, b"sec-fetch-mode") == ["navigate"]
        and _values(scope, b"sec-fetch-dest") == ["document"]
        and scope.get("method") == "GET"
    )


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1").lower() for own, value in scope["headers"] if own.lower() == name]


def _with_headers(send: Send) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            ours = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
            others = [
                (name, value) for name, value in message["headers"] if name.lower().decode("latin-1") not in _HEADERS
            ]
            message = {**message, "headers": [*others, *ours]}
        await send(message)

    return sending
