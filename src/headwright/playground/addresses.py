"""Where the playground may be served: on this machine, and beyond it only by two options that say so."""

from __future__ import annotations

import ipaddress
import secrets
import socket
from dataclasses import dataclass
from typing import final

# Guessing one of 62^16 texts takes longer than any server runs.
SHORTEST_TOKEN = 16


@final
@dataclass(frozen=True)
class Place:
    """An address to listen at: as a socket takes it, whether it is `loopback`, and the `token` that visitors must have."""

    family: socket.AddressFamily
    address: str
    loopback: bool
    token: str | None = None

    def url(self, port: int) -> str:
        """
        >>> place("localhost", port=0).url(8000) in ("http://127.0.0.1:8000/", "http://[::1]:8000/")
        True
        """
        host = f"[{self.address}]" if self.family == socket.AF_INET6 else self.address
        return f"http://{host}:{port}/"


def place(host: str, *, port: int, allow_remote: bool = False, token: str | None = None) -> Place:
    """The place that `host` names, judged by the address that it resolves to; ValueError if that is not for this machine alone,
    unless `allow_remote` and a `token` are given.

    >>> place("127.0.0.1", port=0).loopback
    True
    >>> place("0.0.0.0", port=0)
    Traceback (most recent call last):
    ValueError: `host` 0.0.0.0 lets other machines in. Give `allow_remote` and `token` as well, or leave `host` out
    """
    if not 0 <= port <= 65535:
        raise ValueError(f"`port` must lie between 0 (any free port) and 65535, got {port}")
    if token == "auto":
        token = secrets.token_urlsafe(24)
    if token is not None and (len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable()):
        raise ValueError(
            f"`token` must be `auto`, or at least {SHORTEST_TOKEN} printable ASCII characters, got {len(token)}"
        )
    if not host:
        raise ValueError("`host` must name an address, such as 127.0.0.1, but is empty, which would mean every address")
    found = _resolved(host)
    # A name with several addresses is only as private as its most public one.
    loopback = all(ipaddress.ip_address(address).is_loopback for _, address in found)
    if not loopback and not (allow_remote and token is not None):
        named = host if host == found[0][1] else f"{host} ({found[0][1]})"
        missing = " and ".join(
            name for name, there in (("`allow_remote`", allow_remote), ("`token`", token is not None)) if not there
        )
        raise ValueError(f"`host` {named} lets other machines in. Give {missing} as well, or leave `host` out")
    family, address = found[0]
    return Place(family, address, loopback, token)


def listening(where: Place, port: int) -> socket.socket:
    """A socket that listens there. The address was judged; a name could mean another one by now."""
    bound = socket.socket(where.family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if where.family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind((where.address, port))
        bound.listen()
    except OSError as error:
        bound.close()
        raise OSError(f"`port` {port} at {where.address} cannot be listened at: {error.strerror or error}") from error
    return bound


def _resolved(host: str) -> list[tuple[socket.AddressFamily, str]]:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise ValueError(f"`host` must name an address, such as 127.0.0.1, but {host!r} has none") from error
    # IPv4 first, which every browser and machine has.
    return sorted({(family, str(where[0])) for family, _, _, _, where in found})
