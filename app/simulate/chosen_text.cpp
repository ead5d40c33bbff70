#include "app/simulate/chosen_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace detent::app {
namespace {

constexpr const char* kTimesExample = "worst,3-5:best,7:1500";

std::optional<std::uint64_t> whole(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number ? std::optional(number) : std::nullopt;
}

/// "3-5:best" or "7:1500". False: no such item.
bool read_item(std::string_view item, const std::vector<sim::OpTime>& ranges, std::uint64_t& next,
               sim::ChosenRun& run) {
  const std::size_t colon = item.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view ids = item.substr(0, colon), time = item.substr(colon + 1);
  const std::size_t dash = ids.find('-');
  const auto first = whole(ids.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : whole(ids.substr(dash + 1));
  const auto time_ps = whole(time);
  if (!first || !last || *first < next || *last < *first || *last >= ranges.size()) return false;
  if (!time_ps && time != "best") return false;
  for (std::uint64_t op = *first; op <= *last; ++op) run.times_ps[op] = time_ps.value_or(ranges[op].best_ps);
  next = *last + 1;
  return true;
}

}  // namespace

std::string chosen_times_text(const sim::ChosenRun& run, const std::vector<sim::OpTime>& ranges) {
  const auto is_best = [&](std::size_t op) {
    return run.times_ps[op] != ranges[op].worst_ps && run.times_ps[op] == ranges[op].best_ps;
  };
  std::string text = "worst";
  for (std::size_t op = 0; op < ranges.size(); ++op) {
    if (run.times_ps[op] == ranges[op].worst_ps) continue;
    if (!is_best(op)) {
      text += fmt::format(",{}:{}", op, run.times_ps[op]);
      continue;
    }
    std::size_t last = op;
    while (last + 1 < ranges.size() && is_best(last + 1)) ++last;
    text += last == op ? fmt::format(",{}:best", op) : fmt::format(",{}-{}:best", op, last);
    op = last;
  }
  return text;
}

std::string chosen_ties_text(const sim::ChosenRun& run) {
  std::string text;
  for (const OpId op : run.ties) text += fmt::format("{}{}", text.empty() ? "" : ",", op);
  return text;
}

sim::ChosenRun parse_chosen(const std::string& times, const std::string& ties, std::uint64_t seed,
                            const std::vector<sim::OpTime>& ranges) {
  sim::ChosenRun run{.seed = seed};
  for (const sim::OpTime& range : ranges) run.times_ps.push_back(range.worst_ps);
  std::istringstream items(times);
  std::string item;
  std::uint64_t next = 0;
  bool is_first = true;
  while (std::getline(items, item, ',')) {
    if (is_first ? item != "worst" : !read_item(item, ranges, next, run)) {
      throw std::invalid_argument(
          fmt::format("times={}: '{}': write worst, then ids of the {} ops, ascending, with "
                      "best or picoseconds, such as {}",
                      times, item, ranges.size(), kTimesExample));
    }
    is_first = false;
  }
  if (is_first) throw std::invalid_argument(fmt::format("ties={}: need times=, such as times=worst", ties));
  std::istringstream ids(ties);
  std::vector<bool> seen(ranges.size(), false);
  while (std::getline(ids, item, ',')) {
    const auto op = whole(item);
    if (!op || *op >= ranges.size() || seen[*op]) {
      throw std::invalid_argument(
          fmt::format("ties={}: '{}': write ids of the {} ops, each once", ties, item, ranges.size()));
    }
    seen[*op] = true;
    run.ties.emplace_back(static_cast<std::uint32_t>(*op));
  }
  return run;
}

}  // namespace detent::app
