"""What the tests in a browser share: the system's chromium in an empty profile, and the widths that pages are seen at."""

import shutil

import pytest

FLAGS = [
    *["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
    *["--disable-background-networking", "--disable-component-update", "--disable-sync"],
]
WIDTHS = {"desk": (1280, 900), "phone": (390, 844)}


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium")
    assert program, "these tests need the system's chromium (Debian, Ubuntu: apt-get install chromium)"
    with sync_playwright() as player:
        started = player.chromium.launch(executable_path=program, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(params=[(width, scheme) for width in WIDTHS for scheme in ("light", "dark")], ids="-".join)
def tab(request, browser):
    """An empty tab, what it asks for, what it complains about, and how it is seen: (width, colours)."""
    (width, height), scheme = WIDTHS[request.param[0]], request.param[1]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page, asked, said = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page, asked, said, request.param
    context.close()
