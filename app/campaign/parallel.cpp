// Shards as jobs of GNU parallel; hosts get program and models first, and their jobs print what they found.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "app/campaign/children.hpp"
#include "app/campaign/engine.hpp"
#include "base/subprocess.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;

/// Does a process that runs parallel.sh, or a job of it, hold its lock?
bool is_locked(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_held = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return is_held;
}

class ParallelEngine : public CampaignEngine {
 public:
  ParallelEngine(const CampaignManifest& manifest, OnNote note)
      : hosts_(manifest.request.hosts),
        directory_(fs::absolute(manifest.request.directory).string()),
        note_(std::move(note)) {
    std::error_code error;
    const auto bytes = fs::file_size(directory_ + "/parallel.log", error);
    if (!error) log_read_ = bytes;  // what an earlier driver has said
  }

  /// All that are missing: parallel.sh looks itself.
  void start(const std::vector<std::uint32_t>&) override {
    if (!hosts_.empty()) deploy();
    if (is_locked(directory_ + "/lock/parallel")) {
      note_("GNU parallel of an earlier driver still runs shards; this one goes on when it has ended");
    }
    children_.start(0, {find_program("sh"), directory_ + "/parallel.sh"}, directory_ + "/log/parallel.txt");
  }

  bool poll() override {
    const std::vector<Children::Ended> all = children_.collect();
    collect_carried();
    read_log();
    for (const Children::Ended& ended : all) {
      if (ended.signal != 0)
        note_("GNU parallel: " + how_it_ended(ended) + "; see " + directory_ + "/log/parallel.txt");
    }
    return children_.running() != 0;
  }

  void stop() override { children_.terminate(); }

 private:
  /// Program and models to each host once.
  void deploy() {
    std::ifstream hosts(directory_ + "/hosts");
    std::set<std::string> seen;
    for (std::string line; std::getline(hosts, line);) {
      std::istringstream words(line.substr(0, line.find('#')));
      std::string host;
      if (!(words >> host)) continue;
      host = host.substr(host.find('/') + 1);  // "4/HOST": four at a time
      if (!seen.insert(host).second) continue;
      const ProcessResult result = run_processes({{find_program("sh"), directory_ + "/deploy.sh", host}},
                                                 {.directory = directory_, .time_limit_ms = 300'000})
                                       .front();
      if (result.succeeded()) continue;
      throw std::invalid_argument(
          fmt::format("{}: host {}: program and models cannot be put there: {}; try: sh {}/deploy.sh "
                      "{}",
                      hosts_, host, one_line(result.output), directory_, host));
    }
    if (!seen.empty()) return;
    throw std::invalid_argument(hosts_ + ": names no host; write one a line, such as 4/: or user@host");
  }

  /// What a job on a host printed is a tar file of the part and, behind it, the record. One that has not come whole
  /// yields no record, and is looked at again when it has grown.
  void collect_carried() {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory_ + "/carried", error)) {
      if (entry.path().extension() != ".tar") continue;
      const std::string shard = entry.path().stem().string();
      std::error_code unreadable;
      const std::uintmax_t bytes = entry.file_size(unreadable);
      if (unreadable || fs::exists(directory_ + "/done/" + shard + ".json", unreadable)) continue;
      std::uintmax_t& looked_at = carried_bytes_[shard];
      if (bytes == 0 || bytes == looked_at) continue;
      looked_at = bytes;
      run_processes({{find_program("tar"), "-xf", entry.path().string(), "-C", directory_}}, {.directory = directory_});
    }
  }

  /// The log has a line for each job that ended: those that failed are said.
  void read_log() {
    std::ifstream log(directory_ + "/parallel.log");
    log.seekg(static_cast<std::streamoff>(log_read_));
    for (std::string line; std::getline(log, line) && !log.eof();) {
      log_read_ += line.size() + 1;
      std::istringstream fields(line);
      std::string sequence, host, begin, seconds, sent, received, code, signal, command;
      fields >> sequence >> host >> begin >> seconds >> sent >> received >> code >> signal;
      std::getline(fields, command);
      if (code == "Exitval" || (code == "0" && signal == "0")) continue;
      const std::string how = signal != "0" ? "ended by signal " + signal : "exit code " + code;
      note_(fmt::format("host {}: {}: {}", host, how, command.substr(command.find_first_not_of(" \t"))));
    }
  }

  std::string hosts_, directory_;
  OnNote note_;
  Children children_;
  std::map<std::string, std::uintmax_t> carried_bytes_;
  std::uint64_t log_read_ = 0;
};

}  // namespace

std::unique_ptr<CampaignEngine> make_parallel_engine(const CampaignManifest& manifest, const OnNote& note) {
  return std::make_unique<ParallelEngine>(manifest, note);
}

}  // namespace detent::app
