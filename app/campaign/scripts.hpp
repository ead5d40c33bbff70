// The shell scripts of a campaign as text.
#pragma once

#include <string>

#include "app/campaign/request.hpp"

namespace detent::app {

/// Schema of the record that shard.sh leaves.
inline constexpr const char* kShardSchema = "detent.campaign_shard/1";

/// Where the files of a shard stand on the machine that runs it.
struct ShardPlace {
  std::string program;  ///< shell text that starts detent
  std::string work;     ///< shell text of the folder in which the command was given
  std::string after{};  ///< shell text behind a finished shard
};

/// shard.sh: one shard, once, after a check of all hashes.
std::string shard_script(const CampaignManifest& manifest, const ShardPlace& place);
/// Of machines that share this one's folders.
std::string local_shard_script(const CampaignManifest& manifest);
/// Of hosts that have a copy: prints part and record as a tar file.
std::string host_shard_script(const CampaignManifest& manifest);
/// parallel.sh: all shards that are not done.
std::string parallel_script(const CampaignManifest& manifest);
/// deploy.sh: bundle/ to one host.
std::string deploy_script(const CampaignManifest& manifest);
/// campaign.sbatch.
std::string slurm_script(const CampaignManifest& manifest);

}  // namespace detent::app
