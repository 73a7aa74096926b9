# SPDX-License-Identifier: Apache-2.0
"""cpptoml with tain and with pybind11: elements that C++ and Python share by shared_ptr."""

from __future__ import annotations

import gc
import pickle
import threading
from pathlib import Path
from typing import Any

import pytest

TEXT = """\
title = "example"
numbers = [1, 2, 3]
mixed = [["a", "b"], [1.5]]
on = true
born = 1979-05-27

[owner]
name = "Tom"
[owner.address]
city = "Nowhere"

[[point]]
x = 1
[[point]]
x = 2
"""


@pytest.fixture(scope="module", params=["tain", "pybind11"])
def toml(request: pytest.FixtureRequest, binding: Any) -> Any:
    return binding("toml", request.param)


@pytest.fixture
def document(toml: Any) -> Any:
    return toml.parse(TEXT)


def test_values_have_their_own_types(toml: Any, document: Any) -> None:
    assert document["title"] == "example" and document["on"] is True
    numbers = document["numbers"]
    assert type(numbers) is toml.Array and [numbers[i] for i in range(len(numbers))] == [1, 2, 3]
    assert document["mixed"][1][0] == 1.5 and document["mixed"][0][1] == "b"
    assert type(document["owner"]) is toml.Table and type(document["point"]) is toml.TableArray
    assert [document["point"][i]["x"] for i in range(2)] == [1, 2]
    assert isinstance(document["owner"], toml.Element)


def test_a_table_is_a_mapping(document: Any) -> None:
    assert len(document) == 7 and "owner" in document and "nobody" not in document
    assert sorted(document.keys())[:3] == ["born", "mixed", "numbers"]
    with pytest.raises(KeyError, match="nobody"):
        document["nobody"]
    document.erase("owner")
    assert "owner" not in document


def test_dates_are_values(toml: Any, document: Any) -> None:
    born = document["born"]
    assert (born.year, born.month, born.day) == (1979, 5, 27)
    assert born == toml.Date(1979, month=5, day=27) and born != toml.Date(1979)
    assert len({born, document["born"]}) == 1 and pickle.loads(pickle.dumps(born)) == born
    assert repr(born) == "toml.Date(year=1979, month=5, day=27)"


def test_one_element_is_one_object(document: Any) -> None:
    owner = document["owner"]
    assert document["owner"] is owner and document.element("owner").as_table() is owner
    assert document.qualified("owner.address").as_table() is owner["address"]
    assert document.element("title").is_value() and document.element("title").as_table() is None


def test_a_part_outlives_its_document(document: Any, toml: Any) -> None:
    address = toml.parse(TEXT)["owner"]["address"]
    gc.collect()
    toml.parse(TEXT.replace("Nowhere", "Elsewhere"))
    assert address["city"] == "Nowhere"


def test_tables_share_what_they_hold(toml: Any, document: Any) -> None:
    other = toml.Table()
    other["owner"] = document["owner"]
    other["owner"]["name"] = "Ada"
    assert document["owner"]["name"] == "Ada" and other["owner"] is document["owner"]
    del document
    gc.collect()
    assert other["owner"]["address"]["city"] == "Nowhere"


def test_a_table_of_python_lives_on_in_another(toml: Any) -> None:
    inner = toml.Table()
    inner["key"] = 1
    outer = toml.Table()
    outer["inner"] = inner
    same = outer["inner"]
    assert same is inner
    del inner, same
    gc.collect()
    assert outer["inner"]["key"] == 1


@pytest.mark.parametrize("value", [True, False, 0, -5, 2**62, 1.5, "text", ""])
def test_scalars_keep_their_types(toml: Any, value: Any) -> None:
    table, array = toml.Table(), toml.Array()
    table["value"] = value
    array.append(value)
    for found in (table["value"], array[0]):
        assert found == value and type(found) is type(value)


def test_arrays_of_tables_grow(toml: Any, document: Any) -> None:
    point = toml.Table()
    point["x"] = 3
    document["point"].append(point)
    assert document["point"][2] is point and len(document["point"]) == 3
    with pytest.raises(IndexError):
        document["point"][3]


def test_clones_are_separate(document: Any) -> None:
    owner = document["owner"]
    clone = owner.clone()
    clone["name"] = "Eve"
    assert owner["name"] == "Tom" and clone is not owner and clone["address"]["city"] == "Nowhere"


def test_text_reads_again(toml: Any, document: Any) -> None:
    again = toml.parse(str(document))
    assert sorted(again.keys()) == sorted(document.keys()) and again["owner"]["name"] == "Tom"


def test_errors_of_the_parser(toml: Any, tmp_path: Path) -> None:
    with pytest.raises(toml.ParseError, match="Unclosed array at line 3"):
        toml.parse("a = 1\nb = [1, \n")
    assert issubclass(toml.ParseError, ValueError)
    with pytest.raises(toml.ParseError, match="could not be opened"):
        toml.parse_file(str(tmp_path / "missing.toml"))
    path = tmp_path / "there.toml"
    path.write_text(TEXT)
    assert toml.parse_file(str(path))["owner"]["name"] == "Tom"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda toml, table: table.__setitem__("x", object()),
        lambda toml, table: table.__setitem__(1, 2),
        lambda toml, table: table[1],
        lambda toml, table: toml.Array().append({}),
        lambda toml, table: table["point"].append(toml.Array()),
        lambda toml, table: toml.parse(b"bytes\xff"),
    ],
    ids=range(6),
)
def test_what_is_refused(toml: Any, document: Any, wrong: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        wrong(toml, document)
    assert len(document) == 7


def test_documents_are_read_in_threads(toml: Any) -> None:
    """Each thread parses without the GIL, and all give what they made to one table."""
    table = toml.Table()
    texts = [TEXT.replace("Tom", f"Tom {i}") for i in range(4)]

    def read(i: int) -> None:
        for _ in range(20):
            table[str(i)] = toml.parse(texts[i])

    threads = [threading.Thread(target=read, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [table[str(i)]["owner"]["name"] for i in range(4)] == [f"Tom {i}" for i in range(4)]
