"""Where the playground may be served: each name is judged by the addresses that it resolves to."""

import socket

import pytest

from headwright.playground import addresses
from headwright.playground.addresses import listening, place

GOOD = "sixteen-letters!"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "127.1", "localhost"])
def test_loopback_needs_no_token(host):
    found = place(host, port=0)
    assert found.loopback
    assert found.token is None
    assert found.address.startswith("127.") or found.address == "::1"


def test_loopback_of_the_sixth_version():
    try:
        found = place("::1", port=8000)
    except ValueError:
        pytest.skip("this machine has no IPv6")
    assert found.loopback
    assert found.url(8000) == "http://[::1]:8000/"


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "0", "192.0.2.7", "8.8.8.8", "10.0.0.1", "::", "2001:db8::1", "::ffff:192.0.2.7"]
)
@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({}, "`allow_remote` and `token`"),
        ({"allow_remote": True}, "`token`"),
        ({"token": GOOD}, "`allow_remote`"),
    ],
)
def test_other_machines_are_let_in_by_two_options_only(host, given, missing):
    with pytest.raises(ValueError, match=rf"`host` .* lets other machines in. Give {missing} as well"):
        place(host, port=0, **given)
    assert not place(host, port=0, allow_remote=True, token=GOOD).loopback


def resolving(monkeypatch, *found):
    answer = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in found]
    monkeypatch.setattr(addresses.socket, "getaddrinfo", lambda *_, **__: answer)


def test_a_name_counts_by_its_address(monkeypatch):
    resolving(monkeypatch, "192.0.2.7")
    with pytest.raises(ValueError, match=r"`host` localhost \(192\.0\.2\.7\) lets other machines in"):
        place("localhost", port=0)
    resolving(monkeypatch, "127.0.0.1", "192.0.2.7")
    with pytest.raises(ValueError, match="lets other machines in"):
        place("mixed.example", port=0)
    resolving(monkeypatch, "127.0.0.3")
    assert place("lab.example", port=0).address == "127.0.0.3"


def test_names_without_an_address(monkeypatch):
    with pytest.raises(ValueError, match=r"`host` must name an address, .* is empty"):
        place("", port=0)

    def none(*_, **__):
        raise socket.gaierror("no such name")

    monkeypatch.setattr(addresses.socket, "getaddrinfo", none)
    with pytest.raises(ValueError, match=r"'nowhere\.example' has none"):
        place("nowhere.example", port=0)


@pytest.mark.parametrize("token", ["", "fifteen-letters", "sixteen\nletters!", "sechzehn-Zeichen-ß"])
def test_short_and_strange_tokens_are_refused(token):
    with pytest.raises(ValueError, match="`token` must be"):
        place("127.0.0.1", port=0, token=token)


def test_tokens():
    assert place("127.0.0.1", port=0, token=GOOD).token == GOOD
    made = {place("127.0.0.1", port=0, token="auto").token for _ in range(5)}
    assert len(made) == 5
    assert min(map(len, made)) >= 2 * addresses.SHORTEST_TOKEN


@pytest.mark.parametrize("port", [-1, 65536])
def test_ports_that_are_none(port):
    with pytest.raises(ValueError, match="`port` must lie between 0"):
        place("127.0.0.1", port=port)


def test_only_the_address_is_listened_at():
    """A server on 127.0.0.1 is not reached by another address of the machine, nor is a taken port taken again."""
    with listening(place("127.0.0.1", port=0), 0) as bound:
        port = bound.getsockname()[1]
        assert bound.getsockname()[0] == "127.0.0.1"
        socket.create_connection(("127.0.0.1", port), timeout=60).close()
        for other in ("127.0.0.2", *own_addresses()):
            with pytest.raises(OSError, match=r"refused|unreachable|not available|timed out"):
                socket.create_connection((other, port), timeout=5).close()
        with pytest.raises(OSError, match=f"`port` {port} at 127.0.0.1 cannot be listened at"):
            listening(place("127.0.0.1", port=port), port)


def own_addresses():
    """The addresses by which other machines would call this one."""
    found = set()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing; it only asks which address would be used
            found.add(probe.getsockname()[0])
        except OSError:
            pass
    return {address for address in found if not address.startswith("127.")}
