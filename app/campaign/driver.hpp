// The driver of a campaign: plan, start, watch, run again what died, say who did what.
#pragma once

#include <string>
#include <vector>

#include "app/answer/verdicts.hpp"
#include "app/campaign/request.hpp"

namespace detent::app {

/// How a campaign ended.
struct CampaignRun {
  CampaignManifest manifest{};
  bool done = false;                 ///< every shard is; else it was stopped, or only prepared
  bool of_detent = true;             ///< the answer is that of merge_words (command.hpp); else `answer` holds it
  std::vector<std::string> parts{};  ///< of all shards, in order, when done
  Answer answer{};
};

/// Plan the campaign, or take up the one that the directory holds, and bring all shards to their end.
///
/// A shard that dies is run again, request.retries times at most. The machines that did them are listed in
/// DIRECTORY/summary.json; shards of another program than the one that was planned are refused.
/// @param on_progress  shards that are done, of all; may be empty
/// @throws std::invalid_argument  a command that has no shards, a directory that is in use or of another campaign, an
/// engine that is not there, a shard that died too often (its last words); InputError  files that cannot be written
CampaignRun run_campaign(const CampaignRequest& request, const OnProgress& on_progress, const OnNote& note);

}  // namespace detent::app
