# SPDX-License-Identifier: Apache-2.0
"""hnswlib with tain and with pybind11: arrays in and out, threads, and what keeps what alive."""

from __future__ import annotations

import gc
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

DIM = 8


@pytest.fixture(scope="module", params=["tain", "pybind11"])
def hnsw(request: pytest.FixtureRequest, binding: Any) -> Any:
    return binding("hnsw", request.param)


def rows(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).random((count, DIM), dtype=np.float32)


def filled(hnsw: Any, data: np.ndarray, **options: Any) -> Any:
    index = hnsw.Index(hnsw.L2Space(DIM), len(data), ef_construction=100, random_seed=1)
    index.ef = 60
    index.add_items(data, **options)
    return index


def nearest(data: np.ndarray, queries: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """By brute force."""
    distances = ((queries[:, None] - data[None]) ** 2).sum(axis=2)
    order = np.argsort(distances, axis=1)[:, :k]
    return order, np.take_along_axis(distances, order, axis=1)


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_neighbors_are_those_of_brute_force(hnsw: Any, threads: int) -> None:
    data, queries = rows(300), rows(50, seed=1)
    index = filled(hnsw, data, threads=threads)
    labels, distances = index.query(queries, k=5, threads=threads)
    assert (type(labels), labels.dtype, labels.shape) == (np.ndarray, np.uint64, (50, 5))
    assert (type(distances), distances.dtype) == (np.ndarray, np.float32)
    expected, squares = nearest(data, queries, 5)
    assert (labels == expected).mean() > 0.98
    np.testing.assert_allclose(np.sort(distances), distances)
    np.testing.assert_allclose(distances[:, 0], squares[:, 0], rtol=1e-4)


@pytest.mark.parametrize(
    "convert",
    [
        np.asarray,
        lambda x: x.astype(np.float64),
        np.asfortranarray,
        lambda x: x.tolist(),
        lambda x: np.repeat(x, 2, axis=1)[:, ::2],
        lambda x: x.astype(">f4"),
    ],
    ids=["float32", "float64", "fortran", "list", "strided", "big endian"],
)
def test_rows_of_any_kind(hnsw: Any, convert: Any) -> None:
    data = rows(40)
    index = filled(hnsw, convert(data))
    labels, distances = index.query(convert(data[:3]), k=1)
    assert labels[:, 0].tolist() == [0, 1, 2] and float(distances.max()) < 1e-6


def test_labels_of_the_caller(hnsw: Any) -> None:
    data = rows(10)
    index = filled(hnsw, data, labels=np.arange(100, 110))
    assert index.query(data[4:5], k=1)[0].tolist() == [[104]]
    index.mark_deleted(104)
    assert index.query(data[4:5], k=1)[0][0, 0] != 104
    with pytest.raises(ValueError, match="expected 2 labels, got 1"):
        index.add_items(rows(2), labels=[1])


def test_an_index_keeps_its_space(hnsw: Any) -> None:
    """It has a pointer into the space: read after it was freed, the dimension is anything."""
    data = rows(50)
    index = filled(hnsw, data)
    gc.collect()
    for _ in range(100):
        hnsw.L2Space(3)
    assert index.query(data, k=1)[0][:, 0].tolist() == list(range(50))


def test_spaces_are_a_hierarchy(hnsw: Any) -> None:
    space = hnsw.InnerProductSpace(DIM)
    assert isinstance(space, hnsw.Space) and space.data_size == 4 * DIM
    index = hnsw.Index(space, 10)
    index.add_items(np.eye(DIM))
    labels, distances = index.query(2 * np.eye(DIM)[3:4], k=1)
    assert labels.item() == 3 and distances.item() == pytest.approx(-1)


def test_a_vector_is_a_view_that_keeps_the_index(hnsw: Any) -> None:
    data = rows(20)
    index = filled(hnsw, data)
    view, again = index.vector(7), index.vector(7)
    assert view.ctypes.data == again.ctypes.data and not view.flags.writeable
    del index, again
    gc.collect()
    filled(hnsw, rows(200, seed=5))
    assert view.tolist() == data[7].tolist()


def test_several_threads_of_python_search_at_once(hnsw: Any) -> None:
    """The GIL is released: all are inside the library at the same time."""
    data = rows(500)
    index = filled(hnsw, data)
    found: list[Any] = [None] * 4
    start = threading.Barrier(4)

    def search(place: int) -> None:
        start.wait()
        found[place] = [index.query(data, k=3, threads=2)[0] for _ in range(5)]

    threads = [threading.Thread(target=search, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((labels == found[0][0]).all() for each in found for labels in each)


def test_python_runs_while_rows_are_added(hnsw: Any) -> None:
    """A thread of Python counts while another one is inside the library."""
    index = hnsw.Index(hnsw.L2Space(64), 3000)
    data = np.random.default_rng(2).random((3000, 64), dtype=np.float32)
    worker = threading.Thread(target=index.add_items, args=(data,), kwargs={"threads": 1})
    worker.start()
    turns = 0
    while worker.is_alive():
        turns += 1
    assert index.element_count == 3000 and turns > 1000


def test_saved_and_read(hnsw: Any, tmp_path: Path) -> None:
    data = rows(30)
    path = str(tmp_path / "index.bin")
    filled(hnsw, data).save(path)
    index = hnsw.Index(hnsw.L2Space(DIM), path)
    index.ef = 60  # which is not saved; the search is exact if it is above the number of elements
    assert (index.element_count, index.max_elements) == (30, 30)
    assert index.query(data, k=1)[0][:, 0].tolist() == list(range(30))
    index.resize(31)
    index.add_items(rows(1, seed=9))
    assert index.element_count == 31


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda index: index.query(np.zeros((1, DIM + 1))), ValueError),
        (lambda index: index.query(np.zeros(DIM)), TypeError),
        (lambda index: index.query("text"), (TypeError, ValueError)),
        (lambda index: index.query(rows(1), k=99), ValueError),
        (lambda index: index.query(rows(4), k=99, threads=2), ValueError),
        (lambda index: index.query(rows(1), k=-1), (TypeError, OverflowError)),
        (lambda index: index.add_items(rows(9)), RuntimeError),
        (lambda index: index.vector(1000), IndexError),
        (lambda index: index.resize(1), RuntimeError),
    ],
    ids=range(9),
)
def test_what_is_refused(hnsw: Any, call: Any, kind: Any) -> None:
    index = filled(hnsw, rows(5))
    with pytest.raises(kind):
        call(index)
    assert index.query(rows(5), k=1)[0][:, 0].tolist() == [0, 1, 2, 3, 4]
