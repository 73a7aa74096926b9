# SPDX-License-Identifier: Apache-2.0
"""The lines of docs/data.md for pandas, polars, pydantic and msgspec (extra `test-data`)."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any

import msgspec
import pandas
import polars
import pydantic
import pytest
from tain.types.testing import Point

import tain

POINTS = [Point(1, y=2), Point(3)]


@pytest.mark.parametrize("library", [pandas, polars])
def test_data_frames(library: Any) -> None:
    frame = library.DataFrame([dataclasses.asdict(point) for point in POINTS])
    assert list(frame.columns) == ["x", "y"]
    assert list(frame["x"]) == [1.0, 3.0]


class Model(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(arbitrary_types_allowed=True)
    at: Annotated[
        Any,
        pydantic.BeforeValidator(lambda value: tain.from_builtins(Point, value)),
        pydantic.PlainSerializer(tain.to_builtins),
    ]


def test_pydantic() -> None:
    made = Model.model_validate({"at": {"x": 1, "y": 2}})
    assert isinstance(made.at, Point)
    assert Model(at=POINTS[0]).at is POINTS[0]
    assert made.model_dump() == {"at": {"x": 1.0, "y": 2.0}}
    with pytest.raises(TypeError, match="from_builtins: Point"):
        Model.model_validate({"at": {"x": "no number"}})


def test_msgspec() -> None:
    text = msgspec.json.encode(tain.to_builtins({"at": POINTS[0]}))
    assert text == b'{"at":{"x":1.0,"y":2.0}}'
    made = tain.from_builtins(dict[str, Point], msgspec.json.decode(text))["at"]
    assert isinstance(made, Point)
    assert (made.x, made.y) == (1.0, 2.0)
