// From a request to all parts.
#include "app/campaign/driver.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "app/campaign/command.hpp"
#include "app/campaign/engine.hpp"
#include "app/campaign/job_files.hpp"
#include "app/campaign/summary.hpp"
#include "app/campaign/trial.hpp"
#include "app/version.hpp"
#include "base/counted.hpp"
#include "base/interrupt.hpp"
#include "base/subprocess.hpp"
#include "base/words/quote.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;

constexpr auto kPollInterval = std::chrono::milliseconds(50);
constexpr auto kSlurmInterval = std::chrono::seconds(1);

/// This program and the module beside it.
std::vector<std::string> program_files(const std::string& program) {
  std::vector<std::string> files = {program};
  const fs::path folder = fs::path(program).parent_path();
  for (const fs::path& place :
       {folder / "modules" / "detent_systemc.so", folder / ".." / "lib" / "detent" / "detent_systemc.so"}) {
    if (fs::is_regular_file(place)) files.push_back(fs::canonical(place).string());
  }
  return files;
}

/// Which program runs the shards, and which files they read.
void find_files(CampaignManifest& manifest) {
  const CampaignRequest& request = manifest.request;
  const bool is_detent = shard_kind(request.command) == ShardKind::kDetent;
  manifest.program = is_detent ? fs::read_symlink("/proc/self/exe").string() : find_program(request.command.front());
  if (manifest.program.empty()) {
    throw std::invalid_argument(request.command.front() + ": is neither simulate nor explore nor a program; give one");
  }
  if (!is_detent && !request.hosts.empty()) {
    throw std::invalid_argument("--hosts: other programs are not copied to hosts; leave it out");
  }
  manifest.program = fs::canonical(manifest.program).string();
  manifest.files = is_detent ? program_files(manifest.program) : std::vector{manifest.program};
  for (std::string& file : named_files(request.command)) {
    if (file != request.command.front()) manifest.files.push_back(std::move(file));
  }
}

CampaignManifest plan_campaign(const CampaignRequest& request, const OnNote& note) {
  CampaignManifest manifest{.request = request, .version = kVersion};
  manifest.working_directory = fs::current_path().string();
  find_files(manifest);
  const bool is_detent = shard_kind(request.command) == ShardKind::kDetent;
  const double seconds = is_detent ? measure_command(manifest) : 0;
  const std::uint32_t jobs = request.jobs != 0 ? request.jobs : usable_cores();
  CampaignRequest& planned = manifest.request;
  if (planned.shards == 0 && seconds <= 0) {
    throw std::invalid_argument("--shards: how long the program takes is not known; give a number");
  }
  if (planned.shards == 0) planned.shards = planned_shards(planned.engine, seconds, jobs);
  manifest.shard_seconds = seconds / planned.shards;
  if (planned.engine == "slurm" && planned.time.empty()) {
    planned.time = seconds > 0 ? slurm_time(manifest.shard_seconds) : "01:00:00";
  }
  const bool is_here = planned.engine != "slurm" && planned.hosts.empty();
  for (const std::string& line : plan_notes(planned, seconds, is_here ? jobs : 0)) note(line);
  return manifest;
}

CampaignManifest take_up(const CampaignRequest& request) {
  CampaignManifest manifest = read_manifest(request.directory);
  if (!request.command.empty() && request.command != manifest.request.command) {
    throw std::invalid_argument(
        fmt::format("{}: holds another campaign: {}; leave the command out or name another folder", request.directory,
                    fmt::join(manifest.request.command, " ")));
  }
  if (request.shards != 0 && request.shards != manifest.request.shards) {
    throw std::invalid_argument(fmt::format("{}: has {}; leave --shards out or name another folder", request.directory,
                                            counted(manifest.request.shards, "shard")));
  }
  const bool is_here = fs::current_path() == manifest.working_directory;
  const bool is_relative = std::ranges::any_of(manifest.files, [](const fs::path& file) { return file.is_relative(); });
  if (is_relative && !is_here) {
    throw std::invalid_argument(fmt::format("{}: names its files from {}; go there to resume it", request.directory,
                                            manifest.working_directory));
  }
  return manifest;
}

CampaignManifest begin_or_resume(const CampaignRequest& request, const OnNote& note) {
  std::error_code error;
  if (fs::exists(request.directory + "/campaign.json", error)) {
    if (request.resume) return take_up(request);
    throw std::invalid_argument(request.directory +
                                ": holds a campaign; add --resume to go on with it, or name another folder");
  }
  if (fs::exists(request.directory, error) && !fs::is_empty(request.directory, error)) {
    throw std::invalid_argument(request.directory + ": is not empty and holds no campaign; name another folder");
  }
  shard_kind(request.command);
  check_engine(request);
  CampaignManifest manifest = plan_campaign(request, note);
  write_job_files(manifest);
  return manifest;
}

/// Until the engine has no more to do. @return  false: stopped by Ctrl-C
bool watch(const CampaignManifest& manifest, CampaignEngine& engine, const OnProgress& on_progress) {
  const std::uint32_t shards = manifest.request.shards;
  while (engine.poll()) {
    if (on_progress) on_progress(shards - missing_shards(manifest).size(), shards);
    if (stop_requested()) {
      engine.stop();
      return false;
    }
    const bool is_far = manifest.request.engine == "slurm";
    std::this_thread::sleep_for(is_far ? std::chrono::milliseconds(kSlurmInterval) : kPollInterval);
  }
  return true;
}

[[noreturn]] void give_up(const CampaignManifest& manifest, std::uint32_t shard) {
  const std::string& directory = manifest.request.directory;
  const std::string words = last_words(directory, shard);
  const std::uint32_t attempts = attempts_of(directory, shard);
  const bool is_elsewhere = attempts == 0 && !manifest.request.hosts.empty();  // its records are on the host
  throw std::invalid_argument(
      fmt::format("{}: shard {} {}{}; see {}, then: detent campaign --resume --out {}", directory, shard,
                  attempts == 0 ? "was not done" : "was begun " + counted(attempts, "time") + " and never done",
                  words.empty() ? "" : ": " + words,
                  is_elsewhere ? fmt::format("{0}/parallel.log and {0}/carried/{1}.tar.err", directory, shard)
                               : fmt::format("{}/log/{}.txt", directory, shard),
                  directory));
}

/// Run shards until all are done. @return  false: stopped
bool bring_to_end(const CampaignManifest& manifest, const OnProgress& on_progress, const OnNote& note) {
  const std::unique_ptr<CampaignEngine> engine = make_engine(manifest, note);
  if (engine->attach() && !watch(manifest, *engine, on_progress)) return false;
  // GNU parallel runs dead jobs again itself.
  const std::uint32_t rounds = manifest.request.engine == "parallel" ? 1 : manifest.request.retries + 1;
  for (std::uint32_t round = 0;; ++round) {
    const std::vector<std::uint32_t> missing = missing_shards(manifest);
    if (missing.empty()) return true;
    if (round == rounds) give_up(manifest, missing.front());
    const auto is_bad = [&](std::uint32_t shard) { return is_refused(manifest.request.directory, shard); };
    const auto bad = round == 0 ? missing.end() : std::ranges::find_if(missing, is_bad);
    if (bad != missing.end()) give_up(manifest, *bad);
    if (round > 0) {
      note(fmt::format("{} died and {} run again", counted(missing.size(), "shard"),
                       missing.size() == 1 ? "is" : "are"));
    }
    engine->start(missing);
    if (!watch(manifest, *engine, on_progress)) return false;
  }
}

}  // namespace

CampaignRun run_campaign(const CampaignRequest& request, const OnProgress& on_progress, const OnNote& note) {
  if (request.directory.empty()) throw std::invalid_argument("--out: is missing; give a folder for the campaign");
  CampaignRun run{.manifest = begin_or_resume(request, note)};
  const CampaignManifest& manifest = run.manifest;
  refuse_changed_files(manifest);
  run.of_detent = shard_kind(manifest.request.command) == ShardKind::kDetent;
  if (request.prepare) {
    note(fmt::format("prepared; {}/README says what each file is for", request.directory));
    return run;
  }
  const std::string shards = counted(manifest.request.shards, "shard");
  const std::size_t there = manifest.request.shards - missing_shards(manifest).size();
  if (request.resume && there != 0) note(fmt::format("{} of {} are done", there, shards));
  run.done = bring_to_end(manifest, on_progress, note);
  if (!run.done) {
    note(fmt::format("stopped; detent campaign --resume --out {} goes on", quote_word(request.directory)));
    return run;
  }
  summarise_campaign(manifest, note);
  for (std::uint32_t shard = 0; shard < manifest.request.shards; ++shard) {
    run.parts.push_back(part_of_shard(manifest.request.directory, shard));
  }
  if (!run.of_detent) run.answer = program_answer(manifest, run.parts);
  return run;
}

}  // namespace detent::app
