// SPDX-License-Identifier: Apache-2.0
// Asks the host for the forms of its values; see host_value.h.
#include "tain/internal/host_value.h"

#include "tain/container/array.h"
#include "tain/custom_traits.h"

namespace tain {
namespace internal {

bool FromHostValue(const TainAny& a, TainHostForm form, Any* out) {
  const TainHost* host = TainGetHost();
  if (host == nullptr || host->convert_opaque == nullptr) return false;
  const auto held = RefAccess::Share<Object>(a.v_obj);  // the host runs code that may drop it
  TainAny value{};
  int handled = 0;
  if (host->convert_opaque(RefAccess::Header(held), form, &value, &handled) != 0) {
    throw Error::MoveFromRaised();
  }
  if (handled != 0) *out = Any::Steal(value);
  return handled != 0;
}

bool MakeHostObject(const TainAny& a, Any* out) {
  const TainHost* host = TainGetHost();
  if (host == nullptr || host->make_opaque == nullptr) return false;
  TainAny made{};
  int handled = 0;
  if (host->make_opaque(&a, kTainHostObject, &made, &handled) != 0) {
    throw Error::MoveFromRaised();
  }
  if (handled != 0) *out = Any::Steal(made);
  return handled != 0;
}

bool HostMemberOf(const TainAny& a, HostMember* out) noexcept {
  const TainHost* host = TainGetHost();
  if (a.type_index != kTainOpaquePyObject || host == nullptr || host->convert_opaque == nullptr) {
    return false;
  }
  const auto held = RefAccess::Share<Object>(a.v_obj);
  const auto ask = [&](TainHostForm form, TainAny* value) noexcept {  // neither form can fail
    int handled = 0;
    *value = TainAny{};
    return host->convert_opaque(a.v_obj, form, value, &handled) == 0 && handled != 0;
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
  const TainHost* host = TainGetHost();
  if (host == nullptr || host->make_opaque == nullptr) return parts;
  TainAny made{};
  int handled = 0;
  if (host->make_opaque(&parts.data(), kTainHostComplex, &made, &handled) != 0) {
    throw Error::MoveFromRaised();
  }
  return handled != 0 ? Any::Steal(made) : parts;
}

}  // namespace tain
