// What a campaign is asked for, and what it wrote down when it was planned.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/answer/answer.hpp"

namespace detent::app {

/// Options of detent campaign.
struct CampaignRequest {
  std::vector<std::string> command{};  ///< "simulate", "explore" or a program, and its words
  std::string engine = "local";        ///< local, parallel or slurm
  std::uint32_t shards = 0;            ///< 0: planned from a trial run
  std::string directory{};             ///< of everything that the campaign writes
  std::string hosts{};                 ///< parallel: file of hosts; empty: this machine
  std::string partition{};             ///< slurm; empty: the default one
  std::string time{};                  ///< slurm: limit of a shard; empty: from the trial run
  std::uint32_t jobs = 0;              ///< shards at once on this machine; 0: one per core
  std::uint32_t retries = 3;           ///< how often a dead shard is run again
  bool resume = false;                 ///< go on with what is in the directory
  bool prepare = false;                ///< write the job files, start nothing
};

/// Everything that decides what the shards do; stands in DIRECTORY/campaign.json.
struct CampaignManifest {
  CampaignRequest request{};         ///< with shards and time decided; resume and prepare are not kept
  std::string program{};             ///< absolute path of this program, or of the other program
  std::string program_hash{};        ///< its SHA-256, as sha256sum prints it
  std::string version{};             ///< of this program
  std::string working_directory{};   ///< in which the command was given
  std::vector<std::string> files{};  ///< what shards read: program, its modules, files that words of the command name
  double shard_seconds = 0;          ///< of one shard, from the trial run; 0: not known
};

/// Said while the campaign goes: plans, shards that died, where Slurm stands.
using OnNote = std::function<void(const std::string& text)>;

}  // namespace detent::app
