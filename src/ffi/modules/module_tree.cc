// SPDX-License-Identifier: Apache-2.0
// Writes and reads a module with its imports; see module_tree.h.
#include "modules/module_tree.h"

#include <string>
#include <string_view>

namespace tain::internal {
namespace {

constexpr size_t kWord = 8;
constexpr const char* kLibrary = "_lib";

void PutNumber(uint64_t number, std::string& to) {
  for (size_t i = 0; i < kWord; ++i) to += static_cast<char>((number >> (8 * i)) & 0xff);
}
void PutText(std::string_view text, std::string& to) {
  PutNumber(text.size(), to);
  to += text;
}
void PutNumbers(const std::vector<uint64_t>& numbers, std::string& to) {
  PutNumber(numbers.size(), to);
  for (const uint64_t number : numbers) PutNumber(number, to);
}

/// Reads from bytes, of which none may be missing.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  uint64_t Number() { return ReadNumber(Take(kWord).data()); }
  std::string_view Text() { return Take(Number()); }
  std::vector<uint64_t> Numbers() {
    const uint64_t count = Number();
    if (count > rest_.size() / kWord) ThrowShort();
    std::vector<uint64_t> numbers(count);
    for (uint64_t& number : numbers) number = Number();
    return numbers;
  }
  std::string_view Take(uint64_t size) {
    if (size > rest_.size()) ThrowShort();
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  bool empty() const noexcept { return rest_.empty(); }

 private:
  [[noreturn]] static void ThrowShort() {
    TAIN_THROW(ValueError) << "load_module: the bytes of the modules are cut short";
  }
  std::string_view rest_;
};

}  // namespace

uint64_t ReadNumber(const char* bytes) noexcept {
  uint64_t number = 0;
  for (size_t i = 0; i < kWord; ++i) {
    number |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return number;
}

ModuleObj* ImportWalk::Next() {
  if (next_ > 0) {
    const Array<Ref<ModuleObj>> imports = modules_[next_ - 1]->imports();
    for (const Ref<ModuleObj>& import : imports) children_.push_back(Add(import.get()));
    begins_.push_back(children_.size());
  }
  return next_ == modules_.size() ? nullptr : modules_[next_++].get();
}

uint64_t ImportWalk::Add(ModuleObj* module) {
  const auto [known, is_new] = indices_.emplace(module, modules_.size());
  if (is_new) modules_.push_back(Ref<ModuleObj>(GetObjectPtr(module)));
  return known->second;
}

tain::Bytes SaveTree(const Module& module) {
  if (!module.defined()) TAIN_THROW(ValueError) << "expected a module, got None";
  ImportWalk walk(module.get());
  // The methods that are called below may change imports, so the lists are made before.
  while (walk.Next() != nullptr) {
  }
  std::string saved;
  for (const Ref<ModuleObj>& one : walk.modules()) {
    const tain::String kind = one->kind();
    if (kind == kLibrary) {
      TAIN_THROW(ValueError) << "a module of the kind \"" << kLibrary
                             << "\" cannot be saved: that kind stands for the library in which "
                                "modules are saved";
    }
    PutText(kind, saved);
    PutText(one->save_to_bytes(), saved);
  }
  std::string body, whole;
  PutNumbers(walk.begins(), body);
  PutNumbers(walk.children(), body);
  body += saved;
  PutNumber(body.size(), whole);
  whole += body;
  return tain::Bytes(whole.data(), whole.size());
}

Module LoadTree(const tain::Bytes& bytes, const Module& library) {
  Reader whole{std::string_view(bytes)};
  Reader reader(whole.Text());
  const std::vector<uint64_t> begins = reader.Numbers();
  const std::vector<uint64_t> children = reader.Numbers();
  const auto check = [](bool good) {
    if (!good) {
      TAIN_THROW(ValueError) << "load_module: the list of imports of the modules is damaged";
    }
  };
  check(begins.size() >= 2 && begins.front() == 0 && begins.back() == children.size());
  std::vector<Module> modules;
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    check(begins[i] <= begins[i + 1]);
    const std::string kind(reader.Text());
    if (kind == kLibrary) {
      if (!library.defined()) {
        TAIN_THROW(ValueError) << "load_module: the bytes refer to a library that they are not in";
      }
      modules.push_back(library);
    } else {
      const std::string_view own = reader.Text();
      modules.push_back(Module::LoadFromBytes(kind, tain::Bytes(own.data(), own.size())));
    }
  }
  for (size_t i = 0; i < modules.size(); ++i) {
    for (uint64_t at = begins[i]; at < begins[i + 1]; ++at) {
      check(children[at] < modules.size());
      modules[i]->import_module(modules[children[at]]);
    }
  }
  return modules[0];
}

}  // namespace tain::internal
