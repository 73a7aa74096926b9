// SPDX-License-Identifier: Apache-2.0
// The bytes that saving writes and loading reads, in parts or as a whole.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "tain/graph/json.h"
#include "tain/signals.h"

namespace tain::internal {

/// Collects bytes and passes them on in parts, or keeps them all if there is nobody to pass them to.
class ByteSink {
 public:
  explicit ByteSink(const WriteBytes* write) : write_(write) {}

  std::string& buffer() noexcept { return buffer_; }
  /// Whether writing may call the host's code.
  bool calls_out() const noexcept { return write_ != nullptr; }
  /// The number of bytes written so far.
  uint64_t position() const noexcept { return passed_ + buffer_.size(); }
  /// Passes the bytes on if there are many.
  void FlushIfFull() {
    if (TAIN_UNLIKELY(buffer_.size() >= kPart) && write_ != nullptr) Flush();
  }
  void Flush() {
    if (write_ == nullptr || buffer_.empty()) return;
    (*write_)(buffer_);
    passed_ += buffer_.size();
    buffer_.clear();
  }
  /// Writes many bytes without keeping them if possible.
  void Write(std::string_view bytes) {
    while (!bytes.empty()) {
      const size_t part = write_ == nullptr ? bytes.size() : std::min(bytes.size(), kPart);
      buffer_.append(bytes.substr(0, part));
      bytes.remove_prefix(part);
      FlushIfFull();
    }
  }

 private:
  static constexpr size_t kPart = size_t{1} << 18;
  const WriteBytes* write_;
  std::string buffer_;
  uint64_t passed_ = 0;
};

/// Bytes in memory, or the parts that a function returns. `next` and `end` are the known bytes.
class ByteSource {
 public:
  explicit ByteSource(std::string_view all) noexcept
      : next(all.data()), end(all.data() + all.size()), start_(all.data()) {}
  explicit ByteSource(const ReadBytes* read) : read_(read), buffer_(kPart, '\0') {
    next = end = start_ = buffer_.data();
  }

  /// Whether there is a byte at `next`; asks for more if none is known.
  bool More() { return TAIN_LIKELY(next != end) || Refill(); }
  size_t known() const noexcept { return static_cast<size_t>(end - next); }
  /// Whether `size` more bytes are in one piece; moves and reads what is missing, up to a part.
  bool InOnePiece(size_t size) {
    if (TAIN_LIKELY(known() >= size)) return true;
    if (read_ == nullptr || size > kPart) return false;
    const size_t rest = known();
    passed_ += static_cast<uint64_t>(next - start_);
    std::memmove(buffer_.data(), next, rest);
    next = start_ = buffer_.data();
    end = next + rest;
    while (known() < size && Append()) {
    }
    return known() >= size;
  }
  /// The number of bytes before `next`.
  uint64_t position() const noexcept { return passed_ + static_cast<uint64_t>(next - start_); }
  /// Whether all bytes are in memory, so that `known()` is what remains.
  bool is_whole() const noexcept { return read_ == nullptr; }

  const char* next;
  const char* end;

 private:
  bool Append() {
    check_signals();  // a device may go on for ever
    const auto used = static_cast<size_t>(end - buffer_.data());
    const size_t got = (*read_)(buffer_.data() + used, buffer_.size() - used);
    if (got > buffer_.size() - used) TAIN_THROW(ValueError) << "a reader returned too many bytes";
    end += got;
    return got != 0;
  }
  bool Refill() {
    if (read_ == nullptr) return false;
    passed_ += static_cast<uint64_t>(next - start_);
    next = end = start_ = buffer_.data();
    return Append();
  }

  static constexpr size_t kPart = size_t{1} << 16;
  const ReadBytes* read_ = nullptr;
  std::string buffer_;
  const char* start_;
  uint64_t passed_ = 0;
};

}  // namespace tain::internal
