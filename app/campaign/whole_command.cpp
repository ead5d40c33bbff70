#include "app/campaign/whole_command.hpp"

#include <stdexcept>
#include <utility>

#include "app/explore/part_file.hpp"
#include "app/simulate/campaign_identity.hpp"

namespace detent::app {

std::vector<std::string> whole_command(const MergeRequest& wanted) {
  const std::string& first = wanted.files.front();
  const bool explores = is_explore_part(first);
  std::vector<std::string> words = {explores ? "explore" : "simulate"};
  for (std::string& word :
       explores ? identity_arguments(first, read_explore_part(first).identity) : campaign_arguments(first)) {
    words.push_back(std::move(word));
  }
  if (explores && wanted.sensitivity) {
    throw std::invalid_argument("--sensitivity: is of simulated runs; leave it out");
  }
  if (explores && !wanted.deadline.empty()) {
    throw std::invalid_argument("--deadline: is of simulated runs; leave it out");
  }
  if (!explores && !wanted.failure.empty()) {
    throw std::invalid_argument("--failure: is of explored schedules; leave it out");
  }
  if (!explores) words.push_back("--keep-worst=" + std::to_string(wanted.keep_worst));
  if (!wanted.deadline.empty()) words.push_back("--deadline=" + wanted.deadline);
  if (!wanted.failure.empty()) words.push_back("--failure=" + wanted.failure);
  if (!wanted.json.empty()) words.push_back("--json=" + wanted.json);
  if (wanted.sensitivity) words.emplace_back("--sensitivity");
  if (wanted.quiet) words.emplace_back("--quiet");
  for (const std::string& file : wanted.files) words.push_back("--merge=" + file);
  return words;
}

}  // namespace detent::app
