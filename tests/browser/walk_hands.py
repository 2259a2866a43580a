"""What a reader's hands do in a step of the walk: with a mouse, a finger or the keyboard, from one scene to another."""

import math

from tests.browser.play_pages import frames

SIZES = {360: (360, 740), 390: (390, 844), 1280: (1280, 900)}
# plane_view.js: room around the outermost keys, in pixels.
ROOM = 52
# How far anything outside the drawing and the answer has moved since the call, in pixels of the page.
WATCH = """() => {
    const outside = ':is(.hw-plane, .hw-walk, .hw-walk-answer, .hw-walk-rest)'
    const all = [...document.querySelectorAll(`${outside}, ${outside} :is(h2, p, a, button, label, details, .hw-drawing)`)]
    const place = (own) => {
        const box = own.getBoundingClientRect()
        return [box.left, box.top + scrollY, box.width, box.height]
    }
    const shown = all.filter((own) => !own.closest('svg *') && !own.closest('.hw-walk-answer p') && own.checkVisibility())
    const before = new Map(shown.map((own) => [own, place(own)])), scrolled = scrollY
    window.shifted = [0, '']
    const look = () => {
        // What sticks to the edge of the window goes with it when it is scrolled, and nothing else does.
        for (const [own, old] of before)
            if (scrollY === scrolled || !own.matches('.hw-walk-answer')) place(own).forEach((number, k) => {
                const far = Math.abs(number - old[k])
                if (far > shifted[0]) window.shifted = [far, own.className || own.textContent.slice(0, 40)]
            })
        requestAnimationFrame(look)
    }
    look()
}"""


class Hands:
    """One way to use a page that shows `step`."""

    def __init__(self, page, step, guide):
        self.page, self.step, self.frame = page, step, guide["frame"]
        self.told = page.locator(".hw-walk-badge")

    def drawing(self):
        return self.page.locator(".hw-drawing").bounding_box()

    def unit(self):
        box, ((left, low), (right, high)) = self.drawing(), self.frame
        return min((box["width"] - 2 * ROOM) / (right - left), (box["height"] - 2 * ROOM) / (high - low))

    def place(self, point):
        """Where a point of the plane is on the screen; at least 24 pixels inside the drawing."""
        box, ((left, low), (right, high)), unit = self.drawing(), self.frame, self.unit()
        x = box["width"] / 2 + (point[0] - (left + right) / 2) * unit
        y = box["height"] / 2 - (point[1] - (low + high) / 2) * unit
        assert 24 <= x <= box["width"] - 24, (self.step["name"], point)
        assert 24 <= y <= box["height"] - 24, (self.step["name"], point)
        return box["x"] + x, box["y"] + y

    def go(self, old, new):
        """From one scene to another, by what differs between them."""
        for name, what in (("queries", "head"), ("keys", "key")):
            if len(new.get(name, [])) == len(old.get(name, [])):
                for i, (was, is_now) in enumerate(zip(old.get(name, []), new.get(name, []), strict=True)):
                    if was != is_now:
                        self.drag(f"[data-{what}='{i}']", was, is_now)
        for i in reversed(range(len(new["keys"]), len(old["keys"]))):
            self.remove(i)
        if old.get("steady", False) != new.get("steady", False):
            self.switch()
        if "layer" not in old:
            if old["goal"] != new["goal"]:
                self.press(new["goal"]["indices"][0])
            return
        for row, (was, is_now) in enumerate(zip(old["layer"], new["layer"], strict=True)):
            if was != is_now:
                self.page.get_by_label("Query of").select_option(str(row))
                frames(self.page)
                self.press(is_now["indices"][0])

    def centre(self, i):
        frames(self.page)
        box = self.page.locator(f"[data-key='{i}'] .hw-disc").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def remove(self, i):
        self.press(i)
        self.tap(self.page.get_by_role("button", name=f"Remove key {i}", exact=True))

    def switch(self):
        self.tap(self.page.get_by_role("switch", name="Steady"))

    def tap(self, control):
        control.click()
        frames(self.page)


class Mouse(Hands):
    def drag(self, _, old, new):
        mouse, (x, y) = self.page.mouse, self.place(new)
        mouse.move(*self.place(old))
        mouse.down()
        mouse.move(x, y, steps=6)
        frames(self.page)
        if self.told.inner_text() == "Solved.":
            # A hand need not be exact: the region of solutions is 12 pixels wide and more.
            for right, down in ((6, 0), (-6, 0), (0, 6), (0, -6), (0, 0)):
                mouse.move(x + right, y + down)
                frames(self.page)
                assert self.told.inner_text() == "Solved.", (self.step["name"], right, down)
        mouse.up()
        frames(self.page)

    def press(self, i):
        self.page.mouse.click(*self.centre(i))
        frames(self.page)


class Finger(Hands):
    def drag(self, _, old, new):
        (x, y), (a, b) = self.place(old), self.place(new)
        session = self.page.context.new_cdp_session(self.page)
        for kind, share in (("touchStart", 0), *(("touchMove", part / 6) for part in range(1, 7)), ("touchEnd", None)):
            points = [] if share is None else [{"x": x + (a - x) * share, "y": y + (b - y) * share}]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
            frames(self.page)
            # The answer is in sight while a finger drags.
            box = self.page.locator(".hw-walk-answer").bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= self.page.viewport_size["height"] + 1
        session.detach()

    def press(self, i):
        self.page.touchscreen.tap(*self.centre(i))
        frames(self.page)

    def tap(self, control):
        control.tap()
        frames(self.page)


class Keyboard(Hands):
    def to(self, selector):
        """By the Tab key to a part of the page."""
        for _ in range(60):
            if self.page.evaluate("(name) => document.activeElement.matches(name)", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{selector} has no stop of the Tab key")

    def drag(self, selector, old, new):
        self.page.locator(".hw-walk h2").focus()
        self.to(selector)
        least = 4 / self.unit()
        power = 10 ** math.floor(math.log10(least))
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))
        self.place(new)
        for far, keys in zip(
            (b - a for a, b in zip(old, new, strict=True)), (("Left", "Right"), ("Down", "Up")), strict=True
        ):
            for _ in range(round(abs(far) / step)):
                self.page.keyboard.press(f"Arrow{keys[far > 0]}")
        frames(self.page)

    def press(self, i):
        self.page.locator(".hw-walk h2").focus()
        self.to(f"[data-key='{i}']")
        self.page.keyboard.press("Enter")
        frames(self.page)

    def remove(self, i):
        self.press(i)
        self.page.keyboard.press("Delete")
        frames(self.page)

    def switch(self):
        self.page.locator(".hw-walk h2").focus()
        self.to("[role=switch]")
        self.page.keyboard.press("Space")
        frames(self.page)
