// SPDX-License-Identifier: Apache-2.0
// Asks the host for the forms of its values; see host_value.h.
#include "tain/internal/host_value.h"

#include "base/unlocked_call.h"
#include "tain/container/array.h"
#include "tain/custom_traits.h"

namespace tain {
namespace internal {

bool AskHost(TainObject* object, TainHostForm form, const TainAny& question, Any* out) {
  const auto convert = HostFunction<&TainHost::convert_opaque>();
  if (convert == nullptr) return false;
  const auto held = RefAccess::Share<Object>(object);  // the host runs code that may drop it
  TainAny value = question;
  int handled = 0;
  ThrowIfFailed(convert(RefAccess::Header(held), form, &value, &handled));
  if (handled != 0) *out = Any::Steal(value);
  return handled != 0;
}

bool MakeByHost(const TainAny& parts, TainHostForm form, Any* out) {
  const auto make = HostFunction<&TainHost::make_opaque>();
  if (make == nullptr) return false;
  TainAny made{};
  int handled = 0;
  ThrowIfFailed(make(&parts, form, &made, &handled));
  if (handled != 0) *out = Any::Steal(made);
  return handled != 0;
}

bool FromHostValue(const TainAny& a, TainHostForm form, Any* out) {
  return AskHost(a.v_obj, form, {}, out);
}

bool MakeHostObject(const TainAny& a, Any* out) { return MakeByHost(a, kTainHostObject, out); }

bool HostMemberOf(const TainAny& a, HostMember* out) noexcept {
  const auto convert = HostFunction<&TainHost::convert_opaque>();
  if (a.type_index != kTainOpaquePyObject || convert == nullptr) return false;
  const auto held = RefAccess::Share<Object>(a.v_obj);
  const auto ask = [&](TainHostForm form, TainAny* value) noexcept {  // neither form can fail
    int handled = 0;
    *value = TainAny{};
    return convert(a.v_obj, form, value, &handled) == 0 && handled != 0;
  };
  TainAny info;
  if (!ask(kTainHostEnum, &info) || !ask(kTainHostMember, &out->value)) return false;
  out->info = static_cast<const TainEnumInfo*>(info.v_ptr);
  return true;
}

}  // namespace internal

std::optional<std::pair<double, double>> ComplexParts(const AnyView& value) {
  Any parts;
  if (internal::FromHost(value.data(), kTainHostComplex, &parts)) {
    const auto both = parts.cast<Array<double>>();
    return std::pair(both[0], both[1]);
  }
  if (const auto real = value.try_cast<double>()) return std::pair(*real, 0.0);
  if (TainGetHost() == nullptr) {  // what MakeComplex makes then
    const auto made = value.as<Array<double>>();
    if (made && made->size() == 2) return std::pair((*made)[0], (*made)[1]);
  }
  return std::nullopt;
}

Any MakeComplex(double real, double imaginary) {
  Any parts = Array<double>{real, imaginary};
  Any made;
  return internal::MakeByHost(parts.data(), kTainHostComplex, &made) ? made : parts;
}

}  // namespace tain
