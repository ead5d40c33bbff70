#include "models/files/graph_demands.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "base/io.hpp"
#include "base/words/quantity.hpp"
#include "models/files/graph_file.hpp"

namespace detent::models {
namespace {

std::uint64_t read_demand(const JsonValue& value) {
  const std::uint64_t time_ps = read_graph_time(value);
  if (time_ps == 0) value.fail("a time of 0, in which no run can end; leave it out or write a time such as \"5ms\"");
  return time_ps;
}

std::string demand_text(std::uint64_t time_ps) {
  static constexpr std::pair<const char*, std::uint64_t> kUnits[] = {
      {"s", 1'000'000'000'000}, {"ms", 1'000'000'000}, {"us", 1'000'000}, {"ns", 1'000}};
  for (const auto& [unit, size_ps] : kUnits) {
    if (time_ps % size_ps == 0) return "\"" + std::to_string(time_ps / size_ps) + unit + "\"";
  }
  return "\"" + std::to_string(time_ps) + "ps\"";
}

}  // namespace

std::uint64_t read_graph_time(const JsonValue& value) {
  if (value.kind() == JsonKind::kReal && value.as_number() != std::floor(value.as_number())) {
    value.fail("is not a whole number of picoseconds; write a whole number, or a text with a unit such as \"1.5us\"");
  }
  if (value.kind() != JsonKind::kString) return value.as_u64(kMaxGraphTimePs);
  const std::string text(value.as_string().substr(0, kMaxNameBytes));
  const std::optional<std::uint64_t> time_ps = read_time_ps(text);
  if (!time_ps) value.fail("\"" + text + "\" " + refuse_time(text));
  if (!text.ends_with('s')) {
    value.fail("\"" + text + "\" is a text; write " + std::to_string(*time_ps) +
               ", a number of picoseconds, or a text with a unit such as \"5ms\"");
  }
  if (*time_ps > kMaxGraphTimePs) value.fail("is above the most that a graph may state, 2^62 ps (53 days)");
  return *time_ps;
}

TimeDemands read_demands(JsonObject& root) {
  TimeDemands demands;
  if (const auto deadline = root.find("deadline")) demands.deadline_ps = read_demand(*deadline);
  if (const auto period = root.find("period")) demands.period_ps = read_demand(*period);
  return demands;
}

std::string demands_text(const TimeDemands& demands) {
  std::string text;
  if (demands.deadline_ps) text += ", \"deadline\": " + demand_text(*demands.deadline_ps);
  if (demands.period_ps) text += ", \"period\": " + demand_text(*demands.period_ps);
  return text;
}

}  // namespace detent::models
