// What a campaign found, as JSON and as a table.
#include <fmt/format.h>

#include <algorithm>

#include "app/simulate/campaign.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "sim/campaign/statistics.hpp"

namespace detent::app {
namespace {

constexpr std::uint32_t kHistogramBins = 50;
constexpr std::size_t kTableRows = 20;

std::string signed_time(std::int64_t time_ps) {
  const auto bits = static_cast<std::uint64_t>(time_ps);
  const std::string size = format_time(time_ps < 0 ? 0 - bits : bits);
  return (time_ps < 0 ? "-" : "+") + size;
}

std::string anomaly_text(const sim::CostEffect& effect) {
  if (effect.anomalous()) return "  ANOMALY: a higher cost, a shorter maximum";
  if (effect.shorter > 0) return fmt::format("  {} of the seeds become shorter", effect.shorter);
  return "";
}

}  // namespace

void add_campaign_answer(const CampaignOptions& options, const sim::SimResult& result,
                         const std::function<std::string(const sim::RankedRun&)>& replay, Json& answer) {
  if (!options.shard.empty()) answer["shard"] = options.shard;
  if (!result.makespans_ps.empty()) {
    const sim::Histogram bins = sim::histogram(result.makespans_ps, kHistogramBins);
    answer["histogram"] = {{"from_ps", bins.from_ps}, {"width_ps", bins.width_ps}, {"counts", bins.counts}};
  }
  Json worst = Json::array();
  for (const sim::RankedRun& run : result.worst_runs) {
    Json entry = {{"run", run.run}, {"seed", run.seed}, {"makespan_ps", run.makespan_ps}};
    if (const std::string line = replay(run); !line.empty()) entry["replay"] = line;
    worst.push_back(std::move(entry));
  }
  answer["worst"] = std::move(worst);
}

void add_sensitivity_answer(const sim::Sensitivity& sensitivity, double step, Json& answer) {
  answer["sensitivity_of"] = {{"max_ps", sensitivity.max_ps},
                              {"seeds", sensitivity.seeds},
                              {"step", step},
                              {"ops", sensitivity.ops},
                              {"ops_tried", sensitivity.ops_tried}};
  Json rows = Json::array();
  for (const sim::CostEffect& effect : sensitivity.effects) {
    Json row = {{"cost", effect.cost}, {"kind", effect.is_op ? "op" : "parameter"}};
    if (effect.is_op) row["op"] = effect.op;
    row["cost_change"] = effect.cost_change;
    row["change_ps"] = effect.change_ps;
    row["elasticity"] = effect.elasticity;
    row["longer"] = effect.longer;
    row["shorter"] = effect.shorter;
    row["anomaly"] = effect.anomalous();
    rows.push_back(std::move(row));
  }
  answer["sensitivity"] = std::move(rows);
}

std::vector<std::string> sensitivity_table(const sim::Sensitivity& sensitivity) {
  std::vector<std::string> lines = {
      fmt::format("{:<32}{:>8}{:>14}{:>12}", "maximum depends on", "cost", "maximum", "elasticity")};
  std::size_t shown = 0;
  for (const sim::CostEffect& effect : sensitivity.effects) {
    if (effect.change_ps == 0 && effect.shorter == 0) continue;
    if (++shown > kTableRows && !effect.anomalous()) continue;
    lines.push_back(fmt::format("{:<32}{:>+7.2f}%{:>14}{:>12.4f}{}", effect.cost, 100 * effect.cost_change,
                                signed_time(effect.change_ps), effect.elasticity, anomaly_text(effect)));
  }
  const std::size_t still = static_cast<std::size_t>(
      std::ranges::count_if(sensitivity.effects, [](const auto& e) { return e.change_ps == 0 && e.shorter == 0; }));
  lines.push_back(fmt::format("{} {} not change it; {} simulated again per cost", counted(still, "cost"),
                              still == 1 ? "does" : "do", counted(sensitivity.seeds.size(), "seed")));
  if (sensitivity.ops_tried < sensitivity.ops) {
    lines.push_back(fmt::format("CUT: {} of {} were tried (blocking chain, then the longest); others may matter",
                                sensitivity.ops_tried, counted(sensitivity.ops, "op")));
  }
  return lines;
}

}  // namespace detent::app
