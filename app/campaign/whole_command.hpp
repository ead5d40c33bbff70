// detent merge: files of all shards of a campaign -> the command that gives the answer of the whole.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detent::app {

struct MergeRequest {
  std::vector<std::string> files{};  ///< written by simulate or explore --campaign FILE --shard i/n; one at least
  std::string json{};                ///< file of the answer; empty: none
  std::uint32_t keep_worst = 10;     ///< simulate: seeds of the longest runs that are listed
  std::string deadline{};            ///< simulate: by which every run shall have ended; empty: that of the network
  std::string failure{};             ///< explore: file of the failing schedule; empty: none
  bool sensitivity = false;          ///< simulate: the worst seeds again, each cost a little higher
  bool quiet = false;
};

/// The words, behind "detent", of the command of the first file, told to take its shards from all of them.
/// @throws InputError, std::invalid_argument  no such file; an option that the files' command does not have
std::vector<std::string> whole_command(const MergeRequest& wanted);

}  // namespace detent::app
