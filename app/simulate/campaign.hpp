// Campaigns of the command line: parts, files that are continued, parts that are merged, what the worst runs depend on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/answer/answer.hpp"
#include "sim/campaign/campaign_file.hpp"
#include "sim/sensitivity.hpp"
#include "sim/simulate.hpp"

namespace detent::app {

struct CampaignOptions {
  std::string file;                ///< --campaign; empty: none
  std::string shard;               ///< "i/n"; empty: the whole campaign
  std::vector<std::string> merge;  ///< files that hold all runs: nothing is simulated but the worst and median run
  bool resume = false;
  std::uint32_t keep_worst = 10;
  bool sensitivity = false;
  double sensitivity_step = 0.01;
};

/// Runs of shard "i/n" of a campaign: [runs * i / n, runs * (i + 1) / n). Empty text: all.
/// @throws std::invalid_argument  no such form, i >= n, more shards than runs
sim::RunRange shard_part(const std::string& shard, std::uint64_t runs);
/// The same of schedules, whose number nobody may know beforehand: there may be more shards than schedules.
sim::RunRange shard_of_schedules(const std::string& shard, std::uint64_t schedules);

/// The runs of all parts, in order.
/// @param identity  of the campaign that is asked for
/// @throws std::invalid_argument  a file of another campaign (what differs), unfinished, damaged, overlapping, missing
sim::KnownRuns merge_campaign(const std::vector<std::string>& files, const std::string& identity, std::uint64_t runs);

/// A simulate command's part of a campaign, from the check of its files to the last block.
class CampaignPart {
 public:
  /// Opens or creates the file. @param identity  of the command; only asked for when a file is involved
  /// @throws std::invalid_argument  options that contradict each other, a file that cannot be taken
  CampaignPart(const CampaignOptions& options, std::uint64_t runs, std::uint32_t op_count, const std::string& identity);
  /// Say what to simulate and where the runs go. This object must outlive the simulation.
  void attach(sim::SimOptions& options);
  /// How many runs a file that is continued has already; "" otherwise.
  [[nodiscard]] const std::string& note() const { return note_; }

 private:
  const CampaignOptions& options_;
  sim::RunRange part_;
  sim::KnownRuns known_;
  std::string note_;
  std::unique_ptr<sim::CampaignWriter> writer_;
};

/// True when a file or a merge is asked for: then the identity of the command matters.
bool needs_identity(const CampaignOptions& options);

/// Add "shard" (if any), "histogram" and "worst" to the answer. @param replay  line of a run with this seed, or ""
void add_campaign_answer(const CampaignOptions& options, const sim::SimResult& result,
                         const std::function<std::string(const sim::RankedRun&)>& replay, Json& answer);

/// Add "sensitivity" and its conditions to the answer; the table as lines.
void add_sensitivity_answer(const sim::Sensitivity& sensitivity, double step, Json& answer);
std::vector<std::string> sensitivity_table(const sim::Sensitivity& sensitivity);

}  // namespace detent::app
