"""The pictures of docs/playground, from JupyterLab itself: `python -m tests.browser.jupyterlab_screens`."""

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

from tests.browser.conftest import FLAGS
from tests.browser.test_play_jupyterlab import PATIENCE, ROOT, run, started, tone, until


@contextmanager
def shown(browser, theme):
    """A page of JupyterLab in these colours, with the widget proved."""
    with tempfile.TemporaryDirectory() as folder, started(Path(folder), theme=theme) as address:
        page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        page.goto(address, timeout=PATIENCE)
        page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']").first.wait_for(timeout=PATIENCE)
        run(page, 0)
        page.locator(".headwright-play .hw-badge").wait_for(timeout=PATIENCE)
        until(page, lambda: tone(page) == "proved", "nothing is proved")
        yield page
        page.context.close()


def main():
    from playwright.sync_api import sync_playwright

    target = ROOT / "docs" / "playground"
    target.mkdir(exist_ok=True)
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name, theme in {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}.items():
            with shown(browser, theme) as page:
                page.locator(".jp-Notebook").first.screenshot(path=target / f"jupyterlab-{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
