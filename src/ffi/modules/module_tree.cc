// SPDX-License-Identifier: Apache-2.0
// Writes and reads a module with its imports; see module_tree.h.
#include "modules/module_tree.h"
#include "modules/foreign_module.h"

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

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

void CheckList(bool good) {
  if (!good) {
    TAIN_THROW(ValueError) << "load_module: the list of imports of the modules is damaged";
  }
}

/// The text of a tree of modules.
class SavedTree {
 public:
  explicit SavedTree(std::string_view bytes) {
    Reader whole(bytes);
    Reader reader(whole.Text());
    begins_ = reader.Numbers();
    children_ = reader.Numbers();
    CheckList(begins_.size() >= 2 && begins_.front() == 0 && begins_.back() == children_.size());
    for (size_t i = 0; i < size(); ++i) {
      CheckList(begins_[i] <= begins_[i + 1]);
      const std::string_view kind = reader.Text();
      saved_.push_back({kind, kind == kLibrary ? std::string_view() : reader.Text()});
    }
    for (const uint64_t child : children_) CheckList(child < size());
  }

  size_t size() const noexcept { return begins_.size() - 1; }
  std::string_view kind(size_t i) const { return saved_[i].kind; }
  std::string_view bytes(size_t i) const { return saved_[i].bytes; }
  std::span<const uint64_t> imports(size_t i) const {
    return std::span(children_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
  }
  /// Whether a module is what the tree says of modules()[i], with all that it imports.
  bool Describes(ModuleObj& module, size_t i) const {
    std::vector<std::pair<Ref<ModuleObj>, size_t>> rest{{Ref<ModuleObj>(GetObjectPtr(&module)), i}};
    std::set<std::pair<const ModuleObj*, size_t>> seen;
    while (!rest.empty()) {
      const auto [one, at] = rest.back();
      rest.pop_back();
      if (!seen.emplace(one.get(), at).second) continue;
      if (std::string_view(one->kind()) != kind(at)) return false;
      const Array<Ref<ModuleObj>> imports_now = one->imports();
      const std::span<const uint64_t> wanted = imports(at);
      if (imports_now.size() != wanted.size()) return false;
      if ((one->get_property_mask() & ModuleObj::kBinarySerializable) == 0) return false;
      if (std::string_view(one->save_to_bytes()) != bytes(at)) return false;
      for (size_t k = 0; k < wanted.size(); ++k) rest.emplace_back(imports_now[k], wanted[k]);
    }
    return true;
  }

 private:
  struct Saved {
    std::string_view kind, bytes;
  };
  std::vector<uint64_t> begins_, children_;
  std::vector<Saved> saved_;
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
  const auto [known, is_new] = indices_.emplace(IdentityOf(module), modules_.size());
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
  const SavedTree tree{std::string_view(bytes)};
  struct Made {
    Module module;
    bool is_whole = false;  ///< it has its imports already
  };
  std::vector<Made> made(tree.size());
  std::vector<size_t> wanted{0};
  while (!wanted.empty()) {
    const size_t i = wanted.back();
    wanted.pop_back();
    if (made[i].module.defined()) continue;
    const tain::Bytes own(tree.bytes(i).data(), tree.bytes(i).size());
    if (tree.kind(i) == kLibrary) {
      if (!library.defined()) {
        TAIN_THROW(ValueError) << "load_module: the bytes refer to a library that they are not in";
      }
      made[i].module = library;
    } else if (tree.kind(i) == "library") {
      // Two modules of one library may have other imports, which its code would mix up.
      made[i].module = LibraryForTree(own, [&](ModuleObj& alive) {
        made[i].is_whole = tree.Describes(alive, i);
        return made[i].is_whole;
      });
    } else {
      made[i].module = Module::LoadFromBytes(tree.kind(i), own);
    }
    if (made[i].is_whole) continue;
    const std::span<const uint64_t> imports = tree.imports(i);
    wanted.insert(wanted.end(), imports.rbegin(), imports.rend());
  }
  for (size_t i = 0; i < tree.size(); ++i) {
    if (!made[i].module.defined() || made[i].is_whole) continue;
    for (const uint64_t child : tree.imports(i)) {
      made[i].module->import_module(made[child].module);
    }
  }
  return made[0].module;
}

}  // namespace tain::internal
