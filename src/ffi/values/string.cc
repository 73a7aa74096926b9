// SPDX-License-Identifier: Apache-2.0
// String and Bytes objects, and owned copies of views.
//
// The characters follow the cell in the same block, with a NUL at the end that is not counted.
#include "tain/string.h"

#include <ostream>
#include <utility>

#include "base/guard.h"
#include "memory/live_count.h"
#include "tain/any.h"

namespace tain::internal {
namespace {

constexpr size_t kInline = 7;  // bytes that fit into the value itself
constexpr size_t kMaxTextSize = SIZE_MAX / 2 - 4096;

// A text holds no references and never has a wrapper, so it does not need TainObjectDelete.
void DeleteText(void* self, int flags) {
  auto* object = static_cast<TainObject*>(self);
  if ((flags & kTainDeleteStrong) != 0) CountLive(object->type_index, -1);
  if ((flags & kTainDeleteWeak) != 0) {
    (static_cast<TainObjectPrefix*>(self) - 1)->delete_space(self);
  }
}

struct TextObject {
  TainObject header;
  TainByteArray cell;
};

TainObject* MakeTextObject(std::string_view text, int32_t type_index) {
  if (text.size() > kMaxTextSize) throw std::bad_alloc();
  void* body =
      TainObjectAlloc(sizeof(TextObject) + text.size() + 1, alignof(TextObject), type_index);
  if (TAIN_UNLIKELY(body == nullptr)) throw std::bad_alloc();
  char* characters = static_cast<char*>(body) + sizeof(TextObject);
  std::memcpy(characters, text.data(), text.size());
  characters[text.size()] = '\0';
  auto* object = ::new (body) TextObject{{kBothOne, type_index, kTainHeaderHasPrefix, &DeleteText},
                                         {characters, text.size()}};
  return &object->header;
}

int FromByteArray(const TainByteArray* input, TainAny* out, const char* where, int32_t small,
                  int32_t large) noexcept {
  return Guard([&] {
    const std::string_view text = TextOf(input, where, "bytes");
    MakeText(text, small, large, &NotNull(out, where, "a place for the result"));
  });
}

}  // namespace

std::ostream& WriteText(std::ostream& out, std::string_view text) { return out << text; }

void MakeText(std::string_view text, int32_t small, int32_t large, TainAny* out) {
  TainAny value{};
  if (text.size() <= kInline) {
    value.type_index = small;
    value.small_str_len = static_cast<uint32_t>(text.size());
    if (!text.empty()) std::memcpy(value.v_bytes, text.data(), text.size());
  } else {
    value.v_obj = MakeTextObject(text, large);
    value.type_index = large;
  }
  *out = value;
}

void CopyToOwnedSlow(const TainAny& view, TainAny* out) {
  switch (view.type_index) {
    case kTainRawStr:
      if (view.v_c_str == nullptr) {
        *out = TainAny{};
        return;
      }
      return MakeText(view.v_c_str, kTainSmallStr, kTainStr, out);
    case kTainByteArrayPtr: {
      const auto* bytes = static_cast<const TainByteArray*>(view.v_ptr);
      return MakeText(TextOf(bytes, "value", "bytes"), kTainSmallBytes, kTainBytes, out);
    }
    case kTainRValueRef: {
      // The reference of the caller is moved.
      *out = ViewOfObjectOrNone(std::exchange(*static_cast<TainObject**>(view.v_ptr), nullptr));
      return;
    }
    case kTainDLTensorPtr:
      TAIN_THROW(TypeError)
          << "a view of a tensor cannot be stored, because it is valid only until "
             "the call ends: pass a tain::Tensor";
    default:
      if (view.type_index >= kTainStaticObjectBegin) IncRef(view.v_obj);
      *out = view;
  }
}

}  // namespace tain::internal

extern "C" int TainStringFromByteArray(const TainByteArray* input, TainAny* out) noexcept {
  return tain::internal::FromByteArray(input, out, "TainStringFromByteArray", kTainSmallStr,
                                       kTainStr);
}

extern "C" int TainBytesFromByteArray(const TainByteArray* input, TainAny* out) noexcept {
  return tain::internal::FromByteArray(input, out, "TainBytesFromByteArray", kTainSmallBytes,
                                       kTainBytes);
}

extern "C" int TainAnyViewToOwnedAny(const TainAny* view, TainAny* out) noexcept {
  using namespace tain::internal;
  return Guard([&] {
    const char* where = "TainAnyViewToOwnedAny";
    const TainAny& value = NotNull(view, where, "a value");
    TainAny& result = NotNull(out, where, "a place for the result");
    if (value.type_index >= kTainStaticObjectBegin) NotNull(value.v_obj, where, "an object");
    if (value.type_index == kTainRValueRef)
      NotNull(static_cast<TainObject**>(value.v_ptr), where, "a reference");
    CopyToOwned(value, &result);
  });
}
