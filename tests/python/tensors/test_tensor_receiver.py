# SPDX-License-Identifier: Apache-2.0
"""Members of tain.Tensor that are called with something else."""

from __future__ import annotations

from typing import Any

import pytest

import tain

MEMBERS = [
    *("numpy", "item", "tolist", "to_dlpack", "__dlpack__", "__dlpack_device__", "__copy__"),
    *("__len__", "__iter__", "__float__", "__bool__", "__repr__"),
]


@pytest.mark.bad_input
@pytest.mark.parametrize("receiver", [5, None, object(), tain.convert([1]), tain.Tensor])
@pytest.mark.parametrize("member", MEMBERS)
def test_a_wrong_receiver_is_a_type_error(member: str, receiver: Any) -> None:
    with pytest.raises(TypeError):
        getattr(tain.Tensor, member)(receiver)


@pytest.mark.bad_input
@pytest.mark.parametrize("name", ["shape", "dtype", "strides", "T", "is_view"])
def test_attributes_of_a_wrong_receiver(name: str) -> None:
    with pytest.raises(TypeError):
        vars(tain.Tensor)[name].__get__(tain.convert([1]))
