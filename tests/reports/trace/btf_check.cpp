#include "tests/reports/trace/btf_check.hpp"

#include <charconv>
#include <set>
#include <sstream>

namespace detent::reports {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> out(1);
  for (const char c : line) {
    if (c == ',') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

template <typename T>
bool parse_number(const std::string& text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

using Id = std::pair<std::string, std::int64_t>;

struct TaskState {
  std::string state = "terminated";
  std::string core;
  std::vector<std::pair<Id, bool>> runnables;  // open ones, outermost first; true: runs
  std::set<std::string> semaphores;
};

class Machine {
 public:
  explicit Machine(BtfFile& file) : file_(file) {}

  void step(const BtfRecord& record, std::size_t line) {
    line_ = line;
    if (record.time < last_time_) complain("time decreases");
    last_time_ = record.time;
    if (record.type == "T")
      task(record);
    else if (record.type == "R")
      runnable(record);
    else if (record.type == "C")
      core(record);
    else if (record.type == "STI")
      stimulus(record);
    else if (record.type == "SIG")
      signal(record);
    else if (record.type == "SEM")
      semaphore(record);
    else if (record.type == "SIM")
      expect(record.event == "tag" && !record.note.empty(), "SIM tag without a note");
    else
      complain("type " + record.type);
  }

  void finish() {
    for (const auto& [id, state] : tasks_) {
      expect(state.state != "running", id.first + " still runs at the end");
      expect(state.runnables.empty(), id.first + " has an open runnable at the end");
      expect(state.semaphores.empty(), id.first + " keeps a semaphore");
    }
    for (const auto& [name, is_executing] : executing_) expect(!is_executing, name + " does not idle at the end");
  }

 private:
  void complain(const std::string& text) { file_.violations.push_back("line " + std::to_string(line_) + ": " + text); }
  void expect(bool holds, const std::string& text) {
    if (!holds) complain(text);
  }

  void task(const BtfRecord& r) {
    expect(r.target.starts_with("TASK"), "task named " + r.target);
    TaskState& task = tasks_[{r.target, r.target_instance}];
    static const std::map<std::string, std::pair<std::string, std::string>> kMoves = {
        {"activate", {"terminated", "active"}},  {"start", {"active", "running"}}, {"preempt", {"running", "ready"}},
        {"resume", {"ready", "running"}},        {"wait", {"running", "waiting"}}, {"release", {"waiting", "ready"}},
        {"terminate", {"running", "terminated"}}};
    const auto move = kMoves.find(r.event);
    if (move == kMoves.end()) return complain("task event " + r.event);
    expect(task.state == move->second.first, r.target + " is " + task.state + " at " + r.event);
    if (r.event == "activate") {
      expect(stimuli_.contains({r.source, r.source_instance}), "activated by a stimulus that never triggered");
      task.state = "active";
      return;
    }
    expect(r.source.starts_with("Core"), "core named " + r.source);
    std::string& running = running_[r.source];
    const std::string me = r.target + "#" + std::to_string(r.target_instance);
    if (move->second.second == "running") {
      expect(running.empty(), r.source + " already runs " + running);
      running = me;
      task.core = r.source;
    } else if (move->second.first == "running") {
      expect(running == me, me + " leaves " + r.source + ", which runs " + running);
      running.clear();
      for (const auto& [id, runs] : task.runnables) expect(!runs, id.first + " goes on after " + r.event);
      if (r.event == "terminate") expect(task.runnables.empty(), r.target + " ends before its runnable");
    }
    task.state = move->second.second;
  }

  TaskState* running_source(const BtfRecord& r) {
    const auto at = tasks_.find({r.source, r.source_instance});
    expect(at != tasks_.end() && at->second.state == "running", r.event + " by " + r.source + ", which does not run");
    return at == tasks_.end() ? nullptr : &at->second;
  }

  void runnable(const BtfRecord& r) {
    TaskState* task = running_source(r);
    if (task == nullptr) return;
    const Id id = {r.target, r.target_instance};
    auto& open = task->runnables;
    if (r.event == "start") {
      expect(runnables_.insert(id).second, r.target + " starts twice");
      open.emplace_back(id, true);
      return;
    }
    if (open.empty() || open.back().first != id) return complain(r.target + " is not the innermost runnable");
    expect(open.back().second == (r.event != "resume"), r.target + " at " + r.event);
    if (r.event == "terminate")
      open.pop_back();
    else if (r.event == "suspend" || r.event == "resume")
      open.back().second = r.event == "resume";
    else
      complain("runnable event " + r.event);
  }

  void core(const BtfRecord& r) {
    expect(r.source == r.target && r.target.starts_with("Core"), "core record of " + r.target);
    bool& is_executing = executing_[r.target];
    expect(r.event == "execute" || r.event == "idle", "core event " + r.event);
    expect(is_executing == (r.event == "idle"), r.target + " twice " + r.event);
    if (r.event == "idle") expect(running_[r.target].empty(), r.target + " idles with " + running_[r.target]);
    is_executing = r.event == "execute";
  }

  void stimulus(const BtfRecord& r) {
    expect(r.source == r.target && r.source_instance == r.target_instance, "a stimulus is its own source");
    expect(r.event == "trigger", "stimulus event " + r.event);
    expect(stimuli_.insert({r.target, r.target_instance}).second, r.target + " triggers one instance twice");
  }

  void signal(const BtfRecord& r) {
    running_source(r);
    expect(r.event == "read" || (r.event == "write" && !r.note.empty()), "signal event " + r.event);
  }

  void semaphore(const BtfRecord& r) {
    TaskState* task = running_source(r);
    if (task == nullptr) return;
    const std::string me = r.source + "#" + std::to_string(r.source_instance);
    std::string& owner = owners_[r.target];
    if (r.event == "requestsemaphore") {
      expect(requests_.insert({me, r.target}).second, "requested twice");
    } else if (r.event == "assigned") {
      expect(requests_.erase({me, r.target}) == 1, "assigned without a request");
      expect(owner.empty(), r.target + " belongs to " + owner);
      owner = me;
      task->semaphores.insert(r.target);
    } else if (r.event == "released") {
      expect(owner == me, "released by " + me + ", held by " + owner);
      owner.clear();
      task->semaphores.erase(r.target);
    } else {
      complain("semaphore event " + r.event);
    }
  }

  BtfFile& file_;
  std::size_t line_ = 0;
  std::uint64_t last_time_ = 0;
  std::map<Id, TaskState> tasks_;
  std::map<std::string, std::string> running_;
  std::map<std::string, bool> executing_;
  std::set<Id> runnables_, stimuli_;
  std::map<std::string, std::string> owners_;
  std::set<std::pair<std::string, std::string>> requests_;
};

bool parse_record(const std::vector<std::string>& fields, BtfRecord& record) {
  if (fields.size() != 7 && fields.size() != 8) return false;
  record.source = fields[1];
  record.type = fields[3];
  record.target = fields[4];
  record.event = fields[6];
  if (fields.size() == 8) record.note = fields[7];
  for (const std::string& field : fields) {
    for (const char c : field) {
      if (c < ' ' || c > '~') return false;
    }
  }
  return !record.source.empty() && !record.target.empty() && parse_number(fields[0], record.time) &&
         parse_number(fields[2], record.source_instance) && parse_number(fields[5], record.target_instance);
}

}  // namespace

BtfFile check_btf(const std::string& text) {
  BtfFile file;
  Machine machine(file);
  std::istringstream lines(text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.starts_with("#")) {
      const std::size_t space = line.find(' ');
      if (!file.records.empty() || space == std::string::npos) {
        file.violations.push_back("line " + std::to_string(number) + ": header");
        continue;
      }
      file.header[line.substr(1, space - 1)] = line.substr(space + 1);
      continue;
    }
    BtfRecord record;
    if (!parse_record(split(line), record)) {
      file.violations.push_back("line " + std::to_string(number) + ": not a record: " + line);
      continue;
    }
    machine.step(record, number);
    file.records.push_back(record);
  }
  machine.finish();
  if (file.header["version"] != "2.2.1") file.violations.emplace_back("version");
  const std::string unit = file.header["timeScale"];
  if (unit != "ps" && unit != "ns" && unit != "us" && unit != "ms") file.violations.emplace_back("timeScale");
  return file;
}

}  // namespace detent::reports
