"""Scenes that strangers may send, with what is wrong with each: the page and the library must say the same."""

import json

KEYS = [[0, 0], [4, 0], [0, 4], [5, 5], [2, 1]]


def copy(i):
    return {"goal": "copy", "indices": [i], "shares": ["1"]}


def average(*indices):
    return {"goal": "average", "indices": list(indices), "shares": [f"1/{len(indices)}"] * len(indices)}


def blend(**shares):
    return {"goal": "blend", "indices": [int(name[1:]) for name in shares], "shares": list(shares.values())}


def top(*indices):
    return {"goal": "top", "indices": list(indices)}


GOOD = {
    "nothing": {},
    "one key": {"keys": [[1]], "goal": copy(0)},
    "most keys": {"keys": [[i, 1] for i in range(400)]},
    "many numbers": {"keys": [[1] * 250] * 400},
    "a whole number as a float": '{"keys": [[0.0, 1e0], [2, 3]], "heads": 1.0, "row": 1.0}',
    "minus zero": '{"keys": [[-0, 1], [2, 3]], "row": -0, "radius": -0.0}',
    "a number with all its digits": '{"keys": [[0.1, 9007199254740993], [1e-400, 5e-324]]}',
    "an entry twice": '{"error": 7, "error": 0.5}',
    "copy": {"goal": copy(4)},
    "average": {"goal": average(0, 3, 4), "heads": 3},
    "shares that are not in lowest terms": {"goal": blend(_0="2/4", _1="5/10")},
    "long shares": {"goal": blend(_0="1/99999999999999999999", _1="99999999999999999998/99999999999999999999")},
    "top": {"goal": top(1, 3)},
    "a goal with more entries": {"goal": {**copy(1), "note": [1, 2]}},
    "queries": {"queries": [[1, 2], [3, 4]]},
    "noise": {"noise": {"isotropic": 0, "along": {"0": 1, "4": 0.5}}},
    "labels": {"labels": ["", "<script>alert(1)</script>", "é" * 40, "😀" * 20, "\u2028"]},
    "half of a pair": '{"labels": ["\\ud800", "", "", "", ""]}',
    "colours": {"values": ["#000000", "#ffffff", "#0072b2", "#abcdef", "#123456"]},
    "a layer": {"layer": [copy(1), None, average(0, 1), None, None], "row": 2},
    "every entry": {"error": 0.5, "scale": 2, "max_norm": 3, "steady": True, "radius": 0.1, "heads": 5, "row": 4},
}
BAD = {
    "not JSON": "{",
    "no text": "",
    "NaN": '{"error": NaN}',
    "infinity": '{"error": -Infinity}',
    "a byte order mark": "\ufeff{}",
    "deep": "[" * 100_000,
    "a list": "[]",
    "a number": "7",
    "null": "null",
    "a text": '"scene"',
    "an unknown entry": {"colour": 1},
    "an unknown entry with a long name beyond 16 bits": {"\U0001f600" * 50: 1},
    "an entry of all objects": '{"toString": 1}',
    "an entry of prototypes": '{"__proto__": {"keys": []}}',
    "a long entry": {"x" * 100: 1},
    "no keys": {"keys": []},
    "keys that are a table": {"keys": {"0": [1, 2]}},
    "keys that are null": {"keys": None},
    "too many keys": {"keys": [[0, 0]] * 10_000},
    "numbers for keys": {"keys": [1, 2]},
    "empty keys": {"keys": [[], []]},
    "too many numbers": {"keys": [[0] * 251] * 400},
    "keys of unequal length": {"keys": [[1, 2], [3, 4, 5]]},
    "a key that is a number": {"keys": [[1, 2], 3]},
    "an infinite key": '{"keys": [[0, 1], [2, 1e999]]}',
    "a key as text": {"keys": [[0, 1], ["2", 3]]},
    "a key with null": {"keys": [[0, None]]},
    "a key with true": {"keys": [[True, 0]]},
    "too few labels": {"labels": ["a"]},
    "a number for a label": {"labels": ["a", "b", "c", "d", 5]},
    "a long label": {"labels": ["a" * 41, "", "", "", ""]},
    "a label of long characters": {"labels": ["😀" * 21, "", "", "", ""]},
    "a text of labels": {"labels": "abcde"},
    "a colour by name": {"values": ["red"] * 5},
    "a colour in capitals": {"values": ["#ABCDEF"] * 5},
    "a colour and more": {"values": ["#abcdef\n"] * 5},
    "a list for a colour": {"values": [["#abcdef"]] * 5},
    "too few colours": {"values": ["#abcdef"]},
    "a goal that is a number": {"goal": 3},
    "a goal that is a list": {"goal": [3]},
    "a goal without keys": {"goal": {"goal": "copy", "shares": ["1"]}},
    "a goal with no keys": {"goal": {"goal": "average", "indices": [], "shares": []}},
    "a goal with half a key": {"goal": {"goal": "copy", "indices": [0.5], "shares": ["1"]}},
    "a goal with a negative key": {"goal": {"goal": "copy", "indices": [-1], "shares": ["1"]}},
    "a goal with true": {"goal": {"goal": "copy", "indices": [True], "shares": ["1"]}},
    "a goal that names a key twice": {"goal": average(1, 1)},
    "a goal beyond the keys": {"goal": copy(5)},
    "a goal far beyond the keys": {"goal": {"goal": "copy", "indices": [1e30], "shares": ["1"]}},
    "a goal of another kind": {"goal": {"goal": "Copy", "indices": [0], "shares": ["1"]}},
    "a goal whose kind is a list": {"goal": {"goal": ["copy"], "indices": [0], "shares": ["1"]}},
    "top of all keys": {"goal": top(0, 1, 2, 3, 4)},
    "no shares": {"goal": {"goal": "copy", "indices": [0]}},
    "numbers for shares": {"goal": {"goal": "copy", "indices": [0], "shares": [1]}},
    "a share of zero": {"goal": blend(_0="0/5", _1="1")},
    "a share by zero": {"goal": blend(_0="1/0", _1="1")},
    "a negative share": {"goal": blend(_0="-1/2", _1="3/2")},
    "a decimal share": {"goal": blend(_0="0.5", _1="0.5")},
    "a share in other digits": {"goal": blend(_0="١/٢", _1="1/2")},
    "a share that is too long": {"goal": blend(_0="1/" + "9" * 21, _1="1")},
    "too few shares": {"goal": {"goal": "average", "indices": [0, 1], "shares": ["1"]}},
    "copy of two keys": {"goal": {"goal": "copy", "indices": [0, 1], "shares": ["1/2", "1/2"]}},
    "shares of too little": {"goal": blend(_0="1/3", _1="1/3")},
    "shares of a hair too much": {"goal": blend(_0="1/2", _1="50000000000000000001/100000000000000000000")},
    "a copy of one half": {"goal": {"goal": "copy", "indices": [0], "shares": ["1/2"]}},
    "an uneven average": {"goal": {"goal": "average", "indices": [0, 1], "shares": ["1/3", "2/3"]}},
    "no error": {"error": 0},
    "an error of one": {"error": 1},
    "an error as text": {"error": "0.01"},
    "an error of null": {"error": None},
    "no scale": {"scale": 0},
    "an infinite scale": '{"scale": 1e400}',
    "a negative norm": {"max_norm": -1},
    "half a head": {"heads": 1.5},
    "no heads": {"heads": 0},
    "more heads than keys": {"heads": 6},
    "no queries": {"queries": []},
    "a query that is too short": {"queries": [[1]]},
    "one query for all": {"queries": [1, 2]},
    "more queries than keys": {"queries": [[1, 2]] * 6},
    "noise as a number": {"noise": 0.5},
    "noise without along": {"noise": {"isotropic": 1}},
    "noise with more": {"noise": {"isotropic": 1, "along": {}, "seed": 1}},
    "noise along a list": {"noise": {"isotropic": 1, "along": [1]}},
    "negative noise": {"noise": {"isotropic": -1, "along": {}}},
    "noise along no key": {"noise": {"isotropic": 0, "along": {"5": 1}}},
    "noise along a word": {"noise": {"isotropic": 0, "along": {"one": 1}}},
    "noise along 00": {"noise": {"isotropic": 0, "along": {"00": 1}}},
    "no noise along a key": {"noise": {"isotropic": 0, "along": {"0": 0}}},
    "steady as a number": {"steady": 1},
    "a negative radius": {"radius": -0.5},
    "a short layer": {"layer": [None]},
    "a layer as a table": {"layer": {}},
    "a layer with a wrong goal": {"layer": [copy(9), None, None, None, None]},
    "a row beyond the tokens": {"row": 5},
    "half a row": {"row": 0.5},
}


def texts(scenes):
    """The scenes as text, as they travel."""
    return {name: own if isinstance(own, str) else json.dumps(own) for name, own in scenes.items()}
