// Records of shards -> who did what, and the answer of programs that are not detent.
#pragma once

#include <string>
#include <vector>

#include "app/answer/verdicts.hpp"
#include "app/campaign/request.hpp"

namespace detent::app {

/// Programs and models as they are now against their hashes in the plan.
/// @throws std::invalid_argument  which file is another one
void refuse_changed_files(const CampaignManifest& manifest);

/// Write DIRECTORY/summary.json (detent.campaign_run/1) and say it; where instruction sets differ, too.
/// @throws std::invalid_argument  a shard of another program than the planned one
void summarise_campaign(const CampaignManifest& manifest, const OnNote& note);

/// What the shards of another program printed, in order; violated where one ended with 1.
Answer program_answer(const CampaignManifest& manifest, const std::vector<std::string>& parts);

}  // namespace detent::app
