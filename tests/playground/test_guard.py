"""The doorkeeper: requests that another website causes do not arrive."""

import asyncio

import pytest

from headwright.playground.guard import Guard, own_hosts

OURS = "127.0.0.1:8000"
HOSTS = own_hosts("127.0.0.1", 8000)


def asked(kind="http", hosts=HOSTS, method="GET", **headers):
    """Whether the application behind the guard was reached, and what was answered."""
    reached, sent = [], []

    async def app(scope, receive, send):
        reached.append(scope["type"])
        if kind == "http":
            await send({"type": "http.response.start", "status": 200, "headers": [(b"Referrer-Policy", b"unsafe-url")]})

    async def send(message):
        sent.append(message)

    lines = [
        (name.replace("_", "-").encode(), value.encode())
        for name, values in headers.items()
        for value in values.split("|")
    ]
    scope = {"type": kind, "headers": lines, "path": "/", **({"method": method} if kind == "http" else {})}
    asyncio.run(Guard(app, hosts=hosts)(scope, None, send))
    return bool(reached), sent


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    "headers",
    [
        {"host": OURS},
        {"host": "localhost:8000"},
        {"host": "LocalHost:8000"},
        {"host": OURS, "origin": f"http://{OURS}"},
        {"host": OURS, "sec_fetch_site": "same-origin"},
        {"host": OURS, "sec_fetch_site": "none"},
    ],
)
def test_our_own_page_is_let_in(kind, headers):
    assert asked(kind, **headers)[0]


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"host": "evil.example:8000"},
        {"host": "127.0.0.1"},
        {"host": "127.0.0.1:8001"},
        {"host": "127.0.0.1:8000.evil.example"},
        {"host": f"{OURS}|evil.example"},
        {"host": OURS, "origin": "http://evil.example"},
        {"host": OURS, "origin": "null"},
        {"host": OURS, "origin": "http://127.0.0.1:8001"},
        {"host": OURS, "origin": "http://localhost:8000"},
        {"host": OURS, "origin": f"http://{OURS}|http://evil.example"},
        {"host": OURS, "sec_fetch_site": "cross-site"},
        {"host": OURS, "sec_fetch_site": "same-site"},
        {"host": OURS, "sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "iframe"},
        {"host": OURS, "sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors", "sec_fetch_dest": "script"},
    ],
)
def test_other_websites_are_not(kind, headers):
    reached, sent = asked(kind, **headers)
    assert not reached
    if kind == "http":
        assert sent[0]["status"] == 403
    else:
        assert (sent[0]["type"], sent[0]["code"]) == ("websocket.close", 1008)


def test_a_link_may_lead_here_but_a_form_may_not():
    link = {"host": OURS, "sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}
    assert asked(**link)[0]
    assert not asked(method="POST", **link)[0]


def test_with_a_token_any_name_may_lead_here_but_no_other_origin():
    assert asked(hosts=None, host="lab.example:8000", origin="http://lab.example:8000")[0]
    assert asked(hosts=None, host="lab.example", origin="https://lab.example")[0]
    assert not asked(hosts=None, host="lab.example", origin="http://evil.example")[0]


def test_every_answer_carries_the_policy_once():
    _, [start] = asked(host=OURS)
    names = [name.lower() for name, _ in start["headers"]]
    told = dict(start["headers"])
    assert len(names) == len(set(names))
    assert told[b"referrer-policy"] == b"no-referrer"
    assert b"frame-ancestors 'none'" in told[b"content-security-policy"]
    assert b"default-src 'self'" in told[b"content-security-policy"]


def test_hosts_of_loopback():
    assert own_hosts("::1", 80) == {"[::1]:80", "localhost:80", "[::1]", "localhost"}
