"""What a person does in the playground, whichever host shows it, and what strangers may put into its address."""

import json
from urllib.parse import quote

from tests.browser.play_pages import frames

KEY = '.hw-key[data-key="{}"]'
EVIL = "<script>window.hacked=1</script>"
IMAGE = "<img src=x onerror=window.hacked=1>"


def scene(**entries):
    """The fragment that opens a state."""
    return "#scene=" + quote(json.dumps(entries))


def nested(depth):
    return "#scene=" + quote('{"keys":' + "[" * depth + "]" * depth + "}")


# What a fragment holds, and words that the page must say about it; None where it is a state that the page may show.
GARBAGE = {
    "broken percent-encoding": ("#scene=%E0%A4%A", "damaged"),
    "a lone percent sign": ("#scene=%", "damaged"),
    "not JSON": ("#scene=" + quote("{keys: 1"), "not valid JSON"),
    "markup": ("#scene=" + quote(EVIL), "not valid JSON"),
    "nothing": ("#scene=", "not valid JSON"),
    "NaN": ("#scene=" + quote('{"keys": [[NaN, 0]]}'), "not valid JSON"),
    "infinity": ("#scene=" + quote('{"keys": [[1e999, 0], [0, 1]]}'), "finite"),
    "null in a key": (scene(keys=[[None, 0]]), "finite"),
    "text in a key": (scene(keys=[["1", 0]]), "finite"),
    "no keys": (scene(keys=[]), "must be a list"),
    "keys of no dimension": (scene(keys=[[], []]), "list of numbers"),
    "ragged keys": (scene(keys=[[0, 1], [2]]), "coordinates"),
    "ten thousand keys": (scene(keys=[[0, 1]] * 10_000), "at most 400 keys, but 10,000 came"),
    "wide keys": (scene(keys=[[0] * 1000] * 101), "at most"),
    "a number": ("#scene=7", "table"),
    "null": ("#scene=null", "table"),
    "a list": ("#scene=[]", "table"),
    "a negative index": (scene(goal={"goal": "copy", "indices": [-1], "shares": ["1"]}), "goal must name"),
    "an index that is missing": (scene(goal={"goal": "copy", "indices": [9], "shares": ["1"]}), "key 9"),
    "a fractional index": (scene(goal={"goal": "copy", "indices": [0.5], "shares": ["1"]}), "goal must name"),
    "an index twice": (scene(goal={"goal": "average", "indices": [1, 1], "shares": ["1/2", "1/2"]}), "once"),
    "a goal of another kind": (scene(goal={"goal": EVIL, "indices": [1], "shares": ["1"]}), "goal must be"),
    "a share of nothing": (scene(goal={"goal": "blend", "indices": [0, 1], "shares": ["0", "1"]}), "share"),
    "a share that divides by nothing": (
        scene(goal={"goal": "blend", "indices": [0, 1], "shares": ["1/0", "1"]}),
        "share",
    ),
    "an unknown entry": (scene(**{EVIL: 1}), 'unknown entry, "<script>'),
    "the entry __proto__": ("#scene=" + quote('{"__proto__": {"keys": 1}, "keys": [[0, 1]]}'), "unknown entry"),
    "the entry constructor": (scene(constructor={"prototype": {"hacked": 1}}), "unknown entry"),
    "deep nesting": (nested(100_000), "finite"),
    "nesting within JSON's depth": (nested(100), "finite"),
    "an error of zero": (scene(error=0), "between 0 and 1"),
    "an error as text": (scene(error="0.1"), "between 0 and 1"),
    "a negative scale": (scene(scale=-1), "scale"),
    "half a head": (scene(heads=0.5), "heads"),
    "noise of a missing key": (scene(noise={"isotropic": 0, "along": {"77": 1}}), "noise"),
    "negative noise": (scene(noise={"isotropic": -1, "along": {}}), "noise"),
    "a colour with code": (scene(values=["url(x)"] * 5), "colour"),
    "long labels": (scene(labels=["x" * 41] * 5), "40 characters"),
    "too few labels": (scene(labels=["x"]), "label"),
    "a row that is missing": (scene(row=5), "row"),
    "a long text": ("#scene=" + "x" * 1_500_000, "not valid JSON"),
    "an unknown step": ("#step=" + quote(IMAGE), "step"),
    "another fragment": ("#" + quote(EVIL), None),
    "script in labels": (scene(labels=[EVIL, IMAGE, "</svg>", "&lt;b&gt;", "\u202e\u0000"]), None),
    "huge keys": (scene(keys=[[1e300, 0], [0, 1e300], [1e300, 1e300]]), None),
    "tiny keys": (scene(keys=[[5e-324, 0], [0, 5e-324]]), None),
    "one key twice": (scene(keys=[[1, 1], [1, 1]], goal={"goal": "copy", "indices": [0], "shares": ["1"]}), None),
    "a huge scale": (scene(scale=1e308, goal={"goal": "copy", "indices": [0], "shares": ["1"]}), None),
}


# A state that every page can open, so that each piece of garbage meets the same one.
FRESH = scene(keys=[[0, 0], [4, 0], [0, 4], [5, 5], [2, 1]])


def centre(page, key):
    """Where a key, or the "tip" of the query, is on the screen once it lies still: the view glides to where all keys are seen."""
    disc = page.locator(".hw-tip .hw-grip" if key == "tip" else f"{KEY.format(key)} .hw-disc").first
    disc.scroll_into_view_if_needed()
    box, before = disc.bounding_box(), None
    while box != before:
        frames(page, 80)
        box, before = disc.bounding_box(), box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, key, right, down):
    """Take a key with the mouse and put it elsewhere."""
    x, y = centre(page, key)
    page.mouse.move(x, y)
    page.mouse.down()
    for part in range(1, 6):
        page.mouse.move(x + right * part / 5, y + down * part / 5)
    page.mouse.up()


def press(page, key):
    """Press a key, which makes it the target or one of them."""
    page.mouse.click(*centre(page, key))


def touch_drag(page, key, right, down):
    """The same with a finger."""
    x, y = centre(page, key)
    session = page.context.new_cdp_session(page)
    for kind, share in (("touchStart", 0), *(("touchMove", part / 5) for part in range(1, 6)), ("touchEnd", None)):
        points = [] if share is None else [{"x": x + right * share, "y": y + down * share}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.detach()


def place(page, key):
    """Where a key lies, as the page says it to a screen reader."""
    return page.locator(KEY.format(key)).get_attribute("aria-label")


def until(page, holds, seconds=120):
    """Wait until something holds. The browser's own way to wait would need `eval`, which the page's policy refuses."""
    for _ in range(seconds * 20):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"not within {seconds} seconds")


def still_works(page, said):
    """What is free can be dragged (a key, or the tip in a step), which takes the message away; nothing of the text was run."""
    was = page.locator(".hw-badge").get_attribute("data-state")
    free = "tip" if page.locator("[data-walk=step]").count() else 0
    drag(page, free, 40, -30)
    until(page, lambda: page.locator(".hw-badge").get_attribute("data-state") != was)
    drag(page, free, -40, 30)
    assert not page.locator(".hw-problem").is_visible()
    assert page.evaluate("[window.hacked, {}.hacked, {}.keys]") == [None, None, None]
    assert said == []


def shown(page, words):
    """The page says what is wrong, or shows what is strange but right."""
    problem = page.locator(".hw-problem")
    if words is None:
        frames(page, 200)
        assert not problem.is_visible()
    else:
        problem.wait_for(state="visible")
        assert words in problem.inner_text()
