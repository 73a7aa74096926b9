# SPDX-License-Identifier: Apache-2.0
"""Read a text of YAML with yaml-cpp, walk over its nodes, change it, and show an error."""

from __future__ import annotations

import boxed

TEXT = """\
name: tain
languages: [C++, Python]
since: 2026
"""


def main() -> None:
    document = boxed.load(TEXT)
    for item in document:
        place = item.second.mark()
        print(f"{item.first.scalar():10} {item.second.type()!r:18} line {place.line + 1}")
    languages = document["languages"]
    languages.append(boxed.Node("SQL"))
    print([each.scalar() for each in languages], document["since"].number() + 1)
    del document
    print(languages)
    try:
        boxed.load("a: [1, 2\nb: 3")
    except boxed.Error as error:
        print(f"{error.msg} (line {error.mark.line + 1})")


if __name__ == "__main__":
    main()
