#include "app/settings/memories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "base/counted.hpp"
#include "base/toml.hpp"
#include "base/units.hpp"
#include "base/words/quantity.hpp"
#include "models/core/core_class.hpp"
#include "models/devices/memories.hpp"
#include "models/plan/memory_plan.hpp"

namespace detent::app {
namespace {

constexpr std::int64_t kMostAlignment = 65536;

std::uint64_t read_capacity(const TomlReader& row) {
  const std::string text = row.text("capacity");
  const auto bytes = read_bytes(text);
  if (!bytes || *bytes == 0) row.fail_at("capacity", "'" + row.full("capacity") + "' " + refuse_bytes(text));
  return bytes.value_or(0);
}

MemoryRule read_memory_rule(const TomlReader& row) {
  row.allow_only({"class", "copies", "capacity", "align"});
  MemoryRule rule{.core_class = row.word("class")};
  rule.copied_by = row.has("copies") ? row.word("copies") : rule.core_class;
  for (const char* const key : {"class", "copies"}) {
    if (row.has(key) && row.word(key) == models::kDelayClass)
      row.fail_at(key, "'" + row.full(key) + "' is of pseudo-ops; name a class of cores");
  }
  if (row.has("capacity")) rule.capacity_bytes = read_capacity(row);
  if (row.has("align")) {
    rule.align_bytes = static_cast<std::uint32_t>(row.integer("align", 1, kMostAlignment));
    if (!std::has_single_bit(rule.align_bytes))
      row.fail_at("align", "'" + row.full("align") + "' must be a power of two");
  }
  return rule;
}

const models::Region& memory_of(const models::Model& model, const std::string& core_class) {
  return *std::ranges::find_if(model.regions, [&](const models::Region& region) {
    return region.is_separate && region.name.starts_with(core_class + " memory");
  });
}

}  // namespace

std::vector<MemoryRule> read_memories(const TomlReader& top) {
  std::vector<MemoryRule> rules;
  top.for_each_table("memories", [&](const TomlReader& row) {
    rules.push_back(read_memory_rule(row));
    const auto is_same = [&](const MemoryRule& rule) { return rule.core_class == rules.back().core_class; };
    if (std::ranges::count_if(rules, is_same) > 1) row.fail(nullptr, "a second memory of this class; keep one");
  });
  return rules;
}

std::string apply_memories(const std::vector<MemoryRule>& rules, const std::string& path, models::Model& model) {
  std::string summary;
  for (const MemoryRule& rule : rules) {
    if (const char* const fault = models::memory_fault(model)) {
      throw std::invalid_argument(fmt::format("{}: {} {}; leave [[memories]] out", path, model.name, fault));
    }
    const std::size_t copies = models::add_memory(
        model, {.core_class = rule.core_class, .copied_by = rule.copied_by, .align_bytes = rule.align_bytes});
    if (copies == 0) {
      throw std::invalid_argument(
          fmt::format("{}: no op of {} is of class {}; give it one in [ops], or leave the memory out", path, model.name,
                      rule.core_class));
    }
    models::plan_memory(model);
    const std::uint64_t bytes = memory_of(model, rule.core_class).size_bytes;
    if (rule.capacity_bytes != 0 && bytes > rule.capacity_bytes) {
      throw std::invalid_argument(
          fmt::format("{}: the memory of {} holds {}, and what its ops use takes {}; give it more, or move ops off it",
                      path, rule.core_class, format_bytes(rule.capacity_bytes), format_bytes(bytes)));
    }
    summary += fmt::format("{}{} {} the memory of {} ({})", summary.empty() ? "" : ", ", counted(copies, "copy op"),
                           "into and out of", rule.core_class, format_bytes(bytes));
  }
  return summary;
}

}  // namespace detent::app
