#include "app/bundle/assumed.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "app/simulate/jitter_text.hpp"
#include "base/ids.hpp"
#include "reports/view/desc_view.hpp"
#include "sim/cost/cost.hpp"
#include "sim/platform/numbers.hpp"

namespace detent::app {
namespace {

/// By the end of a platform's key; the longest that fits stands first.
std::string unit_of(std::string_view key) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kUnits = {
      {{"_bytes_per_s", "bytes/s"},
       {"bytes_per_cycle", "bytes/cycle"},
       {"flops_per_cycle", "operations/cycle"},
       {"bytes", "bytes"},
       {"_cycles", "cycles"},
       {"_hz", "Hz"},
       {"_ps", "ps"},
       {"efficiency", "share of the peak"},
       {"corun_rate", "share of the speed alone"}}};
  for (const auto& [end, unit] : kUnits) {
    if (key.ends_with(end)) return std::string(unit);
  }
  return key.find("kernel_efficiency.") != std::string_view::npos ? "share of the peak" : "";
}

/// What an option has put in the place of a platform's number; empty: nothing.
std::string overriding_option(const SimulationOptions& options, std::string_view key) {
  if (options.no_overheads && key.starts_with("overheads.")) return "--no-overheads";
  if (options.no_contention && key == "memory.contention") return "--no-contention";
  if (options.private_ports && key.ends_with(".private_ports")) return "--private-ports";
  return "";
}

AssumedValue platform_value(const SimulationOptions& options, const std::string& platform,
                            const sim::PlatformNumber& number) {
  AssumedValue value{.subject = fmt::format("platform {}: {}", platform, number.key),
                     .value = number.value,
                     .unit = unit_of(number.key),
                     .ground = "seen",
                     .source = number.source};
  const std::string option = overriding_option(options, number.key);
  if (!option.empty() || (number.source.empty() && !options.cores.empty())) {
    value.ground = "option";
    value.source = option.empty() ? "--cores " + options.cores : option;
  } else if (number.source.empty()) {
    value.ground = "default";
    value.source = "the platform file does not say; default of its format";
  } else if (number.source.starts_with("derived")) {
    value.ground = "derived";
  } else if (!number.source.starts_with("seen")) {
    value.ground = "guess";
  }
  return value;
}

/// Why ops whose time is from this source have it, as the report's op_times say.
std::string why_of(const Json& report, const std::string& source) {
  for (const Json& ground : report.at("op_times").at("sources")) {
    if (ground.at("source") == source) return ground.at("why").get<std::string>();
  }
  return "an op that does not run, or only delays others";
}

std::string ground_of(sim::TimeSource source) {
  switch (source) {
    case sim::TimeSource::kGiven:
      return "given";
    case sim::TimeSource::kMeasured:
      return "measured";
    case sim::TimeSource::kArray:
    case sim::TimeSource::kRoofline:
      return "modelled";
    case sim::TimeSource::kGuessedRate:
    case sim::TimeSource::kNone:
      break;
  }
  return "assumed";
}

void add_op_times(const CheckOptions& options, const LoadedModel& loaded, const sim::Platform& platform,
                  const Json& report, std::vector<AssumedValue>& values) {
  const LoadedModel& whole = loaded.of_all_outcomes();
  const detent_desc& desc = whole.desc();
  const auto work = sim::op_work(desc, platform, parse_jitter(options.simulation.jitter), whole.costs.get());
  for (OpId op = 0; op < desc.op_count; ++op) {
    const std::string ground = ground_of(work[op].source);
    const std::string name = reports::op_name(&desc, op);
    for (const auto& [which, time_ps] :
         {std::pair("shortest", work[op].time.best_ps), std::pair("longest", work[op].time.worst_ps)}) {
      values.push_back({.subject = fmt::format("op {} ({}): {} time", op, name, which),
                        .value = time_ps,
                        .unit = "ps",
                        .ground = ground,
                        .source = why_of(report, ground)});
    }
  }
}

}  // namespace

std::vector<AssumedValue> assumed_values(const CheckOptions& options, const LoadedModel& loaded,
                                         const sim::Platform& platform, const Json& report) {
  std::vector<AssumedValue> values;
  for (const sim::PlatformNumber& number : sim::platform_numbers(platform)) {
    values.push_back(platform_value(options.simulation, platform.name, number));
  }
  if (report.at("op_times").is_null()) return values;
  add_op_times(options, loaded, platform, report, values);
  values.push_back({.subject = "op times: how simulated runs draw them",
                    .value = options.simulation.jitter,
                    .unit = "",
                    .ground = "option",
                    .source = "--jitter; no distribution was measured unless it is empirical"});
  for (const Json& method : report.at("methods")) {
    values.push_back({.subject = fmt::format(
                          "bound {}, {}", method.at("name").get<std::string>(),
                          method.at("is_upper").get<bool>() ? "no run is longer" : "the worst case is not shorter"),
                      .value = method.at("bound_ps").get<std::uint64_t>(),
                      .unit = "ps",
                      .ground = "derived",
                      .source = "if " + method.at("assumptions").get<std::string>()});
  }
  return values;
}

std::vector<BundledVerdict> bundled_verdicts(const Json& report) {
  const Json& times = report.at("op_times");
  std::vector<BundledVerdict> verdicts;
  for (const Json& entry : report.at("verdicts")) {
    const auto property = entry.at("property").get<std::string>();
    const auto outcome = entry.at("outcome").get<std::string>();
    const bool is_of_time = property == "bound" || property == "responses" || property == "deadline";
    const bool are_times_known = !times.is_null() && times.at("weakest") != "assumed";
    verdicts.push_back({.property = property,
                        .outcome = outcome == "holds"      ? verify::Outcome::kHolds
                                   : outcome == "violated" ? verify::Outcome::kViolated
                                                           : verify::Outcome::kUnknown,
                        .is_checked = entry.value("checked", true),
                        .summary = entry.at("summary").get<std::string>(),
                        .condition = is_of_time && !times.is_null() ? times.at("condition").get<std::string>()
                                                                    : entry.value("assumes", std::string()),
                        .has_assumed_times = is_of_time && !are_times_known,
                        .has_assumed_bytes = entry.contains("assumes")});
  }
  return verdicts;
}

std::vector<BundledAssumption> bundled_assumptions(const Json& report) {
  std::vector<BundledAssumption> assumptions;
  for (const Json& entry : report.at("assumptions")) {
    assumptions.push_back({entry.at("key").get<std::string>(), entry.at("text").get<std::string>()});
  }
  return assumptions;
}

}  // namespace detent::app
