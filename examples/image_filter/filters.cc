// SPDX-License-Identifier: Apache-2.0
// Filters of grey images: matrices of float32, with any strides. Beyond the border of an image its
// nearest pixel counts (mode="nearest" of scipy.ndimage).
#include <tain/tain.h>
#include <tain/tensor.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using tain::Tensor;
using Image = tain::TensorRef<const float, 2>;
using Result = tain::TensorRef<float, 2, tain::RowMajor>;

Tensor NewImage(const Image& like) {
  return Tensor::Empty({like.size(0), like.size(1)}, tain::DTypeOf<float>::value);
}

/// Adds a row of an image to the sums of its columns.
void AddRow(const Image& image, int64_t row, double factor, std::vector<double>* sums) {
  const float* pixel =
      image.data() + std::clamp<int64_t>(row, 0, image.size(0) - 1) * image->strides[0];
  const int64_t step = image->strides[1];
  if (step == 1) {  // the compiler vectorizes this loop
    for (size_t i = 0; i < sums->size(); ++i) (*sums)[i] += factor * pixel[i];
  } else {
    for (size_t i = 0; i < sums->size(); ++i, pixel += step) (*sums)[i] += factor * *pixel;
  }
}

/// The mean of the square around each pixel. Running sums make the time independent of the radius.
Tensor BoxBlur(Image image, int64_t radius) {
  constexpr int64_t kMaxRadius = 1'000'000;
  if (radius < 0 || radius > kMaxRadius) {
    TAIN_THROW(ValueError) << "box_blur: argument radius: expected 0 to " << kMaxRadius << ", got "
                           << radius;
  }
  Tensor made = NewImage(image);
  const Result out(made);
  const int64_t height = image.size(0), width = image.size(1);
  if (height == 0 || width == 0) return made;
  const double side = 2.0 * static_cast<double>(radius) + 1;
  std::vector<double> columns(static_cast<size_t>(width), 0.0);
  const auto column = [&](int64_t x) {
    return columns[static_cast<size_t>(std::clamp<int64_t>(x, 0, width - 1))];
  };
  for (int64_t y = -radius; y < radius; ++y) AddRow(image, y, 1, &columns);
  for (int64_t y = 0; y < height; ++y) {
    AddRow(image, y + radius, 1, &columns);
    double sum = 0;
    for (int64_t x = -radius; x < radius; ++x) sum += column(x);
    for (int64_t x = 0; x < width; ++x) {
      sum += column(x + radius);
      out(y, x) = static_cast<float>(sum / (side * side));
      sum -= column(x - radius);
    }
    AddRow(image, y - radius, -1, &columns);
  }
  return made;
}

/// A row of an image with one more pixel on either side.
void ReadRow(const Image& image, int64_t row, std::vector<float>* pixels) {
  const int64_t y = std::clamp<int64_t>(row, 0, image.size(0) - 1), width = image.size(1);
  for (int64_t x = 0; x < width; ++x) (*pixels)[static_cast<size_t>(x) + 1] = image(y, x);
  pixels->front() = (*pixels)[1];
  pixels->back() = (*pixels)[static_cast<size_t>(width)];
}

/// The length of the gradient, by the two kernels of Sobel.
Tensor Sobel(Image image) {
  Tensor made = NewImage(image);
  const Result out(made);
  const int64_t height = image.size(0), width = image.size(1);
  if (height == 0 || width == 0) return made;
  std::vector<float> above(static_cast<size_t>(width) + 2), here = above, below = above;
  ReadRow(image, -1, &above);
  ReadRow(image, 0, &here);
  for (int64_t y = 0; y < height; ++y) {
    ReadRow(image, y + 1, &below);
    const float *a = above.data(), *h = here.data(), *b = below.data();
    float* to = &out(y, 0);
    for (int64_t x = 0; x < width; ++x) {
      const float right = a[x + 2] + 2 * h[x + 2] + b[x + 2], left = a[x] + 2 * h[x] + b[x];
      const float lower = b[x] + 2 * b[x + 1] + b[x + 2], upper = a[x] + 2 * a[x + 1] + a[x + 2];
      to[x] = std::sqrt((right - left) * (right - left) + (lower - upper) * (lower - upper));
    }
    above.swap(here);
    here.swap(below);
  }
  return made;
}

/// Equal parts of low..high.
struct Parts {
  double low, high, width;
  int32_t count;

  /// The part of a value; `count` for one that lies outside or is no number.
  int32_t Of(double value) const {
    const bool inside = value >= low && value <= high;
    const double safe = inside ? value : low;
    int32_t part = std::min(static_cast<int32_t>((safe - low) * (1 / width)), count - 1);
    part -= safe < low + part * width ? 1 : 0;  // the product was rounded
    part += part < count - 1 && safe >= low + (part + 1) * width ? 1 : 0;
    return inside ? part : count;
  }
};

/// Counts the pixels in `bins` equal parts of low..high; `high` belongs to the last part. Pixels
/// that lie outside, and those that are no numbers, are not counted.
Tensor Histogram(Image image, int64_t bins, double low, double high) {
  constexpr int64_t kMaxBins = 1 << 20;
  if (bins < 1 || bins > kMaxBins) {
    TAIN_THROW(ValueError) << "histogram: argument bins: expected 1 to " << kMaxBins << ", got "
                           << bins;
  }
  if (!(low < high) || !std::isfinite(high - low)) {
    TAIN_THROW(ValueError) << "histogram: expected low < high, got " << low << " and " << high;
  }
  Tensor made = Tensor::Empty({bins}, tain::DTypeOf<int64_t>::value);
  const tain::TensorRef<int64_t, 1, tain::RowMajor> counts(made);
  std::fill(counts.elements().begin(), counts.elements().end(), 0);
  // Neighbours often have the same value: four tables, so that no addition waits for the last one.
  constexpr size_t kTables = 4;
  const auto num_bins = static_cast<size_t>(bins), columns = static_cast<size_t>(image.size(1));
  std::vector<int64_t> tables(kTables * (num_bins + 1));
  std::vector<float> row(columns + 2);
  std::vector<int32_t> places(columns);
  const Parts parts{low, high, (high - low) / static_cast<double>(bins),
                    static_cast<int32_t>(bins)};
  for (int64_t y = 0; y < image.size(0) && columns > 0; ++y) {
    ReadRow(image, y, &row);
    for (size_t x = 0; x < columns; ++x) places[x] = parts.Of(row[x + 1]);
    for (size_t x = 0; x < columns; ++x) {
      ++tables[(x % kTables) * (num_bins + 1) + static_cast<size_t>(places[x])];
    }
  }
  for (size_t i = 0; i < kTables * (num_bins + 1); ++i) {
    if (i % (num_bins + 1) < num_bins) counts(i % (num_bins + 1)) += tables[i];
  }
  return made;
}

}  // namespace

// The filters only read the image, as functions of NumPy that run at the same time do.
using tain::arg, tain::thread_safe;
TAIN_EXPORT(box_blur, BoxBlur, arg("image"), arg("radius") = 3,
            "The mean of the square of 2 * radius + 1 pixels around each pixel.", thread_safe());
TAIN_EXPORT(sobel, Sobel, arg("image"), "The length of the gradient of each pixel.", thread_safe());
TAIN_EXPORT(histogram, Histogram, arg("image"), arg("bins") = 256, arg("low") = 0.0,
            arg("high") = 1.0, "How many pixels lie in each of equal parts of low..high.",
            thread_safe());
