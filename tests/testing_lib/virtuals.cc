// SPDX-License-Identifier: Apache-2.0
// Virtual methods of every form: abstract and final, const and not, protected, overloaded,
// operators and properties, each with C++ that calls it.
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "testing_types.h"

namespace tain_testing {

/// Abstract for Python, though C++ can make one: area has no code of its own.
struct FigureObj : tain::Object {
  TAIN_VIRTUAL(area)
  virtual double area_impl() const { TAIN_ABSTRACT(area); }
  TAIN_VIRTUAL(name)
  virtual std::string name_impl() const { return "figure"; }
  virtual ~FigureObj() = default;
  static constexpr int32_t _type_child_slots = 4;
  TAIN_OBJECT("testing.Figure", FigureObj, tain::Object);
};
/// Has an area.
struct TileObj : FigureObj {
  double side = 1;
  double area_impl() const override { return side * side; }
  TAIN_OBJECT("testing.Tile", TileObj, FigureObj);
};
/// Still has none.
struct BlobObj : FigureObj {
  TAIN_OBJECT("testing.Blob", BlobObj, FigureObj);
};

enum class Pace : int32_t { kSlow = 1, kFast = 2 };

/// Every form of a virtual method.
class ActorObj : public tain::Object {
 public:
  int64_t size_ = 1;
  tain::String born_as;  ///< what greet() gave in the constructor

  TAIN_VIRTUAL(greet)
  virtual std::string greet_impl(const std::string& whom) const { return "actor " + whom; }
  TAIN_VIRTUAL(grow)
  virtual int64_t grow_impl(int64_t by) { return size_ += by; }
  /// Three overloads under one name.
  TAIN_VIRTUAL(pick)
  virtual int64_t pick_impl() const { return 0; }
  virtual int64_t pick_impl(int64_t x) const { return x; }
  virtual int64_t pick_impl(const std::string& text, int64_t x) {
    size_ = x;
    return static_cast<int64_t>(text.size());
  }
  TAIN_VIRTUAL(secret)
  TAIN_VIRTUAL(fixed)
  TAIN_VIRTUAL(meet)
  virtual tain::Ref<ActorObj> meet_impl(const tain::Ref<ActorObj>& other) { return other; }
  TAIN_VIRTUAL(rest)
  virtual void rest_impl() {}
  TAIN_VIRTUAL(walk)
  virtual Pace walk_impl(Pace pace, tain::Optional<Pace>) const { return pace; }
  TAIN_VIRTUAL(many)
  virtual int64_t many_impl(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f,
                            int64_t g, int64_t h) const {
    return a + b + c + d + e + f + g + h;
  }
  // Operators
  TAIN_VIRTUAL_AS(plus, "__add__")
  virtual int64_t plus_impl(int64_t x) const { return size_ + x; }
  TAIN_VIRTUAL_AS(call, "__call__")
  virtual int64_t call_impl(int64_t x) const { return 10 * x; }
  TAIN_VIRTUAL_AS(length, "__len__")
  virtual int64_t length_impl() const { return size_; }
  // A property
  TAIN_VIRTUAL(weight)
  virtual double weight_impl() const { return 2.0 * static_cast<double>(size_); }
  virtual void weight_impl(double value) { size_ = static_cast<int64_t>(value / 2); }
  TAIN_VIRTUAL(mood)
  virtual std::string mood_impl() const { return "calm"; }

  ActorObj() : born_as(greet("born")) {}
  virtual ~ActorObj() { last_words = greet("dead"); }

  /// A method of C++ that calls them.
  std::string Introduce() const { return greet("you") + ", " + std::to_string(secret()); }
  /// Calls itself through Python as often as it is told.
  TAIN_VIRTUAL(descend)
  virtual int64_t descend_impl(int64_t depth) const {
    return depth <= 0 ? 0 : 1 + descend(depth - 1);
  }

  static void Register();
  static inline std::string last_words;
  static constexpr int32_t _type_child_slots = 4;
  TAIN_OBJECT("testing.Actor", ActorObj, tain::Object);

 protected:
  virtual int64_t secret_impl() const { return 7; }
  virtual int64_t fixed_impl() const { return 5; }
};

/// C++ between C++ and Python.
struct LoudActorObj : ActorObj {
  std::string greet_impl(const std::string& whom) const override {
    return "LOUD " + ActorObj::greet_impl(whom);
  }
  TAIN_OBJECT("testing.LoudActor", LoudActorObj, ActorObj);
};
struct LouderActorObj : LoudActorObj {
  std::string greet_impl(const std::string& whom) const override {
    return LoudActorObj::greet_impl(whom) + "!";
  }
  int64_t secret_impl() const override { return 70; }
  TAIN_OBJECT("testing.LouderActor", LouderActorObj, LoudActorObj);
};

void ActorObj::Register() {
  using tain::arg;
  tain::reflection::ObjectDef<ActorObj>("Every form of a virtual method.")
      .def_rw("size", &ActorObj::size_)
      .def_ro("born_as", &ActorObj::born_as)
      .def_init<>()
      .def_virtual("greet", &ActorObj::greet_impl, arg("whom"), "Says hello.")
      .def_virtual("grow", &ActorObj::grow_impl, arg("by"))
      .def_virtual("pick", static_cast<int64_t (ActorObj::*)(int64_t) const>(&ActorObj::pick_impl),
                   arg("x"))
      .def_virtual("secret", &ActorObj::secret_impl)
      .def_virtual("fixed", &ActorObj::fixed_impl, tain::final_())
      .def_virtual("meet", &ActorObj::meet_impl, arg("other"))
      .def_virtual("rest", &ActorObj::rest_impl)
      .def_virtual("walk", &ActorObj::walk_impl, arg("pace"), arg("then") = nullptr)
      .def_virtual("many", &ActorObj::many_impl)
      .def_virtual("descend", &ActorObj::descend_impl, arg("depth"))
      .def_virtual("__add__", &ActorObj::plus_impl, arg("x"))
      .def_virtual("__call__", &ActorObj::call_impl, arg("x"))
      .def_virtual("__len__", &ActorObj::length_impl)
      .def_virtual_property(
          "weight", static_cast<double (ActorObj::*)() const>(&ActorObj::weight_impl),
          static_cast<void (ActorObj::*)(double)>(&ActorObj::weight_impl), "Twice its size.")
      .def_virtual_property("mood", &ActorObj::mood_impl)
      .def("introduce", &ActorObj::Introduce)
      .def("plain", [](const ActorObj& self) { return self.size_; }, tain::final_());
}

namespace {

using Actor = tain::Ref<ActorObj>;

/// Each call as C++ makes it.
tain::Any CallActor(Actor actor, const std::string& what) {
  const ActorObj& constant = *actor;
  if (what == "greet") return constant.greet("C++");
  if (what == "grow") return actor->grow(3);
  if (what == "pick0") return constant.pick();
  if (what == "pick1") return constant.pick(4);
  if (what == "pick2") return actor->pick("four", 2);
  if (what == "secret") return constant.secret();
  if (what == "fixed") return constant.fixed();
  if (what == "meet") return actor->meet(actor);
  if (what == "rest") return actor->rest(), tain::Any();
  if (what == "walk") return constant.walk(Pace::kSlow, Pace::kFast);
  if (what == "many") return constant.many(1, 2, 3, 4, 5, 6, 7, 8);
  if (what == "__add__") return constant.plus(1);
  if (what == "__call__") return constant.call(2);
  if (what == "__len__") return constant.length();
  if (what == "weight") return constant.weight();
  if (what == "mood") return constant.mood();
  if (what == "descend") return constant.descend(3);
  TAIN_THROW(ValueError) << "no such call: " << what;
}

/// Calls an actor that Python has never seen.
std::string GreetFresh() { return tain::make_object<LoudActorObj>()->greet("fresh"); }

/// Calls Python, and then a method that Python may have replaced.
std::string GreetAfter(const Actor& actor, const tain::Function& before) {
  before();
  return actor->greet("after");
}

/// Calls greet() n times in each of several threads of C++; the number of right answers.
int64_t GreetInThreads(Actor actor, int64_t threads, int64_t n, const std::string& expected) {
  std::atomic<int64_t> right{0};
  std::vector<std::thread> all;
  for (int64_t i = 0; i < threads; ++i) {
    all.emplace_back([&] {
      try {
        for (int64_t k = 0; k < n; ++k) right += actor->greet("thread") == expected ? 1 : 0;
      } catch (const tain::Error&) {  // a wrong answer
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  return right;
}

/// The one actor that C++ watches without keeping it.
class Watched {
 public:
  static void Set(const tain::Ptr<ActorObj>& actor) {
    const std::lock_guard guard(Mutex());
    Slot() = actor;
  }
  static tain::Ptr<ActorObj> Lock() {
    const std::lock_guard guard(Mutex());
    return Slot().lock();
  }
  /// greet(), or "gone".
  static std::string Greet(const std::string& whom) {
    const tain::Ptr<ActorObj> actor = Lock();
    return actor ? actor->greet(whom) : "gone";
  }
  /// Whether there was one that answered; for threads, which must not throw.
  static bool Answers() noexcept try { return Greet("thread") != "gone"; } catch (...) {
    return false;
  }

 private:
  static std::mutex& Mutex() {
    static auto* mutex = new std::mutex();
    return *mutex;
  }
  static tain::Weak<ActorObj>& Slot() {
    static auto* slot = new tain::Weak<ActorObj>();
    return *slot;
  }
};

/// Calls f() while other threads greet whatever actor is watched; how often they met one.
int64_t GreetWatchedWhile(const tain::Function& f, int64_t threads) {
  std::atomic<int64_t> met{0};
  std::atomic<bool> done{false};
  std::vector<std::thread> all;
  for (int64_t i = 0; i < threads; ++i) {
    all.emplace_back([&] {
      while (!done) met += Watched::Answers() ? 1 : 0;
    });
  }
  try {
    f();
  } catch (...) {
    done = true;
    for (std::thread& thread : all) thread.join();
    throw;
  }
  done = true;
  for (std::thread& thread : all) thread.join();
  return met;
}

}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg;
  refl::ObjectDef<FigureObj>("A figure whose area only its children know.")
      .def_init<>()
      .def_virtual("area", &FigureObj::area_impl, tain::abstract())
      .def_virtual("name", &FigureObj::name_impl);
  refl::ObjectDef<TileObj>().def_rw("side", &TileObj::side).def_init<>();
  refl::ObjectDef<BlobObj>().def_init<>();
  refl::EnumDef<Pace>("testing.Pace").value("SLOW", Pace::kSlow).value("FAST", Pace::kFast);
  ActorObj::Register();
  refl::ObjectDef<LoudActorObj>().def_init<>();
  refl::ObjectDef<LouderActorObj>().def_init<>();
  refl::GlobalDef()
      .def(
          "testing.figure_area", [](const FigureObj& f) { return f.area(); }, arg("figure"))
      .def(
          "testing.figure_name", [](const FigureObj& f) { return f.name(); }, arg("figure"))
      .def("testing.make_figure", [] { return tain::make_object<FigureObj>(); })
      .def("testing.call_actor", CallActor, arg("actor"), arg("what"))
      .def("testing.call_actor_unlocked", CallActor, arg("actor"), arg("what"), tain::release_gil())
      .def(
          "testing.set_weight", [](ActorObj& a, double value) { a.weight(value); }, arg("actor"),
          arg("value"))
      .def(
          "testing.descend", [](const ActorObj& a, int64_t n) { return a.descend(n); },
          arg("actor"), arg("depth"))
      .def("testing.greet_in_threads", GreetInThreads, arg("actor"), arg("threads"), arg("n"),
           arg("expected"), tain::release_gil())
      .def("testing.watch_actor", &Watched::Set, arg("actor"), "Watches it; None: nobody.")
      .def("testing.watched_actor", &Watched::Lock, "The actor that is watched; None if it died.")
      .def("testing.greet_watched", &Watched::Greet, arg("whom"))
      .def("testing.greet_watched_while", GreetWatchedWhile, arg("f"), arg("threads"),
           tain::release_gil())
      .def("testing.greet_fresh", GreetFresh)
      .def("testing.greet_after", GreetAfter, tain::arg("actor"), tain::arg("before"))
      .def("testing.last_words", [] { return ActorObj::last_words; });
}

}  // namespace tain_testing
