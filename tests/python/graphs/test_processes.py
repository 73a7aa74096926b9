# SPDX-License-Identifier: Apache-2.0
"""Objects, functions and exceptions between processes, and tensors out of band."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy
import process_work as work
import pytest
from errors import raises
from tain.types.testing import Node, Point
from testing_functions import get

import tain

# A worker of pytest-xdist has a thread of its own, of which CPython 3.12 warns at each fork.
pytestmark = pytest.mark.filterwarnings("ignore:.*is multi-threaded:DeprecationWarning")

STARTS = ["spawn", "forkserver", "fork"]


@pytest.fixture(scope="module", params=STARTS)
def pool(request: pytest.FixtureRequest) -> Iterator[ProcessPoolExecutor]:
    """Two processes. The others find process_work by PYTHONPATH."""
    helpers = os.path.dirname(work.__file__)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [helpers, before]))
    context = multiprocessing.get_context(request.param)
    try:
        with ProcessPoolExecutor(2, mp_context=context) as executor:
            executor.submit(os.getpid).result()
            yield executor
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


def far(pool: ProcessPoolExecutor, value: Any) -> Any:
    """Return what comes back of a value from another process."""
    process, back = pool.submit(work.here, value).result()
    assert process != os.getpid()
    return back


@pytest.mark.slow
def test_objects_come_back(pool) -> None:
    labelled = work.Labelled(3)
    labelled.note, labelled.next, labelled.payload = ["n"], Node(4), {"box": work.Box([1])}
    back = far(pool, labelled)
    assert (type(back), back.value, back.note, back.next.value) == (work.Labelled, 3, ["n"], 4)
    assert back.payload["box"] == work.Box([1])
    assert type(back.payload["box"]) is work.Box
    assert pool.submit(work.moved, Point(1, 2)).result().x == 2.0
    assert list(far(pool, tain.List([1, "a"]))) == [1, "a"]


@pytest.mark.slow
def test_long_chains_and_cycles_come_back(pool) -> None:
    assert pool.submit(work.total, get("make_chain")(5_000)).result() == sum(range(5_000))
    assert get("count_beads")(far(pool, get("make_beads")(5_000))) == 5_000
    ring = get("make_ring")(100)
    back = at = far(pool, ring)
    for i in range(100):
        assert at.value == i
        at = at.next
    assert at is back
    ring.next = back.next = None


@pytest.mark.slow
def test_functions_travel_by_name(pool) -> None:
    assert pool.submit(work.call, get("echo"), 5).result() == 5
    assert far(pool, get("echo")).same_as(get("echo"))
    assert list(pool.map(get("echo"), range(20))) == list(range(20))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("ValueError", ValueError),
        ("KeyError", KeyError),
        ("InternalKind", tain.Error),
        ("process_work.Failure", work.Failure),
    ],
)
def test_exceptions_arrive_as_their_class(pool, kind: str, expected: type[Exception]) -> None:
    with pytest.raises(expected) as caught:
        pool.submit(work.fail, kind, "the message").result()
    assert type(caught.value) is expected
    assert caught.value.args == ("the message",)
    if expected is tain.Error:
        assert caught.value.kind == kind
    assert "the message" in str(caught.value.__cause__)  # the other process's traceback


@pytest.mark.slow
def test_tensors_come_back(pool) -> None:
    tensor = tain.tensor(numpy.arange(6.0).reshape(2, 3))
    back = pool.submit(work.doubled, tensor).result()
    assert numpy.array_equal(back.numpy(), tensor.numpy() * 2)


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_pipes_and_queues(start: str) -> None:
    context = multiprocessing.get_context(start)
    here, there = context.Pipe()
    process = context.Process(target=work.ends, args=(there,))
    process.start()
    try:
        for value in (Point(1, 2), get("make_chain")(100), get("echo"), tain.Error("e")):
            here.send(value)
            back = here.recv()
            assert type(back) is type(value)
            if isinstance(value, Node):
                assert get("chain_length")(back) == 100
        here.send(None)
    finally:
        process.join(60)
    assert process.exitcode == 0


# ---------------------------------------------------------------- exceptions


class Odd(tain.Error):
    """With an attribute of its own."""

    def __init__(self, message: str, code: int = 3) -> None:
        super().__init__(message)
        self.code = code


def raised(kind: str) -> BaseException:
    with pytest.raises(Exception, match="the message") as caught:
        work.fail(kind, "the message")
    return caught.value


@pytest.mark.parametrize("kind", ["ValueError", "Unknown", "process_work.Failure", "OSError"])
def test_an_exception_is_pickled_with_all_that_python_keeps(kind: str) -> None:
    error = raised(kind)
    error.own = [1]  # type: ignore[attr-defined]
    if sys.version_info >= (3, 11):
        error.add_note("a note")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.args, again.own) == (type(error), error.args, [1])
    assert getattr(again, "kind", None) == getattr(error, "kind", None)
    assert getattr(again, "__notes__", None) == getattr(error, "__notes__", None)


def test_an_exception_of_files_keeps_number_and_names() -> None:
    with pytest.raises(PermissionError) as caught:
        get("throw_of_files")("filesystem_paths", "a")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.errno, again.filename, again.filename2) == (13, "a", "a/b")


# ---------------------------------------------------------------- functions


@pytest.mark.bad_input
def test_a_function_that_the_other_process_does_not_have(run) -> None:
    library = next(name for name in tain.list_global_func_names() if name == "testing.echo")
    pickled = pickle.dumps(get("echo")).replace(b"testing.echo", b"tosting.echo")
    with pytest.raises(ValueError) as caught:
        pickle.loads(pickled)
    text = str(caught.value)
    assert library == "testing.echo"
    assert text.startswith(
        "no global function 'tosting.echo' is registered in this process: load /"
    )
    assert "libtain_testing" in text
    assert text.endswith("first, by tain.load_library or by an import of the package that loads it")


@pytest.mark.bad_input
def test_a_function_of_python_that_the_other_process_does_not_have(free_name: str, run) -> None:
    tain.register_global_func(free_name, lambda: 1)
    pickled = pickle.dumps(tain.get_global_func(free_name))
    tain.remove_global_func(free_name)
    with raises(
        ValueError,
        f"no global function {free_name!r} is registered in this process: import the module that "
        "calls tain.register_global_func first",
    ):
        pickle.loads(pickled)


def test_a_function_in_an_older_pickle() -> None:
    old = b"ctain._core\nget_global_func\n(S'testing.echo'\ntR."
    assert pickle.loads(old).same_as(get("echo"))


# ---------------------------------------------------------------- out of band


def address(tensor: tain.Tensor) -> int:
    return int(tensor.numpy().__array_interface__["data"][0])


def test_tensors_travel_out_of_band_without_a_copy() -> None:
    tensors = [tain.tensor(numpy.arange(1000.0)), tain.tensor([[1, 2], [3, 4]], "int32")]
    node = Node(1)
    node.payload, node.next = tensors, Node(2)
    node.next.payload = tensors[0]
    buffers: list[pickle.PickleBuffer] = []
    pickled = pickle.dumps(node, protocol=5, buffer_callback=buffers.append)
    assert len(pickled) < 1000
    sent = [numpy.frombuffer(buffer.raw(), "uint8") for buffer in buffers]
    assert [view.__array_interface__["data"][0] for view in sent] == [address(x) for x in tensors]
    back = pickle.loads(pickled, buffers=buffers)
    assert back.next.payload is back.payload[0] or back.next.payload.same_as(back.payload[0])
    assert address(back.payload[0]) == address(tensors[0])  # the same memory: nothing was copied
    assert numpy.array_equal(back.payload[1].numpy(), tensors[1].numpy())


def test_a_large_graph_with_tensors_out_of_band() -> None:
    head, memory = None, tain.tensor(numpy.zeros(100))
    for i in range(100):
        node = Node(i)
        node.next, node.payload = head, [memory, tain.tensor([float(i)])]
        head = node
    buffers: list[pickle.PickleBuffer] = []
    pickled = pickle.dumps(head, protocol=5, buffer_callback=buffers.append)
    assert len(buffers) == 101
    back = pickle.loads(pickled, buffers=[bytearray(buffer.raw()) for buffer in buffers])
    assert float(back.payload[1].numpy()[0]) == 99.0
    assert address(back.payload[0]) == address(back.next.payload[0]) != address(memory)


@pytest.mark.bad_input
def test_buffers_that_are_missing_or_too_short() -> None:
    buffers: list[pickle.PickleBuffer] = []
    tensor = tain.tensor([1.0, 2.0])
    pickled = pickle.dumps(tensor, protocol=5, buffer_callback=buffers.append)
    for wrong in (None, [], [b""], [b"123"], [b"x" * 1000]):
        with pytest.raises((pickle.UnpicklingError, ValueError)):
            pickle.loads(pickled, buffers=wrong)
