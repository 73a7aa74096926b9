# SPDX-License-Identifier: Apache-2.0
"""Work on streams comes in order: nothing waits for the device, and nothing overtakes.

A stream is kept busy first. What does not follow it there ran before, and shows by another result.
"""

from __future__ import annotations

import threading
from typing import Any

import pytest
import torch
from kernels import kernels
from producers import Wrapped
from testing_functions import get

import tain

BUSY = 100_000_000  # clocks: some 50 ms
stream_in = get("tensor_stream_in")
stream_of = get("tensor_stream")


@pytest.fixture(autouse=True)
def _nothing_is_under_way() -> None:
    kernels()
    torch.cuda.synchronize()


def busy(x: torch.Tensor) -> None:
    """Fill with ones, some time from now on the current stream."""
    kernels().spin(x, BUSY)
    x.fill_(1)


def test_the_stream_is_that_of_the_caller() -> None:
    x = torch.zeros(4, device="cuda")
    stream, other = torch.cuda.Stream(), torch.cuda.Stream()
    assert stream.cuda_stream not in (0, other.cuda_stream)
    assert stream_in(x) == torch.cuda.current_stream().cuda_stream
    with torch.cuda.stream(stream):
        assert stream_in(x) == stream_in(x=x) == stream.cuda_stream

        def within() -> None:
            with torch.cuda.stream(other):
                assert stream_in(x) == other.cuda_stream
            assert stream_of(tain.device("cuda")) == stream.cuda_stream

        assert stream_in(x, within) == stream.cuda_stream
        assert get("tensor_overload")(x) == stream.cuda_stream
        assert stream_of(tain.device("cuda")) == 0  # no call is under way
    assert stream_in(x) == torch.cuda.current_stream().cuda_stream
    assert stream_in(torch.zeros(4)) == 0


def test_each_thread_has_its_streams() -> None:
    x = torch.zeros(4, device="cuda")
    stream = torch.cuda.Stream()
    found: list[int] = []

    def run() -> None:
        found.append(stream_in(x))

    def within() -> None:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()

    with torch.cuda.stream(stream):
        assert stream_in(x, within) == stream.cuda_stream
    assert found == [torch.cuda.default_stream().cuda_stream]


def test_a_kernel_follows_what_its_stream_has() -> None:
    assert kernels().factor() == 7  # a flag for nvcc
    x = torch.zeros(1000, device="cuda")
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        busy(x)
        kernels().scale(x, 5.0)
        y = kernels().plus_one(x)
        assert not stream.query()  # nobody has waited
        z = y * 2
        assert z.tolist() == [12] * 1000


def test_two_streams_with_an_event() -> None:
    x = torch.zeros(1000, device="cuda")
    first, second = torch.cuda.Stream(), torch.cuda.Stream()
    first.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(first):
        busy(x)
        kernels().scale(x, 3.0)
        done = first.record_event()
    with torch.cuda.stream(second):
        second.wait_event(done)
        y = kernels().plus_one(x)
        assert not second.query()
        assert y.tolist() == [4] * 1000


def test_the_default_stream() -> None:
    x = torch.zeros(1000, device="cuda")
    busy(x)
    kernels().scale(x, 5.0)
    assert not torch.cuda.default_stream().query()
    assert x.tolist() == [5] * 1000


def test_a_graph_captures_kernels() -> None:
    x = torch.ones(4, device="cuda")
    kernels().scale(x, 1.0)  # loads the kernel
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        kernels().scale(x, 2.0)
        y = kernels().plus_one(x)
    assert x.tolist() == [1] * 4
    graph.replay()
    graph.replay()
    assert x.tolist() == [4] * 4
    assert y.tolist() == [5] * 4


def test_a_producer_is_asked_with_the_stream_of_the_environment() -> None:
    """It makes that stream wait for its own; then a kernel there sees what it wrote."""
    x = torch.zeros(1000, device="cuda")
    array = Wrapped(x)
    producing, consuming = torch.cuda.Stream(), torch.cuda.Stream()
    producing.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(producing):
        busy(x)
        kernels().with_stream(consuming.cuda_stream, lambda: kernels().scale(array, 5.0))
        assert not producing.query()
    assert array.asked == [{"max_version": (1, 1), "stream": consuming.cuda_stream}]
    with torch.cuda.stream(consuming):
        assert x.tolist() == [5] * 1000


def test_a_producer_without_a_stream_of_the_environment() -> None:
    """No stream is the default stream of the device, which the producer is told."""
    x = torch.zeros(1000, device="cuda")
    array = Wrapped(x)
    producing = torch.cuda.Stream()
    producing.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(producing):
        busy(x)
        kernels().scale(array, 5.0)
        assert not producing.query()
    assert array.asked == [{"max_version": (1, 1), "stream": None}]
    assert x.tolist() == [5] * 1000


def test_from_dlpack_orders_the_default_stream() -> None:
    """A Tensor has no library whose stream could be asked later."""
    x = torch.zeros(1000, device="cuda")
    producing = torch.cuda.Stream()
    producing.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(producing):
        busy(x)
        made = tain.from_dlpack(x)
        kernels().scale(made, 5.0)
        assert not producing.query()
    assert x.tolist() == [5] * 1000


class Broken:
    """An array on a GPU whose export fails."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0

    def __dlpack__(self, **_: Any) -> Any:
        raise BufferError("its stream is gone")


def test_a_producer_that_fails() -> None:
    text = (
        "scale: argument arg0: expected row-major Tensor of float32 with 1 dimension on cuda, got "
        "Broken: its stream is gone"
    )
    with pytest.raises(TypeError) as caught:
        kernels().scale(Broken(), 1.0)
    assert str(caught.value) == text
