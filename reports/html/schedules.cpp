// Coverage of schedules in report.html: how much of what matters was run, and what must have happened and did or did
// not. Never a bare number of schedules.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "reports/html/glossary.hpp"
#include "reports/html/parts.hpp"

namespace detent::reports {
namespace {

namespace explore = verify::explore;

std::string number_text(double value, const char* format = "%.3g") {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// Digits in groups where they fit 64 bits.
std::string trace_text(explore::Count128 count) {
  return count <= UINT64_MAX ? format_integer(static_cast<std::uint64_t>(count)) : explore::format_count(count);
}

/// A share as a bar; `share` < 0: not known.
std::string bar_html(double share) {
  if (share < 0) return "<td class=\"share\"></td>";
  const auto parts = static_cast<std::uint64_t>(std::clamp(share, 0.0, 1.0) * 10000.0);
  return "<td class=\"share\"><span class=\"track\"><b style=\"width:" + percent_of(parts, 10000) +
         "\"></b></span></td>";
}

std::string measure_row(const std::string& name, const char* hint, double share, const std::string& value) {
  return "<tr><th scope=\"row\">" + name + "<small>" + hint + "</small></th>" + bar_html(share) + "<td class=\"num\">" +
         value + "</td></tr>";
}

std::string traces_row(const OpScheduleCoverage& ops) {
  const char* const hint = "of the ops that conflict";
  const std::string seen = format_integer(ops.seen);
  const auto of = static_cast<double>(ops.seen);
  if (ops.count.exact) {
    const std::string value = seen + " of " + trace_text(ops.count.total) + " <small>exact</small>";
    return measure_row(term_html("order", "Orders run"), hint, of / static_cast<double>(ops.count.total), value);
  }
  if (ops.estimate && std::isfinite(ops.estimate->total)) {
    const std::string value = seen + " of about " + number_text(ops.estimate->total) + " \xC2\xB1 " +
                              number_text(ops.estimate->standard_error, "%.2g") + "<small>Knuth's estimate from " +
                              count_of(ops.estimate->samples, "sample") + "</small>";
    return measure_row(term_html("order", "Orders run"), hint, of / std::max(ops.estimate->total, 1.0), value);
  }
  return measure_row(term_html("order", "Orders run"), hint, -1, seen + " of more than " + trace_text(ops.count.total));
}

std::string pair_row(const std::string& name, const char* hint, std::uint64_t both, std::uint64_t total, bool known,
                     const char* none) {
  if (total == 0) return measure_row(name, hint, -1, none);
  if (!known) return measure_row(name, hint, -1, "not counted, " + format_integer(total) + " in all");
  return measure_row(name, hint, static_cast<double>(both) / static_cast<double>(total),
                     format_integer(both) + " of " + format_integer(total));
}

std::string redundancy_text(std::uint64_t executions, std::uint64_t distinct) {
  if (distinct == 0) return "nothing was executed";
  return number_text(static_cast<double>(executions) / static_cast<double>(distinct)) + "<small>" +
         count_of(executions, "execution") + ", " + count_of(distinct, "order") + "</small>";
}

std::string op_rows(const OpScheduleCoverage& ops) {
  std::string out = traces_row(ops);
  out +=
      pair_row(term_html("race", "Conflicting pairs") + " in both orders", "unordered ops that share bytes or a mutex",
               ops.pairs.conflicting_both, ops.pairs.conflicting_total, true, "no two unordered ops conflict");
  out += pair_row(term_html("unordered", "Unordered pairs") + " in both orders", "ops that no path orders",
                  ops.pairs.unordered_both, ops.pairs.unordered_total, ops.pairs.unordered_known,
                  "a path orders every two ops");
  std::string unseen = "no estimate: schedules were chosen, not drawn";
  if (ops.unseen_mass) unseen = *ops.unseen_mass == 0 ? "none" : number_text(*ops.unseen_mass);
  out += measure_row(term_html("unseen", "Unseen"), "chance that the next schedule shows a new order", -1, unseen);
  return out + measure_row(term_html("redundancy", "Redundancy"), "executions per order", -1,
                           redundancy_text(ops.executions, ops.seen));
}

std::string program_row(const explore::EngineEvidence& program) {
  const explore::ThreadStatistics& statistics = program.statistics;
  const std::string counts = count_of(statistics.executions, "execution") + ", " +
                             count_of(statistics.distinct, "trace") + ", redundancy " +
                             number_text(statistics.redundancy());
  const double unseen = program.complete ? 0 : statistics.unseen_mass();
  const std::string value = program.complete ? "every schedule<small>" + counts + "</small>"
                                             : "unseen " + number_text(unseen) +
                                                   ": the chance that the next schedule shows a new trace<small>" +
                                                   counts + "</small>";
  return measure_row("Engine: " + escape_html(short_name(program.program)),
                     program.complete ? "all schedules of its threads" : "a sample of the schedules of its threads",
                     1 - unseen, value);
}

std::string measures_table(const std::string& rows) {
  if (rows.empty()) return "";
  return "<table class=\"measures\"><thead><tr><th>What was covered</th><th>Share</th><th>Of "
         "what</th></tr></thead><tbody>" +
         rows + "</tbody></table>";
}

std::string cover_goal_row(const explore::CoverGoal& goal) {
  std::string state = "<span class=\"none\">does not apply</span>";
  if (goal.applicable) {
    state =
        goal.never() ? badge_html(verify::Outcome::kUnknown, "never") : badge_html(verify::Outcome::kHolds, "happened");
  }
  const char* const kind = !goal.applicable ? "rest" : goal.never() ? "never" : "seen";
  return "<tr class=\"" + std::string(kind) + "\"><td>" + state + "</td><th scope=\"row\">" + escape_html(goal.text) +
         "<small>" + escape_html(goal.name) + "</small></th><td class=\"r num\">" +
         (goal.applicable ? format_integer(goal.count) : "") + "</td><td>" + name_html(short_name(goal.evidence, 400)) +
         "</td></tr>";
}

/// Goals about ops of the model, or about the engine.
std::string cover_goals_html(const std::vector<explore::CoverGoal>& cover_goals, bool of_engine) {
  std::string rows;
  for (const explore::CoverGoal& goal : cover_goals) {
    if ((std::string_view(goal.about) != "model") == of_engine) rows += cover_goal_row(goal);
  }
  if (rows.empty()) return "";
  return "<h3>What must have happened</h3><p class=\"lead\">Without these " + term_html("cover-goal", "goals") +
         ", \xE2\x80\x9Cno law was broken\xE2\x80\x9D says little. One that can happen and never did is a finding.</p>"
         "<table class=\"cover-goals\"><thead><tr><th>State</th><th>Goal</th><th class=\"r\">Times</th><th>Where, or "
         "why not</th></tr></thead><tbody>" +
         rows + "</tbody></table>";
}

}  // namespace

std::string schedules_html(const ReportData& data) {
  const ScheduleCoverage& coverage = data.schedules;
  const std::string goals = cover_goals_html(coverage.cover_goals, false);
  if (!coverage.ops && coverage.note.empty() && goals.empty()) return "";
  std::string out =
      "<section id=\"schedules\"><h2>Schedules</h2><p class=\"lead\">Which orders of ops were executed of "
      "those that can matter.";
  if (coverage.ops) out += " Chosen by strategy " + escape_html(coverage.ops->strategy) + ".";
  out += "</p>";
  if (!coverage.note.empty()) out += "<p class=\"note\">" + name_html(short_name(coverage.note, 600)) + "</p>";
  return out + measures_table(coverage.ops ? op_rows(*coverage.ops) : "") + goals + "</section>";
}

std::string engine_html(const ReportData& data) {
  const ScheduleCoverage& coverage = data.schedules;
  const std::string goals = cover_goals_html(coverage.cover_goals, true);
  if (!coverage.engine && goals.empty()) return "";
  std::string out =
      "<section id=\"engine\"><details><summary><h2>Inside the runtime\xE2\x80\x99s engine</h2></summary><p "
      "class=\"lead\">Steps of the engine\xE2\x80\x99s own threads, for those who work on the runtime.";
  std::string rows;
  if (coverage.engine) {
    out += " Mode " + escape_html(coverage.engine->mode) + ", " + count_of(coverage.engine->workers, "worker") +
           ", search " + escape_html(coverage.engine->search) + ".";
    for (const explore::EngineEvidence& program : coverage.engine->programs) rows += program_row(program);
  }
  return out + "</p>" + measures_table(rows) + goals + "</details></section>";
}

}  // namespace detent::reports
