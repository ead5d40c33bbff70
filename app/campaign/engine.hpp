// Engines: who runs the shards. Each starts those that it is given and says when it has no more to do.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/campaign/request.hpp"

namespace detent::app {

class CampaignEngine {
 public:
  virtual ~CampaignEngine() = default;
  /// Begin with these shards, ascending. @throws std::invalid_argument  it cannot: what to do
  virtual void start(const std::vector<std::uint32_t>& shards) = 0;
  /// Go on with what an earlier driver started, if the engine still has it. @return  whether it does
  virtual bool attach() { return false; }
  /// Look after the shards without waiting. @return  whether any may still be running
  virtual bool poll() = 0;
  /// Ctrl-C: end what this driver started, or say what goes on.
  virtual void stop() = 0;
};

/// Processes of this machine, request.jobs at a time.
std::unique_ptr<CampaignEngine> make_local_engine(const CampaignManifest& manifest, const OnNote& note);
/// GNU parallel, on this machine or on hosts.
std::unique_ptr<CampaignEngine> make_parallel_engine(const CampaignManifest& manifest, const OnNote& note);
/// One array of Slurm.
std::unique_ptr<CampaignEngine> make_slurm_engine(const CampaignManifest& manifest, const OnNote& note);

/// Options that are of another engine, programs that are not installed.
/// @throws std::invalid_argument  what to do
void check_engine(const CampaignRequest& request);

/// By name, checked.
std::unique_ptr<CampaignEngine> make_engine(const CampaignManifest& manifest, const OnNote& note);

/// Cores that this process may run on.
std::uint32_t usable_cores();

}  // namespace detent::app
