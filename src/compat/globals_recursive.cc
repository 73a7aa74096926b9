// SPDX-License-Identifier: Apache-2.0
// The global functions that compare, order and hash objects by their fields, at any depth.
//
// An object is compared by all fields that are not excluded. A type may say how itself: by the type
// attributes __ffi_eq__, __ffi_compare__ and __ffi_hash__, which get a function for the parts.
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "deeper.h"
#include "fields.h"
#include "tain/big_int.h"
#include "tain/reflection/inspect.h"
#include "tain/tain.h"

namespace tain::compat {
namespace {

bool IsText(int32_t index) noexcept { return index == kTainStr || index == kTainSmallStr; }
bool IsBytes(int32_t index) noexcept { return index == kTainBytes || index == kTainSmallBytes; }

template <class T>
int Order(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

// ---------------------------------------------------------------- comparison

class Comparison {
 public:
  explicit Comparison(bool only_equality) noexcept : only_equality_(only_equality) {}

  /// Returns a negative number, 0 or a positive one; if only equality is asked for, 0 or not.
  int Of(const Any& a, const Any& b) {
    const int32_t index = a.type_index();
    const int32_t other = b.type_index();
    if (index == kTainNone || other == kTainNone) {
      return Order(index != kTainNone, other != kTainNone);
    }
    if (IsText(index) && IsText(other)) return Order(a.cast<std::string>(), b.cast<std::string>());
    if (IsBytes(index) && IsBytes(other)) return OfBytes(a.cast<Bytes>(), b.cast<Bytes>());
    if (index == kTainBigInt || other == kTainBigInt) return OfIntegers(a, b);
    if (index != other) return Refused("values", a, b);
    if (index < kTainStaticObjectBegin) return OfPlain(a, b);
    return OfObjects(a, b);
  }

 private:
  using Pair = std::pair<const TainObject*, const TainObject*>;

  int Refused(const char* what, const Any& a, const Any& b) const {
    if (only_equality_) return 1;
    TAIN_THROW(TypeError) << "Cannot compare " << what << " of different types: " << a.GetTypeKey()
                          << " vs " << b.GetTypeKey();
  }

  static int OfBytes(const Bytes& a, const Bytes& b) {
    return Order(std::string_view(a.data(), a.size()), std::string_view(b.data(), b.size()));
  }

  int OfIntegers(const Any& a, const Any& b) const {
    const auto is_integer = [](const Any& one) {
      return one.type_index() == kTainInt || one.type_index() == kTainBigInt;
    };
    if (!is_integer(a) || !is_integer(b)) return Refused("values", a, b);
    const bool equal = TainAnyEqual(&a.data(), &b.data()) != 0;
    if (equal || only_equality_) return equal ? 0 : 1;
    return Order(a.cast<BigInt>(), b.cast<BigInt>());
  }

  int OfPlain(const Any& a, const Any& b) const {
    const TainAny& x = a.data();
    const TainAny& y = b.data();
    switch (a.type_index()) {
      case kTainInt: return Order(x.v_int64, y.v_int64);
      case kTainBool: return Order(x.v_int64 != 0, y.v_int64 != 0);
      case kTainFloat: return OfFloats(x.v_float64, y.v_float64);
      case kTainDataType: {
        const DLDataType p = x.v_dtype;
        const DLDataType q = y.v_dtype;
        return Order(std::tuple(p.code, p.bits, p.lanes), std::tuple(q.code, q.bits, q.lanes));
      }
      case kTainDevice: {
        const DLDevice p = x.v_device;
        const DLDevice q = y.v_device;
        return Order(std::pair(p.device_type, p.device_id), std::pair(q.device_type, q.device_id));
      }
      default: break;
    }
    if (x.v_int64 == y.v_int64) return 0;
    if (only_equality_) return 1;
    TAIN_THROW(TypeError) << "Cannot order values of type " << a.GetTypeKey();
  }

  int OfFloats(double a, double b) const {
    if (!std::isnan(a) && !std::isnan(b)) return Order(a, b);
    if (!only_equality_) TAIN_THROW(TypeError) << "Cannot order NaN values";
    return std::isnan(a) && std::isnan(b) ? 0 : 1;
  }

  int OfObjects(const Any& a, const Any& b) {
    const Pair pair(a.data().v_obj, b.data().v_obj);
    if (pair.first == pair.second) return 0;
    const int32_t index = a.type_index();
    if (index == kTainShape) return OfShapes(a.cast<Shape>(), b.cast<Shape>());
    if (open_.contains(pair)) {
      if (only_equality_) return 0;
      TAIN_THROW(ValueError) << "a cyclic reference cannot be ordered";
    }
    const Deeper deeper(&depth_, "comparison");
    open_.insert(pair);
    struct Closes {
      std::set<Pair>& open;
      Pair pair;
      ~Closes() { open.erase(pair); }
    } closes{open_, pair};
    switch (index) {
      case kTainArray: return OfSequences(a.cast<Array<Any>>(), b.cast<Array<Any>>());
      case kTainList: return OfSequences(a.cast<List<Any>>(), b.cast<List<Any>>());
      case kTainMap: return OfMaps(a.cast<Map<Any, Any>>(), b.cast<Map<Any, Any>>());
      case kTainDict: return OfMaps(a.cast<Dict<Any, Any>>(), b.cast<Dict<Any, Any>>());
      default: break;
    }
    if (index >= kTainStaticObjectEnd) {
      if (const std::optional<int> own = ByAttribute(a, b)) return *own;
    }
    return OfFields(a, b);
  }

  static int OfShapes(const Shape& a, const Shape& b) {
    return Order(std::vector<int64_t>(a.begin(), a.end()),
                 std::vector<int64_t>(b.begin(), b.end()));
  }

  template <class Container>
  int OfSequences(const Container& a, const Container& b) {
    // A copy: the code of a type may change a list that is compared.
    const std::vector<Any> left(a.begin(), a.end());
    const std::vector<Any> right(b.begin(), b.end());
    for (size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
      if (const int found = Of(left[i], right[i]); found != 0) return found;
    }
    return Order(left.size(), right.size());
  }

  template <class Container>
  int OfMaps(const Container& a, const Container& b) {
    const auto differs = [&] {
      if (!only_equality_) TAIN_THROW(TypeError) << "Cannot order Map/Dict values";
      return 1;
    };
    if (a.size() != b.size()) return differs();
    std::vector<std::pair<Any, Any>> values;
    for (const auto& [key, value] : a) {
      const std::optional<Any> found = b.Get(key);
      if (!found.has_value()) return differs();
      values.emplace_back(value, *found);
    }
    for (const auto& [left, right] : values) {
      if (Of(left, right) != 0) return differs();
    }
    return 0;
  }

  std::optional<int> ByAttribute(const Any& a, const Any& b) {
    const auto parts = [this](const Any& x, const Any& y) { return Of(x, y); };
    if (only_equality_) {
      if (const Any own = TypeAttr(a.type_index(), "__ffi_eq__");
          own.type_index() == kTainFunction) {
        const auto equal = [this](const Any& x, const Any& y) { return Of(x, y) == 0; };
        return own.cast<Function>()(a, b, Function::FromTyped(equal)).cast<bool>() ? 0 : 1;
      }
    }
    if (const Any own = TypeAttr(a.type_index(), "__ffi_compare__");
        own.type_index() == kTainFunction) {
      return own.cast<Function>()(a, b, Function::FromTyped(parts)).cast<int>();
    }
    return std::nullopt;
  }

  int OfFields(const Any& a, const Any& b) {
    int found = 0;
    ForEachField(a.type_index(), [&](const TainFieldInfo& field) {
      if (found != 0 || (field.flags & kTainFieldNoCompare) != 0) return;
      found = Of(ValueOf(field, a.data().v_obj), ValueOf(field, b.data().v_obj));
    });
    return found;
  }

  bool only_equality_;
  int depth_ = 0;
  std::set<Pair> open_;
};

// ---------------------------------------------------------------- hash

uint64_t Mixed(uint64_t hash, uint64_t value) noexcept {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 12) + (hash >> 4);
  return hash * 0xbf58476d1ce4e5b9ULL;
}

class Hashing {
 public:
  uint64_t Of(const Any& value) {
    const int32_t index = value.type_index();
    const TainAny& data = value.data();
    switch (index) {
      case kTainNone: return Mixed(0, 0);
      case kTainBool: return Mixed(kTainBool, data.v_int64 != 0 ? 1 : 0);
      case kTainFloat: return OfFloat(data.v_float64);
      case kTainDataType: {
        const DLDataType type = data.v_dtype;
        return Mixed(Mixed(Mixed(kTainDataType, type.code), type.bits), type.lanes);
      }
      case kTainDevice: {
        const DLDevice device = data.v_device;
        return Mixed(Mixed(kTainDevice, device.device_type), device.device_id);
      }
      default: break;
    }
    const bool is_flat = IsText(index) || IsBytes(index) || index == kTainBigInt;
    if (is_flat) return Mixed(IsText(index) ? kTainStr : kTainBytes, TainAnyHash(&data));
    if (index < kTainStaticObjectBegin) return Mixed(index, data.v_int64);
    return OfObject(value);
  }

 private:
  static uint64_t OfFloat(double value) noexcept {
    if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
    if (value == 0) value = 0;  // of either sign
    return Mixed(kTainFloat, std::bit_cast<uint64_t>(value));
  }

  uint64_t OfObject(const Any& value) {
    const TainObject* object = value.data().v_obj;
    if (const auto known = known_.find(object); known != known_.end()) return known->second;
    const uint64_t of_type = TainGetTypeInfo(value.type_index())->type_key_hash;
    if (!open_.insert(object).second) return of_type;  // a cycle
    struct Closes {
      std::unordered_set<const TainObject*>& open;
      const TainObject* object;
      ~Closes() { open.erase(object); }
    } closes{open_, object};
    const Deeper deeper(&depth_, "hash");
    return known_[object] = OfParts(value, of_type);
  }

  uint64_t OfParts(const Any& value, uint64_t of_type) {
    const int32_t index = value.type_index();
    switch (index) {
      case kTainShape: {
        uint64_t hash = of_type;
        for (const int64_t extent : value.cast<Shape>()) hash = Mixed(hash, extent);
        return hash;
      }
      case kTainArray: return OfSequence(value.cast<Array<Any>>(), of_type);
      case kTainList: return OfSequence(value.cast<List<Any>>(), of_type);
      case kTainMap: return OfMap(value.cast<Map<Any, Any>>(), of_type);
      case kTainDict: return OfMap(value.cast<Dict<Any, Any>>(), of_type);
      default: break;
    }
    if (const Any own = TypeAttr(index, "__ffi_hash__"); own.type_index() == kTainFunction) {
      const auto parts = [this](const Any& part) { return static_cast<int64_t>(Of(part)); };
      return own.cast<Function>()(value, Function::FromTyped(parts)).cast<int64_t>();
    }
    if (index >= kTainStaticObjectEnd) CheckHasHash(index);
    uint64_t hash = of_type;
    ForEachField(index, [&](const TainFieldInfo& field) {
      if ((field.flags & (kTainFieldNoHash | kTainFieldNoCompare)) != 0) return;
      hash = Mixed(hash, Of(ValueOf(field, value.data().v_obj)));
    });
    return hash;
  }

  /// Refuses a type that says how it is compared, and not how it is hashed.
  static void CheckHasHash(int32_t index) {
    for (const char* name : {"__ffi_eq__", "__ffi_compare__"}) {
      if (TypeAttr(index, name).type_index() == kTainNone) continue;
      TAIN_THROW(ValueError) << KeyOf(index) << " defines __ffi_eq__ or __ffi_compare__ but not "
                             << "__ffi_hash__: equal objects would have different hashes";
    }
  }

  template <class Container>
  uint64_t OfSequence(const Container& elements, uint64_t hash) {
    const std::vector<Any> copied(elements.begin(), elements.end());
    hash = Mixed(hash, copied.size());
    for (const Any& one : copied) hash = Mixed(hash, Of(one));
    return hash;
  }

  template <class Container>
  uint64_t OfMap(const Container& map, uint64_t hash) {
    std::vector<std::pair<Any, Any>> copied;
    for (const auto& [key, value] : map) copied.emplace_back(key, value);
    std::vector<uint64_t> entries;
    for (const auto& [key, value] : copied) entries.push_back(Mixed(Of(key), Of(value)));
    std::sort(entries.begin(), entries.end());
    hash = Mixed(hash, entries.size());
    for (const uint64_t entry : entries) hash = Mixed(hash, entry);
    return hash;
  }

  int depth_ = 0;
  std::unordered_set<const TainObject*> open_;
  std::unordered_map<const TainObject*, uint64_t> known_;
};

int Ordered(const Any& a, const Any& b) { return Comparison(false).Of(a, b); }

}  // namespace
}  // namespace tain::compat

TAIN_REGISTER {
  using tain::Any;
  using tain::compat::Ordered;
  tain::reflection::GlobalDef()
      .def("ffi.RecursiveEq",
           [](const Any& a, const Any& b) { return tain::compat::Comparison(true).Of(a, b) == 0; })
      .def("ffi.RecursiveLt", [](const Any& a, const Any& b) { return Ordered(a, b) < 0; })
      .def("ffi.RecursiveLe", [](const Any& a, const Any& b) { return Ordered(a, b) <= 0; })
      .def("ffi.RecursiveGt", [](const Any& a, const Any& b) { return Ordered(a, b) > 0; })
      .def("ffi.RecursiveGe", [](const Any& a, const Any& b) { return Ordered(a, b) >= 0; })
      .def("ffi.RecursiveHash", [](const Any& value) {
        return static_cast<int64_t>(tain::compat::Hashing().Of(value));
      });
}
