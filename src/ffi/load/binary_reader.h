// SPDX-License-Identifier: Apache-2.0
// Reads what the binary form is made of: numbers, texts, and values without parts; see
// binary_format.h. It has no stack: who calls it knows what may come next.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "json/byte_stream.h"
#include "load/mapped_file.h"
#include "tain/any.h"

namespace tain::internal {

class BinaryReader {
 public:
  /// `mapped` is the file in which the bytes are, or null.
  BinaryReader(ByteSource* source, MappedFile* mapped) : source_(*source), mapped_(mapped) {}

  const ByteSource& source() const noexcept { return source_; }
  bool IsAtEnd() { return !source_.More(); }
  /// Throws ValueError with the position.
  [[noreturn]] void Fail(const std::string& what) const;
  /// Takes the bytes with which the data must begin.
  void TakeMagic();

  uint8_t Byte() {
    if (TAIN_UNLIKELY(!source_.More())) Fail("the data ends too early");
    return static_cast<uint8_t>(*source_.next++);
  }
  uint64_t Number() {
    const uint8_t first = Byte();
    if (TAIN_LIKELY(first < 128)) return first;
    uint64_t value = first & 127;
    for (unsigned shift = 7; shift < 64; shift += 7) {
      const uint8_t byte = Byte();
      if (shift == 63 && byte > 1) break;
      value |= static_cast<uint64_t>(byte & 127) << shift;
      if (byte < 128) return value;
    }
    Fail("a number is beyond 64 bits");
  }
  uint64_t Bits(size_t size) {
    uint64_t value = 0;
    if (TAIN_UNLIKELY(!source_.InOnePiece(size))) Fail("the data ends too early");
    for (size_t i = 0; i < size; ++i) {
      value |= static_cast<uint64_t>(static_cast<unsigned char>(source_.next[i])) << (8 * i);
    }
    source_.next += size;
    return value;
  }
  double Double() {
    const uint64_t bits = Bits(8);
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  /// Takes bytes. The result is valid until more is read.
  std::string_view Take(uint64_t size) {
    if (TAIN_LIKELY(size <= source_.known() || (size < (1U << 15) && source_.InOnePiece(size)))) {
      const std::string_view bytes(source_.next, size);
      source_.next += size;
      return bytes;
    }
    return TakeInParts(size);
  }
  /// Takes a text, or finds it in the table.
  Any Text();
  std::string TextString() { return Text().cast<std::string>(); }
  /// Takes the rest of a value that has no parts and is no text or reference.
  Any Leaf(uint8_t tag);
  /// Takes the member of an enum.
  Any Member();
  Any Tensor();

 private:
  std::string_view TakeInParts(uint64_t size);
  DLDataType DataType();
  Any Device();
  Any Shape();
  Any TensorOf(DLDataType dtype, const std::vector<int64_t>& shape, std::string_view elements);

  ByteSource& source_;
  MappedFile* mapped_;
  std::vector<Any> texts_;
  std::string room_;  ///< of bytes that are not in one piece
};

}  // namespace tain::internal
