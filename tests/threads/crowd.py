# SPDX-License-Identifier: Apache-2.0
"""A library of very many types, enums and exceptions, none of which has been used yet.

It is compiled once. Other builds of it are copies in which the number of the build is another.
"""

from __future__ import annotations

from pathlib import Path

import tain

__all__ = ["NUM_PARTS", "NUM_TYPES", "copy_of", "library"]

NUM_TYPES = 1000  # crowd.tree.T0 and so on; the parent of number i is number (i - 1) // 2
NUM_PARTS = 32  # with a class of their own, so that C++ makes objects

_MARK = b"build 000000"
_SOURCE = r"""
#include <string>
#include <utility>

namespace {
namespace refl = tain::reflection;

volatile const char kBuild[] = "build 000000";
int64_t Build() {
  int64_t number = 0;
  for (int i = 6; i < 12; ++i) number = 10 * number + (kBuild[i] - '0');
  return number;
}

struct ThingObj : tain::Object {
  int64_t x = 1;
  TAIN_OBJECT("crowd.Thing", ThingObj, tain::Object);
};

/// Describes a key that has no class of its own as if it were ThingObj.
class Definition : private tain::internal::TypeBuilder {
 public:
  Definition(int32_t index, const char* key) : TypeBuilder(tain::internal::ThisUnit(), index, key) {
    Open(tain::internal::kTypeDef<ThingObj>, 0, {});
    AddField("x", tain::internal::kFieldShape<int64_t>, sizeof(tain::Object), kTainFieldWritable,
             nullptr);
    using Sig = tain::internal::Signature<void>;
    AddInit(&tain::internal::ConstructInPlace<ThingObj>, tain::internal::kShape<Sig>, nullptr);
  }
};

int32_t RequestIndex(const std::string& key, int32_t parent, int32_t depth) {
  TainTypeRequest request{};
  request.key = {key.data(), key.size()};
  request.static_index = -1;
  request.parent = parent;
  request.depth = depth;
  request.child_slots_can_overflow = 1;
  request.size = sizeof(ThingObj);
  request.alignment = alignof(ThingObj);
  request.unit = tain::internal::ThisUnit();
  return TainTypeRequestIndex(&request);
}

void DefineTree(const std::string& space) {
  std::vector<std::pair<int32_t, int32_t>> made;  // index and depth
  for (size_t i = 0; i < @TYPES@; ++i) {
    const std::string key = space + ".T" + std::to_string(i);
    const int32_t parent = i == 0 ? kTainObject : made[(i - 1) / 2].first;
    const int32_t depth = i == 0 ? 1 : made[(i - 1) / 2].second + 1;
    made.emplace_back(RequestIndex(key, parent, depth), depth);
    Definition(made.back().first, key.c_str());
  }
}

/// A key with a number of two digits at its end.
struct Key {
  char text[16] = {};
  constexpr Key(const char* name, size_t number) {
    size_t at = 0;
    for (; name[at] != 0; ++at) text[at] = name[at];
    text[at++] = static_cast<char>('0' + number / 10);
    text[at] = static_cast<char>('0' + number % 10);
  }
};
template <size_t I>
constexpr Key kBaseKey{"crowd.Base", I};
template <size_t I>
constexpr Key kPartKey{"crowd.Part", I};

template <size_t I>
struct BaseObj : tain::Object {
  int64_t build = Build();
  static constexpr int32_t _type_child_slots = 1;
  TAIN_OBJECT(kBaseKey<I>.text, BaseObj, tain::Object);
};
template <size_t I>
struct PartObj : BaseObj<I> {
  int64_t number = I;
  TAIN_OBJECT(kPartKey<I>.text, PartObj, BaseObj<I>);
};
template <size_t I>
struct Kinds {
  enum class Kind : int32_t { kOne = 1, kTwo = 2 };
  enum class Bits : uint32_t { kRead = 1, kWrite = 2 };
  struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
    int64_t number = I;
  };
  struct Closer : Failure {
    using Failure::Failure;
  };
};

/// Registers number I of everything that has a class of its own.
template <size_t I>
void Define() {
  using Kind = typename Kinds<I>::Kind;
  using Bits = typename Kinds<I>::Bits;
  using Failure = typename Kinds<I>::Failure;
  using Closer = typename Kinds<I>::Closer;
  refl::ObjectDef<BaseObj<I>>().template def_init<>().def_ro("build", &BaseObj<I>::build);
  refl::ObjectDef<PartObj<I>>().template def_init<>().def_ro("number", &PartObj<I>::number);
  refl::EnumDef<Kind>(Key("crowd.Kind", I).text).value("ONE", Kind::kOne).value("TWO", Kind::kTwo);
  refl::EnumDef<Bits>(Key("crowd.Bits", I).text, "", refl::EnumKind::kFlag)
      .value("READ", Bits::kRead)
      .value("WRITE", Bits::kWrite);
  refl::ErrorDef<Failure>(Key("crowd.Failure", I).text, "ValueError")
      .def_ro("number", &Failure::number);
  refl::ErrorDef<Closer>(Key("crowd.Closer", I).text, Key("crowd.Failure", I).text);
  refl::GlobalDef()
      .def(Key("crowd.part", I).text,
           [] { return tain::Ref<PartObj<I>>(tain::make_object<PartObj<I>>()); })
      .def(Key("crowd.kind", I).text, [](Kind kind) { return kind; })
      .def(Key("crowd.bits", I).text, [](Bits bits) { return bits; })
      .def(Key("crowd.fail", I).text, [] { throw Closer("on purpose"); });
}

template <size_t... I>
void DefineAll(std::index_sequence<I...>) {
  (Define<I>(), ...);
}
}  // namespace

TAIN_REGISTER {
  DefineTree("crowd.tree");
  DefineAll(std::make_index_sequence<@PARTS@>());
  refl::GlobalDef().def("crowd.build", [] { return Build(); });
}
"""


def library() -> Path:
    """Compile the library."""
    source = _SOURCE.replace("@TYPES@", str(NUM_TYPES)).replace("@PARTS@", str(NUM_PARTS))
    return Path(tain.cpp.build_inline("crowd", cpp_sources=source, extra_cflags=["-O0"]))


def copy_of(built: Path, number: int, folder: Path) -> Path:
    """Write the library as if it were another build of it, with a number below a million."""
    made = folder / f"crowd{number}{built.suffix}"
    text = built.read_bytes()
    assert text.count(_MARK) == 1
    made.write_bytes(text.replace(_MARK, b"build %06d" % number))
    return made
