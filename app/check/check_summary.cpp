// A detent.check/1 answer as one screen of text.
#include "app/check/check_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

#include "base/counted.hpp"
#include "base/units.hpp"
#include "verify/static/memory_plan.hpp"

namespace detent::app {
namespace {

constexpr std::size_t kWidth = 80;

const Json* find_verdict(const Json& answer, const std::string& property) {
  for (const Json& verdict : answer.at("verdicts")) {
    if (verdict.at("property") == property) return &verdict;
  }
  return nullptr;
}

std::string outcome_name_of(const Json& answer, const std::string& property) {
  const Json* verdict = find_verdict(answer, property);
  return verdict == nullptr ? "unknown" : (*verdict).at("outcome").get<std::string>();
}

/// May a line end between these words? Not between a number and its unit or noun.
bool can_part(std::string_view before) {
  return before.empty() || std::isdigit(static_cast<unsigned char>(before.back())) == 0;
}

/// `text` broken at spaces into lines that fit behind `indent` blanks; the first line is not indented.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find(' ', at), text.size());
    while (end < text.size() && !can_part(std::string_view(text).substr(at, end - at))) {
      end = std::min(text.find(' ', end + 1), text.size());
    }
    const std::size_t length = end - at;
    if (at != 0 && column + length > kWidth && column > indent) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (at != 0) {
      out += " ";
    }
    out += text.substr(at, length);
    column += length + 1;
    at = end + 1;
  }
  return out;
}

std::string answer_line(const Json& answer, const std::string& question, const std::string& property,
                        const std::string& good, const std::string& bad) {
  const std::string outcome = outcome_name_of(answer, property);
  const std::string word = outcome == "holds" ? good : outcome == "violated" ? bad : "UNKNOWN";
  const Json* verdict = find_verdict(answer, property);
  const std::string summary = verdict == nullptr ? "not checked" : (*verdict).at("summary").get<std::string>();
  return fmt::format("  {:<44}{}\n      {}\n", question, word, wrapped(summary, 6));
}

/// Races and memory plan together. Bare byte ranges leave the second half open.
std::string buffers_line(const Json& answer) {
  const std::string question = "Can a buffer be corrupted?";
  const std::string plan = outcome_name_of(answer, "memory_plan");
  const Json* verdict = find_verdict(answer, "memory_plan");
  const bool races_hold = outcome_name_of(answer, "buffer_races") == "holds";
  if (verdict == nullptr || !races_hold) {
    const bool broken = plan == "violated" && outcome_name_of(answer, "buffer_races") != "violated";
    return broken ? answer_line(answer, question, "memory_plan", "NO", "YES")
                  : answer_line(answer, question, "buffer_races", "NO", "YES");
  }
  if (plan != "holds") return answer_line(answer, question, "memory_plan", "NO", "YES");
  const std::string summary = verdict->at("summary").get<std::string>();
  if (summary.find(verify::kRangesNameNoValue) == std::string::npos) {
    return answer_line(answer, question, "buffer_races", "NO", "YES");
  }
  return answer_line(answer, question, "buffer_races", "NOT BY A RACE", "YES") +
         fmt::format("      {}\n", wrapped(summary, 6));
}

std::string witness_lines(const Json& answer) {
  std::string out;
  for (const Json& verdict : answer.at("verdicts")) {
    if (verdict.at("outcome") == "holds" || verdict.at("witnesses").empty()) continue;
    out += fmt::format("  {} {}: {}\n", verdict.at("property").get<std::string>(),
                       verdict.at("outcome").get<std::string>(),
                       wrapped(verdict.at("witnesses").at(0).at("text").get<std::string>(), 6));
    const std::size_t more = verdict.at("witnesses").size() - 1;
    if (more > 0) out += fmt::format("      and {} more in the report\n", more);
  }
  return out;
}

/// The smallest upper bound: {name, picoseconds}; no name when there is none.
std::pair<std::string, std::uint64_t> tightest_bound(const Json& answer) {
  std::pair<std::string, std::uint64_t> best{"", 0};
  for (const Json& method : answer.at("methods")) {
    if (!method.at("is_upper").get<bool>()) continue;
    const auto bound = method.at("bound_ps").get<std::uint64_t>();
    if (best.first.empty() || bound < best.second) best = {method.at("name").get<std::string>(), bound};
  }
  return best;
}

std::string timing_lines(const Json& answer) {
  const auto [name, bound] = tightest_bound(answer);
  const std::string platform = answer.at("platform").get<std::string>();
  std::string out = fmt::format("  {:<44}{}\n", "How long can it take on " + platform + "?",
                                name.empty() ? "UNKNOWN" : "at most " + format_time(bound));
  if (!answer.at("simulated").at("makespan_ps").is_null()) {
    const Json& makespan = answer.at("simulated").at("makespan_ps");
    out += fmt::format("      simulated estimate (optimistic), {}, kernels executed in {}:\n",
                       counted(answer.at("simulated").at("runs").get<std::uint64_t>(), "run"),
                       answer.at("simulated").at("executed_runs").get<std::uint64_t>());
    out += fmt::format(
        "        min {}   median {}   p99 {}   max {} (seed {})\n",
        format_time(makespan.at("min").get<std::uint64_t>()), format_time(makespan.at("median").get<std::uint64_t>()),
        format_time(makespan.at("p99").get<std::uint64_t>()), format_time(makespan.at("max").get<std::uint64_t>()),
        makespan.at("worst_seed").get<std::uint64_t>());
  }
  std::string ladder;
  for (const Json& method : answer.at("methods")) {
    if (!ladder.empty()) ladder += "   ";
    ladder += fmt::format("{} {}", method.at("name").get<std::string>(),
                          format_time(method.at("bound_ps").get<std::uint64_t>()));
  }
  if (!ladder.empty()) out += fmt::format("      {}\n", wrapped(ladder, 6));
  if (!name.empty()) out += fmt::format("      bound under the report's assumptions: {}\n", name);
  return out;
}

/// What was run of the schedules that matter; empty when nothing was.
std::string schedule_line(const Json& answer) {
  const Json schedules = answer.value("schedules", Json(nullptr));
  if (schedules.is_null() || schedules.at("traces").is_null()) return "";
  const Json& traces = schedules.at("traces");
  const Json& pairs = schedules.at("pair_coverage");
  const bool is_counted = !pairs.at("unordered_both").is_null();
  return fmt::format("  schedules {} of {}{} {}, both orders of {} of {} {}\n", traces.at("seen").dump(),
                     traces.at("exact").get<bool>() ? "" : "more than ", traces.at("total").dump(),
                     traces.at("total") == 1 ? "trace" : "traces",
                     is_counted ? pairs.at("unordered_both").dump() : "uncounted", pairs.at("unordered_total").dump(),
                     pairs.at("unordered_total") == 1 ? "unordered pair" : "unordered pairs");
}

}  // namespace

std::string format_summary(const Json& answer, const std::string& directory) {
  std::string out =
      fmt::format("{} on {}: {}, {} of workspace\n\n", answer.at("model").get<std::string>(),
                  answer.at("platform").get<std::string>(), counted(answer.at("ops").get<std::uint64_t>(), "op"),
                  format_bytes(answer.at("arena_bytes").get<std::uint64_t>()));
  out += answer_line(answer, "Is the output the same on any schedule?", "determinism", "YES", "NO");
  out += buffers_line(answer);
  out += timing_lines(answer) + "\n";
  const std::string witnesses = witness_lines(answer);
  if (!witnesses.empty()) out += witnesses + "\n";
  std::string verdicts;
  for (const Json& verdict : answer.at("verdicts")) {
    verdicts += fmt::format("{}{} {}", verdicts.empty() ? "" : ", ", verdict.at("property").get<std::string>(),
                            verdict.at("outcome").get<std::string>());
  }
  out += schedule_line(answer);
  out += fmt::format("  verdicts  {}\n", wrapped(verdicts, 12));
  if (answer.contains("replay")) out += fmt::format("  replay    detent replay {}/report.json\n", directory);
  out += fmt::format("  report    {}/report.html", directory);
  return out;
}

verify::Outcome summary_outcome(const Json& answer) {
  const auto has = [&](const char* outcome) {
    return std::ranges::any_of(answer.at("verdicts"),
                               [&](const Json& verdict) { return verdict.at("outcome") == outcome; });
  };
  if (has("violated")) return verify::Outcome::kViolated;
  return has("unknown") ? verify::Outcome::kUnknown : verify::Outcome::kHolds;
}

}  // namespace detent::app
