"""The playground as an app in the browser, served by marimo to this machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, final

from headwright.playground.addresses import Place, listening
from headwright.playground.guard import App, Guard, Receive, Scope, Send, own_hosts
from headwright.words.optional import need

_APP = Path(__file__).with_name("app.py")
# Seconds for which an open page is waited when the server stops. Pages keep their connection open, so longer would be in vain.
_PATIENCE = 1
# What the app opens. Its kernel is a thread of the server, so that keys reach it as a value, and no file or code carries them.
_given: dict[str, Any] = {}


def given() -> dict[str, Any]:
    """What the server was asked to open, for the app."""
    if not _given:
        raise RuntimeError(
            "the app runs only below `headwright play`, in its process: switch marimo's `isolate_apps` off"
        )
    return _given


def serve(opens: Mapping[str, Any], where: Place, *, port: int = 0, ready: Callable[[str], None]) -> None:
    """Serve the app until Ctrl+C. `ready` is called with its address once it listens. ImportError without the extra `play`."""
    need("anywidget", extra="play")
    marimo, uvicorn = need("marimo", extra="play"), need("uvicorn", extra="play")
    with listening(where, port) as bound:
        port = bound.getsockname()[1]
        _given.update(opens)
        head = _APP.with_name("app_head.html").read_text(encoding="utf-8")
        pages = marimo.create_asgi_app(quiet=True, token=where.token, html_head=head)
        kernels = _Kernels()
        pages = pages.with_app(path="", root=str(_APP), middleware=[kernels.noted]).build()
        settings = uvicorn.Config(
            kernels.ending(Guard(pages, hosts=own_hosts(where.address, port) if where.loopback else None)),
            log_level="critical",
            access_log=False,
            server_header=False,
            lifespan="on",
            timeout_graceful_shutdown=_PATIENCE,
        )
        ready(where.url(port))
        with suppress(KeyboardInterrupt):  # Ctrl+C, the way to end it
            uvicorn.Server(settings).run(sockets=[bound])


@final
class _Kernels:
    """The kernels of open pages, which end with the server. marimo would leave that to its own server, which this is not."""

    def __init__(self) -> None:
        self._apps: list[Any] = []

    def noted(self, app: Any) -> Any:
        self._apps.append(app)
        return app

    def ending(self, app: App) -> App:
        """The application, and the kernels' end when the server that runs it comes to its own."""

        async def whole(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "lifespan":
                return await app(scope, receive, send)
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            for own in self._apps:
                await own.state.session_manager.shutdown()
            await send({"type": "lifespan.shutdown.complete"})

        return whole
