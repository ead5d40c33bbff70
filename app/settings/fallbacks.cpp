#include "app/settings/fallbacks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "app/settings/pattern.hpp"
#include "base/toml.hpp"
#include "models/builder/fallbacks.hpp"

namespace detent::app {
namespace {

constexpr const char* kClassOfDelays = "delay";

FallbackRule read_fallback(const TomlReader& row) {
  row.allow_only({"from", "to", "ops"});
  FallbackRule rule{.from = row.word("from")};
  if (row.has("to")) rule.to = row.word("to");
  if (row.has("ops")) rule.ops = row.text("ops");
  for (const char* const key : {"from", "to"}) {
    if (row.has(key) && row.word(key) == kClassOfDelays)
      row.fail_at(key, "'" + row.full(key) + "' is of pseudo-ops; name a class of cores");
  }
  if (rule.from == rule.to) {
    row.fail_at(row.has("to") ? "to" : "from", "'" + rule.to + "' would stand in for itself; name two classes");
  }
  return rule;
}

bool is_of(const FallbackRule& rule, const models::Op& op) {
  return op.core_class == rule.from && matches(rule.ops, op.name);
}

}  // namespace

std::vector<FallbackRule> read_fallbacks(const TomlReader& top) {
  std::vector<FallbackRule> rules;
  top.for_each_table("fallbacks", [&](const TomlReader& row) {
    rules.push_back(read_fallback(row));
    const auto same = std::find_if(rules.begin(), rules.end() - 1, [&](const FallbackRule& rule) {
      return rule.from == rules.back().from && rule.ops == rules.back().ops;
    });
    if (same != rules.end() - 1) row.fail(nullptr, "a second fallback of these ops; keep one");
  });
  return rules;
}

std::size_t apply_fallbacks(const std::vector<FallbackRule>& rules, const std::string& path, models::Model& model) {
  if (rules.empty()) return 0;
  if (!model.schedules.empty()) {
    throw std::invalid_argument(fmt::format(
        "{}: {} carries static schedules, whose lists have no fallbacks; leave [[fallbacks]] out", path, model.name));
  }
  std::vector<std::string> classes;
  for (const models::Op& op : model.ops) {
    const auto rule = std::ranges::find_if(rules, [&](const FallbackRule& it) { return is_of(it, op); });
    classes.emplace_back(rule == rules.end() ? "" : rule->to);
    const char* const fault = rule == rules.end() ? nullptr : models::fallback_fault(model, op);
    if (fault != nullptr) {
      throw std::invalid_argument(fmt::format("{}: op '{}' of {} can have no fallback: it {}; say with ops which can",
                                              path, op.name, model.name, fault));
    }
  }
  for (const FallbackRule& rule : rules) {
    if (std::ranges::any_of(model.ops, [&](const models::Op& op) { return is_of(rule, op); })) continue;
    throw std::invalid_argument(fmt::format("{}: no op of {} is of class {}{}; give it one in [ops], or leave the "
                                            "fallback out",
                                            path, model.name, rule.from,
                                            rule.ops == "*" ? "" : " and called " + rule.ops));
  }
  return models::add_fallbacks(model, classes);
}

}  // namespace detent::app
