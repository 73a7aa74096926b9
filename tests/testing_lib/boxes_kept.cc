// SPDX-License-Identifier: Apache-2.0
// testing.boxed.*: foreign classes that point into each other, callbacks that get foreign objects for
// the length of a call, and objects that share themselves.
#include <map>

#include "foreign_classes.h"
#include "tain/boxed.h"
#include "tain/stl.h"
#include "tain/tain.h"

namespace tain_testing {
namespace {

/// What others point to. Its destructor makes a later read visible, also without a sanitizer.
struct Model : foreign::Counted<Model> {
  std::vector<double> weights{1.5, 2.5};
  double first = 1.5;
  Model* itself() { return this; }
  double use() const { return weights.empty() ? -1 : weights[0] + first; }
  auto begin() const { return weights.begin(); }
  auto end() const { return weights.end(); }
  ~Model() {
    weights.clear();
    first = -99;
  }
};

/// Keeps a reference to what its constructor got, and reads it when it dies.
struct Solver : foreign::Counted<Solver> {
  const Model& model;
  static inline double last_read = 0;
  explicit Solver(const Model& m) : model(m) {}
  Solver(const Solver&) = default;
  double solve() const { return model.use(); }
  ~Solver() { last_read = model.use(); }
};

/// New objects, which refer to their argument, in containers.
struct Workshop {
  Model model;
  using Made = std::shared_ptr<Solver>;
  std::pair<Made, double> pair() const { return {std::make_shared<Solver>(model), 0.5}; }
  std::tuple<double, Made> tuple() const { return {0.5, std::make_shared<Solver>(model)}; }
  std::vector<Made> list() const { return {std::make_shared<Solver>(model)}; }
  std::map<std::string, Made> named() const { return {{"only", std::make_shared<Solver>(model)}}; }
};
/// Plain objects, which are copied: one of numbers, one with a pointer.
struct Place {
  double x = 0, y = 0;
};
struct Target {
  const Model* model;
  explicit Target(const Model& m) : model(&m) {}
};

struct Listener : foreign::Counted<Listener> {
  const Model* model = nullptr;
  Place place;
  std::vector<const Model*> all;
  Listener() = default;
  Listener(const Listener&) = default;
  Listener& operator=(const Listener&) = default;
  /// A copy of this one.
  Listener again() const { return *this; }
  void assign(const Listener& other) { *this = other; }
  void attach(const Model* m) { model = m; }
  Listener& refer(const Model& m) {
    model = &m;
    return *this;
  }
  void move_to(const Place& to) { place = to; }
  void aim(const Target& target) { model = target.model; }
  void attach_all(std::vector<const Model*> models) { all = std::move(models); }
  double use() const {
    double sum = model == nullptr ? 0 : model->use();
    for (const Model* one : all) sum += one == nullptr ? 0 : one->use();
    return sum;
  }
};

/// Has Listeners inside; a reference to one keeps the Station alive.
struct Station : foreign::Counted<Station> {
  Listener listener;
  std::vector<Listener*> listeners{&listener};
  Station() = default;
  explicit Station(Listener l) : listener(std::move(l)) {}
  Station(const Station&) = delete;
  Listener& get() { return listener; }
  std::vector<Listener*> list() { return {&listener, nullptr}; }
  std::map<std::string, Listener*> named() { return {{"only", &listener}}; }
  std::optional<Listener*> maybe() { return &listener; }
};

/// A value: a result that is like an argument must not keep it, or chains would grow.
struct Number : foreign::Counted<Number> {
  double value = 0;
  Number plus(const Number& other) const {
    Number sum;
    sum.value = value + other.value;
    return sum;
  }
};

struct Immovable {
  int number = 3;
  Immovable() = default;
  Immovable(const Immovable&) = delete;
};

/// An object that shares itself.
struct Session : foreign::Counted<Session>, std::enable_shared_from_this<Session> {
  int number = 1;
  std::shared_ptr<Session> share() { return shared_from_this(); }
};
std::shared_ptr<Session> kept_session;
/// A Listener that C++ shares, and one in static memory.
std::shared_ptr<Listener> kept_listener;
Listener static_listener;

/// An object of tain with a foreign object inside.
struct StationObj : tain::Object {
  Listener listener;
  Listener& get() { return listener; }
  TAIN_OBJECT("testing.boxed.OwnStation", StationObj, tain::Object);
};

/// What C++ calls with a foreign object.
struct Watcher : tain::Object {
  TAIN_VIRTUAL(watch)
  virtual double watch_impl(Model& model) { return model.use(); }
  TAIN_VIRTUAL(look)
  virtual double look_impl(const Model* model) { return model == nullptr ? -1 : model->use(); }
  virtual ~Watcher() = default;
  /// Returns what `watch` made of the model.
  double run() {
    Model model;
    watch(model);
    return model.first;
  }
  double run_look() {
    const Model model;
    return look(&model);
  }
  TAIN_OBJECT("testing.boxed.Watcher", Watcher, tain::Object);
};

template <class... P>
using Callback = std::function<void(P...)>;

TAIN_REGISTER {
  using namespace tain::reflection;
  using tain::arg;
  using tain::Boxed;
  ObjectDef<Boxed<Model>>("testing.boxed.Model")
      .def_init<>()
      .def_rw("first", &Model::first)
      .def("itself", &Model::itself)
      .def("use", &Model::use)
      .def_iter();
  ObjectDef<Boxed<Solver>>("testing.boxed.Solver")
      .def_init<const Model&>(arg("model"))
      .def("solve", &Solver::solve);
  ObjectDef<Boxed<Workshop>>("testing.boxed.Workshop")
      .def_init<>()
      .def("pair", &Workshop::pair)
      .def("tuple", &Workshop::tuple)
      .def("list", &Workshop::list)
      .def("named", &Workshop::named);
  ObjectDef<Boxed<Place>>("testing.boxed.Place")
      .def_init_fields()
      .def_rw("x", &Place::x)
      .def_rw("y", &Place::y);
  ObjectDef<Boxed<Target>>("testing.boxed.Target").def_init<const Model&>(arg("model"));
  ObjectDef<Boxed<Listener>>("testing.boxed.Listener")
      .def_init<>()
      .def("attach", &Listener::attach, arg("model"))
      .def("refer", &Listener::refer, arg("model"))
      .def("attach_all", &Listener::attach_all, arg("models"))
      .def("move_to", &Listener::move_to, arg("to"))
      .def("aim", &Listener::aim, arg("target"))
      .def_property(
          "place", [](const Listener& self) { return self.place; }, &Listener::move_to)
      .def("assign", &Listener::assign, arg("other"))
      .def("again", &Listener::again)
      .def("borrow", &Listener::attach, arg("model"), tain::no_keep_alive())
      .def_property(
          "model", [](const Listener& self) { return self.model; }, &Listener::attach)
      .def("use", &Listener::use);
  ObjectDef<Boxed<Station>>("testing.boxed.Station")
      .def_init<>()
      .def_static(
          "of", [](Listener listener) { return std::make_unique<Station>(std::move(listener)); },
          arg("listener"))
      .def_rw("listener", &Station::listener)
      .def("get", &Station::get)
      .def("list", &Station::list)
      .def("named", &Station::named)
      .def("maybe", &Station::maybe)
      .def_ro("listeners", &Station::listeners);
  ObjectDef<StationObj>()
      .def_init<>()
      .def_rw("listener", &StationObj::listener)
      .def("get", &StationObj::get);
  ObjectDef<Boxed<Number>>("testing.boxed.Number")
      .def_init<>()
      .def_rw("value", &Number::value)
      .def("plus", &Number::plus, arg("other"));
  ObjectDef<Boxed<Immovable>>("testing.boxed.Immovable")
      .def_init<>()
      .def_ro("number", &Immovable::number);
  ObjectDef<Boxed<Session>>("testing.boxed.Session")
      .def_init<>()
      .def_rw("number", &Session::number)
      .def("share", &Session::share);
  ObjectDef<Watcher>()
      .def_init<>()
      .def_virtual("watch", &Watcher::watch_impl, arg("model"))
      .def_virtual("look", &Watcher::look_impl, arg("model"))
      .def("run", &Watcher::run)
      .def("run_look", &Watcher::run_look);
}

TAIN_REGISTER {
  using tain::arg;
  tain::reflection::GlobalDef()
      .def("testing.boxed.kept_alive",
           [] {
             return std::vector<int64_t>{
                 foreign::Counted<Model>::alive,    foreign::Counted<Solver>::alive,
                 foreign::Counted<Listener>::alive, foreign::Counted<Station>::alive,
                 foreign::Counted<Number>::alive,   foreign::Counted<Session>::alive};
           })
      .def("testing.boxed.last_read", [] { return Solver::last_read; })
      .def(
          "testing.boxed.solver_by_value", [](const Model& m) { return Solver(m); }, arg("model"))
      .def(
          "testing.boxed.solver_unique", [](const Model& m) { return std::make_unique<Solver>(m); },
          arg("model"))
      .def(
          "testing.boxed.solver_shared", [](const Model& m) { return std::make_shared<Solver>(m); },
          arg("model"))
      .def(
          "testing.boxed.solvers",
          [](const Model& m) {
            return std::pair<int64_t, std::shared_ptr<Solver>>(1, std::make_shared<Solver>(m));
          },
          arg("model"))
      .def(
          "testing.boxed.any_solver", [](const Model& m) { return tain::Any(Solver(m)); },
          arg("model"))
      .def(
          "testing.boxed.listener_by_value", [](Listener l) { return l; }, arg("listener"))
      .def(
          "testing.boxed.listener_by_reference", [](const Listener& l) { return l; },
          arg("listener"))
      .def(
          "testing.boxed.listener_unique", [](std::unique_ptr<Listener> l) { return l; },
          arg("listener"))
      .def(
          "testing.boxed.listener_shared",
          [](std::shared_ptr<Listener> l) {
            return l == nullptr ? l : std::make_shared<Listener>(*l);
          },
          arg("listener"))
      .def(
          "testing.boxed.listeners", [](const std::vector<Listener>& all) { return all; },
          arg("listeners"))
      .def("testing.boxed.shared_listener",
           [] {
             if (kept_listener == nullptr) kept_listener = std::make_shared<Listener>();
             return kept_listener;
           })
      .def(
          "testing.boxed.keep_listener",
          [](std::shared_ptr<Listener> l) { kept_listener = std::move(l); }, arg("listener"))
      .def("testing.boxed.drop_listener", [] { kept_listener.reset(); })
      .def(
          "testing.boxed.static_listener",
          [](const std::string&) -> Listener& { return static_listener; }, arg("name"))
      .def(
          "testing.boxed.lend_listener",
          [](const Callback<Listener&>& f) {
            Listener listener;
            f(listener);
            return listener.use();
          },
          arg("f"))
      .def(
          "testing.boxed.use_all",
          [](const std::vector<Model*>& models) {
            double sum = 0;
            for (const Model* one : models) sum += one == nullptr ? 100 : one->use();
            return sum;
          },
          arg("models"))
      .def(
          "testing.boxed.use_named",
          [](const std::map<std::string, const Model*>& models) {
            double sum = 0;
            for (const auto& [name, one] : models) sum += one == nullptr ? 0 : one->use();
            return sum;
          },
          arg("models"))
      .def(
          "testing.boxed.share_model",
          [](std::shared_ptr<Model> m) { return m == nullptr ? -1 : m->use(); }, arg("model"))
      .def(
          "testing.boxed.two_sessions",
          [](std::unique_ptr<Session> a, std::unique_ptr<Session> b) {
            return (a == nullptr ? 0 : a->number) + (b == nullptr ? 0 : b->number);
          },
          arg("a"), arg("b"))
      .def(
          "testing.boxed.take_and_use",
          [](std::unique_ptr<Session> a, Session& b) {
            return (a == nullptr ? 0 : a->number) + b.number;
          },
          arg("a"), arg("b"))
      .def("testing.boxed.new_session", [] { return std::make_unique<Session>(); })
      .def("testing.boxed.shared_session", [] { return std::make_shared<Session>(); })
      .def(
          "testing.boxed.keep_session",
          [](Session& session) { kept_session = session.shared_from_this(); }, arg("session"))
      .def("testing.boxed.kept_session", [] { return kept_session; })
      .def("testing.boxed.drop_session", [] { kept_session.reset(); });
}

// Each returns what the callback made of an object that lives as long as the call.
TAIN_REGISTER {
  using tain::arg;
  tain::reflection::GlobalDef()
      .def(
          "testing.boxed.lend_pointer",
          [](const Callback<Model*>& f) {
            Model model;
            f(&model);
            return model.first;
          },
          arg("f"))
      .def(
          "testing.boxed.lend_const_pointer",
          [](const Callback<const Model*>& f) {
            const Model model;
            f(&model);
            return model.first;
          },
          arg("f"))
      .def(
          "testing.boxed.lend_reference",
          [](const Callback<Model&>& f) {
            Model model;
            f(model);
            return model.first;
          },
          arg("f"))
      .def(
          "testing.boxed.lend_const_reference",
          [](const Callback<const Immovable&>& f) {
            const Immovable object;
            f(object);
          },
          arg("f"))
      .def(
          "testing.boxed.pass_value",
          [](const Callback<const Model&>& f) {
            Model model;
            f(model);
            return model.first;
          },
          arg("f"))
      .def(
          "testing.boxed.lend_untyped",
          [](const tain::Function& f) {
            Model model;
            f(&model, model);
            return model.first;
          },
          arg("f"))
      .def(
          "testing.boxed.lend_all",
          [](const Callback<std::vector<Model*>, std::map<std::string, const Model*>>& f) {
            Model first, second;
            f({&first, &second, nullptr}, {{"first", &first}});
            return first.first + second.first;
          },
          arg("f"))
      .def(
          "testing.boxed.lend_two",
          [](const Callback<Listener&, Model&>& f) {
            Listener listener;
            Model model;
            f(listener, model);
            return listener.use();
          },
          arg("f"))
      .def(
          "testing.boxed.lend_shared",
          [](const Callback<Session*>& f) { f(std::make_shared<Session>().get()); }, arg("f"))
      .def(
          "testing.boxed.transform",
          [](const std::function<Number(Number&)>& f) {
            Number number;
            return f(number);
          },
          arg("f"))
      .def("testing.boxed.lend_nothing", [](const Callback<Model*>& f) { f(nullptr); }, arg("f"));
}

}  // namespace
}  // namespace tain_testing
