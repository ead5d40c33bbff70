// Words for states and reasons.
#include "app/campaign/slurm_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

namespace detent::app {

std::string slurm_words(const std::string& state, const std::string& reason) {
  static const std::map<std::string, std::string> kStates = {{"RUNNING", "running"},
                                                             {"COMPLETING", "ending"},
                                                             {"CONFIGURING", "waiting for a node to start"},
                                                             {"FAILED", "failed"},
                                                             {"TIMEOUT", "stopped by --time"},
                                                             {"NODE_FAIL", "lost with the node"},
                                                             {"CANCELLED", "cancelled"},
                                                             {"OUT_OF_MEMORY", "out of memory"},
                                                             {"PREEMPTED", "put off for a job of higher priority"},
                                                             {"REQUEUED", "put back in line"}};
  static const std::map<std::string, std::string> kReasons = {
      {"Resources", "waiting for a free core"},
      {"Priority", "waiting behind jobs of higher priority"},
      {"BeginTime", "waiting to begin again"},
      {"None", "waiting"},
      {"JobArrayTaskLimit", "waiting for other tasks of the array"},
      {"PartitionDown", "waiting, for the partition is down"},
      {"ReqNodeNotAvail", "waiting, for nodes are drained or down"},
      {"Nodes required for job are DOWN", "waiting, for nodes are drained or down"},
      {"AssocGrpCpuLimit", "waiting, for the account has used its cores"},
      {"QOSMaxJobsPerUserLimit", "waiting, for as many jobs as a user may have are running"},
      {"PartitionTimeLimit", "never to run, for --time is above the limit of the partition"},
      {"launch failed requeued held", "held after a start that failed (scontrol release)"}};
  const bool waits = state == "PENDING";
  const std::map<std::string, std::string>& words = waits ? kReasons : kStates;
  const auto known = words.find(waits ? reason.substr(0, reason.find(',')) : state.substr(0, state.find(' ')));
  if (known != words.end()) return known->second;
  return waits ? "waiting (" + reason + ")" : state;
}

std::vector<std::string> failed_tasks(const std::string& accounting) {
  std::vector<std::string> texts;
  std::istringstream lines(accounting);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string task, state, code, node;
    std::getline(fields, task, '|');
    std::getline(fields, state, '|');
    std::getline(fields, code, '|');
    std::getline(fields, node, '|');
    if (state == "COMPLETED" || state.empty()) continue;
    texts.push_back(fmt::format("task {}: {} on {} ({})", task, slurm_words(state, ""), node, code));
  }
  return texts;
}

std::string index_list(const std::vector<std::uint32_t>& indices) {
  std::string list;
  for (std::size_t i = 0; i < indices.size();) {
    std::size_t last = i;
    while (last + 1 < indices.size() && indices[last + 1] == indices[last] + 1) ++last;
    list += fmt::format("{}{}", list.empty() ? "" : ",", indices[i]);
    if (last != i) list += fmt::format("-{}", indices[last]);
    i = last + 1;
  }
  return list;
}

}  // namespace detent::app
