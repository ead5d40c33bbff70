// A detent.check/1 answer as one screen of text.
#include "app/check/check_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <vector>

#include "base/counted.hpp"
#include "base/units.hpp"
#include "reports/text/report_text.hpp"
#include "reports/text/text.hpp"
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

/// False: the model gave the law nothing to judge.
bool is_checked(const Json& verdict) { return verdict.value("checked", true); }

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

/// A question with the word that answers it, on one line if that fits.
std::string question_line(const std::string& question, const std::string& word) {
  constexpr std::size_t kColumn = 46;
  const std::size_t begin = std::max(kColumn, question.size() + 3);
  if (begin + word.size() > kWidth) return fmt::format("  {}\n      {}\n", question, wrapped(word, 6));
  return fmt::format("  {:<44}{}{}\n", question, begin == kColumn ? "" : " ", word);
}

std::string answer_line(const Json& answer, const std::string& question, const std::string& property,
                        const std::string& good, const std::string& bad) {
  const std::string outcome = outcome_name_of(answer, property);
  const std::string word = outcome == "holds" ? good : outcome == "violated" ? bad : "UNKNOWN";
  const Json* verdict = find_verdict(answer, property);
  const std::string summary = verdict == nullptr ? "not checked" : (*verdict).at("summary").get<std::string>();
  return question_line(question, word) + fmt::format("      {}\n", wrapped(summary, 6));
}

/// Of the first racing pair, in words, and of the schedule that fails.
std::string race_lines(const Json& answer) {
  std::string out;
  const Json* races = find_verdict(answer, "buffer_races");
  if (races != nullptr && races->at("outcome") == "violated" && !races->at("witnesses").empty()) {
    const std::string text = races->at("witnesses").at(0).at("text").get<std::string>();
    const char* const first = races->at("witnesses").size() > 1 ? "the first: " : "";
    out += fmt::format("      {}\n", wrapped(first + reports::race_in_words(text), 6));
  }
  for (const Json& failure : answer.value("failures", Json::array())) {
    if (failure.at("level") != "ops") continue;
    std::string text = "fails with ";
    for (std::size_t i = 0; i < failure.at("constraints").size(); ++i) {
      text += (i == 0 ? "" : " and ") + failure.at("constraints").at(i).get<std::string>();
    }
    text += ": " + failure.at("shown").get<std::string>();
    out += fmt::format("      {}\n", wrapped(text, 6));
    break;
  }
  return out;
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
                  : answer_line(answer, question, "buffer_races", "NO", "YES") + race_lines(answer);
  }
  if (plan != "holds") return answer_line(answer, question, "memory_plan", "NO", "YES");
  if (outcome_name_of(answer, "value_flow") == "violated") {
    return answer_line(answer, question, "value_flow", "NO", "YES");
  }
  const std::string summary = verdict->at("summary").get<std::string>();
  if (summary.find(verify::kRangesNameNoValue) == std::string::npos) {
    return answer_line(answer, question, "buffer_races", "NO", "YES");
  }
  return answer_line(answer, question, "buffer_races", "NOT BY A RACE", "YES") +
         fmt::format("      {}\n", wrapped(summary, 6));
}

/// Of what does not hold, each sentence once; races stand with their question.
std::string witness_lines(const Json& answer) {
  std::string out;
  std::set<std::string> told;
  const Json* races = find_verdict(answer, "buffer_races");
  if (races != nullptr && races->at("outcome") == "violated") {
    for (const Json& witness : races->at("witnesses")) told.insert(witness.at("text").get<std::string>());
  }
  for (const Json& verdict : answer.at("verdicts")) {
    if (verdict.at("outcome") == "holds" || verdict.at("witnesses").empty()) continue;
    const std::string text = verdict.at("witnesses").at(0).at("text").get<std::string>();
    const bool is_told = std::ranges::any_of(told, [&](const std::string& one) { return text.starts_with(one); });
    if (is_told) continue;
    told.insert(text);
    out += fmt::format("  {}\n",
                       wrapped(fmt::format("{} {}: {}", verdict.at("property").get<std::string>(),
                                           verdict.at("outcome").get<std::string>(), reports::race_in_words(text)),
                               6));
    const std::size_t more = verdict.at("witnesses").size() - 1;
    if (more > 0) out += fmt::format("      and {} more in the report\n", more);
  }
  return out;
}

/// An upper bound, rounded up: what is printed must be one, too.
std::string bound_text(std::uint64_t bound_ps) { return format_time(reports::round_up(bound_ps, 3)); }

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

/// A bound's name without a private word.
std::string bound_name(const std::string& name) {
  if (name == "critical_path") return "critical path";
  if (name == "work_per_core") return "work per core";
  if (name == "serial") return "one op after another";
  if (name == "graham") return "identical cores (Graham)";
  if (name == "typed") return "per class of cores";
  return name;
}

/// Lower bounds on the worst case, or upper ones, with the one that counts first.
std::string bounds_line(const Json& answer, bool upper) {
  std::string list;
  std::uint64_t counts = upper ? UINT64_MAX : 0;
  for (const Json& method : answer.at("methods")) {
    if (method.at("is_upper").get<bool>() != upper) continue;
    const auto bound = method.at("bound_ps").get<std::uint64_t>();
    counts = upper ? std::min(counts, bound) : std::max(counts, bound);
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", bound_name(method.at("name").get<std::string>()),
                        upper ? bound_text(bound) : format_time(bound));
  }
  if (list.empty()) return "";
  const char* const what = upper ? "no run is longer than" : "the worst case is at least";
  const std::string text = fmt::format("{} {}: {}", what, upper ? bound_text(counts) : format_time(counts), list);
  return fmt::format("      {}\n", wrapped(text, 8));
}

/// What the answer rests on: the condition, the sources of op times, what is not used of the cost table.
std::string ground_lines(const Json& answer, bool has_bound) {
  const Json times = answer.value("op_times", Json(nullptr));
  std::vector<std::string> lines;
  if (times.is_null()) {
    if (has_bound) lines.emplace_back("if no op exceeds its worst time");
  } else {
    lines.push_back(times.at("condition").get<std::string>());
    if (times.contains("remedy")) lines.push_back("firmer: " + times.at("remedy").get<std::string>());
    if (times.contains("unused_rows")) lines.push_back(times.at("unused_rows").at("text").get<std::string>());
  }
  std::string out;
  for (const std::string& line : lines) out += fmt::format("      {}\n", wrapped(line, 6));
  return out;
}

std::string simulation_lines(const Json& answer) {
  if (answer.at("simulated").at("makespan_ps").is_null()) return "";
  const Json& makespan = answer.at("simulated").at("makespan_ps");
  const auto time = [&](const char* key) { return format_time(makespan.at(key).get<std::uint64_t>()); };
  std::string out = fmt::format("      simulated estimate (optimistic), {}, kernels executed in {}:\n",
                                counted(answer.at("simulated").at("runs").get<std::uint64_t>(), "run"),
                                answer.at("simulated").at("executed_runs").get<std::uint64_t>());
  out += fmt::format("        min {}   median {}   p99 {}   longest run seen {}\n", time("min"), time("median"),
                     time("p99"), time("max"));
  out += fmt::format("        (seed {})\n", makespan.at("worst_seed").get<std::uint64_t>());
  const Json times = answer.value("op_times", Json(nullptr));
  if (!times.is_null() && times.contains("below_lower_bound")) {
    out += fmt::format("      {}\n", wrapped(times.at("below_lower_bound").get<std::string>(), 6));
  }
  return out;
}

std::string timing_lines(const Json& answer) {
  const auto [name, bound] = tightest_bound(answer);
  const std::string platform = answer.at("platform").get<std::string>();
  const Json times = answer.value("op_times", Json(nullptr));
  const bool is_assumed = times.is_null() || times.at("weakest") == "assumed";
  std::string word = name.empty() ? "UNKNOWN" : "at most " + bound_text(bound);
  if (!name.empty() && is_assumed) word += " (ASSUMED times)";
  return question_line("How long can it take on " + platform + "?", word) + ground_lines(answer, !name.empty()) +
         simulation_lines(answer) + bounds_line(answer, false) + bounds_line(answer, true);
}

/// What was run of the schedules that matter; empty when nothing was.
std::string schedule_line(const Json& answer) {
  const Json schedules = answer.value("schedules", Json(nullptr));
  if (schedules.is_null() || schedules.at("traces").is_null()) return "";
  const Json& traces = schedules.at("traces");
  const Json& pairs = schedules.at("pair_coverage");
  const bool is_counted = !pairs.at("unordered_both").is_null();
  const std::string text = fmt::format(
      "ran {} of {}{} {} of conflicting ops, both orders of {} of {} {}", traces.at("seen").dump(),
      traces.at("exact").get<bool>() ? "" : "more than ", traces.at("total").dump(),
      traces.at("total") == 1 ? "order" : "orders", is_counted ? pairs.at("unordered_both").dump() : "uncounted",
      pairs.at("unordered_total").dump(), pairs.at("unordered_total") == 1 ? "unordered pair" : "unordered pairs");
  return fmt::format("  schedules {}\n", wrapped(text, 12));
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
                            is_checked(verdict) ? verdict.at("outcome").get<std::string>() : "not checked");
  }
  out += schedule_line(answer);
  out += fmt::format("  verdicts  {}\n", wrapped(verdicts, 12));
  if (answer.contains("replay")) out += fmt::format("  replay    detent replay {}/report.json\n", directory);
  out += fmt::format("  report    {}/report.html", directory);
  return out;
}

verify::Outcome summary_outcome(const Json& answer) {
  const auto has = [&](const char* outcome) {
    return std::ranges::any_of(answer.at("verdicts"), [&](const Json& verdict) {
      return verdict.at("outcome") == outcome && is_checked(verdict);
    });
  };
  if (has("violated")) return verify::Outcome::kViolated;
  return has("unknown") ? verify::Outcome::kUnknown : verify::Outcome::kHolds;
}

}  // namespace detent::app
