// Manifest -> the files of a campaign's directory, each readable and usable by hand; and back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/campaign/request.hpp"

namespace detent::app {

/// What the file that a finished shard leaves says (DIRECTORY/done/I.json).
struct ShardRecord {
  int exit_code = 0;
  std::string host, instruction_set, program_hash, version;
  double seconds = 0;
};

/// Fill in manifest.program_hash, make the directory and write campaign.json, README, files.sha256, shard.sh and what
/// the engine needs: parallel.sh, or campaign.sbatch; with hosts the bundle and deploy.sh.
/// @throws InputError  a file cannot be written; std::invalid_argument  a file that hosts cannot be given
void write_job_files(CampaignManifest& manifest);

/// @throws InputError  no such file, or not a manifest
CampaignManifest read_manifest(const std::string& directory);

/// Of a shard that is done; none: it is not.
/// @throws InputError  a file that no shard wrote
std::optional<ShardRecord> read_shard_record(const std::string& directory, std::uint32_t shard);

/// Shards without a record or without their part, ascending.
std::vector<std::uint32_t> missing_shards(const CampaignManifest& manifest);

/// Number of times that a shard was begun.
std::uint32_t attempts_of(const std::string& directory, std::uint32_t shard);

/// Whether the shard ended with exit code 2, bad input: it would do so again.
bool is_refused(const std::string& directory, std::uint32_t shard);

std::string part_of_shard(const std::string& directory, std::uint32_t shard);

/// The last line that a shard's log holds; "" where there is none.
std::string last_words(const std::string& directory, std::uint32_t shard);

}  // namespace detent::app
