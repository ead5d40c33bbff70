#include "app/settings/transfers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/toml.hpp"
#include "base/units.hpp"
#include "base/words/quantity.hpp"
#include "models/core/core_class.hpp"
#include "models/core/dag.hpp"
#include "sim/types/wide.hpp"

namespace detent::app {
namespace {

constexpr std::int64_t kMostBytesPerSecond = 1'000'000'000'000'000;

/// A class of cores, or all of them.
std::string read_class(const TomlReader& row, const char* key) {
  if (row.text(key) == kAnyClass) return std::string(kAnyClass);
  std::string name = row.word(key);
  if (name == models::kDelayClass)
    row.fail_at(key, "'" + row.full(key) + "' is of pseudo-ops; name a class of cores, or \"*\"");
  return name;
}

TransferRule read_transfer(const TomlReader& row) {
  row.allow_only({"from", "to", "time", "bytes_per_s"});
  TransferRule rule{.from = read_class(row, "from"), .to = read_class(row, "to")};
  if (rule.from == rule.to && rule.from != kAnyClass) {
    row.fail_at("to", "'" + row.full("to") + "' is the class that 'from' has, and nothing is transferred there");
  }
  if (row.has("time")) {
    const std::string text = row.text("time");
    const auto time_ps = read_time_ps(text);
    if (!time_ps) row.fail_at("time", "'" + row.full("time") + "' " + refuse_time(text));
    rule.time_ps = *time_ps;
  }
  rule.bytes_per_s = row.integer_or("bytes_per_s", 0, 1, kMostBytesPerSecond);
  if (!row.has("time") && !row.has("bytes_per_s")) {
    row.fail(nullptr, "a transfer takes no time; give it time or bytes_per_s");
  }
  return rule;
}

bool is_of(const TransferRule& rule, const std::string& from, const std::string& to) {
  return (rule.from == kAnyClass || rule.from == from) && (rule.to == kAnyClass || rule.to == to);
}

/// Picoseconds of one edge, rounded up; more than 64 bits hold where they must be refused.
sim::Wide transfer_ps(const TransferRule& rule, std::uint64_t bytes) {
  constexpr std::uint64_t kPsPerSecond = 1'000'000'000'000;
  if (rule.bytes_per_s == 0) return rule.time_ps;
  const auto moved = static_cast<sim::Wide>(bytes) * kPsPerSecond;
  return rule.time_ps + (moved + rule.bytes_per_s - 1) / rule.bytes_per_s;
}

}  // namespace

std::vector<TransferRule> read_transfers(const TomlReader& top) {
  std::vector<TransferRule> rules;
  top.for_each_table("transfers", [&](const TomlReader& row) {
    rules.push_back(read_transfer(row));
    const auto same = std::find_if(rules.begin(), rules.end() - 1, [&](const TransferRule& rule) {
      return rule.from == rules.back().from && rule.to == rules.back().to;
    });
    if (same != rules.end() - 1) row.fail(nullptr, "a second transfer of these classes; keep one");
  });
  return rules;
}

std::string format_transfers(const std::vector<TransferRule>& rules) {
  std::string text;
  for (const TransferRule& rule : rules) {
    text +=
        fmt::format("\n[[transfers]]\nfrom = \"{}\"\nto = \"{}\"\ntime = \"{}ps\"\n", rule.from, rule.to, rule.time_ps);
    if (rule.bytes_per_s != 0) text += fmt::format("bytes_per_s = {}\n", rule.bytes_per_s);
  }
  return text;
}

std::size_t apply_transfers(const std::vector<TransferRule>& rules, const std::string& path, models::Model& model) {
  std::size_t edges = 0;
  for (models::Edge& edge : model.edges) {
    const models::Op &from = model.ops[edge.from], &to = model.ops[edge.to];
    if (from.core_class == to.core_class) continue;
    const auto rule =
        std::ranges::find_if(rules, [&](const TransferRule& it) { return is_of(it, from.core_class, to.core_class); });
    if (rule == rules.end()) continue;
    const sim::Wide added = transfer_ps(*rule, models::bytes_over(model, OpId(edge.from), OpId(edge.to)));
    if (added > UINT64_MAX - edge.max_ps) {
      throw std::invalid_argument(
          fmt::format("{}: the transfer from op '{}' to op '{}' takes more than {}; make it faster", path, from.name,
                      to.name, format_time(UINT64_MAX - edge.max_ps)));
    }
    edge.min_ps += static_cast<std::uint64_t>(added);
    edge.max_ps += static_cast<std::uint64_t>(added);
    ++edges;
  }
  return edges;
}

}  // namespace detent::app
