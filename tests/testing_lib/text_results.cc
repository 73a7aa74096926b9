// SPDX-License-Identifier: Apache-2.0
// Functions that return text, as each C++ type and written by hand against the C functions, and text
// of any bytes in containers.
#include <string>
#include <string_view>

#include "tain/container/dict.h"
#include "tain/container/list.h"
#include "tain/reflection/global_def.h"

namespace {

using tain::arg;
using tain::Function;
using tain::String;

/// Ways in which a function written by hand may fill its result.
enum By { kNothing, kOnlyNumber, kShort, kObject, kTakenAndFails };

int ByHand(void*, const TainAny* args, int32_t, TainAny* result) noexcept {
  const auto take = reinterpret_cast<TainTakeText>(result->v_ptr);
  const bool offered = result->zero_padding == kTainTextOffer;
  switch (args[0].v_int64) {
    case kNothing: return 0;
    case kOnlyNumber:  // and not the padding
      result->type_index = kTainInt;
      result->v_int64 = 7;
      return 0;
    case kShort:
    case kObject: {
      const TainByteArray text{"some longer text", args[0].v_int64 == kShort ? size_t{4} : 16};
      return TainStringFromByteArray(&text, result);
    }
    default: break;
  }
  if (offered) {
    result->v_ptr = take("taken", 5);
    result->type_index = kTainTakenText;
  }
  TainErrorSetRaisedFromCStr("ValueError", "failed after it was taken");
  return -1;
}

Function MakeByHand() {
  TainObject* made = nullptr;
  if (TainFunctionCreate(nullptr, &ByHand, nullptr, &made) != 0) {
    throw tain::Error::MoveFromRaised();
  }
  TainFunctionSetReleasesGil(made, 0);  // an offer is made under the GIL only
  TainArgInfo by{};
  by.name = tain::internal::Bytes("by");
  by.type = tain::internal::Bytes("int");
  TainFunctionInfo info{};
  info.name = tain::internal::Bytes("testing.text_by_hand");
  info.return_type = tain::internal::Bytes("str");
  info.args = &by;
  info.num_args = 1;
  TainFunctionSetInfo(made, &info);
  TainAny owned{};
  owned.type_index = kTainFunction;
  owned.v_obj = made;
  return tain::Any::Steal(owned).cast<Function>();
}

}  // namespace

TAIN_REGISTER {
  tain::reflection::GlobalDef()
      .def(
          "testing.text_string", [](std::string x) { return x; }, arg("x"), tain::thread_safe())
      .def(
          "testing.text_view", [](std::string_view x) { return x; }, arg("x"), tain::thread_safe())
      .def(
          "testing.text_c_string", [](const char* x) { return x; }, arg("x"), tain::thread_safe())
      .def(
          "testing.text_object", [](String x) { return x; }, arg("x"), tain::thread_safe())
      .def(
          "testing.text_released", [](std::string x) { return x; }, arg("x"), tain::release_gil())
      .def(
          "testing.text_nullary", [] { return std::string("made without arguments"); },
          tain::thread_safe())
      .def(
          "testing.text_or_none", [] { return static_cast<const char*>(nullptr); },
          tain::thread_safe())
      .def(
          "testing.text_of_bytes",
          [](tain::Bytes x) { return tain::List<tain::Any>{String(std::string_view(x))}; },
          arg("x"), "A text of any bytes, in a list.")
      .def(
          "testing.entry_of_bytes",
          [](tain::Any key, tain::Bytes x) {
            return tain::Dict<tain::Any, tain::Any>{{1, 2}, {key, String(std::string_view(x))}};
          },
          arg("key"), arg("x"), "A text of any bytes, in the last entry.")
      .def("testing.make_text_by_hand", MakeByHand);
}
