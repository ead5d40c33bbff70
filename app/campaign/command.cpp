// Words of a command -> words of a shard, of the merge, files.
#include "app/campaign/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "base/words/quote.hpp"

namespace detent::app {
namespace {

constexpr std::array<std::string_view, 5> kGiven = {"--shard", "--campaign", "--merge", "--resume", "--json"};
constexpr std::array<std::string_view, 2> kDivisible = {"simulate", "explore"};
constexpr std::array<std::string_view, 12> kOtherCommands = {
    "check", "run", "merge", "calibrate", "verify", "bound", "npu", "import", "replay", "report", "emit", "campaign"};

bool holds_number(const std::string& word) {
  return word.find("{shard}") != std::string::npos || word.find("{index}") != std::string::npos;
}

/// {shard} -> "$i/40" and so on, the rest quoted.
std::string quote_with_numbers(std::string_view word, std::uint32_t shards) {
  std::string text, plain;
  const auto flush = [&] {
    if (!plain.empty()) text += quote_word(plain);
    plain.clear();
  };
  while (!word.empty()) {
    if (word.starts_with("{shard}")) {
      flush();
      text += fmt::format("\"$i/{}\"", shards);
      word.remove_prefix(7);
    } else if (word.starts_with("{index}")) {
      flush();
      text += "\"$i\"";
      word.remove_prefix(7);
    } else if (word.starts_with("{shards}")) {
      flush();
      text += std::to_string(shards);
      word.remove_prefix(8);
    } else {
      plain += word.front();
      word.remove_prefix(1);
    }
  }
  flush();
  return text;
}

}  // namespace

ShardKind shard_kind(const std::vector<std::string>& command) {
  if (command.empty()) {
    throw std::invalid_argument(
        "campaign: no command; give one, such as detent campaign simulate MODEL --runs 1e6 --shards 8 --out DIR");
  }
  const std::string& first = command.front();
  if (std::ranges::find(kOtherCommands, first) != kOtherCommands.end()) {
    throw std::invalid_argument(first +
                                ": cannot be cut into shards; a campaign is of simulate, explore or a program "
                                "with {shard} in its words");
  }
  if (std::ranges::find(kDivisible, first) == kDivisible.end()) {
    if (std::ranges::none_of(command, holds_number)) {
      throw std::invalid_argument(first +
                                  ": no word says which shard to do; write {shard} for i/n, or {index} and "
                                  "{shards}, in its words");
    }
    return ShardKind::kProgram;
  }
  for (const std::string& word : command) {
    const std::string name = word.substr(0, word.find('='));
    if (std::ranges::find(kGiven, name) == kGiven.end()) continue;
    throw std::invalid_argument(name + ": is given to each shard by the campaign; leave it out");
  }
  return ShardKind::kDetent;
}

std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + quote_word(word);
  return text;
}

std::string shard_command(const CampaignManifest& manifest, const std::string& program) {
  const std::vector<std::string>& words = manifest.request.command;
  std::string text;
  if (shard_kind(words) == ShardKind::kProgram) {
    for (const std::string& word : words) {
      text += (text.empty() ? "" : " ") + quote_with_numbers(word, manifest.request.shards);
    }
    return text + " >\"$here/parts/$i.part.new\"";
  }
  text = program;
  for (const std::string& word : words) text += " " + quote_word(word);
  return text + fmt::format(" --shard \"$i/{}\" --campaign \"$here/parts/$i.part\" --resume", manifest.request.shards);
}

std::vector<std::string> named_files(const std::vector<std::string>& command) {
  std::vector<std::string> files;
  for (const std::string& word : command) {
    const std::size_t equals = word.starts_with("-") ? word.find('=') : std::string::npos;
    const std::string name = equals == std::string::npos ? word : word.substr(equals + 1);
    std::error_code error;
    if (name.empty() || !std::filesystem::is_regular_file(name, error)) continue;
    if (std::ranges::find(files, name) == files.end()) files.push_back(name);
  }
  return files;
}

std::vector<std::string> merge_words(const CampaignManifest& manifest, const std::vector<std::string>& parts,
                                     const std::string& json, bool quiet) {
  std::vector<std::string> words = manifest.request.command;
  for (const std::string& part : parts) words.push_back("--merge=" + part);
  if (!json.empty()) words.push_back("--json=" + json);
  if (quiet) words.emplace_back("--quiet");
  return words;
}

}  // namespace detent::app
