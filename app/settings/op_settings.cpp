#include "app/settings/op_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "base/counted.hpp"
#include "base/io.hpp"
#include "base/toml.hpp"
#include "base/wanted_file.hpp"
#include "base/words/near.hpp"
#include "base/words/pattern.hpp"
#include "models/core/core_class.hpp"
#include "models/core/model_tables.hpp"

namespace detent::app {
namespace {

constexpr std::string_view kSettingsSchema = "detent.set/1";
constexpr std::uint64_t kMaxSettingsBytes = std::uint64_t{1} << 24U;
constexpr std::int64_t kLastWorker = 31;  ///< that detent_op.workers has a bit for

/// [0, 2]: workers 0 and 2.
WorkerSet read_workers(const TomlReader& row) {
  const toml::node& node = row.need("workers");
  const toml::array* const list = node.as_array();
  if (list == nullptr || list->empty()) row.fail(&node, "'" + row.full("workers") + "' must be a list such as [0, 2]");
  WorkerSet set;
  for (const toml::node& worker : *list) {
    const auto number = worker.value_exact<std::int64_t>();
    if (!number || *number < 0 || *number > kLastWorker) {
      row.fail(&worker, "'" + row.full("workers") + "' must have whole numbers from 0 to 31, of workers");
    }
    const std::uint32_t bit = std::uint32_t{1} << static_cast<std::uint32_t>(*number);
    if ((set.bits & bit) != 0) row.fail(&worker, "'" + row.full("workers") + "' has a worker twice");
    set.bits |= bit;
  }
  return set;
}

OpSetting read_setting(const TomlReader& row, std::string pattern) {
  row.allow_only({"priority", "class", "workers"});
  OpSetting setting{.pattern = std::move(pattern)};
  if (row.has("priority")) {
    setting.priority = static_cast<std::int32_t>(row.integer("priority", INT32_MIN, INT32_MAX));
  }
  if (row.has("class")) setting.core_class = row.word("class");
  if (row.has("workers")) setting.workers = read_workers(row);
  if (setting.core_class == models::kDelayClass) {
    row.fail_at("class", "'" + row.full("class") + "' is of pseudo-ops; name a class of cores");
  }
  if (!setting.priority && !setting.core_class && !setting.workers) {
    row.fail(nullptr, "'" + setting.pattern + "' sets nothing; give it priority, class or workers");
  }
  return setting;
}

/// A row, and whether it was for any op.
struct UsedSetting {
  OpSetting setting;
  bool is_used = false;
};

/// Rows by name, and those that are patterns.
struct SettingRows {
  std::map<std::string, UsedSetting> named{};
  std::vector<UsedSetting> patterns{};
};

SettingRows sorted_rows(std::vector<OpSetting> settings) {
  SettingRows rows;
  for (OpSetting& setting : settings) {
    std::string name = setting.pattern;
    if (name.find_first_of("*?") != std::string::npos) rows.patterns.push_back({setting});
    rows.named[std::move(name)] = {std::move(setting)};  // a name may have a * in it, too
  }
  return rows;
}

std::string value_text(std::int32_t priority) { return std::to_string(priority); }
std::string value_text(const std::string& core_class) { return core_class; }
std::string value_text(const WorkerSet& workers) { return models::worker_list(workers.bits); }

/// What patterns say of one op; rows that say different things of it are refused.
template <typename Value>
void agree(const std::string& path, const std::string& op, const char* what, const std::optional<Value>& said,
           const std::string& pattern, std::optional<Value>& value, std::string& first) {
  if (!said) return;
  if (value && *value != *said) {
    throw std::invalid_argument(
        fmt::format("{}: op '{}' has {} {} by '{}' and {} by '{}'; give it a row of its own name", path, op, what,
                    value_text(*value), first, value_text(*said), pattern));
  }
  value = said;
  first = pattern;
}

OpSetting setting_of(const std::string& path, const std::string& name, SettingRows& rows) {
  OpSetting found;
  if (const auto own = rows.named.find(name); own != rows.named.end()) {
    own->second.is_used = true;
    return own->second.setting;
  }
  std::string priority_by, class_by, workers_by;
  for (UsedSetting& row : rows.patterns) {
    if (!matches(row.setting.pattern, name)) continue;
    row.is_used = true;
    agree(path, name, "priority", row.setting.priority, row.setting.pattern, found.priority, priority_by);
    agree(path, name, "class", row.setting.core_class, row.setting.pattern, found.core_class, class_by);
    agree(path, name, "workers", row.setting.workers, row.setting.pattern, found.workers, workers_by);
  }
  return found;
}

void move_op(const std::string& path, const std::string& core_class, models::Op& op) {
  try {
    models::move_to_class(op, core_class);
  } catch (const std::invalid_argument& refused) {
    throw std::invalid_argument(path + ": " + refused.what());
  }
}

void refuse_unused(const std::string& path, const SettingRows& rows, const models::Model& model) {
  for (const auto& [pattern, row] : rows.named) {
    const auto same = std::ranges::find(rows.patterns, pattern, [](const UsedSetting& p) { return p.setting.pattern; });
    if (row.is_used || (same != rows.patterns.end() && same->is_used)) continue;
    std::vector<std::string> names;
    for (const models::Op& op : model.ops) names.push_back(op.name);
    const std::string near = did_you_mean(pattern, names);
    throw std::invalid_argument(fmt::format("{}: '{}' is no op of {}{}", path, pattern, model.name,
                                            near.empty() ? "; detent graph MODEL -o FILE lists its ops" : near));
  }
}

}  // namespace

OpSettings parse_op_settings(std::string_view text, const std::string& file) {
  const toml::table table = parse_toml(text, file);
  const TomlReader top(table, file, "");
  top.allow_only({"schema", "kernels", "ops", "fallbacks", "memories", "transfers"});
  top.require_schema(kSettingsSchema);
  OpSettings settings;
  if (top.has("kernels")) settings.kernels = read_kernels(top);
  if (top.has("fallbacks")) settings.fallbacks = read_fallbacks(top);
  if (top.has("memories")) settings.memories = read_memories(top);
  if (top.has("transfers")) settings.transfers = read_transfers(top);
  const bool has_others = !settings.kernels.empty() || !settings.fallbacks.empty() || !settings.memories.empty() ||
                          !settings.transfers.empty();
  if (!top.has("ops") && has_others) return settings;
  const TomlReader ops = top.table("ops");
  for (const auto& [key, node] : ops.raw()) {
    const std::string pattern(key.str());
    if (const char* const fault = name_fault(pattern)) ops.fail(&node, fault);
    settings.ops.push_back(read_setting(ops.table(pattern), pattern));
  }
  if (settings.ops.empty()) top.fail_at("ops", "'ops' is empty; give a row such as \"conv*\" = { priority = 1 }");
  return settings;
}

OpSettings read_op_settings(const std::string& path) {
  static const WantedFile kTable = {"a table of op settings",
                                    {FileKind::kSettings, FileKind::kToml, FileKind::kText},
                                    "give a detent.set/1 file with the table [ops]"};
  return parse_op_settings(read_wanted_file(path, kMaxSettingsBytes, kTable), path);
}

AppliedRows apply_rows(const OpSettings& settings, const std::string& path, models::Model& model) {
  SettingRows rows = sorted_rows(settings.ops);
  AppliedRows applied;
  std::size_t priorities = 0, classes = 0, pinned = 0;
  for (models::Op& op : model.ops) {
    applied.has_class.push_back(false);
    if (op.core_class == models::kDelayClass) continue;
    const OpSetting setting = setting_of(path, op.name, rows);
    if (setting.priority) op.priority = *setting.priority;
    if (setting.core_class) move_op(path, *setting.core_class, op);
    applied.has_class.back() = setting.core_class.has_value();
    priorities += setting.priority ? 1 : 0;
    if (setting.workers) op.workers = setting.workers->bits;
    classes += setting.core_class ? 1 : 0;
    pinned += setting.workers ? 1 : 0;
  }
  refuse_unused(path, rows, model);
  const auto add = [&](const char* what, std::size_t ops) {
    if (ops != 0) applied.summary += (applied.summary.empty() ? "" : ", ") + (what + counted(ops, "op"));
  };
  add("priority of ", priorities);
  add("class of ", classes);
  add("workers of ", pinned);
  return applied;
}

KernelChoice choose_kernels(const std::string& path, bool by_default, models::Model& model) {
  const OpSettings settings = path.empty() ? OpSettings{} : read_op_settings(path);
  const bool moves_ops =
      std::ranges::any_of(settings.ops, [](const OpSetting& setting) { return setting.core_class.has_value(); });
  const bool may_fail = !settings.fallbacks.empty() || std::ranges::any_of(model.ops, &models::Op::is_fallible);
  const bool is_open = by_default && !moves_ops && !may_fail;
  if (settings.kernels.empty() && !is_open) return {};
  const bool is_of_file = !settings.kernels.empty();
  const std::size_t ops = apply_kernels(settings.kernels, is_of_file ? path : "--winograd", is_open, model);
  return {"conv2d_winograd_f32 of " + counted(ops, "op") + (is_of_file ? " from " + path : ""), is_open && ops != 0};
}

std::string apply_op_settings(const std::string& path, models::Model& model) {
  const OpSettings settings = read_op_settings(path);
  std::string summary = apply_rows(settings, path, model).summary;
  const auto add = [&](const std::string& text) { summary += (summary.empty() ? "" : ", ") + text; };
  if (!settings.fallbacks.empty()) {
    add("fallbacks of " + counted(apply_fallbacks(settings.fallbacks, path, model), "op"));
  }
  if (!settings.memories.empty()) add(apply_memories(settings.memories, path, model));
  if (!settings.transfers.empty()) {
    add("transfers on " + counted(apply_transfers(settings.transfers, path, model), "edge"));
  }
  return summary.empty() ? "" : summary + " from " + path;
}

}  // namespace detent::app
