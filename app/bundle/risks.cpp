#include "app/bundle/risks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/counted.hpp"
#include "base/units.hpp"

namespace detent::app {
namespace {

class RiskList {
 public:
  void add(const char* kind, std::string subject, std::string text) {
    risks_.push_back({kind, std::move(subject), std::move(text)});
  }
  [[nodiscard]] std::vector<ResidualRisk> take() { return std::move(risks_); }

 private:
  std::vector<ResidualRisk> risks_;
};

void add_verdicts(const BundleFile& bundle, RiskList& list) {
  for (const BundledVerdict& verdict : bundle.verdicts) {
    if (verdict.has_assumed_bytes) list.add("assumed", verdict.property, "holds if " + verdict.condition);
    if (verdict.outcome == verify::Outcome::kHolds) continue;
    const bool is_violated = verdict.outcome == verify::Outcome::kViolated;
    list.add(is_violated          ? "violated"
             : verdict.is_checked ? "unknown"
                                  : "not_checked",
             verdict.property, verdict.summary);
  }
}

/// A number that may be null or a text of digits: as it stands.
std::string number_text(const Json& number) { return number.is_string() ? number.get<std::string>() : number.dump(); }

void add_schedules(const Json& schedules, RiskList& list) {
  if (schedules.is_null()) {
    list.add("unknown", "schedules", "no schedules beyond those of the runs were explored");
    return;
  }
  if (const auto note = schedules.at("note").get<std::string>(); !note.empty()) list.add("unknown", "schedules", note);
  const Json& traces = schedules.at("traces");
  if (!traces.is_null() && (!traces.at("exact").get<bool>() || traces.at("seen") != traces.at("total"))) {
    list.add("sampled", "op_schedules",
             fmt::format("{} of {}{} orders of conflicting ops were run", number_text(traces.at("seen")),
                         traces.at("exact").get<bool>() ? "" : "more than ", number_text(traces.at("total"))));
  }
  if (schedules.at("engine").is_null()) return;
  for (const Json& program : schedules.at("engine").at("programs")) {
    if (program.at("complete").get<bool>()) continue;
    list.add("sampled", "engine_schedules",
             fmt::format("{}: {} schedules of the engine's threads were run, {} different; the share that was not seen "
                         "is about {:.3g}",
                         program.at("program").get<std::string>(), program.at("executions").dump(),
                         program.at("distinct").dump(), program.at("unseen_mass").get<double>()));
  }
}

void add_runs(const Json& report, RiskList& list) {
  const Json& simulated = report.at("simulated");
  if (!simulated.at("makespan_ps").is_null()) {
    list.add("sampled", "simulation",
             fmt::format("the longest of {} is {}; the true worst case may lie above it",
                         counted(simulated.at("runs").get<std::uint64_t>(), "simulated run"),
                         format_time(simulated.at("makespan_ps").at("max").get<std::uint64_t>())));
    if (simulated.at("executed_runs") != simulated.at("runs")) {
      list.add("sampled", "kernels",
               fmt::format("executed in {} of {} simulated runs; the others are timing only",
                           simulated.at("executed_runs").dump(), simulated.at("runs").dump()));
    }
  }
  const auto digest = report.at("native").at("digest").get<std::string>();
  if (digest.empty()) list.add("not_checked", "native runs", "none was made: no output of threads was compared");
  if (report.contains("outcomes")) {
    list.add("sampled", "outcomes", report.at("outcomes").at("text").get<std::string>());
  }
  if (report.contains("device") && report.at("device").at("model_ops") != 0) {
    list.add("not_checked", "device",
             "that " + report.at("device").at("name").get<std::string>() +
                 " touches no memory but that of its ops is its word");
  }
  if (report.contains("code_coverage")) {
    const Json& lines = report.at("code_coverage").at("lines");
    if (lines.at("covered") != lines.at("total")) {
      list.add("sampled", "code",
               fmt::format("{} of {} lines of the kernels were executed", lines.at("covered").dump(),
                           lines.at("total").dump()));
    }
  }
}

void add_guesses(const Json& report, const BundleFile& bundle, RiskList& list) {
  std::size_t guesses = 0, defaults = 0;
  for (const AssumedValue& value : bundle.assumed) {
    guesses += value.ground == "guess" ? 1 : 0;
    defaults += value.ground == "default" ? 1 : 0;
  }
  if (guesses > 0) {
    list.add("guessed", "platform", counted(guesses, "number") + " of the platform: guessed, without a source");
  }
  if (defaults > 0) {
    list.add("guessed", "platform", counted(defaults, "number") + " that the platform leaves to the format's default");
  }
  if (report.at("op_times").is_null()) return;
  for (const Json& ground : report.at("op_times").at("sources")) {
    if (ground.at("source") != "assumed") continue;
    list.add("guessed", "op times",
             counted(ground.at("ops").get<std::uint64_t>(), "op") + ": " + ground.at("why").get<std::string>());
  }
}

/// Options that leave out what the chip does, and what they leave out.
void add_options(const BundleFile& bundle, RiskList& list) {
  static const std::vector<std::pair<std::string_view, const char*>> kLeftOut = {
      {"--no-contention", "cores and NPUs do not delay each other at the DRAM"},
      {"--no-overheads", "dispatch, queues, locks, wake-ups and interrupts take no time"},
      {"--private-ports", "an NPU's traffic delays nobody"},
      {"--timing-only", "no kernel was executed: no output was compared"},
      {"--no-audit", "that kernels touch only what they declare was not looked at"}};
  for (const auto& [option, text] : kLeftOut) {
    const auto found = std::ranges::find(bundle.options, option, &BundledOption::name);
    if (found != bundle.options.end() && found->is_given) list.add("not_modelled", std::string(option), text);
  }
}

/// "no graham bound", with the reason; what kernels are trusted with where no audit looked.
void add_assumptions(const BundleFile& bundle, RiskList& list) {
  const auto audit = std::ranges::find(bundle.verdicts, "access_audit", &BundledVerdict::property);
  const bool is_audited = audit != bundle.verdicts.end() && audit->outcome == verify::Outcome::kHolds;
  for (const BundledAssumption& assumption : bundle.assumptions) {
    const bool is_refused = assumption.key.starts_with("no ") && assumption.key.ends_with(" bound");
    if (is_refused) list.add("not_modelled", assumption.key, assumption.text);
    if (assumption.key == "kernels" && !is_audited) list.add("assumed", "kernels", assumption.text);
  }
}

}  // namespace

std::vector<ResidualRisk> residual_risks(const Json& report, const BundleFile& bundle) {
  RiskList list;
  add_verdicts(bundle, list);
  add_schedules(report.at("schedules"), list);
  add_runs(report, list);
  add_guesses(report, bundle, list);
  add_options(bundle, list);
  add_assumptions(bundle, list);
  return list.take();
}

}  // namespace detent::app
