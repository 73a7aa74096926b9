// SPDX-License-Identifier: Apache-2.0
// The model that standard_types_*.cc bind: nine types whose members are mostly standard types. Each
// file says how an object and a handle are declared: OBJECT(name, base), REF(name), END(name, base),
// VIRTUAL(name) in a class whose method can be overridden in Python.
#include <cmath>

namespace model {

enum class Priority { kLow, kNormal, kHigh };
enum class Access : int64_t { kRead = 1, kWrite = 2, kExecute = 4 };

using Value = std::variant<int64_t, double, std::string>;
using Table = std::map<std::string, Value>;
using Scale = std::function<double(double)>;

OBJECT(Tag, Base)
std::string name;
std::optional<std::string> note;
std::set<std::string> aliases;
std::vector<std::string> all() const {
  std::vector<std::string> made(aliases.begin(), aliases.end());
  made.push_back(name);
  return made;
}
END(Tag, Base)

OBJECT(Event, Base)
std::string name;
double at = 0;
std::optional<Value> payload;
std::pair<int64_t, std::string> origin;
bool is_before(double limit) const { return at < limit; }
END(Event, Base)

OBJECT(Task, Base)
std::string name;
Priority priority = Priority::kNormal;
std::vector<REF(Event)> events;
std::map<std::string, REF(Tag)> tags;
std::optional<REF(Event)> last;
Table settings;
Value get(const std::string& key, const Value& fallback) const {
  const auto found = settings.find(key);
  return found == settings.end() ? fallback : found->second;
}
void set(const std::string& key, Value value) { settings[key] = std::move(value); }
std::vector<std::string> keys() const {
  std::vector<std::string> made;
  for (const auto& [key, value] : settings) made.push_back(key);
  return made;
}
std::optional<double> first_time() const {
  if (events.empty()) return std::nullopt;
  return events.front()->at;
}
END(Task, Base)

OBJECT(Shape, Base)
std::string label;
std::vector<std::pair<double, double>> corners;
VIRTUAL(area)
virtual double AREA(std::optional<double> factor) const {
  return static_cast<double>(corners.size()) * factor.value_or(1);
}
END(Shape, Base)

OBJECT(Circle, Shape)
double radius = 1;
double AREA(std::optional<double> factor) const override {
  return 3.14159 * radius * radius * factor.value_or(1);
}
END(Circle, Shape)

OBJECT(Box, Shape)
std::array<double, 2> sides{1, 1};
double AREA(std::optional<double> factor) const override {
  return sides[0] * sides[1] * factor.value_or(1);
}
END(Box, Shape)

OBJECT(Worker, Base)
std::string name;
Access access = Access::kRead;
Scale scale;
std::unordered_map<std::string, int64_t> counts;
double run(const std::vector<double>& values, const Scale& step) const {
  double sum = 0;
  for (const double value : values) sum += step ? step(value) : value;
  return scale ? scale(sum) : sum;
}
int64_t count(const std::string& what) { return ++counts[what]; }
END(Worker, Base)

OBJECT(Report, Base)
std::tuple<std::string, int64_t, double> head;
std::vector<std::vector<double>> rows;
std::map<std::string, std::vector<int64_t>> columns;
std::variant<std::string, std::vector<double>> body;
double total() const {
  double sum = 0;
  for (const auto& row : rows) {
    for (const double value : row) sum += value;
  }
  return sum;
}
END(Report, Base)

OBJECT(Plan, Base)
std::vector<REF(Task)> tasks;
std::vector<REF(Worker)> workers;
std::vector<REF(Shape)> shapes;
std::optional<REF(Report)> report;
std::function<std::string(const std::string&, int64_t)> format;
double area(std::optional<double> factor) const {
  double sum = 0;
  for (const auto& shape : shapes) sum += shape->area(factor);
  return sum;
}
std::map<std::string, int64_t> priorities() const {
  std::map<std::string, int64_t> made;
  for (const auto& task : tasks) made[task->name] = static_cast<int64_t>(task->priority);
  return made;
}
END(Plan, Base)

inline Table Merge(const Table& left, const Table& right) {
  Table made = left;
  made.insert(right.begin(), right.end());
  return made;
}
inline std::vector<double> Map(const std::vector<double>& values, const Scale& step) {
  std::vector<double> made;
  for (const double value : values) made.push_back(step(value));
  return made;
}

}  // namespace model
