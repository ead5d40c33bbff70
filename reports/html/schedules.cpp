// Coverage of schedules in report.html: how much of what matters was run, and what must have happened and did or did
// not. Never a bare number of schedules.
#include <algorithm>
#include <cmath>
#include <cstdio>

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
  const char* const hint = "ways to order the conflicting ops";
  const std::string seen = format_integer(ops.seen);
  const auto of = static_cast<double>(ops.seen);
  if (ops.count.exact) {
    const std::string value = seen + " of " + trace_text(ops.count.total) + " <small>exact</small>";
    return measure_row("Traces seen", hint, of / static_cast<double>(ops.count.total), value);
  }
  if (ops.estimate && std::isfinite(ops.estimate->total)) {
    const std::string value = seen + " of about " + number_text(ops.estimate->total) + " \xC2\xB1 " +
                              number_text(ops.estimate->standard_error, "%.2g") + "<small>Knuth's estimate from " +
                              count_of(ops.estimate->samples, "sample") + "</small>";
    return measure_row("Traces seen", hint, of / std::max(ops.estimate->total, 1.0), value);
  }
  return measure_row("Traces seen", hint, -1, seen + " of more than " + trace_text(ops.count.total));
}

std::string pair_row(const char* name, const char* hint, std::uint64_t both, std::uint64_t total, bool known,
                     const char* none) {
  if (total == 0) return measure_row(name, hint, -1, none);
  if (!known) return measure_row(name, hint, -1, "not counted, " + format_integer(total) + " in all");
  return measure_row(name, hint, static_cast<double>(both) / static_cast<double>(total),
                     format_integer(both) + " of " + format_integer(total));
}

std::string redundancy_text(std::uint64_t executions, std::uint64_t distinct) {
  if (distinct == 0) return "nothing was executed";
  return number_text(static_cast<double>(executions) / static_cast<double>(distinct)) + "<small>" +
         count_of(executions, "execution") + ", " + count_of(distinct, "trace") + "</small>";
}

std::string op_rows(const OpScheduleCoverage& ops) {
  std::string out = traces_row(ops);
  out += pair_row("Conflicting pairs in both orders", "unordered ops that share bytes or a mutex",
                  ops.pairs.conflicting_both, ops.pairs.conflicting_total, true, "no two unordered ops conflict");
  out += pair_row("Unordered pairs in both orders", "ops that no path orders", ops.pairs.unordered_both,
                  ops.pairs.unordered_total, ops.pairs.unordered_known, "a path orders every two ops");
  std::string unseen = "no estimate: schedules were chosen, not drawn";
  if (ops.unseen_mass) unseen = *ops.unseen_mass == 0 ? "none" : number_text(*ops.unseen_mass);
  out += measure_row("Unseen", "chance that the next schedule shows a new trace", -1, unseen);
  return out + measure_row("Redundancy", "executions per trace", -1, redundancy_text(ops.executions, ops.seen));
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

std::string measures_html(const ScheduleCoverage& coverage) {
  if (!coverage.ops && !coverage.engine) return "";
  std::string out =
      "<table class=\"measures\"><thead><tr><th>What was covered</th><th>Share</th><th>Of "
      "what</th></tr></thead><tbody>";
  if (coverage.ops) out += op_rows(*coverage.ops);
  if (coverage.engine) {
    for (const explore::EngineEvidence& program : coverage.engine->programs) out += program_row(program);
  }
  return out + "</tbody></table>";
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
         (goal.applicable ? format_integer(goal.count) : "") + "</td><td>" +
         escape_html(short_name(goal.evidence, 400)) + "</td></tr>";
}

std::string cover_goals_html(const std::vector<explore::CoverGoal>& cover_goals) {
  if (cover_goals.empty()) return "";
  std::string out =
      "<h3>What must have happened</h3><p class=\"lead\">Without these, \xE2\x80\x9Cno law was broken\xE2\x80\x9D says "
      "little. One that can happen and never did is a finding.</p>"
      "<table class=\"cover-goals\"><thead><tr><th>State</th><th>Cover goal</th><th class=\"r\">Times</th><th>Where, "
      "or "
      "why not</th></tr></thead><tbody>";
  const char* group = "";
  for (const explore::CoverGoal& goal : cover_goals) {
    if (goal.about != group) {
      group = goal.about == "model" ? "model" : "engine";
      out += std::string("<tr class=\"group\"><th colspan=\"4\" scope=\"rowgroup\">") +
             (goal.about == "model" ? "Ops of the model" : "Synchronisation points of the engine") + "</th></tr>";
    }
    out += cover_goal_row(goal);
  }
  return out + "</tbody></table>";
}

std::string schedules_lead(const ScheduleCoverage& coverage) {
  std::string out =
      "<p class=\"lead\">Which orders of ops, and of the engine\xE2\x80\x99s own steps, were executed of "
      "those that can matter.";
  if (coverage.ops) out += " Ops: strategy " + escape_html(coverage.ops->strategy) + ".";
  if (coverage.engine) {
    out += " Engine: " + escape_html(coverage.engine->mode) + ", " + count_of(coverage.engine->workers, "worker") +
           ", search " + escape_html(coverage.engine->search) + ".";
  }
  return out + "</p>";
}

}  // namespace

std::string schedules_html(const ReportData& data) {
  const ScheduleCoverage& coverage = data.schedules;
  if (coverage.empty()) return "";
  std::string out = "<section id=\"schedules\"><h2>Schedules</h2>" + schedules_lead(coverage);
  if (!coverage.note.empty()) out += "<p class=\"note\">" + escape_html(short_name(coverage.note, 600)) + "</p>";
  return out + measures_html(coverage) + cover_goals_html(coverage.cover_goals) + "</section>";
}

}  // namespace detent::reports
