# SPDX-License-Identifier: Apache-2.0
"""tain.Device and tain.dtype: names, equality, pickling, numpy, crossing both ways."""

from __future__ import annotations

import copy
import pickle

import pytest

import tain
from tain import _core

device, dtype = _core.device, tain.dtype
echo = tain.get_global_func("testing.echo")


@pytest.mark.parametrize("value", [device("cuda:7"), dtype("float32x4")], ids=str)
def test_copies(value: object) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(value, protocol)) == value
    assert copy.deepcopy(value) == copy.copy(value) == value


@pytest.mark.bad_input
@pytest.mark.parametrize("cls", [tain.Device, tain.dtype])
@pytest.mark.parametrize("receiver", [1, None, "cpu:0", int, tain.Array([1])], ids=repr)
def test_methods_with_a_wrong_receiver(cls: type, receiver: object) -> None:
    tried = 0
    for found in vars(cls).values():
        if type(found).__name__ not in ("nb_method", "wrapper_descriptor", "property"):
            continue
        call = found.__get__ if isinstance(found, property) else found
        with pytest.raises(TypeError):
            call(receiver)
        tried += 1
    assert tried > 5
    assert "__reduce__" in vars(cls)


@pytest.mark.parametrize(
    "value", [device("cuda:7"), device("cpu"), dtype("bool"), dtype("float32x4")], ids=str
)
def test_crossing(value: object) -> None:
    assert echo(value) == value and type(echo(value)) is type(value)
    assert list(tain.Array([value])) == [value]


def test_fields() -> None:
    kinds = tain.types.testing.AllKinds()
    assert (kinds.device, kinds.dtype) == (_core.cpu(), dtype("float32"))
    kinds.device, kinds.dtype = _core.cuda(1), "int8"
    assert (kinds.device, kinds.dtype) == (_core.cuda(1), dtype("int8"))
