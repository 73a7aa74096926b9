# SPDX-License-Identifier: Apache-2.0
"""tain.Device: kinds, names, equality, copies, helpers that make devices."""

from __future__ import annotations

import pytest
from errors import no_device_text, raises

import tain
from tain import _core

device, dtype = _core.device, tain.dtype
# Names of device kinds with the numbers of DLPack 1.1.
KINDS = {
    "cpu": 1,
    "cuda": 2,
    "cuda_host": 3,
    "opencl": 4,
    "vulkan": 7,
    "metal": 8,
    "vpi": 9,
    "rocm": 10,
    "rocm_host": 11,
    "ext_dev": 12,
    "cuda_managed": 13,
    "oneapi": 14,
    "webgpu": 15,
    "hexagon": 16,
    "maia": 17,
    "trn": 18,
}


@pytest.mark.parametrize(("name", "number"), KINDS.items())
def test_kinds_of_devices(name: str, number: int) -> None:
    made = [device(name, 3), device(f"{name}:3"), device(number, 3), getattr(_core, name)(3)]
    assert all(found == made[0] and hash(found) == hash(made[0]) for found in made)
    assert (made[0].type, made[0].device_type) == (name, number)
    assert made[0].device_id == made[0].index == 3
    assert str(made[0]) == f"{name}:3" and repr(made[0]) == f"device('{name}:3')"
    assert device(name) == getattr(_core, name)() == tain.Device(name, 0)


def test_the_core_has_the_same_names() -> None:
    devices = [device(number, 1) for number in KINDS.values()] + [device(77, 0)]
    assert repr(tain.Array(devices)) == repr(devices)


def test_second_names_and_later_kinds() -> None:
    assert device("mps:0") == _core.metal() and device("wgpu") == _core.webgpu()
    assert str(device(77, 2)) == "77:2" and device("77:2") == device(77, 2)


def test_devices_differ() -> None:
    assert len({device("cpu"), device("cpu:0"), device("cpu:1"), device("cuda:1")}) == 3
    assert device("cpu") != "cpu:0" and device("cpu") != (1, 0)


def test_devices_as_parameters() -> None:
    test = tain.get_global_func("testing.device_test")
    for made in (_core.cuda(7), _core.cpu(0), _core.opencl(10)):
        assert test(made, made.device_type, made.device_id) == made


AFTER_COLON = "Expected a number from 0 on after the colon. "
WRONG_DEVICES = [  # (arguments, error, text)
    (("cud",), ValueError, no_device_text("cud", "Did you mean 'cuda', 'cpu'? ")),
    (("cuda:",), ValueError, no_device_text("cuda:", AFTER_COLON)),
    (("cuda:x",), ValueError, no_device_text("cuda:x", AFTER_COLON)),
    (("cuda:-1",), ValueError, no_device_text("cuda:-1", AFTER_COLON)),
    (("cuda:1:2",), ValueError, no_device_text("cuda:1:2", AFTER_COLON)),
    (("cuda:99999999999",), ValueError, no_device_text("cuda:99999999999", AFTER_COLON)),
    (("cuda:1", 1), ValueError, no_device_text("cuda:1", "The index is given twice. ")),
    (("",), ValueError, no_device_text("")),
    (("nothing like it",), ValueError, no_device_text("nothing like it")),
    (("cuda", -1), ValueError, "device(): index: expected int in 0..2147483647, got -1"),
    (("cuda", 2**70), ValueError, f"device(): index: expected int in 0..2147483647, got {2**70}"),
    (("cuda", 1.0), TypeError, "device(): index: expected int, got float (1.0)"),
    ((-2,), ValueError, "device(): type: expected int in 0..2147483647, got -2"),
    ((3.5,), TypeError, "device(): expected str or int, got float (3.5)"),
    ((None,), TypeError, "device(): expected str or int, got None"),
    ((True,), TypeError, "device(): expected str or int, got bool (True)"),
]


@pytest.mark.parametrize(("given", "kind", "text"), WRONG_DEVICES)
@pytest.mark.bad_input
def test_wrong_devices(given: tuple[object, ...], kind: type[Exception], text: str) -> None:
    for make in (device, tain.Device):
        with raises(kind, text):
            make(*given)


@pytest.mark.bad_input
def test_wrong_index_of_a_helper() -> None:
    with raises(TypeError, "cuda(): index: expected int, got str ('1')"):
        _core.cuda("1")
