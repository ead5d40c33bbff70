// Shards as one array of Slurm: submitted, asked after, accounted for in words that people know.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "app/campaign/children.hpp"
#include "app/campaign/engine.hpp"
#include "app/campaign/slurm_words.hpp"
#include "base/io.hpp"
#include "base/subprocess.hpp"

namespace detent::app {
namespace {

bool is_job_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

class SlurmEngine : public CampaignEngine {
 public:
  SlurmEngine(const CampaignManifest& manifest, OnNote note)
      : directory_(std::filesystem::absolute(manifest.request.directory).string()), note_(std::move(note)) {}

  void start(const std::vector<std::uint32_t>& shards) override {
    const ProcessResult result =
        ask({"sbatch", "--parsable", "--array=" + index_list(shards), directory_ + "/campaign.sbatch"});
    if (!result.succeeded()) {
      throw std::invalid_argument("sbatch: " + one_line(result.output) +
                                  "; see --partition, --time and --shards, and campaign.sbatch in the folder");
    }
    job_ = result.output.substr(0, result.output.find_first_of(";\n"));
    if (!is_job_number(job_)) {
      throw std::invalid_argument("sbatch: its answer is no number of a job: " + one_line(result.output));
    }
    write_file_atomically(directory_ + "/slurm_job", job_ + "\n");
    note_("Slurm: job " + job_);
  }

  bool attach() override {
    std::ifstream file(directory_ + "/slurm_job");
    if (!(file >> job_) || !is_job_number(job_) || !is_listed()) return false;
    note_("Slurm: job " + job_ + " goes on");
    return true;
  }

  bool poll() override {
    if (is_listed()) return true;
    explain_ended();
    return false;
  }

  void stop() override {
    note_(fmt::format("Slurm: job {0} goes on; scancel {0} ends it, --resume waits for it", job_));
  }

 private:
  [[nodiscard]] ProcessResult ask(std::vector<std::string> words) const {
    const std::string program = find_program(words.front());
    if (program.empty()) return {};
    words.front() = program;
    return run_processes({words}, {.directory = directory_, .time_limit_ms = 60'000}).front();
  }

  /// Whether the queue holds tasks of the job; says how they are when that changes.
  bool is_listed() {
    const ProcessResult result = ask({"squeue", "--noheader", "--array", "--jobs=" + job_, "--format=%T|%r"});
    if (!result.succeeded()) {
      if (result.output.find("Invalid job id") != std::string::npos) return false;  // long over
      say_once("Slurm does not answer: " + one_line(result.output) + "; it is asked again");
      return true;
    }
    std::set<std::string> states;
    std::istringstream lines(result.output);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t bar = line.find('|');
      if (bar != std::string::npos) states.insert(slurm_words(line.substr(0, bar), line.substr(bar + 1)));
    }
    if (!states.empty()) say_once(fmt::format("Slurm: tasks are {}", fmt::join(states, ", ")));
    return !states.empty();
  }

  void say_once(const std::string& text) {
    if (text != said_) note_(text);
    said_ = text;
  }

  /// What accounting knows of tasks that did not end well; nothing where there is no accounting.
  void explain_ended() const {
    const ProcessResult result = ask({"sacct", "--noheader", "--allocations", "--parsable2", "--jobs=" + job_,
                                      "--format=JobID,State,ExitCode,NodeList"});
    if (!result.succeeded()) return;
    for (const std::string& line : failed_tasks(result.output)) note_(line);
  }

  std::string directory_, job_, said_;
  OnNote note_;
};

}  // namespace

std::unique_ptr<CampaignEngine> make_slurm_engine(const CampaignManifest& manifest, const OnNote& note) {
  return std::make_unique<SlurmEngine>(manifest, note);
}

}  // namespace detent::app
