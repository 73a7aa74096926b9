// SPDX-License-Identifier: Apache-2.0
// What is left out, and what needs more than the address of a member.

// clang-format 19 takes annotations for other syntax.
// clang-format off
#include <tain/reflection/auto.h>
#include <tain/tain.h>

#include <compare>
#include <string>
#include <system_error>
#include <vector>

namespace edges {

struct Opaque;
struct Plain {
  int a = 1;
};

struct Line : tain::Object {
  double length = 0;
  int id = 7;
  int bits : 3 = 0;
  int array[3] = {1, 2, 3};
  Plain plain;
  static inline int changing = 1;

  explicit Line(double length, int id = 7) : length(length), id(id) {}
  template <class T>
  explicit Line(T* other) : length(*other) {}
  Line scaled(double by = 2, int times = 1) const { return Line(length * by * times, id); }
  virtual std::string text(const std::string& head = ">") const { return head + "Line"; }
  static Line unit(int id = 3) { return Line(1, id); }
  int& operator[](int index) { return array[index % 3]; }
  int operator[](int index) const { return array[index % 3]; }
  std::strong_ordering operator<=>(const Line& other) const { return id <=> other.id; }
  bool operator==(const Line& other) const { return id == other.id; }
  friend Line operator+(const Line& a, const Line& b) { return Line(a.length + b.length); }
  Line longer(Line other) const { return other.length > length ? other : *this; }
  const Line& itself() const { return *this; }

  template <class T>
  T made(T value) const {
    return value;
  }
  void fill(int& value) const { value = 1; }
  void take(const Plain&) const {}
  void look(const Opaque*) const {}
  std::errc code() const { return {}; }
  std::vector<std::errc> codes() const { return {}; }
  bool operator!() const { return length == 0; }
  void variadic(...) const {}
  [[=tain::hidden]] void quiet(int&) const {}
};

struct Longer : Line {
  explicit Longer(double length) : Line(length) {}
  std::string text(const std::string& head) const override { return head + "Longer"; }
  struct Part : tain::Object {
    int index = 0;
  };
};

/// Compared by fields: Object has no comparison, so that the compiler deletes this one.
struct Ordered : tain::Object {
  int first = 0;
  int second = 0;
  auto operator<=>(const Ordered&) const = default;
};

/// Compared by its friends.
struct Grade : tain::Object {
  int value = 0;
  Grade() = default;
  explicit Grade(int value) : value(value) {}
  friend bool operator==(const Grade& a, const Grade& b) { return a.value == b.value; }
  friend std::strong_ordering operator<=>(const Grade& a, const Grade& b) {
    return b.value <=> a.value;  // 1 is the best
  }
  friend Grade operator%(const Grade& a, const Grade& b) { return Grade(a.value % b.value); }
  friend double operator*(const Grade& a, const Grade& b) { return a.value * b.value; }
};
struct BetterGrade : Grade {
  int extra = 1;
};

/// Its fields are never assigned.
struct Fixed : tain::Object {
  static constexpr bool _type_mutable = false;
  int first = 1;
  tain::String second = "two";
};

struct Stated : tain::Object {
  int number = 1;
  TAIN_OBJECT("edges.Named", Stated, tain::Object);
};
struct Below : Stated {
  int more = 2;
};

struct [[=tain::hidden]] Unseen : tain::Object {
  int number = 1;
};

class Closed : public tain::Object {
  int number_ = 5;

 public:
  int number() const { return number_; }

 protected:
  int guarded = 1;
};

struct [[=tain::iterable]] Range : tain::Object {
  std::vector<int> values = {1, 2, 3};
  [[=tain::hidden]] const int* begin() const { return values.data(); }
  [[=tain::hidden]] const int* end() const { return values.data() + values.size(); }
  static double made() { return 4.5; }
  double factor [[=tain::default_made_by(&made)]] = 0;
};

namespace {
struct Secret : tain::Object {
  int number = 3;
};
}  // namespace

inline void nothing(int&) {}
inline int answer() { return 42; }

}  // namespace edges

TAIN_REFLECT(edges)
