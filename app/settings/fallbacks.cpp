#include "app/settings/fallbacks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/toml.hpp"
#include "base/units.hpp"
#include "base/words/pattern.hpp"
#include "base/words/quantity.hpp"
#include "models/core/core_class.hpp"
#include "models/devices/fallbacks.hpp"

namespace detent::app {
namespace {

constexpr double kMostTimes = 1e6;
constexpr std::uint64_t kMostWatchdogPs = 3'600'000'000'000'000;

std::uint64_t read_watchdog(const TomlReader& row) {
  const std::string text = row.text("watchdog");
  const auto time_ps = read_time_ps(text);
  if (!time_ps || *time_ps == 0 || *time_ps > kMostWatchdogPs) {
    row.fail_at("watchdog", "'" + row.full("watchdog") + "' must be a time such as 2ms, above 0, at most an hour");
  }
  return time_ps.value_or(0);
}

FallbackRule read_fallback(const TomlReader& row) {
  row.allow_only({"from", "to", "ops", "slower", "watchdog"});
  FallbackRule rule{.from = row.word("from")};
  if (row.has("to")) rule.to = row.word("to");
  if (row.has("ops")) rule.ops = row.text("ops");
  if (row.has("watchdog")) rule.watchdog_ps = read_watchdog(row);
  rule.slower = row.number_or("slower", 0, kMostTimes);
  for (const char* const key : {"from", "to"}) {
    if (row.has(key) && row.word(key) == models::kDelayClass)
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

void require_fallback(const FallbackRule& rule, const std::string& path, const models::Model& model,
                      const models::Op& op) {
  if (const char* const fault = models::fallback_fault(model, op)) {
    throw std::invalid_argument(fmt::format("{}: op '{}' of {} can have no fallback: it {}; say with ops which can",
                                            path, op.name, model.name, fault));
  }
  if (rule.watchdog_ps != 0 && op.time_ps && op.time_ps->second > rule.watchdog_ps) {
    throw std::invalid_argument(
        fmt::format("{}: op '{}' of {} takes up to {} and would be given up after {}; let the watchdog wait longer",
                    path, op.name, model.name, format_time(op.time_ps->second), format_time(rule.watchdog_ps)));
  }
  if (op.time_ps && rule.slower == 0 && !op.times_by_class.contains(rule.to)) {
    throw std::invalid_argument(
        fmt::format("{}: op '{}' of {} has a time of its own, which is that on {}; say with slower how many times as "
                    "long {} takes",
                    path, op.name, model.name, rule.from, rule.to));
  }
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
  std::vector<models::FallbackOn> wanted(model.ops.size());
  for (std::size_t id = 0; id < model.ops.size(); ++id) {
    const models::Op& op = model.ops[id];
    const auto rule = std::ranges::find_if(rules, [&](const FallbackRule& it) { return is_of(it, op); });
    if (rule == rules.end()) continue;
    require_fallback(*rule, path, model, op);
    wanted[id] = {.core_class = rule->to, .slower = rule->slower, .watchdog_ps = rule->watchdog_ps};
  }
  for (const FallbackRule& rule : rules) {
    if (std::ranges::any_of(model.ops, [&](const models::Op& op) { return is_of(rule, op); })) continue;
    throw std::invalid_argument(
        fmt::format("{}: no op of {} is of class {}{}; give it one in [ops], or leave the "
                    "fallback out",
                    path, model.name, rule.from, rule.ops == "*" ? "" : " and called " + rule.ops));
  }
  return models::add_fallbacks(model, wanted);
}

}  // namespace detent::app
