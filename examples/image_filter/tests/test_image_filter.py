# SPDX-License-Identifier: Apache-2.0
"""The filters against SciPy, with arrays of NumPy and of PyTorch if it is installed."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.image
import numpy as np
import pytest

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE))

import image_filter  # noqa: E402
import run  # noqa: E402

import tain  # noqa: E402

LIBRARIES: dict[str, Callable[[np.ndarray], Any]] = {"numpy": lambda array: array}
if importlib.util.find_spec("torch") is not None:
    import torch

    LIBRARIES["torch"] = torch.from_numpy


@pytest.fixture(scope="module", name="photograph")
def photograph_fixture() -> np.ndarray:
    return run.photograph()


@pytest.mark.parametrize("library", LIBRARIES)
def test_all_filters_agree_with_scipy(photograph: np.ndarray, library: str) -> None:
    assert photograph.shape == (512, 512)
    run.check(LIBRARIES[library](photograph), run.by_scipy(photograph))


VIEWS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "transposed": lambda image: image.T,
    "reversed": lambda image: image[::-1, ::-2],
    "one row": lambda image: image[:1],
    "one column": lambda image: image[:, 5:6],
    "one pixel": lambda image: image[3:4, 3:4],
    "smaller than the square": lambda image: image[:4, :9],
    "repeated": lambda image: np.broadcast_to(image[0], (20, 512)),
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_any_strides(photograph: np.ndarray, view: Callable[[np.ndarray], np.ndarray]) -> None:
    image = view(photograph)
    run.check(image, run.by_scipy(image))


def test_a_read_only_image(photograph: np.ndarray) -> None:
    image = photograph.copy()
    image.setflags(write=False)
    run.check(image, run.by_scipy(image))
    assert np.array_equal(image, photograph)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_images_without_pixels(shape: tuple[int, int]) -> None:
    image = np.zeros(shape, np.float32)
    assert np.asarray(image_filter.box_blur(image)).shape == shape
    assert np.asarray(image_filter.sobel(image)).shape == shape
    assert np.asarray(image_filter.histogram(image, bins=2)).tolist() == [0, 0]


def test_what_a_histogram_counts() -> None:
    random = np.random.default_rng(7)
    values = random.uniform(-1, 2, (50, 40)).astype(np.float32)
    values[0, :4] = [np.nan, np.inf, -np.inf, 0.3]
    inside = values[np.isfinite(values)]
    for bins in (1, 3, 10, 257):
        for low, high in ((0.0, 1.0), (0.1, 0.3), (-5.0, 5.0)):
            expected = np.histogram(inside.astype(np.float64), bins, (low, high))[0]
            found = np.asarray(image_filter.histogram(values, bins, low, high))
            assert np.array_equal(found, expected), (bins, low, high)


def test_the_result_is_of_the_library_of_the_image(photograph: np.ndarray) -> None:
    expected = {"numpy": tain.Tensor}
    if "torch" in LIBRARIES:
        expected["torch"] = torch.Tensor
    for library, made in LIBRARIES.items():
        assert type(image_filter.sobel(made(photograph))) is expected[library]


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ((np.zeros((2, 2)),), TypeError, "expected Tensor of float32 with 2 dimensions"),
        ((np.zeros(3, np.float32),), TypeError, "expected Tensor of float32 with 2 dimensions"),
        ((np.zeros((2, 2), np.float32), -1), ValueError, "argument radius: expected 0 to 1000000"),
        ((np.zeros((2, 2), np.float32), 10**9), ValueError, "argument radius: expected 0 to"),
        ((None,), TypeError, "got None"),
    ],
)
def test_bad_arguments(arguments: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        image_filter.box_blur(*arguments)


def test_bad_histograms() -> None:
    image = np.zeros((2, 2), np.float32)
    for bins in (0, -1, 2**30):
        with pytest.raises(ValueError, match="argument bins: expected 1 to 1048576"):
            image_filter.histogram(image, bins)
    for low, high in ((1.0, 1.0), (2.0, 1.0), (float("nan"), 1.0), (0.0, float("inf"))):
        with pytest.raises(ValueError, match="expected low < high"):
            image_filter.histogram(image, 2, low, high)


def test_the_code_of_the_readme(capsys: pytest.CaptureFixture[str]) -> None:
    text = (HERE / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"\)  # (.+)$", code, re.MULTILINE)


def test_the_script_draws_a_picture(tmp_path: Path) -> None:
    output = tmp_path / "a picture.png"
    command = [sys.executable, str(HERE / "run.py"), "--output", str(output)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "NumPy: 512 x 512 pixels, all as SciPy's"
    assert ("PyTorch: 512 x 512 pixels, all as SciPy's" in lines) == ("torch" in LIBRARIES)
    assert [line.split()[0] for line in lines[-4:-1]] == ["box_blur", "sobel", "histogram"]
    picture = matplotlib.image.imread(output)
    assert picture.shape == (340, 1200, 4)
    assert len(np.unique(picture[..., 0])) > 100  # it shows something
