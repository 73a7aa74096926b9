// SPDX-License-Identifier: Apache-2.0
// A library whose virtual functions Python overrides: classes that know nothing of tain, a class of
// overrides for each, and functions that call them in every way.
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "foreign_classes.h"
#include "tain/boxed.h"
#include "tain/gil.h"
#include "tain/reflection/enum_def.h"
#include "tain/stl.h"

namespace foreign {

enum class Speed : int32_t { kSlow = 1, kFast = 2 };

/// Has code for each of its virtual functions.
class Task : public Counted<Task> {
 public:
  explicit Task(int64_t size = 1) : size(size) { born = describe(); }
  virtual ~Task() { last_words = describe(); }
  static int64_t Alive() { return alive; }

  virtual std::string describe() const { return "task " + std::to_string(size); }
  virtual int64_t run(int64_t x) { return x + size; }
  /// Overloads of one name, one of them const.
  virtual int64_t pick(int64_t x) { return x; }
  virtual int64_t pick(const std::string& text) const { return static_cast<int64_t>(text.size()); }
  virtual void rest() {}
  virtual int64_t quiet(int64_t x) const noexcept { return -x; }
  virtual const std::string& label() const { return label_; }
  virtual std::map<std::string, int64_t> table(const std::map<std::string, int64_t>& given) const {
    return given;
  }
  virtual Speed walk(Speed speed) const { return speed; }
  virtual double meet(const Vec& seen, Vec& changed, Vec* pointer) {
    return seen.x + changed.x + pointer->x;
  }
  /// Get a pointer, which a method that returns nothing may keep.
  virtual void visit(Vec* vec) { visited += vec->x; }
  void remember(Vec* vec) { visited = vec->x; }
  virtual Vec moved(Vec vec) const { return vec; }
  virtual Task* next() { return nullptr; }
  virtual Task& chief() { return *this; }
  virtual std::shared_ptr<Task> peer() const { return nullptr; }
  virtual std::unique_ptr<Task> clone() const { return std::make_unique<Task>(*this); }
  virtual int64_t feed(std::unique_ptr<Task> task) { return task == nullptr ? 0 : task->size; }
  virtual int64_t operator()(int64_t x) { return 100 * x; }
  virtual int64_t weight() const { return 7; }
  int64_t use_hook(int64_t x) { return hook(x); }
  int64_t run_twice(int64_t x) { return run(run(x)); }

  int64_t size;
  double visited = 0;
  std::string born;
  inline static std::string last_words;

 protected:
  virtual int64_t hook(int64_t x) { return 10 * x; }

 private:
  std::string label_ = "no label";
};

/// Derives from Task, and its class of overrides has more functions.
class TimedTask : public Task {
 public:
  explicit TimedTask(int64_t size) : Task(size) {}
  int64_t run(int64_t x) override { return 1000 + Task::run(x); }
  virtual int64_t ticks() const { return 60; }
};
/// Registered, but Python does not override it.
class PlainTask : public Task {
 public:
  int64_t run(int64_t x) override { return -x; }
};

/// Has no code for its virtual functions, and a constructor for derived classes only.
class Codec {
 public:
  virtual ~Codec() = default;
  virtual std::string encode(const std::string& text) const = 0;
  virtual int64_t cost() const noexcept = 0;
  std::string twice(const std::string& text) const { return encode(encode(text)); }

 protected:
  explicit Codec(int64_t level) : level(level) {}

 public:
  const int64_t level;
};

/// Cannot be deleted as a Probe.
class Probe {
 public:
  virtual int64_t read() const { return 1; }

 protected:
  ~Probe() = default;
};

/// Owns tasks.
class Crew {
 public:
  Crew() = default;
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  void add(std::unique_ptr<Task> task) {
    Given(task);
    owned_.push_back(std::move(task));
  }
  void share(std::shared_ptr<Task> task) {
    Given(task);
    shared_.push_back(std::move(task));
  }
  void refer(Task& task) { referred_ = &task; }
  int64_t run(int64_t x) {
    for (const auto& task : owned_) x = task->run(x);
    for (const auto& task : shared_) x = task->run(x);
    return referred_ == nullptr ? x : referred_->run(x);
  }
  Task* first() { return owned_.empty() ? nullptr : owned_.front().get(); }
  Task& first_reference() { return *owned_.at(0); }
  std::shared_ptr<Task> last_shared() { return shared_.empty() ? nullptr : shared_.back(); }
  std::unique_ptr<Task> take() {
    std::unique_ptr<Task> task = std::move(owned_.at(0));
    owned_.erase(owned_.begin());
    return task;
  }
  /// Shares what it owned.
  void share_owned() {
    for (auto& task : owned_) shared_.push_back(std::move(task));
    owned_.clear();
  }
  void clear() {
    owned_.clear();
    shared_.clear();
    referred_ = nullptr;
  }

 private:
  std::vector<std::unique_ptr<Task>> owned_;
  std::vector<std::shared_ptr<Task>> shared_;
  Task* referred_ = nullptr;
};

}  // namespace foreign

namespace {

using foreign::Codec;
using foreign::Crew;
using foreign::Given;
using foreign::Probe;
using foreign::Speed;
using foreign::Task;
using foreign::TimedTask;
using foreign::Vec;

/// One class of overrides for a hierarchy.
template <class T>
struct PyTask : tain::Overrides<T> {
  using tain::Overrides<T>::Overrides;
  using Table = std::map<std::string, int64_t>;
  TAIN_OVERRIDE_CONST(std::string, describe)
  TAIN_OVERRIDE(int64_t, run, int64_t)
  TAIN_OVERRIDE(int64_t, pick, int64_t)
  TAIN_OVERRIDE_CONST(int64_t, pick, const std::string&)
  TAIN_OVERRIDE(void, rest)
  int64_t quiet(int64_t x) const noexcept override { TAIN_CALL_OVERRIDE(quiet, x); }
  TAIN_OVERRIDE_CONST(const std::string&, label)
  TAIN_OVERRIDE_CONST(Table, table, const Table&)
  TAIN_OVERRIDE_CONST(Speed, walk, Speed)
  TAIN_OVERRIDE(double, meet, const Vec&, Vec&, Vec*)
  TAIN_OVERRIDE(void, visit, Vec*)
  TAIN_OVERRIDE_CONST(Vec, moved, Vec)
  TAIN_OVERRIDE(Task*, next)
  TAIN_OVERRIDE(Task&, chief)
  TAIN_OVERRIDE_CONST(std::shared_ptr<Task>, peer)
  TAIN_OVERRIDE_CONST(std::unique_ptr<Task>, clone)
  TAIN_OVERRIDE(int64_t, feed, std::unique_ptr<Task>)
  int64_t operator()(int64_t x) override { TAIN_CALL_OVERRIDE_AS("__call__", operator(), x); }
  TAIN_OVERRIDE_CONST(int64_t, weight)

 protected:
  TAIN_OVERRIDE(int64_t, hook, int64_t)
};
struct PyTimedTask : PyTask<TimedTask> {
  using PyTask<TimedTask>::PyTask;
  TAIN_OVERRIDE_CONST(int64_t, ticks)
};
struct PyCodec : tain::Overrides<Codec> {
  explicit PyCodec(int64_t level) : Overrides(level) {}
  TAIN_OVERRIDE_PURE_CONST(std::string, encode, const std::string&)
  int64_t cost() const noexcept override { TAIN_CALL_OVERRIDE_PURE(cost); }
};
struct PyProbe : tain::Overrides<Probe> {
  using Overrides::Overrides;
  TAIN_OVERRIDE_CONST(int64_t, read)
};

/// Calls a task in a thread that has never held the GIL.
int64_t RunInThread(Task& task, int64_t x) {
  int64_t result = 0;
  std::string error;
  std::thread([&] {
    try {
      result = task.run(x);
    } catch (const std::exception& e) {
      error = e.what();
    }
  }).join();
  if (!error.empty()) throw std::runtime_error("in the thread: " + error);
  return result;
}

}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::Boxed;
  refl::EnumDef<Speed>("testing.overridden.Speed")
      .value("SLOW", Speed::kSlow)
      .value("FAST", Speed::kFast);
  tain::declare_boxed<Task, PyTask<Task>>("testing.overridden.Task");
  refl::ObjectDef<Boxed<Task, PyTask<Task>>>("testing.overridden.Task", "Does something.")
      .def_init<int64_t>(tain::arg("size") = 1)
      .def("describe", &Task::describe)
      .def("run", &Task::run, tain::arg("x"))
      .def("pick", static_cast<int64_t (Task::*)(int64_t)>(&Task::pick))
      .def("pick", static_cast<int64_t (Task::*)(const std::string&) const>(&Task::pick))
      .def("rest", &Task::rest)
      .def("quiet", &Task::quiet)
      .def("label", &Task::label)
      .def("table", &Task::table)
      .def("walk", &Task::walk, tain::arg("speed"))
      .def("meet", &Task::meet)
      .def("visit", &Task::visit)
      .def("remember", &Task::remember)
      .def("moved", &Task::moved)
      .def("next", &Task::next)
      .def("chief", &Task::chief)
      .def("peer", &Task::peer)
      .def("clone", &Task::clone)
      .def("feed", &Task::feed)
      .def("__call__", &Task::operator())
      .def_property("weight", &Task::weight)
      .def("use_hook", &Task::use_hook)
      .def("run_twice", &Task::run_twice)
      .def_rw("size", &Task::size)
      .def_ro("visited", &Task::visited)
      .def_ro("born", &Task::born)
      .def_static("alive", &Task::Alive)
      .def_static("last_words", [] { return Task::last_words; });
  refl::ObjectDef<Boxed<TimedTask, PyTimedTask>>("testing.overridden.TimedTask",
                                                 tain::boxed_base<Task>())
      .def_static("__create__", [](int64_t size) { return std::make_unique<PyTimedTask>(size); })
      .def_static("plain", [](int64_t size) { return std::make_unique<TimedTask>(size); })
      .def("ticks", &TimedTask::ticks);
  refl::ObjectDef<Boxed<foreign::PlainTask>>("testing.overridden.PlainTask",
                                             tain::boxed_base<Task>())
      .def_init<>();
  refl::ObjectDef<Boxed<Codec, PyCodec>>("testing.overridden.Codec")
      .def_init<int64_t>(tain::arg("level") = 0)
      .def_ro("level", &Codec::level)
      .def("encode", &Codec::encode, tain::arg("text"))
      .def("cost", &Codec::cost)
      .def("twice", &Codec::twice);
  refl::ObjectDef<Boxed<Probe, PyProbe>>("testing.overridden.Probe")
      .def_init<>()
      .def("read", &Probe::read);
  refl::ObjectDef<Boxed<Crew>>("testing.overridden.Crew")
      .def_init<>()
      .def("add", &Crew::add)
      .def("share", &Crew::share)
      .def("refer", &Crew::refer)
      .def("run", &Crew::run)
      .def("first", &Crew::first)
      .def("first_reference", &Crew::first_reference)
      .def("last_shared", &Crew::last_shared)
      .def("take", &Crew::take)
      .def("share_owned", &Crew::share_owned)
      .def("clear", &Crew::clear)
      .def(
          "clear_in_thread", [](Crew& crew) { std::thread([&] { crew.clear(); }).join(); },
          tain::release_gil());
  refl::GlobalDef()
      .def("testing.overridden.run_in_thread", &RunInThread, tain::release_gil())
      .def("testing.overridden.call",
           [](Task& task, const std::string& name, int64_t x) -> tain::Any {
             if (name == "describe") return tain::Any(task.describe());
             if (name == "run") return tain::Any(task.run(x));
             if (name == "pick") return tain::Any(task.pick(x));
             if (name == "pick_text") return tain::Any(task.pick(std::string("abc")));
             if (name == "rest") return task.rest(), tain::Any();
             if (name == "quiet") return tain::Any(task.quiet(x));
             if (name == "label") return tain::Any(task.label());
             if (name == "table") return tain::Any(task.table({{"a", x}}));
             if (name == "hook") return tain::Any(task.use_hook(x));
             if (name == "call") return tain::Any(task(x));
             if (name == "weight") return tain::Any(task.weight());
             throw std::invalid_argument("call: no such function: " + name);
           })
      .def("testing.overridden.walk",
           [](const Task& task, Speed speed) { return task.walk(speed); })
      .def("testing.overridden.visit",
           [](Task& task, double x) {
             Vec vec(x, 0);
             task.visit(&vec);
           })
      .def("testing.overridden.meet",
           [](Task& task) {
             Vec seen(1, 0), changed(2, 0), pointed(3, 0);
             const double result = task.meet(seen, changed, &pointed);
             return std::vector<double>{result, seen.x, changed.x, pointed.x};
           })
      .def("testing.overridden.moved",
           [](const Task& task) { return task.moved(Vec(3, 4)).norm2(); })
      .def("testing.overridden.next_size",
           [](Task& task) { return task.next() == nullptr ? -1 : task.next()->size; })
      .def("testing.overridden.chief", [](Task& task) -> Task& { return task.chief(); })
      .def("testing.overridden.peer_run",
           [](Task& task) {
             const std::shared_ptr<Task> peer = task.peer();
             return peer == nullptr ? -1 : peer->run(1);
           })
      .def("testing.overridden.clone_run",
           [](Task& task) {
             const std::unique_ptr<Task> copy = task.clone();
             return copy == nullptr ? -1 : copy->run(1);
           })
      .def("testing.overridden.feed",
           [](Task& task, int64_t size) { return task.feed(std::make_unique<Task>(size)); })
      .def("testing.overridden.labels",
           [](const Task& a, const Task& b) {
             const std::string& first = a.label();
             const std::string& second = b.label();
             return first + "|" + second;
           })
      .def("testing.overridden.by_value", [](Task task) { return task.run(1); })
      .def("testing.overridden.unique_as_shared",
           [](std::unique_ptr<Task> task) { return std::shared_ptr<Task>(std::move(task)); })
      .def("testing.overridden.drop", [](std::unique_ptr<Task>) {})
      .def(
          "testing.overridden.drop_unlocked", [](std::unique_ptr<Task>) {}, tain::arg("task"),
          tain::release_gil())
      .def("testing.overridden.drop_without_gil",
           [](std::unique_ptr<Task> task) {
             const tain::WithoutGil unlocked;
             task.reset();
           })
      .def("testing.overridden.drop_twice",
           [](std::unique_ptr<Task> task) {
             const int64_t result = Given(task).run(1);
             task.reset();
             return result;
           })
      .def("testing.overridden.give_back",
           [](std::unique_ptr<Task> task) {
             Given(task).run(0);
             return task;
           })
      .def("testing.overridden.encode",
           [](const Codec& codec, const std::string& text) { return codec.twice(text); })
      .def("testing.overridden.cost", [](const Codec& codec) { return codec.cost(); })
      .def("testing.overridden.read", [](const Probe& probe) { return probe.read(); });
}
