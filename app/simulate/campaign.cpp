// Parts of campaigns: which runs, from and into which files.
#include "app/simulate/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <stdexcept>

#include "app/simulate/campaign_identity.hpp"
#include "base/counted.hpp"

namespace detent::app {
namespace {

constexpr std::uint32_t kMaxShards = 1'000'000;

std::optional<std::uint32_t> shard_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// @param at_most_all  there are at most as many shards as runs
sim::RunRange cut_shard(const std::string& shard, std::uint64_t runs, bool at_most_all) {
  if (shard.empty()) return {0, runs};
  const std::size_t slash = shard.find('/');
  const auto index = shard_number(std::string_view(shard).substr(0, slash));
  const auto count = shard_number(slash == std::string::npos ? "" : std::string_view(shard).substr(slash + 1));
  const bool is_part = index && count && *count != 0 && *index < *count && *count <= kMaxShards;
  if (!is_part || (at_most_all && *count > runs)) {
    throw std::invalid_argument(
        fmt::format("--shard {}: write i/n with i from 0 to n - 1 and n at most {}, such as 0/2", shard,
                    at_most_all ? "the number of runs" : "1,000,000"));
  }
  const auto border = [&](std::uint64_t i) {  // runs * i / count without overflow
    return runs / *count * i + runs % *count * i / *count;
  };
  return {border(*index), border(*index + 1ULL) - border(*index)};
}

void refuse_other_campaign(const std::string& file, const std::string& there, const std::string& here) {
  const std::vector<std::string> differences = identity_differences(file, there, here);
  if (differences.empty()) return;
  throw std::invalid_argument(fmt::format("{}: holds another campaign: {}; repeat its command or name another file",
                                          file, fmt::join(differences, "; ")));
}

std::string run_words(std::uint64_t first, std::uint64_t end) { return fmt::format("runs {} to {}", first, end - 1); }

struct MergedFile {
  std::string path;
  sim::RunRange part;
};

/// The files in the order of their runs, which must be each run once.
std::vector<MergedFile> order_files(const std::vector<std::string>& files, const std::string& identity,
                                    std::uint64_t runs) {
  std::vector<MergedFile> parts;
  for (const std::string& file : files) {
    const sim::CampaignHeader header = sim::read_campaign_header(file);
    refuse_other_campaign(file, header.identity, identity);
    parts.push_back({file, header.part});
  }
  std::ranges::sort(parts, [](const MergedFile& a, const MergedFile& b) { return a.part.first < b.part.first; });
  std::uint64_t end = 0;
  const MergedFile* before = nullptr;
  for (const MergedFile& part : parts) {
    if (part.part.first > end) {
      throw std::invalid_argument(fmt::format("{}: {} are missing before it; give the file of that shard as well",
                                              part.path, run_words(end, part.part.first)));
    }
    if (part.part.first < end) {
      throw std::invalid_argument(fmt::format("{}: begins with run {}, which {} also holds; give each run once",
                                              part.path, part.part.first, before->path));
    }
    end += part.part.count;
    before = &part;
  }
  if (end < runs) {
    throw std::invalid_argument(
        fmt::format("{}: {} are missing; give the files of all shards", parts.back().path, run_words(end, runs)));
  }
  return parts;
}

}  // namespace

sim::RunRange shard_part(const std::string& shard, std::uint64_t runs) { return cut_shard(shard, runs, true); }

sim::RunRange shard_of_schedules(const std::string& shard, std::uint64_t schedules) {
  return cut_shard(shard, schedules, false);
}

sim::KnownRuns merge_campaign(const std::vector<std::string>& files, const std::string& identity, std::uint64_t runs) {
  if (files.empty()) throw std::invalid_argument("--merge: no file; give the files of all shards");
  sim::KnownRuns all;
  all.makespans_ps.reserve(runs);
  for (const MergedFile& part : order_files(files, identity, runs)) {
    const sim::CampaignContent content = sim::read_campaign(part.path);
    if (!content.complete()) {
      throw std::invalid_argument(
          fmt::format("{}: {}; finish it first: the same simulate command with --resume", part.path, *content.damage));
    }
    all.makespans_ps.insert(all.makespans_ps.end(), content.runs.makespans_ps.begin(), content.runs.makespans_ps.end());
    all.digests.insert(all.digests.end(), content.runs.digests.begin(), content.runs.digests.end());
  }
  return all;
}

bool needs_identity(const CampaignOptions& options) { return !options.file.empty() || !options.merge.empty(); }

CampaignPart::CampaignPart(const CampaignOptions& options, std::uint64_t runs, std::uint32_t op_count,
                           const std::string& identity)
    : options_(options), part_(shard_part(options.shard, runs)) {
  if (options.resume && options.file.empty()) throw std::invalid_argument("--resume: add --campaign FILE");
  if (options.sensitivity && options.keep_worst == 0) {
    throw std::invalid_argument("--sensitivity: simulates the worst runs again; give --keep-worst 1 or more");
  }
  if (!options.merge.empty()) {
    if (!options.file.empty() || !options.shard.empty()) {
      throw std::invalid_argument("--merge: takes all runs from files; drop --campaign and --shard");
    }
    known_ = merge_campaign(options.merge, identity, runs);
    return;
  }
  if (options.file.empty()) return;
  const sim::CampaignHeader header{identity, part_, sim::campaign_block_runs(op_count)};
  if (!std::filesystem::exists(options.file)) {
    writer_ = sim::CampaignWriter::create(options.file, header);
    return;
  }
  if (!options.resume) {
    throw std::invalid_argument(options.file + ": exists; add --resume to go on with it, or name another file");
  }
  const sim::CampaignHeader there = sim::read_campaign_header(options.file);
  refuse_other_campaign(options.file, there.identity, identity);
  if (there.part.first != part_.first || there.part.count != part_.count) {
    throw std::invalid_argument(fmt::format("{}: is for {}, not for {}: another --shard; name another file",
                                            options.file,
                                            run_words(there.part.first, there.part.first + there.part.count),
                                            run_words(part_.first, part_.first + part_.count)));
  }
  auto resumed = sim::CampaignWriter::resume(options.file, header);
  writer_ = std::move(resumed.writer);
  known_ = std::move(resumed.runs);
  note_ = fmt::format("{}: {} of {} {} there{}", options.file, known_.makespans_ps.size(), counted(part_.count, "run"),
                      part_.count == 1 ? "is" : "are", resumed.damage ? " (" + *resumed.damage + ")" : "");
}

void CampaignPart::attach(sim::SimOptions& options) {
  options.part = part_;
  options.known = &known_;
  options.keep_worst = options_.keep_worst;
  if (writer_) options.on_run = [this](const sim::RunOutcome& run) { writer_->add(run); };
}

}  // namespace detent::app
