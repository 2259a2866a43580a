"""The class of `examples/`, graded for the tests in a browser and for docs/feedback: `python -m tests.browser.feedback_class`."""

import shutil
import tempfile
from pathlib import Path

import headwright as hw

ROOT = Path(__file__).parents[2]
SHOTS = {  # name: page, (width, height), colours
    "student-desk": ("feedback/ben.html", (1280, 900), "light"),
    "student-desk-dark": ("feedback/ben.html", (1280, 900), "dark"),
    "student-phone": ("feedback/ben.html", (390, 844), "light"),
    "class-desk": ("class.html", (1280, 900), "light"),
}


def graded(out):
    """Grade the class of the examples, with a mark given by hand; returns the folder."""
    examples = ROOT / "examples"
    hw.problems.grade_class(examples / "class", examples / "homework.toml", out)
    table = out / "to_read.csv"
    head, first, *rest = table.read_text("utf-8-sig").splitlines()
    names, cells = head.split(","), {"points": "1.5", "comment": "Right. Say when it is almost v_1."}
    own = {"file": "ada.toml", "question": "A.1c", **cells}
    rows = [first, *rest, ",".join(f'"{own.get(name, "")}"' for name in names)]
    table.write_text("\n".join([head, *rows]) + "\n", "utf-8")
    hw.problems.grade_class(examples / "class", examples / "homework.toml", out)
    return out


def main():
    """Write the pictures of docs/feedback."""
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import FLAGS

    target = ROOT / "docs" / "feedback"
    target.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as player:
        out = graded(Path(folder) / "marks")
        browser = player.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name, (page, (width, height), colours) in SHOTS.items():
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=colours)
            tab = context.new_page()
            tab.goto((out / page).as_uri())
            tab.screenshot(path=target / f"{name}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
