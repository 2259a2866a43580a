"""headwright play: the single file that it writes, what it refuses, and a server that only this machine reaches."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from urllib.parse import urlsplit

import numpy as np
import pytest

from headwright.cli import play_command
from headwright.playground import serving

TOKEN = "a-token-of-sixteen-or-more"


@pytest.fixture
def keys(tmp_path):
    np.save(tmp_path / "k.npy", np.array([[0.0, 1.0], [2.5, 0.0], [1.0, 1.0]]))
    np.save(tmp_path / "many.npy", np.zeros((401, 2)))
    np.save(tmp_path / "nan.npy", np.array([[0.0, np.nan]]))


def given(page):
    """What the widget of a page is given."""
    return json.loads(re.search(r'id="given">(.*?)</script>', page, re.DOTALL)[1])


def scene(page):
    return json.loads(given(page)["asked"]["text"])


def test_a_file(call, answer, tmp_path):
    code, out, err = call("play --html out.html")
    assert (code, err) == (0, "")
    assert "Saved out.html" in out
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert given(page)["opens"] == {"host": "file", "step": "copy"}
    assert answer("play --html other.html") == (0, {"status": "done", "page": "other.html"})
    assert (tmp_path / "other.html").read_bytes() == (tmp_path / "out.html").read_bytes()


@pytest.mark.parametrize(
    ("options", "entries"),
    [
        ("--keys k.npy", {"keys": [[0, 1], [2.5, 0], [1, 1]], "goal": None}),
        (
            "--orthonormal 2 --copy 1",
            {"keys": [[1, 0], [0, 1]], "goal": {"goal": "copy", "indices": [1], "shares": ["1"]}},
        ),
        ("--keys k.npy --average 0,2", {"goal": {"goal": "average", "indices": [0, 2], "shares": ["1/2", "1/2"]}}),
        (
            "--keys k.npy --blend 0=0.7,1=0.3",
            {"goal": {"goal": "blend", "indices": [0, 1], "shares": ["7/10", "3/10"]}},
        ),
        ("--keys k.npy --top 1 --scale 1/8", {"goal": {"goal": "top", "indices": [1]}, "scale": 0.125}),
        ("--keys k.npy --copy 1 --error 0.05 --scale 2", {"error": 0.05, "scale": 2}),
        ("--copy 3", {"goal": {"goal": "copy", "indices": [3], "shares": ["1"]}}),
    ],
)
def test_what_it_opens(call, keys, tmp_path, options, entries):
    assert call(f"play --html out.html {options}")[0] == 0
    opened = scene((tmp_path / "out.html").read_text(encoding="utf-8"))
    assert {name: opened[name] for name in entries} == entries


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ("--host 0.0.0.0", "`--host` 0.0.0.0 lets other machines in. Give `--allow-remote` and `--token`"),
        ("--host 0.0.0.0 --allow-remote", "Give `--token` as well"),
        (f"--host 0.0.0.0 --token {TOKEN}", "Give `--allow-remote` as well"),
        ("--host 192.0.2.7", "`--host`"),
        ("--host ::", "`--host`"),
        ("--host no-such-host.invalid", "`--host`"),
        ("--host= ", "`--host`"),
        ("--token short", "`--token`"),
        ("--host 0.0.0.0 --allow-remote --token short", "`--token`"),
        ("--port 65536", "`--port`"),
        ("--port x", "--port"),
        ("--html out.txt", "`--html`"),
        ("--html missing/out.html", "`--html`"),
        ("--html out.html --port 8000", "`--port`"),
        ("--html out.html --no-open", "`--no-open`"),
        (f"--html out.html --token {TOKEN}", "`--token`"),
        ("--html out.html --host 127.0.0.2 --allow-remote", "`--host` and `--allow-remote`"),
        ("--html out.html --keys k.npy --orthonormal 3", "`--orthonormal N`"),
        ("--html out.html --array a", "`--keys FILE`"),
        ("--html out.html --keys none.npy", "none.npy"),
        ("--html out.html --keys nan.npy", "finite"),
        ("--html out.html --keys many.npy", "at most 400 keys"),
        ("--html out.html --keys k.npy --copy 3", "only 3 keys"),
        ("--html out.html --keys k.npy --copy 0 --average 1,2", "exactly one"),
        ("--html out.html --keys k.npy --copy 0 --error 2", "error"),
        ("--html out.html --keys k.npy --top 0 --error 0.1", "`--error`"),
        ("--html out.html --keys k.npy --scale 0", "scale"),
        ("--html out.html --step nowhere", "`--step`"),
        ("--html out.html --step copy --copy 0", "`--step`"),
    ],
)
def test_refusals(call, keys, monkeypatch, tmp_path, options, named):
    monkeypatch.setattr(serving, "serve", lambda *_, **__: pytest.fail("it began to serve"))
    code, out, err = call(f"play {options}")
    assert (code, out) == (2, "")
    assert named in err
    assert err.count("\n") == 1
    assert not list(tmp_path.glob("out*"))


def test_without_the_extra(call, monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    code, out, err = call("play --no-open")
    assert (code, out) == (2, "")
    assert "pip install 'headwright[play]'" in err


def test_what_is_handed_to_the_server(call, monkeypatch, keys):
    told, visited = [], []

    def serve(opens, where, *, port, ready):
        told.append((opens, where, port))
        ready(where.url(8123))

    monkeypatch.setattr(serving, "serve", serve)
    monkeypatch.setattr(play_command.webbrowser, "open", visited.append)
    code, out, _ = call(f"play --keys k.npy --copy 0 --no-open --token {TOKEN} --port 8123")
    assert code == 0
    assert f"http://127.0.0.1:8123/?access_token={TOKEN}" in out
    assert visited == []
    opens, where, port = told[0]
    assert opens["opens"]["host"] == "app"
    assert json.loads(opens["asked"]["text"])["keys"][1] == [2.5, 0]
    assert (where.loopback, where.token, port) == (True, TOKEN, 8123)
    # Signs that mean something in an address are part of the token all the same.
    _, out, _ = call("play --no-open --token sixteen&of=such#signs+%20")
    assert "?access_token=sixteen%26of%3Dsuch%23signs%2B%2520" in out
    told.pop()
    call("play")
    assert visited == ["http://127.0.0.1:8123/"]


def started(*options):
    """The process that serves, and the address that it prints."""
    command = [sys.executable, "-m", "headwright", "play", "--no-open", "--json", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ))
    line = process.stdout.readline()
    assert line, process.stderr.read()
    return process, urlsplit(json.loads(line)["address"])


def fetched(address, path="/", **headers):
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=300)
    connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    found = answer.status, dict(answer.getheaders()), answer.read().decode(errors="replace")
    connection.close()
    return found


UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


@pytest.mark.needs("marimo", "anywidget")
def test_a_server_for_this_machine_alone():
    process, address = started()
    try:
        assert address.hostname == "127.0.0.1"
        status, headers, page = fetched(address)
        assert (status, "headwright playground" in page) == (200, True)
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "access-control-allow-origin" not in {name.lower() for name in headers}
        ours = f"http://{address.netloc}"
        assert fetched(address, Origin=ours)[0] == 200
        assert fetched(address, Origin="http://evil.example")[0] == 403
        assert fetched(address, Host=f"evil.example:{address.port}")[0] == 403
        # 101 is a websocket that opened.
        socket = "/ws?session_id=s_123456"
        assert fetched(address, socket, **UPGRADE, Origin="http://evil.example")[0] == 403
        assert fetched(address, socket, **UPGRADE, Origin=ours, Host="evil.example")[0] == 403
        assert fetched(address, socket, **UPGRADE, Origin=ours)[0] == 101
    finally:
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=300)
    assert (process.returncode, said) == (0, ("", ""))


@pytest.mark.needs("marimo", "anywidget")
def test_a_server_with_a_token():
    process, address = started("--token", TOKEN)
    try:
        assert address.query == f"access_token={TOKEN}"
        for path in ("/", "/?access_token=wrong-token-of-sixteen"):
            status, headers, page = fetched(address, path)
            assert status == 303
            assert headers["location"].startswith("/auth/login")
            assert "__MARIMO_MOUNT_CONFIG__" not in page
        assert fetched(address, "/ws?session_id=s_123456", **UPGRADE)[0] != 101
        status, headers, _ = fetched(address, f"/?{address.query}")
        assert status == 303
        assert headers["location"] == "/"
        cookie = headers["set-cookie"].split(";")[0]
        assert "httponly" in headers["set-cookie"].lower()
        assert TOKEN not in headers["set-cookie"]
        assert fetched(address, Cookie=cookie)[0] == 200
        assert fetched(address, "/ws?session_id=s_123456", **UPGRADE, Cookie=cookie)[0] == 101
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=300)
    assert process.returncode == 0
