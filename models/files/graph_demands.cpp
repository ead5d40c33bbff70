#include "models/files/graph_demands.hpp"

#include <utility>

#include "base/io.hpp"
#include "base/words/quantity.hpp"
#include "models/files/graph_file.hpp"

namespace detent::models {
namespace {

std::uint64_t read_demand(const JsonValue& value) {
  std::uint64_t time_ps = 0;
  if (value.kind() == JsonKind::kString) {
    const std::string text(value.as_string().substr(0, kMaxNameBytes));
    const auto read = read_time_ps(text);
    if (!read) value.fail("\"" + text + "\" " + refuse_time(text));
    time_ps = *read;
  } else {
    time_ps = value.as_u64(kMaxGraphTimePs);
  }
  if (time_ps == 0) value.fail("a time of 0, by which no run has ended; leave it out or write a time such as \"5ms\"");
  if (time_ps > kMaxGraphTimePs) value.fail("is above the most that a graph may state, 2^62 ps (53 days)");
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

TimeDemands read_demands(JsonObject& root) {
  TimeDemands demands;
  if (const auto deadline = root.find("deadline")) demands.deadline_ps = read_demand(*deadline);
  return demands;
}

std::string demands_text(const TimeDemands& demands) {
  return demands.deadline_ps ? ", \"deadline\": " + demand_text(*demands.deadline_ps) : "";
}

}  // namespace detent::models
