"""Writes `verdicts.json`: python -m tests.frozen.freeze. It refuses while the file is there: no change is frozen by mistake."""

import json
import sys

from tests.frozen.verdicts import VERDICTS, groups, judged


def main() -> None:
    if VERDICTS.exists():
        sys.exit(f"{VERDICTS.name} is there: what changed belongs into exceptions.toml, with a reason")
    found = {key: fields for group in groups() for key, fields in judged(group).items()}
    lines = (
        f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(found[key], ensure_ascii=False)}" for key in sorted(found)
    )
    VERDICTS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
