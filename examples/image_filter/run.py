# SPDX-License-Identifier: Apache-2.0
"""Filters a photograph in C++, checks the results with SciPy, and draws them.

The image is one that comes with scikit-image. The filters get NumPy arrays, and PyTorch's tensors
if PyTorch is installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.image
import numpy as np
from scipy import ndimage

sys.path.insert(0, str(Path(__file__).resolve().parent))

import image_filter

RADIUS = 7


def photograph(path: Path | None = None) -> np.ndarray:
    """Return a PNG file as a grey image of float32 in 0..1."""
    if path is None:
        import skimage

        path = Path(skimage.__file__).parent / "data" / "astronaut.png"
    pixels = matplotlib.image.imread(path).astype(np.float32)
    return pixels if pixels.ndim == 2 else pixels[..., :3].mean(axis=2, dtype=np.float32)


def by_scipy(image: np.ndarray) -> dict[str, Callable[[], np.ndarray]]:
    """Return SciPy's way to do each filter."""

    def sobel() -> np.ndarray:
        across = ndimage.sobel(image, axis=1, mode="nearest")
        return np.hypot(across, ndimage.sobel(image, axis=0, mode="nearest"))

    return {
        "box_blur": lambda: ndimage.uniform_filter(image, 2 * RADIUS + 1, mode="nearest"),
        "sobel": sobel,
        "histogram": lambda: ndimage.histogram(image, 0.0, 1.0, 256),
    }


def by_tain(image: Any) -> dict[str, Callable[[], Any]]:
    """Return the filters of filters.cc for an array of any library."""
    return {
        "box_blur": lambda: image_filter.box_blur(image, RADIUS),
        "sobel": lambda: image_filter.sobel(image),
        "histogram": lambda: image_filter.histogram(image),
    }


def check(image: Any, expected: dict[str, Callable[[], np.ndarray]]) -> None:
    """Compare the results with SciPy's: counts exactly, pixels to 1e-5."""
    for name, run in by_tain(image).items():
        found = np.asarray(run())
        tolerance = 0 if name == "histogram" else 1e-5
        np.testing.assert_allclose(found, expected[name](), rtol=0, atol=tolerance, err_msg=name)


def milliseconds(run: Callable[[], Any], former: Callable[[], Any]) -> tuple[float, float]:
    """Return the medians of two functions, which take turns."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(15):
        for function, taken in zip((run, former), times, strict=True):
            start = time.perf_counter()
            function()
            taken.append(1000 * (time.perf_counter() - start))
    return statistics.median(times[0]), statistics.median(times[1])


def draw(image: np.ndarray, output: Path) -> None:
    """Write a picture of the image and of what the filters make of it."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 3.4), layout="constrained")
    results = {name: np.asarray(run()) for name, run in by_tain(image).items()}
    places = figure.subplots(1, 4)
    for place, (title, pixels) in zip(
        places, [("image", image), *list(results.items())[:2]], strict=False
    ):
        place.imshow(pixels, cmap="gray")
        place.set_title(title)
        place.axis("off")
    places[3].bar(np.arange(256) / 255, results["histogram"], width=1 / 255)
    places[3].set_title("histogram")
    figure.savefig(output)


def main() -> None:
    """Run everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--image", type=Path, help="another PNG file")
    parser.add_argument("--output", type=Path, default=Path("image_filter.png"))
    options = parser.parse_args()
    image = photograph(options.image)
    expected = by_scipy(image)
    given = {"NumPy": image}
    if importlib.util.find_spec("torch") is not None:
        import torch

        given["PyTorch"] = torch.from_numpy(image)
    for library, array in given.items():
        check(array, expected)
        print(f"{library}: {image.shape[0]} x {image.shape[1]} pixels, all as SciPy's")
    print(f"{'':10}{'tain':>9}{'SciPy':>9}   ms")
    for name, run in by_tain(image).items():
        ours, theirs = milliseconds(run, expected[name])
        print(f"{name:10}{ours:9.2f}{theirs:9.2f}   {theirs / ours:.1f} times as fast")
    draw(image, options.output)
    print(f"written: {options.output}")


if __name__ == "__main__":
    main()
