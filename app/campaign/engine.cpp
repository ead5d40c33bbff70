// Engines by their names, and the one that is built in.
#include "app/campaign/engine.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "app/campaign/children.hpp"
#include "app/campaign/job_files.hpp"
#include "base/subprocess.hpp"

namespace detent::app {
namespace {

class LocalEngine : public CampaignEngine {
 public:
  LocalEngine(const CampaignManifest& manifest, OnNote note)
      : directory_(std::filesystem::absolute(manifest.request.directory).string()),
        jobs_(manifest.request.jobs != 0 ? manifest.request.jobs : usable_cores()),
        note_(std::move(note)) {}

  void start(const std::vector<std::uint32_t>& shards) override { waiting_.assign(shards.begin(), shards.end()); }

  bool poll() override {
    for (const Children::Ended& ended : children_.collect()) {
      if (ended.exit_code == 0) continue;
      note_(fmt::format("shard {}: {}: {}", ended.name, how_it_ended(ended), last_words(directory_, ended.name)));
    }
    while (children_.running() < jobs_ && !waiting_.empty()) {
      const std::uint32_t shard = waiting_.front();
      waiting_.pop_front();
      children_.start(shard, {find_program("sh"), directory_ + "/shard.sh", std::to_string(shard)},
                      directory_ + "/log/local.txt");
    }
    return children_.running() != 0;
  }

  void stop() override { children_.terminate(); }

 private:
  std::string directory_;
  std::uint32_t jobs_;
  OnNote note_;
  std::deque<std::uint32_t> waiting_;
  Children children_;
};

void require_program(const char* name, const char* remedy) {
  if (!find_program(name).empty()) return;
  throw std::invalid_argument(std::string(name) + ": is not installed; " + remedy);
}

}  // namespace

std::uint32_t usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return static_cast<std::uint32_t>(std::max(1, CPU_COUNT(&set)));
}

std::unique_ptr<CampaignEngine> make_local_engine(const CampaignManifest& manifest, const OnNote& note) {
  return std::make_unique<LocalEngine>(manifest, note);
}

void check_engine(const CampaignRequest& request) {
  if (!request.hosts.empty() && request.engine != "parallel") {
    throw std::invalid_argument("--hosts: is of --engine parallel; leave it out");
  }
  if (!(request.partition.empty() && request.time.empty()) && request.engine != "slurm") {
    throw std::invalid_argument("--partition, --time: are of --engine slurm; leave them out");
  }
  require_program("sh", "shards are shell scripts");
  require_program("flock", "apt install util-linux");
  require_program("sha256sum", "apt install coreutils");
  if (request.engine == "parallel") require_program("parallel", "apt install parallel, or choose --engine local");
  if (request.engine == "slurm") {
    const char* const remedy = "apt install slurm-client on a machine of the cluster, or choose --engine parallel";
    require_program("sbatch", remedy);
    require_program("squeue", remedy);
  }
}

std::unique_ptr<CampaignEngine> make_engine(const CampaignManifest& manifest, const OnNote& note) {
  const std::string& engine = manifest.request.engine;
  if (engine == "parallel") return make_parallel_engine(manifest, note);
  if (engine == "slurm") return make_slurm_engine(manifest, note);
  if (engine == "local") return make_local_engine(manifest, note);
  throw std::invalid_argument("--engine " + engine + ": choose local, parallel or slurm");
}

}  // namespace detent::app
