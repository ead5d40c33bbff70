// Templates, filled in.
#include "app/campaign/scripts.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "app/campaign/command.hpp"
#include "base/words/quote.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;
using Fields = std::vector<std::pair<std::string_view, std::string>>;

constexpr const char* kShardTemplate = R"sh(#!/bin/sh
# One shard of: @COMMAND@
# Usage: sh shard.sh I, I from 0 to @LAST@. A shard that is done is left alone; one that was begun goes on where it can.
set -eu
i=$1
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$here/parts" "$here/done" "$here/log" "$here/lock"
exec 9>"$here/lock/$i"
flock 9 # one process at a time does a shard
if [ ! -e "$here/done/$i.json" ] || [ ! -e "$here/parts/$i.part" ]; then
  echo begun >>"$here/lock/$i.begun"
  cd @WORK@
  if ! sha256sum --quiet --check --strict "$here/files.sha256" >"$here/log/$i.txt" 2>&1; then
    echo "program or model is not what the campaign was planned with; plan it again, in another folder" >>"$here/log/$i.txt"
    echo 2 >"$here/lock/$i.code"
    exit 2
  fi
  program=$(sed -n '1s/ .*//p' "$here/files.sha256")
  flags=$(sed -n '/^flags/{s/.*: //p;q;}' /proc/cpuinfo | tr ' ' '\n' | grep -x -e sse4_2 -e avx2 -e fma -e avx512f | sort -u | tr '\n' ' ') || true
  began=$(date +%s%N)
  code=0
  @RUN@ 9>&- || code=$?
  echo "$code" >"$here/lock/$i.code"
  [ "$code" -le 1 ] || exit "$code"
  @KEEP@
  printf '{"schema": "@SCHEMA@", "shard": %s, "exit_code": %s, "host": "%s", "instruction_set": "%s", "program": "%s", "detent_version": "@VERSION@", "milliseconds": %s}\n' \
    "$i" "$code" "$(uname -n)" "$(echo $(uname -m) $flags)" "$program" "$((($(date +%s%N) - began) / 1000000))" >"$here/done/$i.json.new"
  mv "$here/done/$i.json.new" "$here/done/$i.json"
fi
@AFTER@)sh";

constexpr const char* kParallelTemplate = R"sh(#!/bin/sh
# All shards that are not done, by GNU parallel. Usage: sh parallel.sh
# parallel.log gets a line for each job that ended: host, seconds, exit code, signal.
set -eu
cd "$(dirname "$0")"
mkdir -p done carried lock
exec 9>lock/parallel
flock 9 # where another one runs shards, this one begins after it with those that are left
i=0
while [ $i -lt @SHARDS@ ]; do
  { [ -e "done/$i.json" ] && [ -e "parts/$i.part" ]; } || echo $i
  i=$((i + 1))
done | parallel --will-cite --joblog +parallel.log --retries @TRIES@ @JOB@
)sh";

constexpr const char* kDeployTemplate = R"sh(#!/bin/sh
# Copy program and models to one host and check them there by their hashes. Usage: sh deploy.sh HOST; : is this machine
set -eu
cd "$(dirname "$0")"
there='set -e
mkdir -p "$HOME/@FOLDER@"
cd "$HOME/@FOLDER@"
tar -xf -
sha256sum --quiet --check --strict files.sha256
env LD_LIBRARY_PATH=bin ./bin/detent --version >/dev/null'
if [ "$1" = : ]; then
  tar -C bundle -cf - . | sh -c "$there"
else
  tar -C bundle -cf - . | ssh -o BatchMode=yes "$1" "$there"
fi
)sh";

constexpr const char* kSlurmTemplate = R"sh(#!/bin/sh
# One task per shard. By hand: sbatch --array=0-@LAST@ campaign.sbatch
#SBATCH --job-name=detent
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --time=@TIME@
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=@DIRECTORY@/log/slurm-%a.txt
@PARTITION@exec sh @SHARD@ "$SLURM_ARRAY_TASK_ID"
)sh";

/// Each @NAME@ becomes its text; what is put in is not looked at again.
std::string fill_in(std::string_view pattern, const Fields& fields) {
  std::string text;
  while (!pattern.empty()) {
    bool is_field = false;
    for (const auto& [name, value] : fields) {
      if (!pattern.starts_with(name)) continue;
      text += value;
      pattern.remove_prefix(name.size());
      is_field = true;
      break;
    }
    if (is_field) continue;
    text += pattern.front();
    pattern.remove_prefix(1);
  }
  return text;
}

/// Below the home folder of a host: programs and folders of different campaigns never meet.
std::string host_folder(const CampaignManifest& manifest) {
  std::string name = fs::absolute(manifest.request.directory).lexically_normal().string();
  for (char& c : name) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_plain) c = '_';
  }
  return ".cache/detent-campaign/" + manifest.program_hash.substr(0, 16) + name;
}

}  // namespace

std::string shard_script(const CampaignManifest& manifest, const ShardPlace& place) {
  const bool is_program = shard_kind(manifest.request.command) == ShardKind::kProgram;
  std::string run = shard_command(manifest, place.program);
  run += is_program ? " 2>>\"$here/log/$i.txt\"" : " >>\"$here/log/$i.txt\" 2>&1";
  return fill_in(kShardTemplate, {{"@COMMAND@", joined_words(manifest.request.command)},
                                  {"@LAST@", std::to_string(manifest.request.shards - 1)},
                                  {"@WORK@", place.work},
                                  {"@RUN@", run},
                                  {"@KEEP@", is_program ? "mv \"$here/parts/$i.part.new\" \"$here/parts/$i.part\""
                                                        : "[ -s \"$here/parts/$i.part\" ]"},
                                  {"@SCHEMA@", kShardSchema},
                                  {"@VERSION@", manifest.version},
                                  {"@AFTER@", place.after}});
}

std::string local_shard_script(const CampaignManifest& manifest) {
  return shard_script(manifest,
                      {.program = quote_word(manifest.program), .work = quote_word(manifest.working_directory)});
}

std::string host_shard_script(const CampaignManifest& manifest) {
  return shard_script(manifest, {.program = "env LD_LIBRARY_PATH=\"$here/bin\" \"$here/bin/detent\"",
                                 .work = "\"$here\"",
                                 .after = "cd \"$here\" && tar -cf - \"parts/$i.part\" \"done/$i.json\"\n"});
}

std::string parallel_script(const CampaignManifest& manifest) {
  const CampaignRequest& request = manifest.request;
  std::string job = (request.jobs != 0 ? fmt::format("--jobs {} ", request.jobs) : "") + "sh shard.sh {}";
  if (!request.hosts.empty()) {
    // A host has a folder of its own: what a shard found comes back as what its job prints.
    job = fmt::format(
        "--sshloginfile hosts --results 'carried/{{}}.tar' 'cd \"$HOME/{}\" && sh shard.sh {{}}' >/dev/null",
        host_folder(manifest));
  }
  return fill_in(
      kParallelTemplate,
      {{"@SHARDS@", std::to_string(request.shards)}, {"@TRIES@", std::to_string(request.retries + 1)}, {"@JOB@", job}});
}

std::string deploy_script(const CampaignManifest& manifest) {
  return fill_in(kDeployTemplate, {{"@FOLDER@", host_folder(manifest)}});
}

std::string slurm_script(const CampaignManifest& manifest) {
  const CampaignRequest& request = manifest.request;
  const std::string directory = fs::absolute(request.directory).lexically_normal().string();
  return fill_in(kSlurmTemplate,
                 {{"@LAST@", std::to_string(request.shards - 1)},
                  {"@TIME@", request.time},
                  {"@DIRECTORY@", directory},
                  {"@PARTITION@", request.partition.empty() ? "" : "#SBATCH --partition=" + request.partition + "\n"},
                  {"@SHARD@", quote_word(directory + "/shard.sh")}});
}

}  // namespace detent::app
