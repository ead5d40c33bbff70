// The command of a campaign: its kind, the words of one shard, the files that they name.
#pragma once

#include <string>
#include <vector>

#include "app/campaign/request.hpp"

namespace detent::app {

/// How shards of a command are told apart and put together.
enum class ShardKind : std::uint8_t {
  kDetent,  ///< simulate and explore: --shard i/n, part files, detent merge
  kProgram  ///< any other program: {shard}, {index} and {shards} in its words; what it prints is put together
};

/// @throws std::invalid_argument  no command; another command of detent; a program without {shard} or {index}; options
/// that the campaign gives itself
ShardKind shard_kind(const std::vector<std::string>& command);

/// The words as a shell command.
std::string joined_words(const std::vector<std::string>& words);

/// The words of a shard as a shell command in which $i is the shard's number; shell text. `program` runs detent.
std::string shard_command(const CampaignManifest& manifest, const std::string& program);

/// Regular files that words of the command name, "--costs=FILE" among them; each once, in order.
std::vector<std::string> named_files(const std::vector<std::string>& command);

/// The words that make detent give the whole answer from these part files.
/// @param json  file of the answer; empty: none
std::vector<std::string> merge_words(const CampaignManifest& manifest, const std::vector<std::string>& parts,
                                     const std::string& json, bool quiet);

}  // namespace detent::app
