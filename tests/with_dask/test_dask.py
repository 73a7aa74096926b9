# SPDX-License-Identifier: Apache-2.0
"""Objects, functions, exceptions and tensors on a Dask cluster of two processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import distributed
import numpy
import process_work as work
import pytest
from tain.types.testing import Node, Point

import tain

ROOT = Path(__file__).parents[2]
# What Dask itself warns of while its processes start and end.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """A cluster of two processes, which find process_work by PYTHONPATH."""
    helpers = str(ROOT / "tests" / "python" / "helpers")
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [helpers, before]))
    try:
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
            ) as cluster,
            distributed.Client(cluster) as connected,
        ):
            connected.wait_for_workers(2)
            yield connected
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


def test_both_processes_are_others(client) -> None:
    found = client.run(os.getpid)
    assert len(set(found.values())) == 2
    assert os.getpid() not in found.values()


def test_objects_come_back(client) -> None:
    labelled = work.Labelled(3)
    labelled.note, labelled.next = ["n"], Node(4)
    process, back = client.submit(work.here, labelled).result()
    assert process != os.getpid()
    assert (type(back), back.note, back.next.value) == (work.Labelled, ["n"], 4)
    points = client.map(work.moved, [Point(i, 0) for i in range(10)])
    assert [point.x for point in client.gather(points)] == [float(i + 1) for i in range(10)]
    box = client.submit(work.here, work.Box([1]), pure=False).result()[1]
    assert box == work.Box([1])


def test_objects_between_the_processes(client) -> None:
    """A result stays where it was made; another process gets it without this one."""
    first, second = client.scheduler_info()["workers"]
    made = client.submit(work.moved, Point(1, 2), workers=first)
    moved = client.submit(work.moved, made, workers=second)
    assert moved.result().x == 3.0


def test_long_chains_come_back(client) -> None:
    chain = tain.get_global_func("testing.make_beads")(20_000)
    back = client.submit(work.here, chain).result()[1]
    assert tain.get_global_func("testing.count_beads")(back) == 20_000


def test_functions_travel_by_name(client) -> None:
    echo = tain.get_global_func("testing.echo")
    assert client.submit(work.call, echo, 5).result() == 5
    assert client.gather(client.map(echo, range(10), pure=False)) == list(range(10))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("ValueError", ValueError),
        ("InternalKind", tain.Error),
        ("process_work.Failure", work.Failure),
    ],
)
def test_exceptions_arrive_as_their_class(client, kind: str, expected: type[Exception]) -> None:
    future = client.submit(work.fail, kind, "the message", pure=False)
    with pytest.raises(expected) as caught:
        future.result()
    assert (type(caught.value), caught.value.args) == (expected, ("the message",))
    if expected is tain.Error:
        assert caught.value.kind == kind


def test_tensors_are_sent_without_a_copy(client) -> None:
    from distributed.protocol import deserialize, serialize

    tensor = tain.tensor(numpy.arange(100_000.0))
    header, frames = serialize(tensor)
    addresses = [
        numpy.frombuffer(frame, "uint8").__array_interface__["data"][0]
        for frame in map(memoryview, frames)
        if frame.nbytes > 1000
    ]
    assert addresses == [tensor.numpy().__array_interface__["data"][0]]
    assert numpy.array_equal(deserialize(header, frames).numpy(), tensor.numpy())
    back = client.submit(work.doubled, tensor).result()
    assert numpy.array_equal(back.numpy(), tensor.numpy() * 2)


def test_the_example(tmp_path: Path) -> None:
    command = [sys.executable, "examples/pyast/dask_run.py", "--files", "20"]
    own_cache = {**os.environ, "TAIN_CACHE_DIR": str(tmp_path)}  # as tests/python has
    ran = subprocess.run(
        command, cwd=ROOT, env=own_cache, capture_output=True, text=True, timeout=280, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "two processes and one agree" in ran.stdout
