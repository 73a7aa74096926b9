// SPDX-License-Identifier: Apache-2.0
// The binary form of graphs: what the bytes mean.
//
// The file begins with kBinaryMagic and is followed by one value. A value is a tag and what belongs
// to it; a node contains the values of its parts, so that only a node that was met before is a
// reference. Nodes (objects, containers, tensors) count from 0 in the order in which they begin.
// Unsigned numbers have 7 bits in each byte, the lowest first, with the highest bit set in all bytes
// but the last; signed ones are folded (0, -1, 1, -2 ...). A type is described where it first occurs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "save/format_version.h"

namespace tain::internal {

inline constexpr std::string_view kBinaryMagic("\x89tain\r\n\x1a\x01", 9);
static_assert(kBinaryMagic.back() == kFormatVersion);

/// The first byte of a value.
enum BinaryTag : uint8_t {
  kTagNone = 0,
  kTagFalse = 1,
  kTagTrue = 2,
  kTagInt = 3,       ///< folded number
  kTagFloat = 4,     ///< 8 bytes, little-endian
  kTagBigInt = 5,    ///< size, bytes in two's complement, little-endian
  kTagText = 6,      ///< text; see kMaxTableText
  kTagBytes = 7,     ///< size, bytes
  kTagDataType = 8,  ///< code, bits, lanes (2 bytes)
  kTagDevice = 9,    ///< kind, number
  kTagShape = 10,    ///< number of extents, folded numbers
  kTagTensor = 11,   ///< code, bits, lanes, dimensions, extents, size, gap, zeros, elements
  kTagArray = 12,    ///< number of elements, values
  kTagList = 13,
  kTagMap = 14,  ///< number of entries, keys and values
  kTagDict = 15,
  kTagNode = 16,       ///< the number of a node
  kTagNewType = 17,    ///< a type, then its object as after kTagObject
  kTagObject = 18,     ///< the number of a type, fields by their WireKind
  kTagData = 19,       ///< the number of a type, the value that its hook returned
  kTagNewData = 20,    ///< a type, a value
  kTagEnum = 21,       ///< key, value
  kTagTypeFirst = 32,  ///< objects of the first kTagTypes types have tags of their own
  kTagSmallInt = 64    ///< integers from 0
};
inline constexpr uint64_t kTagTypes = 32;
inline constexpr int64_t kTagSmallInts = 256 - kTagSmallInt;

/// A text is its place in the table of texts plus 1, or 0, its size and its bytes. A text of 1 to
/// this many bytes that is written in full gets the next place in the table.
inline constexpr size_t kMaxTableText = 64;
/// The elements of tensors begin at multiples of this, counted from the start of the file.
inline constexpr uint64_t kTensorAlignment = 64;

inline uint64_t FoldNumber(int64_t value) noexcept {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}
inline int64_t UnfoldNumber(uint64_t value) noexcept {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

}  // namespace tain::internal
