// A detent.check/1 answer as one screen of text.
#include "app/check/check_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "app/answer/device_lines.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "reports/text/budget_text.hpp"
#include "reports/text/report_text.hpp"
#include "reports/text/text.hpp"
#include "reports/text/wrap.hpp"
#include "verify/static/memory_plan.hpp"

namespace detent::app {
namespace {

const Json* find_verdict(const Json& answer, const std::string& property) {
  for (const Json& verdict : answer.at("verdicts")) {
    if (verdict.at("property") == property) return &verdict;
  }
  return nullptr;
}

/// False: the model gave the law nothing to judge.
bool is_checked(const Json& verdict) { return verdict.value("checked", true); }

/// As verify::outcome_word.
std::string word_of(const Json& verdict) {
  if (verdict.contains("assumes")) return "assumed";
  return is_checked(verdict) ? verdict.at("outcome").get<std::string>() : "not checked";
}

std::string outcome_name_of(const Json& answer, const std::string& property) {
  const Json* verdict = find_verdict(answer, property);
  return verdict == nullptr ? "unknown" : (*verdict).at("outcome").get<std::string>();
}

/// An upper bound, rounded up: what is printed must be one, too.

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
  if (name == "he2022") return "identical cores, long chains (He et al.)";
  if (name == "graham") return "identical cores (Graham)";
  if (name == "typed") return "per class of cores";
  return name;
}

/// How many findings the verdict rests on; answers of earlier versions only list them.
std::uint64_t finding_count_of(const Json& verdict) {
  const std::uint64_t listed = verdict.at("witnesses").size();
  return std::max(verdict.value("findings", listed), listed);
}

/// What of `more` findings a reader finds in report.json.
std::string where_listed(std::uint64_t more, std::uint64_t listed) {
  if (more == listed) return " in the report";
  return listed == 0 ? "" : fmt::format(", {} of them in the report", listed);
}

/// One answer on a screen of so many columns.
class Screen {
 public:
  Screen(const Json& answer, std::size_t width) : answer_(answer), width_(width) {}

  [[nodiscard]] std::string text(const std::string& directory) const {
    std::string out = paragraph(fmt::format("{} on {}: {}, {} of workspace", answer_.at("model").get<std::string>(),
                                            answer_.at("platform").get<std::string>(),
                                            counted(answer_.at("ops").get<std::uint64_t>(), "op"),
                                            format_bytes(answer_.at("arena_bytes").get<std::uint64_t>())),
                                0, 2) +
                      "\n";
    out += answer_line("Is the output the same on any schedule?", "determinism", "YES", "NO");
    out += buffers_line();
    out += timing_lines() + "\n";
    const std::string witnesses = witness_lines();
    if (!witnesses.empty()) out += witnesses + "\n";
    std::string verdicts;
    for (const Json& verdict : answer_.at("verdicts")) {
      verdicts += fmt::format("{}{} {}", verdicts.empty() ? "" : ", ", verdict.at("property").get<std::string>(),
                              word_of(verdict));
    }
    out += schedule_line() + code_lines();
    out += paragraph("verdicts  " + verdicts, 2, 12);
    if (answer_.contains("replay")) out += fmt::format("  replay    detent replay {}/report.json\n", directory);
    return out + fmt::format("  report    {}/report.html", directory);
  }

 private:
  /// `indent` blanks before the first line, `hang` before the others.
  [[nodiscard]] std::string paragraph(const std::string& text, std::size_t indent, std::size_t hang) const {
    return reports::wrap_hanging(std::string(indent, ' ') + text, width_, hang) + "\n";
  }

  /// A question with the word that answers it, on one line if that fits.
  [[nodiscard]] std::string question_line(const std::string& question, const std::string& word) const {
    constexpr std::size_t kColumn = 46;
    const std::size_t begin = std::max(kColumn, question.size() + 3);
    if (begin + reports::columns_of(word) > width_) return paragraph(question, 2, 4) + paragraph(word, 6, 6);
    return fmt::format("  {:<44}{}{}\n", question, begin == kColumn ? "" : " ", word);
  }

  [[nodiscard]] std::string answer_line(const std::string& question, const std::string& property,
                                        const std::string& good, const std::string& bad) const {
    const std::string outcome = outcome_name_of(answer_, property);
    std::string word = outcome == "holds" ? good : outcome == "violated" ? bad : "UNKNOWN";
    const Json* verdict = find_verdict(answer_, property);
    const std::string summary = verdict == nullptr ? "not checked" : (*verdict).at("summary").get<std::string>();
    const std::string assumes = verdict == nullptr ? "" : verdict->value("assumes", "");
    if (!assumes.empty()) word += " (ASSUMED bytes)";
    return question_line(question, word) + (assumes.empty() ? "" : paragraph("if " + assumes, 6, 6)) +
           paragraph(summary, 6, 6);
  }

  /// Of the first racing pair, in words, and of the schedule that fails.
  [[nodiscard]] std::string race_lines() const {
    std::string out;
    const Json* races = find_verdict(answer_, "buffer_races");
    if (races != nullptr && races->at("outcome") == "violated" && !races->at("witnesses").empty()) {
      const std::string text = races->at("witnesses").at(0).at("text").get<std::string>();
      const char* const first = finding_count_of(*races) > 1 ? "the first: " : "";
      out += paragraph(first + reports::race_in_words(text), 6, 6);
    }
    for (const Json& failure : answer_.value("failures", Json::array())) {
      if (failure.at("level") != "ops") continue;
      std::string text = "fails with ";
      for (std::size_t i = 0; i < failure.at("constraints").size(); ++i) {
        text += (i == 0 ? "" : " and ") + failure.at("constraints").at(i).get<std::string>();
      }
      text += ": " + failure.at("shown").get<std::string>();
      out += paragraph(text, 6, 6);
      break;
    }
    return out;
  }

  /// Races and memory plan together. Bare byte ranges leave the second half open.
  [[nodiscard]] std::string buffers_line() const {
    const std::string question = "Can a buffer be corrupted?";
    const std::string plan = outcome_name_of(answer_, "memory_plan");
    const Json* verdict = find_verdict(answer_, "memory_plan");
    const bool races_hold = outcome_name_of(answer_, "buffer_races") == "holds";
    if (verdict == nullptr || !races_hold) {
      const bool broken = plan == "violated" && outcome_name_of(answer_, "buffer_races") != "violated";
      return broken ? answer_line(question, "memory_plan", "NO", "YES")
                    : answer_line(question, "buffer_races", "NO", "YES") + race_lines();
    }
    if (plan != "holds") return answer_line(question, "memory_plan", "NO", "YES");
    if (outcome_name_of(answer_, "value_flow") == "violated") {
      return answer_line(question, "value_flow", "NO", "YES");
    }
    const std::string summary = verdict->at("summary").get<std::string>();
    if (summary.find(verify::kRangesNameNoValue) == std::string::npos) {
      return answer_line(question, "buffer_races", "NO", "YES");
    }
    return answer_line(question, "buffer_races", "NOT BY A RACE", "YES") + paragraph(summary, 6, 6);
  }

  /// Of what does not hold, each sentence once; races stand with their question.
  [[nodiscard]] std::string witness_lines() const {
    std::string out;
    std::set<std::string> told;
    const Json* races = find_verdict(answer_, "buffer_races");
    if (races != nullptr && races->at("outcome") == "violated") {
      for (const Json& witness : races->at("witnesses")) told.insert(witness.at("text").get<std::string>());
    }
    for (const Json& verdict : answer_.at("verdicts")) {
      if (verdict.at("outcome") == "holds" || verdict.at("witnesses").empty()) continue;
      const std::string text = verdict.at("witnesses").at(0).at("text").get<std::string>();
      const bool is_told = std::ranges::any_of(told, [&](const std::string& one) { return text.starts_with(one); });
      if (is_told) continue;
      told.insert(text);
      out += paragraph(fmt::format("{} {}: {}", verdict.at("property").get<std::string>(),
                                   verdict.at("outcome").get<std::string>(), reports::race_in_words(text)),
                       2, 6);
      const std::uint64_t more = finding_count_of(verdict) - 1;
      const std::uint64_t listed = verdict.at("witnesses").size() - 1;
      if (more > 0) out += paragraph(fmt::format("and {} more{}", more, where_listed(more, listed)), 6, 6);
    }
    return out;
  }

  /// Lower bounds on the worst case, or upper ones, with the one that counts first.
  [[nodiscard]] std::string bounds_line(bool upper) const {
    std::string list;
    std::uint64_t counts = upper ? UINT64_MAX : 0;
    for (const Json& method : answer_.at("methods")) {
      if (method.at("is_upper").get<bool>() != upper) continue;
      const auto bound = method.at("bound_ps").get<std::uint64_t>();
      counts = upper ? std::min(counts, bound) : std::max(counts, bound);
      list += fmt::format("{}{} {}", list.empty() ? "" : ", ", bound_name(method.at("name").get<std::string>()),
                          upper ? format_time_up(bound) : format_time(bound));
    }
    if (list.empty()) return "";
    const char* const what = upper ? "no run is longer than" : "the worst case is at least";
    const std::string text = fmt::format("{} {}: {}", what, upper ? format_time_up(counts) : format_time(counts), list);
    return paragraph(text, 6, 8);
  }

  /// What the answer rests on: the condition, the sources of op times, what is not used of the cost table.
  [[nodiscard]] std::string ground_lines(bool has_bound) const {
    const Json times = answer_.value("op_times", Json(nullptr));
    std::vector<std::string> lines;
    if (times.is_null()) {
      if (has_bound) lines.emplace_back("if no op exceeds its worst time");
    } else {
      lines.push_back(times.at("condition").get<std::string>());
      if (times.contains("remedy")) lines.push_back("firmer: " + times.at("remedy").get<std::string>());
      if (times.contains("unused_rows")) lines.push_back(times.at("unused_rows").at("text").get<std::string>());
    }
    std::string out;
    for (const std::string& line : lines) out += paragraph(line, 6, 6);
    return out;
  }

  [[nodiscard]] std::string simulation_lines() const {
    if (answer_.at("simulated").at("makespan_ps").is_null()) return "";
    const Json& makespan = answer_.at("simulated").at("makespan_ps");
    const auto time = [&](const char* key) { return format_time(makespan.at(key).get<std::uint64_t>()); };
    std::string out = paragraph(fmt::format("simulated estimate (optimistic), {}, kernels executed in {}:",
                                            counted(answer_.at("simulated").at("runs").get<std::uint64_t>(), "run"),
                                            answer_.at("simulated").at("executed_runs").get<std::uint64_t>()),
                                6, 8);
    const Json& simulated = answer_.at("simulated");
    std::vector<std::string> percentiles;
    for (const Json& one : simulated.value("percentiles", Json::array())) {
      percentiles.push_back(one.at("text").get<std::string>());
    }
    if (percentiles.size() != 2) percentiles = {"median " + time("median"), "p99 " + time("p99")};  // an older report
    const bool is_found = simulated.contains("search") && simulated.at("search").at("is_longest").get<bool>();
    out += paragraph(fmt::format("min {}   {}", time("min"), percentiles[0]), 8, 8);
    out += paragraph(fmt::format("{}   longest run seen {} ({})", percentiles[1], time("max"),
                                 is_found ? "by the search"
                                          : fmt::format("seed {}", makespan.at("worst_seed").get<std::uint64_t>())),
                     8, 8);
    if (simulated.contains("search")) out += paragraph(simulated.at("search").at("text").get<std::string>(), 8, 8);
    const Json times = answer_.value("op_times", Json(nullptr));
    if (!times.is_null() && times.contains("below_lower_bound")) {
      out += paragraph(times.at("below_lower_bound").get<std::string>(), 6, 6);
    }
    return out;
  }

  /// What a device executed of the runs; empty: none was given.
  [[nodiscard]] std::string device_line() const {
    if (!answer_.contains("device")) return "";
    std::string out;
    for (const std::string& line : device_lines(answer_.at("device"))) out += paragraph(line, 6, 8);
    return out;
  }

  /// What of the answer is of one combination of outcomes, and what of all.
  [[nodiscard]] std::string outcome_lines() const {
    const Json outcomes = answer_.value("outcomes", Json(nullptr));
    return outcomes.is_null() ? "" : paragraph(outcomes.at("text").get<std::string>(), 6, 6);
  }

  [[nodiscard]] std::string timing_lines() const {
    const auto [name, bound] = tightest_bound(answer_);
    const std::string platform = answer_.at("platform").get<std::string>();
    const Json times = answer_.value("op_times", Json(nullptr));
    const bool is_assumed = times.is_null() || times.at("weakest") == "assumed";
    std::string word = name.empty() ? "UNKNOWN" : "at most " + format_time_up(bound);
    if (!name.empty() && is_assumed) word += " (ASSUMED times)";
    if (outcome_name_of(answer_, "bound") == "violated") word = is_contradictory() ? "CONTRADICTION" : "BOUND EXCEEDED";
    return question_line("How long can it take on " + platform + "?", word) + ground_lines(!name.empty()) +
           outcome_lines() + device_line() + simulation_lines() + bounds_line(false) + bounds_line(true) +
           budget_lines() + exact_lines() + deadline_line();
  }

  /// The lowest upper bound divided, and the guess that moves it most. Empty in answers of earlier versions.
  [[nodiscard]] std::string budget_lines() const {
    const Json budget = answer_.value("budget", Json(nullptr));
    if (budget.is_null()) return "";
    const std::string parts = reports::parts_text(totals_of(budget));
    std::string out = paragraph(
        fmt::format("of these {}: {}", format_time_up(budget.at("bound_ps").get<std::uint64_t>()), parts), 6, 8);
    const Json& groups = answer_.at("measure_first");
    if (groups.empty()) return out;
    const reports::TimeGroup first = group_of(groups.at(0));
    if (!first.is_guess || first.moves_ps.value_or(0) == 0) return out;
    return out + paragraph(fmt::format("measure first: {} on {} ({}, {}); {} % longer adds {}", first.name, first.core,
                                       counted(first.ops.size(), "op"), first.time.name, reports::kLongerPercent,
                                       format_time(*first.moves_ps)),
                           6, 8);
  }

  /// Figures that exclude each other: not a run that is too long, but a fault of ours.
  [[nodiscard]] bool is_contradictory() const {
    const Json& witnesses = find_verdict(answer_, "bound")->at("witnesses");
    return !witnesses.empty() && witnesses.at(0).at("text").get<std::string>().starts_with("FAULT: ");
  }

  /// Empty where it is not known; the page says why.
  [[nodiscard]] std::string exact_lines() const {
    const Json exact = answer_.value("exact", Json(nullptr));
    if (exact.is_null() || exact.at("worst_ps").is_null()) return "";
    const Json& witness = exact.at("witness");
    const auto shorter = witness.at("shorter").size();
    std::string text =
        fmt::format("exact worst case under policy {}: {}; every op at its worst time: {}",
                    exact.at("policy").get<std::string>(), format_time(exact.at("worst_ps").get<std::uint64_t>()),
                    format_time(witness.at("all_worst_ps").get<std::uint64_t>()));
    if (shorter == 1) text += "; 1 op that takes less than that makes the run longer";
    if (shorter > 1) text += fmt::format("; {} ops that take less than that make the run longer", shorter);
    return paragraph(text, 6, 8);
  }

  [[nodiscard]] static reports::BudgetRow totals_of(const Json& budget) {
    const Json& totals = budget.at("totals");
    reports::BudgetRow sum{.own_ps = totals.at("own_ps").get<std::uint64_t>(),
                           .overhead_ps = totals.at("overhead_ps").get<std::uint64_t>(),
                           .delay_ps = totals.at("delay_ps").get<std::uint64_t>(),
                           .others_ps = totals.at("others_ps").get<std::uint64_t>(),
                           .loads_ps = totals.at("loads_ps").get<std::uint64_t>()};
    for (const Json& one : totals.at("interference_ps")) sum.interference_ps.push_back(one.get<std::uint64_t>());
    return sum;
  }

  [[nodiscard]] static reports::TimeGroup group_of(const Json& json) {
    reports::TimeGroup group{.name = json.at("name").get<std::string>(),
                             .core = json.at("core").get<std::string>(),
                             .time = {json.at("class").get<std::string>(), json.at("source").get<std::string>()},
                             .is_guess = json.at("is_guess").get<bool>()};
    for (const Json& op : json.at("ops")) group.ops.emplace_back(op.get<std::uint32_t>());
    if (!json.at("moves_ps").is_null()) group.moves_ps = json.at("moves_ps").get<std::uint64_t>();
    return group;
  }

  /// Empty where no deadline is demanded.
  [[nodiscard]] std::string deadline_line() const {
    const Json deadline = answer_.value("deadline", Json(nullptr));
    if (deadline.is_null()) return "";
    const char* const assumed = deadline.at("assumed_times").get<bool>() ? " (ASSUMED times)" : "";
    const std::string question =
        fmt::format("Does every run end within {}?", format_time(deadline.at("deadline_ps").get<std::uint64_t>()));
    return answer_line(question, "deadline", std::string("YES") + assumed, std::string("NO") + assumed) +
           period_lines(deadline);
  }

  /// What runs that are released once per period want of the cores. Empty without a period.
  [[nodiscard]] std::string period_lines(const Json& deadline) const {
    if (!deadline.contains("utilisation")) return "";
    std::string text;
    for (const Json& use : deadline.at("utilisation")) {
      text += text.empty()
                  ? fmt::format("a period of {} uses ", format_time(deadline.at("period_ps").get<std::uint64_t>()))
                  : ", ";
      text += fmt::format("{:.1f} % of {} ({}){}", use.at("utilisation").get<double>() * 100,
                          use.at("class").get<std::string>(), counted(use.at("cores").get<std::uint64_t>(), "core"),
                          use.at("overloaded").get<bool>() ? ": MORE WORK THAN TIME" : "");
    }
    return text.empty() ? "" : paragraph(text, 6, 8);
  }

  /// What was run of the schedules that matter; empty when nothing was.
  [[nodiscard]] std::string schedule_line() const {
    const Json schedules = answer_.value("schedules", Json(nullptr));
    if (schedules.is_null() || schedules.at("traces").is_null()) return "";
    const Json& traces = schedules.at("traces");
    const Json& pairs = schedules.at("pair_coverage");
    const bool is_counted = !pairs.at("unordered_both").is_null();
    const std::string text = fmt::format(
        "ran {} of {}{} {} of conflicting ops, both orders of {} of {} {}", traces.at("seen").dump(),
        traces.at("exact").get<bool>() ? "" : "more than ", traces.at("total").dump(),
        traces.at("total") == 1 ? "order" : "orders", is_counted ? pairs.at("unordered_both").dump() : "uncounted",
        pairs.at("unordered_total").dump(), pairs.at("unordered_total") == 1 ? "unordered pair" : "unordered pairs");
    return paragraph("schedules " + text, 2, 12);
  }

  [[nodiscard]] static std::string counts_text(const Json& of) {
    const auto share = [&](const char* key) {
      return of.at(key).at("covered").dump() + " of " + of.at(key).at("total").dump();
    };
    return fmt::format("{} lines, {} branches, {} functions", share("lines"), share("branches"), share("functions"));
  }

  /// What was executed of the model's own C, by file, with the functions that never were; empty when not asked for.
  [[nodiscard]] std::string code_lines() const {
    constexpr std::size_t kFiles = 12, kFunctions = 8;
    const Json code = answer_.value("code_coverage", Json(nullptr));
    if (code.is_null()) return "";
    std::vector<std::string> lines;
    const Json& files = code.at("files");
    for (std::size_t i = 0; i < std::min(kFiles, files.size()); ++i) {
      const Json& file = files.at(i);
      lines.push_back(file.at("name").get<std::string>() + ": " + counts_text(file));
      std::string never;
      const Json& uncovered = file.at("uncovered");
      for (std::size_t k = 0; k < std::min(kFunctions, uncovered.size()); ++k) {
        never += fmt::format("{}{} (line {})", k == 0 ? "never called: " : ", ",
                             uncovered.at(k).at("function").get<std::string>(), uncovered.at(k).at("line").dump());
      }
      if (uncovered.size() > kFunctions) never += fmt::format(" and {} more", uncovered.size() - kFunctions);
      if (!never.empty()) lines.push_back(never);
    }
    if (files.size() > kFiles) lines.push_back(counted(files.size() - kFiles, "file") + " more in the report");
    if (files.size() > 1) lines.push_back("all files: " + counts_text(code));
    if (const auto note = code.at("note").get<std::string>(); !note.empty()) lines.push_back(note);
    std::string out;
    for (const std::string& line : lines) {
      out += out.empty() ? paragraph("code      " + line, 2, 12) : paragraph(line, 12, 14);
    }
    return out;
  }

  const Json& answer_;
  const std::size_t width_;
};

}  // namespace

std::string format_summary(const Json& answer, const std::string& directory, std::size_t width) {
  return Screen(answer, width).text(directory);
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
