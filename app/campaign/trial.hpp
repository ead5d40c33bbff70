// A short trial run: how long a campaign takes, and how many shards it is cut into.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/campaign/request.hpp"

namespace detent::app {

/// A shard on Slurm shorter than this costs more in scheduling than it should: a task takes the scheduler about 1 s.
inline constexpr double kLeastSlurmSeconds = 60;

/// Seconds of the whole command on one core of this machine, from shards of it that grow until one takes 0.3 s.
/// @throws std::invalid_argument  the command is refused: what it said
double measure_command(const CampaignManifest& manifest);

/// Shards so that each takes about 10 s, on Slurm 120 s; at least one per job at a time, at most 1000.
std::uint32_t planned_shards(const std::string& engine, double seconds, std::uint32_t jobs);

/// "HH:MM:SS" that a shard of this length surely keeps to: three times as long and five minutes.
std::string slurm_time(double shard_seconds);

/// What a person should know before it begins: length and number of shards, and where they are too short for Slurm.
/// @param seconds  of the whole command; 0: not known
/// @param jobs     shards at a time; 0: not known
std::vector<std::string> plan_notes(const CampaignRequest& request, double seconds, std::uint32_t jobs);

}  // namespace detent::app
