// Job files as text.
#include "app/campaign/job_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "app/campaign/command.hpp"
#include "app/campaign/scripts.hpp"
#include "base/counted.hpp"
#include "base/io.hpp"
#include "base/json.hpp"
#include "base/subprocess.hpp"
#include "base/words/quote.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifestSchema = "detent.campaign_plan/1";
constexpr std::uint64_t kMaxRecordBytes = 1U << 20U;

/// "HASH  FILE" of each file, as sha256sum prints and checks it.
std::string hash_lines(const std::vector<std::string>& files, const std::string& directory) {
  const std::string tool = find_program("sha256sum");
  if (tool.empty()) throw std::invalid_argument("sha256sum: is not installed; apt install coreutils");
  std::vector<std::string> words = {tool, "--"};
  words.insert(words.end(), files.begin(), files.end());
  const ProcessResult result = run_processes({words}, {.directory = directory}).front();
  if (!result.succeeded()) throw std::invalid_argument("sha256sum: " + result.output);
  return result.output;
}

void copy_into(const fs::path& from, const fs::path& to) {
  fs::create_directories(to.parent_path());
  fs::copy_file(from, to, fs::copy_options::overwrite_existing);
}

/// bin/detent with its modules, and the files of the command below the names that the command has for them.
void write_bundle(const CampaignManifest& manifest) {
  const fs::path directory = fs::absolute(manifest.request.directory);
  const fs::path bundle = directory / "bundle";
  std::vector<std::string> names = {"bin/detent"};
  copy_into(manifest.program, bundle / "bin/detent");
  for (const std::string& file : manifest.files) {
    const fs::path path(file);
    if (path == manifest.program) continue;
    std::string name = file;
    if (path.extension() == ".so") {
      name = "bin/" + path.filename().string();
    } else if (path.is_absolute() || *path.begin() == "..") {
      throw std::invalid_argument(file +
                                  ": hosts have other folders; go to the folder that holds it and name it from there");
    }
    copy_into(path, bundle / name);
    names.push_back(name);
  }
  write_file_atomically((bundle / "files.sha256").string(), hash_lines(names, bundle.string()));
  write_file_atomically((bundle / "shard.sh").string(), host_shard_script(manifest));
  copy_into(manifest.request.hosts, directory / "hosts");
  write_file_atomically((directory / "deploy.sh").string(), deploy_script(manifest));
}

std::string readme(const CampaignManifest& manifest) {
  const CampaignRequest& request = manifest.request;
  std::string text =
      fmt::format("{} of: detent campaign {}\n\n", counted(request.shards, "shard"), joined_words(request.command));
  text +=
      "shard.sh        does one shard: sh shard.sh 0\n"
      "files.sha256    hashes of program and models; every shard checks them first\n"
      "campaign.json   what was planned\n"
      "parts/ done/    what shards found, and who did them\n"
      "log/ lock/      what shards printed; who is at work\n";
  if (request.engine == "parallel") text += "parallel.sh     does all that are not done, by GNU parallel\n";
  if (request.engine == "slurm") text += "campaign.sbatch the array for Slurm\n";
  if (!request.hosts.empty()) text += "deploy.sh       copies bundle/ to a host\n";
  return text + "\nGo on after anything died: detent campaign --resume --out " + quote_word(request.directory) + "\n";
}

Json manifest_json(const CampaignManifest& manifest) {
  const CampaignRequest& request = manifest.request;
  return {{"schema", kManifestSchema},
          {"detent_version", manifest.version},
          {"command", request.command},
          {"engine", request.engine},
          {"shards", request.shards},
          {"hosts", request.hosts},
          {"partition", request.partition},
          {"time", request.time},
          {"jobs", request.jobs},
          {"retries", request.retries},
          {"working_directory", manifest.working_directory},
          {"program", manifest.program},
          {"program_hash", manifest.program_hash},
          {"files", manifest.files},
          {"shard_seconds", manifest.shard_seconds}};
}

std::vector<std::string> strings_of(const JsonValue& list) {
  std::vector<std::string> strings;
  for (const JsonValue& value : list.elements()) strings.emplace_back(value.as_string());
  return strings;
}

}  // namespace

void write_job_files(CampaignManifest& manifest) {
  const fs::path directory = fs::absolute(manifest.request.directory);
  for (const char* name : {"parts", "done", "log", "lock"}) fs::create_directories(directory / name);
  const auto write = [&](const char* name, const std::string& text) {
    write_file_atomically((directory / name).string(), text);
  };
  const std::string hashes = hash_lines(manifest.files, manifest.working_directory);  // the program's is the first
  manifest.program_hash = hashes.substr(0, hashes.find(' '));
  write("files.sha256", hashes);
  write("shard.sh", local_shard_script(manifest));
  if (!manifest.request.hosts.empty()) write_bundle(manifest);
  if (manifest.request.engine == "parallel") write("parallel.sh", parallel_script(manifest));
  if (manifest.request.engine == "slurm") write("campaign.sbatch", slurm_script(manifest));
  write("README", readme(manifest));
  write("campaign.json", manifest_json(manifest).dump(2) + "\n");  // last: with it the campaign can be resumed
}

CampaignManifest read_manifest(const std::string& directory) {
  const std::string path = directory + "/campaign.json";
  const JsonDocument document = JsonDocument::parse(read_regular_file(path, kMaxRecordBytes), path);
  JsonObject object(document.root());
  if (object.require("schema").as_string() != kManifestSchema) {
    object.value().fail("is not of detent campaign; give the folder of one");
  }
  CampaignManifest manifest;
  CampaignRequest& request = manifest.request;
  manifest.version = object.require("detent_version").as_string();
  request.command = strings_of(object.require("command"));
  request.engine = object.require("engine").as_string();
  request.shards = static_cast<std::uint32_t>(object.require("shards").as_u64(1'000'000));
  request.hosts = object.require("hosts").as_string();
  request.partition = object.require("partition").as_string();
  request.time = object.require("time").as_string();
  request.jobs = static_cast<std::uint32_t>(object.require("jobs").as_u64(1'000'000));
  request.retries = static_cast<std::uint32_t>(object.require("retries").as_u64(1'000'000));
  request.directory = directory;
  manifest.working_directory = object.require("working_directory").as_string();
  manifest.program = object.require("program").as_string();
  manifest.program_hash = object.require("program_hash").as_string();
  manifest.files = strings_of(object.require("files"));
  manifest.shard_seconds = object.require("shard_seconds").as_number();
  object.finish();
  if (request.shards == 0) object.value().fail("no shards; plan the campaign again");
  return manifest;
}

std::optional<ShardRecord> read_shard_record(const std::string& directory, std::uint32_t shard) {
  const std::string path = fmt::format("{}/done/{}.json", directory, shard);
  std::error_code error;
  if (!fs::exists(path, error)) return std::nullopt;
  const JsonDocument document = JsonDocument::parse(read_regular_file(path, kMaxRecordBytes), path);
  JsonObject object(document.root());
  if (object.require("schema").as_string() != kShardSchema || object.require("shard").as_u64() != shard) {
    object.value().fail("is not of this shard; remove the file");
  }
  ShardRecord record;
  record.exit_code = static_cast<int>(object.require("exit_code").as_u64(255));
  record.host = object.require("host").as_string();
  record.instruction_set = object.require("instruction_set").as_string();
  record.program_hash = object.require("program").as_string();
  record.version = object.require("detent_version").as_string();
  record.seconds = static_cast<double>(object.require("milliseconds").as_u64()) / 1000;
  object.finish();
  return record;
}

std::vector<std::uint32_t> missing_shards(const CampaignManifest& manifest) {
  std::vector<std::uint32_t> missing;
  std::error_code error;
  const std::string& directory = manifest.request.directory;
  for (std::uint32_t shard = 0; shard < manifest.request.shards; ++shard) {
    if (!fs::exists(fmt::format("{}/done/{}.json", directory, shard), error) ||
        !fs::exists(part_of_shard(directory, shard), error)) {
      missing.push_back(shard);
    }
  }
  return missing;
}

std::uint32_t attempts_of(const std::string& directory, std::uint32_t shard) {
  std::error_code error;
  const auto bytes = fs::file_size(fmt::format("{}/lock/{}.begun", directory, shard), error);
  return error ? 0 : static_cast<std::uint32_t>(bytes / std::string_view("begun\n").size());
}

bool is_refused(const std::string& directory, std::uint32_t shard) {
  std::ifstream file(fmt::format("{}/lock/{}.code", directory, shard));
  int code = 0;
  return file >> code && code == 2;
}

std::string part_of_shard(const std::string& directory, std::uint32_t shard) {
  return fmt::format("{}/parts/{}.part", directory, shard);
}

std::string last_words(const std::string& directory, std::uint32_t shard) {
  constexpr std::streamoff kMostBytes = std::streamoff{1} << 16U;  // of a long log, its end
  std::ifstream log(fmt::format("{}/log/{}.txt", directory, shard), std::ios::binary | std::ios::ate);
  log.seekg(std::max<std::streamoff>(log.tellg() - kMostBytes, 0));
  std::string line, last;
  while (std::getline(log, line)) {
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace detent::app
