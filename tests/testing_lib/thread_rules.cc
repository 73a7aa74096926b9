// SPDX-License-Identifier: Apache-2.0
// Functions and types that say which calls threads may make at the same time.
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tain/stl.h"
#include "tain/tain.h"

namespace {

/// Counts the calls that are inside of it at the same time.
struct Door {
  std::atomic<int64_t> inside{0};
  std::atomic<int64_t> most{0};

  void Enter() {
    const int64_t now = ++inside;
    for (int64_t known = most; known < now && !most.compare_exchange_weak(known, now);) {
    }
  }
  void Leave() { --inside; }
  /// Waits until `count` calls are inside, for at most some milliseconds. Returns whether they are.
  bool Meet(int64_t count, int64_t milliseconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    Enter();
    while (most < count && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    const bool met = most >= count;
    Leave();
    return met;
  }
};

Door alone_door, safe_door;

bool MeetAlone(int64_t count, int64_t milliseconds) { return alone_door.Meet(count, milliseconds); }
bool MeetSafely(int64_t count, int64_t milliseconds) { return safe_door.Meet(count, milliseconds); }
void ResetDoors() { alone_door.most = safe_door.most = 0; }

constexpr const char* kKeys[] = {"testing.threads.Silent", "testing.threads.Locked",
                                 "testing.threads.Safe"};
constexpr int kSafe = 2;

/// What all rules are tried on. kRule only makes them different classes.
template <int kRule>
struct CounterObj : tain::Object {
  int64_t count = 0;  ///< atomic only where calls do not exclude each other
  std::atomic<int64_t> total{0};
  Door door;
  TAIN_OBJECT(kKeys[kRule], CounterObj, tain::Object);

  void Add(int64_t n) {
    door.Enter();
    if constexpr (kRule == kSafe) {
      const std::atomic_ref<int64_t> shared(count);
      const int64_t before = shared.load(std::memory_order_relaxed);
      if (n % 16 == 0) std::this_thread::yield();
      shared.store(before + 1, std::memory_order_relaxed);
    } else {
      const int64_t before = count;
      if (n % 16 == 0) std::this_thread::yield();
      count = before + 1;
    }
    total += n;
    door.Leave();
  }
  bool Meet(int64_t others, int64_t milliseconds) { return door.Meet(others, milliseconds); }
  int64_t Total() const { return total; }
  int64_t MostInside() const { return door.most; }
  void Fail(const std::string& text) { throw std::out_of_range(text); }
  std::string Text(const std::string& text) const { return text + "!"; }
  tain::Ref<CounterObj> Self() { return tain::GetRef<tain::Ref<CounterObj>>(this); }
  /// Runs a callback with the object.
  int64_t Call(const tain::Function& callback) { return callback(this).template cast<int64_t>(); }
  int64_t Same(const tain::Ref<CounterObj>& other) const { return other.get() == this ? 1 : 0; }
};

constexpr const char* kLinkKeys[] = {"testing.threads.SilentLink", "testing.threads.LockedLink",
                                     "testing.threads.SafeLink"};

/// A field of each kind whose reads must not meet writes half-way.
template <int kRule>
struct LinkObj : tain::Object {
  tain::Ptr<LinkObj> next;
  tain::Any value;
  std::string name;
  double number = 0;
  TAIN_OBJECT(kLinkKeys[kRule], LinkObj, tain::Object);

  LinkObj(tain::Ptr<LinkObj> after, std::string text)
      : next(std::move(after)), name(std::move(text)) {}
};

template <int kRule, class... Flags>
void DescribeLink(Flags... flags) {
  using Link = LinkObj<kRule>;
  tain::reflection::ObjectDef<Link>(flags...)
      .template def_init<tain::Ptr<Link>, std::string>(tain::arg("next") = nullptr,
                                                       tain::arg("name") = "")
      .def_rw("next", &Link::next)
      .def_rw("value", &Link::value)
      .def_rw("name", &Link::name)
      .def_rw("number", &Link::number);
}

using SafeLink = LinkObj<2>;

/// Objects that C++ holds, whose wrappers come and go.
tain::Ptr<SafeLink> HeldLink(int64_t i) {
  static const auto held = [] {
    std::vector<tain::Ptr<SafeLink>> made;
    for (int64_t k = 0; k < 8; ++k) {
      made.push_back(tain::make_object<SafeLink>(nullptr, std::to_string(k)));
    }
    return made;
  }();
  return held[static_cast<size_t>(i) % held.size()];
}

template <int kRule, class... Flags>
void Describe(Flags... flags) {
  using Counter = CounterObj<kRule>;
  tain::reflection::ObjectDef<Counter>(flags...)
      .template def_init<>()
      .def_ro("count", &Counter::count)
      .def_property("total", &Counter::Total)
      .def_property("most_inside", &Counter::MostInside, tain::thread_safe())
      .def("add", &Counter::Add, tain::arg("n"))
      .def("meet", &Counter::Meet, tain::arg("others"), tain::arg("milliseconds"))
      .def("meet_safely", &Counter::Meet, tain::arg("others"), tain::arg("milliseconds"),
           tain::thread_safe())
      .def("meet_unlocked", &Counter::Meet, tain::arg("others"), tain::arg("milliseconds"),
           tain::release_gil())
      .def("fail", &Counter::Fail, tain::arg("text"))
      .def("text", &Counter::Text, tain::arg("text"))
      .def("self", &Counter::Self)
      .def("call", &Counter::Call, tain::arg("callback"))
      .def("same", &Counter::Same, tain::arg("other"))
      .def_static("twice", [](int64_t x) { return 2 * x; }, tain::arg("x"));
}

}  // namespace

TAIN_REGISTER {
  Describe<0>();
  Describe<1>(tain::lock_receiver());
  Describe<2>(tain::thread_safe());
  DescribeLink<0>();
  DescribeLink<1>(tain::lock_receiver());
  DescribeLink<2>(tain::thread_safe());
  tain::reflection::GlobalDef()
      .def("testing.threads.meet_alone", MeetAlone, tain::arg("count"), tain::arg("milliseconds"))
      .def("testing.threads.meet_safely", MeetSafely, tain::arg("count"),
           tain::arg("milliseconds") = 5000, tain::thread_safe())
      .def("testing.threads.reset", ResetDoors)
      .def(
          "testing.threads.add", [](int64_t a, double b) { return static_cast<double>(a) + b; },
          tain::arg("a"), tain::arg("b") = 0.5, tain::thread_safe())
      .def(
          "testing.threads.length",
          [](const std::vector<int64_t>& values) { return values.size(); }, tain::arg("values"),
          tain::thread_safe())
      .def("testing.threads.held", HeldLink, tain::arg("i"), tain::thread_safe())
      .def(
          "testing.threads.is_even", [](int64_t x) { return x % 2 == 0; }, tain::arg("x"),
          tain::thread_safe());
}
