// SPDX-License-Identifier: Apache-2.0
// Names for the objects of a printed program: each has one, and no two share one.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include <tain/tain.h>

namespace tensorexpr {

class Names {
 public:
  /// Keeps words of the printed language from being names.
  explicit Names(std::unordered_set<std::string> reserved) : used_(std::move(reserved)) {}

  /// Returns the name of an object; the first call chooses one that resembles the hint.
  const std::string& Of(const tain::Object* object, const std::string& hint) {
    std::string& name = names_[object];
    if (name.empty()) name = Unused(hint);
    return name;
  }
  bool Has(const tain::Object* object) const { return names_.count(object) != 0; }
  /// Gives an object a text in place of a name.
  void Set(const tain::Object* object, std::string text) { names_[object] = std::move(text); }
  /// Returns a name that nothing has.
  std::string Unused(const std::string& hint) {
    std::string base;
    for (const char c : hint) base += (std::isalnum(static_cast<unsigned char>(c)) != 0) ? c : '_';
    if (base.empty() || std::isdigit(static_cast<unsigned char>(base[0])) != 0) base = "v" + base;
    std::string name = base;
    for (int k = 1; !used_.insert(name).second; ++k) name = base + "_" + std::to_string(k);
    return name;
  }

 private:
  std::unordered_map<const tain::Object*, std::string> names_;
  std::unordered_set<std::string> used_;
};

/// Returns the shortest text of a float that is read as the same number: "0", "0.5", "1e+30".
std::string FloatText(double value, int bits);
/// Returns a text in double quotes, with escapes.
std::string Quoted(std::string_view text);

}  // namespace tensorexpr
