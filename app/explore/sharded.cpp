// Shards of an exploration: which schedules, from and into which files.
#include "app/explore/sharded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "app/explore/part_file.hpp"
#include "app/simulate/campaign.hpp"
#include "app/simulate/campaign_identity.hpp"
#include "base/counted.hpp"
#include "base/interrupt.hpp"
#include "harness/run.hpp"
#include "verify/explore/ops/strategy.hpp"

namespace detent::app {
namespace {

namespace explore = verify::explore;

void refuse_other_exploration(const std::string& file, const std::string& there, const std::string& here) {
  const std::vector<std::string> differences = identity_differences(file, there, here);
  if (differences.empty()) return;
  throw std::invalid_argument(fmt::format("{}: holds another exploration: {}; repeat its command or name another file",
                                          file, fmt::join(differences, "; ")));
}

/// Parts whose bits do not fit the space were made from other pairs, whatever their identity says.
void refuse_other_space(const std::string& file, const explore::OpSpace& space, const explore::OpPart& part) {
  const bool is_dense = space.order().op_count() <= explore::kMaxDenseOps;
  const bool is_empty = part.orders.open.empty() && part.orders.after.size() == 0 && part.traces.empty();
  const bool fits = part.orders.open.size() == space.pairs().size() &&
                    part.orders.after.size() == (is_dense ? space.order().op_count() : 0);
  if (is_empty || fits) return;
  throw std::invalid_argument(file + ": its pairs are not those of this model; explore this shard again");
}

Answer shard_answer(const OpExploreRequest& options, const explore::OpPart& part, std::uint64_t planned) {
  Answer answer{.json = json_header("explore", options.request)};
  const std::set<std::uint64_t> traces(part.traces.begin(), part.traces.end());
  const auto differing = static_cast<std::uint64_t>(
      std::ranges::count_if(part.differs, [](std::uint8_t bits) { return (bits & 1U) != 0; }));
  answer.json["level"] = "ops";
  answer.json["strategy"] = options.strategy;
  answer.json["shard"] = options.campaign.shard;
  answer.json["schedules"] = {{"first", part.first}, {"count", part.count}, {"of", planned}};
  answer.json["executions"] = part.traces.size();
  answer.json["seen"] = traces.size();
  answer.json["differing"] = differing;
  answer.json["status"] = detent_status_name(part.status);
  answer.json["serial_digest"] = harness::format_digest(part.serial_digest);
  answer.lines = {fmt::format("{}: shard {}: {} from number {} on, of {}", options.request.model,
                              options.campaign.shard.empty() ? "0/1" : options.campaign.shard,
                              counted(part.count, "schedule"), part.first, planned),
                  fmt::format("  executed  {}, {}, {} with another digest", part.traces.size(),
                              counted(traces.size(), "trace"), differing)};
  if (!options.campaign.file.empty()) {
    answer.lines.push_back("  the answer needs all shards: detent merge FILES, " + options.campaign.file +
                           " among them");
  }
  return answer;
}

}  // namespace

Answer explore_shard(const OpExploreRequest& options, const explore::OpSpace& space,
                     const explore::OpExploreOptions& explore_with) {
  const CampaignOptions& campaign = options.campaign;
  if (options.count_only)
    throw std::invalid_argument("--count: executes nothing, so there are no shards; leave it out");
  if (!explore::can_begin_anywhere(options.strategy)) {
    throw std::invalid_argument(
        fmt::format("--strategy {}: each schedule depends on those before it; leave --shard out, or choose dfs, "
                    "sample, pct, pos or random",
                    options.strategy));
  }
  if (campaign.resume && campaign.file.empty()) throw std::invalid_argument("--resume: add --campaign FILE");
  const std::uint64_t planned = explore::planned_schedules(space, explore_with);
  const sim::RunRange range = shard_of_schedules(campaign.shard, planned);
  if (!campaign.file.empty() && std::filesystem::exists(campaign.file)) {
    if (!campaign.resume) {
      throw std::invalid_argument(campaign.file + ": exists; add --resume to go on with it, or name another file");
    }
    const ExplorePartFile there = read_explore_part(campaign.file);
    refuse_other_exploration(campaign.file, there.identity, options.identity);
    if (there.part.first != range.first || there.part.count != range.count) {
      throw std::invalid_argument(campaign.file + ": is of another --shard; name another file");
    }
    return shard_answer(options, there.part, planned);
  }
  explore::OpPart part = explore::explore_part(space, explore_with, range.first, range.count);
  if (!part.finished()) {
    Answer answer = shard_answer(options, part, planned);
    answer.lines.emplace_back("  stopped before its end: nothing was written");
    answer.outcome = verify::Outcome::kUnknown;
    return answer;
  }
  if (!campaign.file.empty()) write_explore_part(campaign.file, {options.identity, part});
  return shard_answer(options, part, planned);
}

explore::OpExploreReport merge_shards(const OpExploreRequest& options, const explore::OpSpace& space,
                                      const explore::OpExploreOptions& explore_with) {
  if (!options.campaign.file.empty() || !options.campaign.shard.empty()) {
    throw std::invalid_argument("--merge: takes all schedules from files; drop --campaign and --shard");
  }
  const std::uint64_t planned = explore::planned_schedules(space, explore_with);
  std::vector<std::pair<std::string, explore::OpPart>> parts;
  for (const std::string& path : options.campaign.merge) {
    ExplorePartFile file = read_explore_part(path);
    refuse_other_exploration(path, file.identity, options.identity);
    refuse_other_space(path, space, file.part);
    parts.emplace_back(path, std::move(file.part));
  }
  std::ranges::sort(parts, {}, [](const auto& part) { return std::pair(part.second.first, part.second.count); });
  std::uint64_t end = 0;
  std::vector<explore::OpPart> ordered;
  for (auto& [path, part] : parts) {
    if (part.first > end) {
      throw std::invalid_argument(
          fmt::format("{}: schedules {} to {} are missing before it; give the file of that shard "
                      "as well",
                      path, end, part.first - 1));
    }
    if (part.first < end) {
      throw std::invalid_argument(fmt::format(
          "{}: begins with schedule {}, which another file also holds; give each shard once", path, part.first));
    }
    end += part.count;
    ordered.push_back(std::move(part));
  }
  if (end < planned) {
    throw std::invalid_argument(fmt::format("{}: schedules {} to {} are missing; give the files of all shards",
                                            parts.empty() ? "--merge" : parts.back().first, end, planned - 1));
  }
  return explore::merge_parts(space, explore_with, ordered);
}

}  // namespace detent::app
