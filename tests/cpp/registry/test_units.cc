// SPDX-License-Identifier: Apache-2.0
// Registration units: faults, transactions, redefinition, and real libraries loaded from files.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#if defined(__unix__)
#include <dlfcn.h>
#include <unistd.h>
#endif

#include "helpers/c_helpers.h"
#include "tain/reflection/global_def.h"

using namespace tain_test;
namespace fs = std::filesystem;

namespace {

/// Opens a unit as registration code does.
struct Scope {
  explicit Scope(const TainUnit* u) : unit(u), entered(TainUnitEnter(u) == 0) {}
  ~Scope() {
    if (entered) TainUnitLeave(unit);
  }
  const TainUnit* unit;
  bool entered;
};

int32_t IndexOf(std::string_view key) {
  const TainByteArray text = Text(key);
  int32_t index = -1;
  if (TainTypeKeyToIndex(&text, &index) != 0) TakeError();
  return index;
}

bool HasGlobal(std::string_view name) {
  const TainByteArray text = Text(name);
  TainObject* function = nullptr;
  TainFunctionGetGlobal(&text, &function);
  if (function == nullptr) return false;
  TainObjectDecRef(function);
  return true;
}

/// Makes a function global.
void SetGlobal(std::string_view name) {
  TainObject* function = MakeCounter();
  const TainByteArray text = Text(name);
  CHECK(TainFunctionSetGlobal(&text, function, 0) == 0);  // a fault is recorded, not returned
  TainObjectDecRef(function);
}

int32_t RequestIn(const TainUnit* unit, std::string_view key, int64_t size = 40) {
  TainTypeRequest request = Request(key, unit);
  request.size = size;
  return TainTypeRequestIndex(&request);
}

std::string PendingError() {
  if (TainRaisePendingFaults() == 0) return "";
  return TakeError();
}

bool Mentions(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

struct UnitRow {
  std::string file, name;
  int32_t build;
};
std::vector<UnitRow> Units() {
  std::vector<UnitRow> rows;
  TainListUnits(
      [](const TainByteArray* file, const TainByteArray* name, int32_t build, void* context) {
        static_cast<std::vector<UnitRow>*>(context)->push_back({Str(*file), Str(*name), build});
      },
      &rows);
  return rows;
}

}  // namespace

TEST_CASE("faults without a load wait for a look-up, are raised once, and withdraw everything") {
  CHECK(PendingError() == "");
  static const TainUnit unit = MakeUnit("test_pending");
  int32_t index = 0;
  {
    Scope scope(&unit);
    REQUIRE(scope.entered);
    index = RequestIn(&unit, "pending.T");
    SetGlobal("pending.f");
    SetGlobal("pending.f");
    TainUnitFault(&unit, "pending.T: something else");
    TainEnumMember member{Text("A"), Text(""), 1, Text("")};
    const TainEnumInfo info{Text("pending.E"), Text(""), kTainEnumInt, 1, &member};
    CHECK(TainEnumDefine(&info) == 0);
    CHECK(IndexOf("pending.T") == index);
  }
  const std::string error = PendingError();
  CHECK(Mentions(error, "ImportError: "));
  CHECK(Mentions(error,
                 " (test_pending) cannot be used, and what was registered with it is withdrawn "
                 "(pending.T, pending.f, pending.E):\n  - global function pending.f is already "
                 "registered by "));
  CHECK(error.ends_with("\n  - pending.T: something else"));
  CHECK(PendingError() == "");
  CHECK(IndexOf("pending.T") == -1);
  CHECK_FALSE(HasGlobal("pending.f"));
  const TainByteArray key = Text("pending.E");
  CHECK(TainGetEnum(&key) == nullptr);
  const TainTypeRecord* record = TainGetTypeRecord(index);
  CHECK((record->def.flags & kTainTypeDead) != 0);
  CHECK(TainUnitEnter(&unit) == -1);  // it stays withdrawn
  const int32_t later = RequestIn(&unit, "pending.Later");
  CHECK((TainGetTypeRecord(later)->def.flags & kTainTypeDead) != 0);
  CHECK(PendingError() == "");
}

TEST_CASE("without faults a look-up makes registrations final") {
  static const TainUnit unit = MakeUnit("test_good");
  {
    Scope scope(&unit);
    RequestIn(&unit, "good.T");
    SetGlobal("good.f");
  }
  CHECK(PendingError() == "");
  TainUnitFault(&unit, "good.late: a mistake later");
  const std::string error = PendingError();
  CHECK(Mentions(error, "(test_good) made a mistake after it was loaded:\n  - good.late"));
  CHECK(IndexOf("good.T") > 0);
  CHECK(HasGlobal("good.f"));
  CHECK(TainUnitEnter(&unit) == 0);
  TainUnitLeave(&unit);
}

TEST_CASE("a unit of another layout has this one fault") {
  static TainUnit unit = MakeUnit("test_layout");
  unit.layout_version = 99;
  unit.abi_major = 7;
  unit.abi_minor = 3;
  CHECK(TainUnitEnter(&unit) == -1);
  const int32_t index = RequestIn(&unit, "layout.T");
  CHECK((TainGetTypeRecord(index)->def.flags & kTainTypeDead) != 0);
  TainUnitFault(&unit, "layout.T: noise");
  const std::string error = PendingError();
  CHECK(Mentions(error,
                 "it was compiled for tain's binary interface 7.3 (layout 99), but the "
                 "installed tain " TAIN_VERSION " has " +
                     std::to_string(TAIN_ABI_VERSION_MAJOR) + "." +
                     std::to_string(TAIN_ABI_VERSION_MINOR) + " (layout " +
                     std::to_string(TAIN_LAYOUT_VERSION) +
                     "): rebuild the library against the installed tain"));
  CHECK_FALSE(Mentions(error, "noise"));
  CHECK(IndexOf("layout.T") == -1);

  static TainUnit sizes = MakeUnit("test_sizes");
  sizes.sizeof_object = 32;
  CHECK(TainUnitEnter(&sizes) == -1);
  CHECK(Mentions(PendingError(), "with values of 16 and headers of 32 bytes"));
}

TEST_CASE("another build of a unit redefines its keys; what fails gives them back") {
  static const TainUnit build1 = MakeUnit("test_builds");
  static const TainUnit build2 = MakeUnit("test_builds");
  static const TainUnit build3 = MakeUnit("test_builds");
  int32_t first, second, third;
  {
    Scope scope(&build1);
    first = RequestIn(&build1, "builds.T", 40);
    CHECK(RequestIn(&build1, "builds.T", 40) == first);
    SetGlobal("builds.f");
  }
  CHECK(PendingError() == "");
  {
    Scope scope(&build2);
    second = RequestIn(&build2, "builds.T", 56);
    SetGlobal("builds.f");
  }
  CHECK(PendingError() == "");
  CHECK(second != first);
  CHECK(IndexOf("builds.T") == second);
  CHECK(TainGetTypeRecord(first)->build == 1);
  CHECK(TainGetTypeRecord(second)->build == 2);
  CHECK(TainGetTypeRecord(first)->request.size == 40);
  {
    Scope scope(&build3);
    third = RequestIn(&build3, "builds.T", 64);
    SetGlobal("builds.f");
    CHECK(IndexOf("builds.T") == third);
    TainUnitFault(&build3, "builds.T: no");
  }
  CHECK(PendingError() != "");
  CHECK(IndexOf("builds.T") == second);
  CHECK(HasGlobal("builds.f"));
  int builds = 0;
  for (const UnitRow& row : Units()) builds += row.name == "test_builds" ? row.build : 0;
  CHECK(builds == 1 + 2);
}

TEST_CASE("a key of another unit is shared if both agree, but described by one only") {
  static const TainUnit owner = MakeUnit("test_owner");
  static const TainUnit user = MakeUnit("test_user");
  static const TainUnit stranger = MakeUnit("test_stranger");
  int32_t index;
  const TainTypeDef def{};
  {
    Scope scope(&owner);
    index = RequestIn(&owner, "shared.T");
    CHECK(TainTypeDefine(index, &def) == 0);
  }
  CHECK(PendingError() == "");
  {
    Scope scope(&user);
    CHECK(RequestIn(&user, "shared.T") == index);
  }
  CHECK(PendingError() == "");
  {
    Scope scope(&stranger);
    const int32_t dead = RequestIn(&stranger, "shared.T", 48);
    CHECK(dead != index);
    CHECK((TainGetTypeRecord(dead)->def.flags & kTainTypeDead) != 0);
    CHECK(TainTypeDefine(dead, &def) == 0);  // said already
    TainTypeRequest child = Request("shared.Child", &stranger);
    child.parent = dead;
    child.depth = 2;
    TainTypeRequestIndex(&child);  // said already
    CHECK(TainTypeDefine(index, &def) == 0);
    TainConstantDef constant{Text("C"), Text(""), IntValue(1)};
    CHECK(TainTypeDefConstant(index, &constant) == 0);  // said already
  }
  const std::string error = PendingError();
  CHECK(Mentions(error, "\n  - shared.T: already registered by "));
  CHECK(Mentions(error, " with size 40, here it has 48"));
  CHECK(Mentions(error, "\n  - shared.T: already described by "));
  size_t faults = 0;
  for (size_t at = error.find("\n  - "); at != std::string::npos;
       at = error.find("\n  - ", at + 1)) {
    ++faults;
  }
  CHECK(faults == 2);
  CHECK(TainGetTypeRecord(index)->num_constants == 0);
}

TEST_CASE("members that a failed unit added to an older type go away again") {
  const int32_t index = RequestIn(nullptr, "older.T");
  static const TainUnit unit = MakeUnit("test_older");
  {
    Scope scope(&unit);
    TainTypeDef def{};
    def.doc = Text("gone");
    CHECK(TainTypeDefine(index, &def) == 0);
    TainConstantDef constant{Text("C"), Text(""), IntValue(1)};
    CHECK(TainTypeDefConstant(index, &constant) == 0);
    CHECK(TainGetTypeRecord(index)->num_constants == 1);
    const TainByteArray name = Text("__test_older__");
    const TainAny value = IntValue(4);
    CHECK(TainTypeRegisterAttr(index, &name, &value) == 0);
    TainUnitFault(&unit, "older.T: no");
  }
  CHECK(PendingError() != "");
  CHECK(TainGetTypeRecord(index)->num_constants == 0);
  CHECK((TainGetTypeRecord(index)->def.flags & (kTainTypeDefined | kTainTypeDead)) == 0);
  CHECK(IndexOf("older.T") == index);
  const TainByteArray name = Text("__test_older__");
  const TainTypeAttrColumn* column = TainGetTypeAttrColumn(&name);
  CHECK(column->data[index - column->begin_index].type_index == kTainNone);
}

TEST_CASE("faults of code without a unit are raised too, and null is harmless") {
  const TainByteArray key = Text("ffi.Array");
  const int32_t dead = TainTypeGetOrAllocIndex(&key, 90, 1, 0, 1, kTainObject);
  CHECK((TainGetTypeRecord(dead)->def.flags & kTainTypeDead) != 0);
  CHECK(Mentions(PendingError(),
                 "ffi.Array: asked for the static index 90, but it has the index 71"));
  const int32_t nothing = TainTypeRequestIndex(nullptr);
  CHECK((TainGetTypeRecord(nothing)->def.flags & kTainTypeDead) != 0);
  CHECK(PendingError() != "");
  const int32_t no_key = TainTypeGetOrAllocIndex(nullptr, -1, 1, 0, 1, kTainObject);
  CHECK((TainGetTypeRecord(no_key)->def.flags & kTainTypeDead) != 0);
  CHECK(PendingError() != "");
  CHECK(TainTypeGetOrAllocIndex(&key, kTainArray, 1, 0, 1, kTainObject) == kTainArray);
  CHECK(TainTypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTainObject) == kTainArray);
  CHECK(TainUnitEnter(nullptr) == -1);
  TainUnitLeave(nullptr);
  TainUnitFault(nullptr, nullptr);
  CHECK(Mentions(PendingError(), "unknown mistake"));
  TainListUnits(nullptr, nullptr);
}

#if defined(__unix__)

namespace {

/// The compiler of C, which makes code for the machine that runs the tests.
std::string Compiler() {
  const char* given = std::getenv("CC");
  return given != nullptr ? given : "cc";
}

/// A folder of libraries made for one test, each compiled from a few lines of C.
class Workshop {
 public:
  Workshop() {
    std::string pattern = (fs::temp_directory_path() / "tain-test-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
  }
  ~Workshop() { fs::remove_all(folder_); }

  /// Compiles `body`, the code of a static initializer, to `name`; replaces an older file.
  std::string Build(const std::string& name, const std::string& body,
                    const std::string& flags = "") {
    const fs::path source = folder_ / "source.c";
    const fs::path fresh = folder_ / (name + ".new");
    std::ofstream(source) << Head() << "__attribute__((constructor)) static void start(void) {\n"
                          << "TainUnitEnter(&unit);\n"
                          << body << "\nTainUnitLeave(&unit);\n}\n";
    const std::string command = Compiler() + " -shared -fPIC -w -I" TAIN_INCLUDE_DIR " -o " +
                                fresh.string() + " " + source.string() + " " + flags;
    REQUIRE(std::system(command.c_str()) == 0);
    const fs::path target = folder_ / name;
    fs::rename(fresh, target);
    return fs::canonical(target).string();
  }
  const fs::path& folder() const { return folder_; }

 private:
  static std::string Head() {
    return R"(#include <tain/c_api.h>
#include <tain/version.h>
#include <string.h>
static const TainUnit unit = {TAIN_LAYOUT_VERSION, TAIN_ABI_VERSION_MAJOR, 0, 16, 24, "cc", 0};
static TainByteArray text(const char* s) { TainByteArray t = {s, strlen(s)}; return t; }
static int call(void* self, const TainAny* args, int32_t n, TainAny* result) {
  result->type_index = 1; result->v_int64 = (int64_t)self; return 0; }
static void function(const char* name, int64_t value) {
  TainObject* f; TainByteArray t = text(name);
  TainFunctionCreate((void*)value, call, 0, &f);
  TainFunctionSetGlobal(&t, f, 0); TainObjectDecRef(f); }
static int32_t type(const char* key, int64_t size) {
  TainTypeRequest r; memset(&r, 0, sizeof r); r.key = text(key); r.static_index = -1;
  r.parent = 64; r.depth = 1; r.size = size; r.alignment = 8; r.child_slots_can_overflow = 1;
  r.unit = &unit; return TainTypeRequestIndex(&r); }
)";
  }
  fs::path folder_;
};

/// Loads a library: its path, or the error.
std::string Load(const std::string& path) {
  const TainByteArray text = Text(path);
  TainAny out{};
  if (TainLibraryLoad(&text, &out) != 0) return TakeError();
  return tain::Any::Steal(out).cast<std::string>();
}

int64_t CallGlobal(std::string_view name) {
  const TainByteArray text = Text(name);
  TainObject* function = nullptr;
  TainFunctionGetGlobal(&text, &function);
  if (function == nullptr) return -1;
  TainAny result{};
  TainFunctionCall(function, nullptr, 0, &result);
  TainObjectDecRef(function);
  return result.v_int64;
}

}  // namespace

TEST_CASE("a library is loaded once, and anew when its file has changed") {
  Workshop shop;
  const std::string path =
      shop.Build("libtest_fresh.so", R"(type("fresh.T", 40); function("fresh.f", 1);)");
  CHECK(Load(path) == path);
  const int32_t first = IndexOf("fresh.T");
  CHECK(CallGlobal("fresh.f") == 1);
  CHECK(Load(path) == path);
  CHECK(IndexOf("fresh.T") == first);

  fs::last_write_time(path, fs::file_time_type::clock::now());  // touched, not changed
  CHECK(Load(path) == path);
  CHECK(IndexOf("fresh.T") == first);

  shop.Build("libtest_fresh.so", R"(type("fresh.T", 48); function("fresh.f", 2);)");
  const std::string opened = Load(path);
  CHECK(opened != path);
  CHECK(Mentions(opened, "libtest_fresh-"));
  CHECK(fs::exists(opened));
  CHECK(Load(path) == opened);
  CHECK(CallGlobal("fresh.f") == 2);
  const TainTypeRecord* record = TainGetTypeRecord(IndexOf("fresh.T"));
  CHECK(record->build == 2);
  CHECK(record->request.size == 48);
  CHECK(Str(record->unit_name) == "test_fresh");
  CHECK(Str(record->unit_file) == path);
  CHECK(TainGetTypeRecord(first)->build == 1);
}

TEST_CASE("a load with faults leaves nothing, names all of them, and may be tried again") {
  Workshop shop;
  const std::string body = R"(int32_t t = type("faulty.T", 40); function("faulty.f", 1);
    type("faulty.T", 48); function("faulty.f", 2);)";
  const std::string path = shop.Build("libtest_faulty.so", body);
  for (int attempt = 0; attempt < 2; ++attempt) {
    const std::string error = Load(path);
    CHECK(Mentions(error, "ImportError: " + path + " (test_faulty) cannot be used, and "));
    CHECK(Mentions(
        error,
        "\n  - faulty.T: already registered by another class of this library with size 40, "
        "here it has 48; give one of the two classes another key"));
    CHECK(Mentions(error, "\n  - global function faulty.f is already registered by " + path));
    CHECK(Mentions(error, "withdrawn (faulty.T, faulty.f):"));
    CHECK(IndexOf("faulty.T") == -1);
    CHECK_FALSE(HasGlobal("faulty.f"));
    CHECK(PendingError() == "");
  }
  shop.Build("libtest_faulty.so", R"(type("faulty.T", 40); function("faulty.f", 1);)");
  CHECK(Mentions(Load(path), "libtest_faulty-"));
  CHECK(IndexOf("faulty.T") > 0);
  CHECK(CallGlobal("faulty.f") == 1);
}

TEST_CASE("a library that was opened in another way is settled by the next look-up") {
  Workshop shop;
  const std::string good = shop.Build("libtest_plain.so", R"(function("plain.f", 5);)");
  REQUIRE(dlopen(good.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr);
  CHECK(PendingError() == "");
  CHECK(CallGlobal("plain.f") == 5);
  CHECK(Load(good) == good);
  const std::string bad = shop.Build(
      "libtest_plain_bad.so", R"(function("plain.g", 5); TainUnitFault(&unit, "plain.g: no");)");
  REQUIRE(dlopen(bad.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr);
  CHECK(HasGlobal("plain.g"));
  CHECK(Mentions(Load(good), "ImportError: " + bad));  // said once, by whoever asks first
  CHECK_FALSE(HasGlobal("plain.g"));
  CHECK(Load(good) == good);
}

TEST_CASE("a library whose dependency came later is loaded from its own file") {
  Workshop shop;
  const std::string needed = shop.Build("libtest_needed.so", R"(function("needed.f", 1);)",
                                        "-Wl,-soname,libtest_needed.so");
  const std::string user =
      shop.Build("libtest_needs.so", R"(function("needs.f", 2);)", "-Wl,--no-as-needed " + needed);
  CHECK(Mentions(Load(user),
                 "ImportError: cannot load " + user + ": a library that it needs was not found ("));
  CHECK(Load(needed) == needed);
  CHECK(Load(user) == user);
  CHECK(CallGlobal("needs.f") == 2);
}

TEST_CASE("files that are no libraries give errors that say so") {
  Workshop shop;
  const std::string folder = shop.folder().string();
  CHECK(Load(folder + "/missing.so") ==
        "FileNotFoundError: there is no file " + folder + "/missing.so");
  CHECK(Load(folder) == "IsADirectoryError: " + folder + " is a folder, not a library");
  CHECK(Load("") == "ValueError: load_library: the path is empty");
  std::ofstream(folder + "/text.so")
      << "not a library, but long enough to have a header " << std::string(100, '.');
  CHECK(Load(folder + "/text.so") ==
        "ImportError: cannot load " + folder + "/text.so: it is not a shared library");
  std::ofstream(folder + "/empty.so");
  CHECK(Mentions(Load(folder + "/empty.so"), "it is not a shared library"));
  const std::string path =
      shop.Build("libtest_newer.so", "extern void TainFromTheFuture(void); TainFromTheFuture();");
  CHECK(Mentions(Load(path), "compiled for another version of tain"));
  TainAny out{};
  CHECK(TainLibraryLoad(nullptr, &out) == -1);
  const TainByteArray text = Text(path);
  CHECK(TainLibraryLoad(&text, nullptr) == -1);
  TakeError();
}

TEST_CASE("a library for another tain is refused, with one fault") {
  Workshop shop;
  const std::string path = shop.Build("libtest_other.so", R"(
    static TainUnit other = {77, 9, 1, 16, 24, "cc", 0};
    if (TainUnitEnter(&other) == 0) function("other.f", 1);
    TainUnitFault(&other, "noise");)");
  const std::string error = Load(path);
  CHECK(Mentions(error, "interface 9.1 (layout 77)"));
  CHECK_FALSE(Mentions(error, "noise"));
}

TEST_CASE("there is one libtain in this process") {
  TainAny text{};
  CHECK(TainCheckSingleCopy(&text) == 0);
  CHECK(text.type_index == kTainNone);
  CHECK(TainCheckSingleCopy(nullptr) == -1);
  TakeError();
}

#if defined(__linux__)
TEST_CASE("a second copy of libtain is found, also when it is opened for itself only") {
  Workshop shop;
  const fs::path folder = shop.folder();
  std::ofstream(folder / "copy.c") << "int TainCheckSingleCopy(void* out) { return 0; }";
  const std::string command = Compiler() + " -shared -fPIC -o " +
                              (folder / "libsecond.so").string() + " " +
                              (folder / "copy.c").string();
  REQUIRE(std::system(command.c_str()) == 0);
  void* handle = dlopen((folder / "libsecond.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE(handle != nullptr);
  TainAny out{};
  CHECK(TainCheckSingleCopy(&out) == 0);
  const auto text = tain::Any::Steal(out).cast<std::string>();
  CHECK(Mentions(text, (folder / "libsecond.so").string()));
  CHECK(Mentions(text, " and "));
  dlclose(handle);
  CHECK(TainCheckSingleCopy(&out) == 0);
  CHECK(out.type_index == kTainNone);
}
#endif

#endif  // __unix__

TEST_CASE("the version is that of the binary contract") {
  TainVersion version{};
  TainGetVersion(&version);
  CHECK(version.major == 0);
  CHECK(version.minor == 1);
  CHECK(version.patch == 16);
  TainGetVersion(nullptr);
}
