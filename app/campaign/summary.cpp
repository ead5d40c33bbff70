// Records -> summary.json and lines.
#include "app/campaign/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "app/campaign/job_files.hpp"
#include "app/version.hpp"
#include "base/counted.hpp"
#include "base/io.hpp"
#include "base/subprocess.hpp"

namespace detent::app {
namespace {

constexpr std::uint64_t kMaxProgramOutput = std::uint64_t{1} << 30U;

void refuse_other_program(const CampaignManifest& manifest, std::uint32_t shard, const ShardRecord& record) {
  if (record.program_hash == manifest.program_hash && record.version == manifest.version) return;
  throw std::invalid_argument(fmt::format(
      "{}/done/{}.json: was done by program {} ({}), planned was {} ({}); remove the "
      "record and the part, then --resume",
      manifest.request.directory, shard, record.program_hash, record.version, manifest.program_hash, manifest.version));
}

}  // namespace

void refuse_changed_files(const CampaignManifest& manifest) {
  const std::string list = std::filesystem::absolute(manifest.request.directory).string() + "/files.sha256";
  const ProcessResult result = run_processes({{find_program("sha256sum"), "--quiet", "--check", "--strict", list}},
                                             {.directory = manifest.working_directory})
                                   .front();
  if (result.succeeded()) return;
  throw std::invalid_argument(
      fmt::format("{}: is not what the campaign was planned with; plan it again, in another folder",
                  result.output.substr(0, result.output.find(':'))));
}

void summarise_campaign(const CampaignManifest& manifest, const OnNote& note) {
  const CampaignRequest& request = manifest.request;
  Json shards = Json::array();
  std::set<std::string> sets, hosts;
  double seconds = 0;
  std::uint32_t again = 0;
  for (std::uint32_t shard = 0; shard < request.shards; ++shard) {
    const ShardRecord record = read_shard_record(request.directory, shard).value();
    refuse_other_program(manifest, shard, record);
    const std::uint32_t attempts = std::max(1U, attempts_of(request.directory, shard));
    shards.push_back({{"shard", shard},
                      {"exit_code", record.exit_code},
                      {"attempts", attempts},
                      {"host", record.host},
                      {"instruction_set", record.instruction_set},
                      {"seconds", record.seconds}});
    sets.insert(record.instruction_set);
    hosts.insert(record.host);
    seconds += record.seconds;
    again += attempts > 1 ? 1 : 0;
  }
  const Json summary = {{"schema", "detent.campaign_run/1"},
                        {"detent_version", manifest.version},
                        {"command", request.command},
                        {"engine", request.engine},
                        {"program_hash", manifest.program_hash},
                        {"instruction_sets", sets},
                        {"hosts", hosts},
                        {"seconds", seconds},
                        {"shards", shards}};
  write_file_atomically(request.directory + "/summary.json", summary.dump(2) + "\n");
  std::string line = fmt::format("{} done on {}", counted(request.shards, "shard"), counted(hosts.size(), "machine"));
  if (again != 0) line += fmt::format(", {} of them begun more than once", again);
  note(line);
  if (sets.size() < 2) return;
  note(fmt::format(
      "instruction sets differ ({}): kernels give the same bytes on each, and the digests of the answer show "
      "it where one does not",
      fmt::join(sets, ", ")));
}

Answer program_answer(const CampaignManifest& manifest, const std::vector<std::string>& parts) {
  Answer answer;
  Json codes = Json::array();
  std::string all;
  for (std::uint32_t shard = 0; shard < manifest.request.shards; ++shard) {
    const int code = read_shard_record(manifest.request.directory, shard).value().exit_code;
    codes.push_back(code);
    if (code != 0) answer.outcome = verify::Outcome::kViolated;
    all += read_regular_file(parts[shard], kMaxProgramOutput);
  }
  answer.json = {
      {"schema", "detent.campaign/1"},     {"detent_version", kVersion}, {"command", manifest.request.command},
      {"shards", manifest.request.shards}, {"exit_codes", codes},        {"output", all}};
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    answer.lines.push_back(all.substr(at, end - at));
    at = end + 1;
  }
  return answer;
}

}  // namespace detent::app
