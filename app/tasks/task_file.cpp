#include "app/tasks/task_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <detent/limits.h>

#include "base/io.hpp"
#include "base/toml.hpp"
#include "base/wanted_file.hpp"
#include "base/words/near.hpp"
#include "base/words/quantity.hpp"

namespace detent::app {
namespace {

constexpr std::string_view kTaskSetSchema = "detent.task_set/1";
constexpr std::uint64_t kMaxTaskSetBytes = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMostTimePs = std::uint64_t{1} << 61U;
constexpr std::size_t kMostChains = 1000, kMostLinks = 64;
constexpr std::int64_t kMostPriority = 1'000'000;

std::string name_of(const TomlReader& row) {
  std::string name = row.text("name");
  if (const char* const fault = name_fault(name)) row.fail_at("name", fault);
  return name;
}

/// A text such as "5ms". @param least  1: 0 is no such time
std::uint64_t time_of(const TomlReader& row, std::string_view key, std::uint64_t least) {
  const std::string text = row.text(key);
  const std::optional<std::uint64_t> time = read_time_ps(text);
  if (!time) row.fail_at(key, "'" + row.full(key) + "' " + refuse_time(text));
  if (*time < least) row.fail_at(key, "'" + row.full(key) + "' is 0; give a time such as \"5ms\", or leave it out");
  if (*time > kMostTimePs) row.fail_at(key, "'" + row.full(key) + "' is above 2^61 ps (26 days)");
  return *time;
}

std::uint64_t time_or_0(const TomlReader& row, std::string_view key) { return row.has(key) ? time_of(row, key, 0) : 0; }

std::optional<std::uint64_t> wanted_time(const TomlReader& row, std::string_view key) {
  if (!row.has(key)) return std::nullopt;
  return time_of(row, key, 1);
}

std::int32_t priority_of(const TomlReader& row) {
  if (!row.has("priority")) return 0;
  const std::optional<std::int64_t> value = row.need("priority").value_exact<std::int64_t>();
  if (!value || *value < -kMostPriority || *value > kMostPriority) {
    row.fail_at("priority", fmt::format("'{}' must be an integer from {} to {}; lower goes first", row.full("priority"),
                                        -kMostPriority, kMostPriority));
  }
  return static_cast<std::int32_t>(*value);
}

TaskRow read_task(const TomlReader& row) {
  row.allow_only({"name", "model", "costs", "period", "deadline", "priority", "offset", "jitter", "contexts"});
  TaskRow task{.name = name_of(row), .model = row.text("model")};
  if (task.model.empty()) row.fail_at("model", "'" + row.full("model") + "' is empty; give a file or a built-in model");
  if (row.has("costs")) task.costs = row.text("costs");
  task.period_ps = wanted_time(row, "period");
  task.deadline_ps = wanted_time(row, "deadline");
  task.priority = priority_of(row);
  task.offset_ps = time_or_0(row, "offset");
  task.jitter_ps = time_or_0(row, "jitter");
  task.contexts = static_cast<std::uint32_t>(row.integer_or("contexts", 1, 1, DETENT_MAX_POOL_MEMBERS));
  return task;
}

std::vector<std::size_t> read_links(const TomlReader& row, const std::vector<TaskRow>& tasks) {
  const toml::node& node = row.need("tasks");
  const toml::array* const list = node.as_array();
  if (list == nullptr || list->empty() || list->size() > kMostLinks) {
    row.fail(&node, fmt::format("'{}' must be a list of 1 to {} names of tasks", row.full("tasks"), kMostLinks));
  }
  std::vector<std::string> names;
  for (const TaskRow& task : tasks) names.push_back(task.name);
  std::vector<std::size_t> links;
  for (const toml::node& element : *list) {
    if (!element.is_string()) row.fail(&element, "'" + row.full("tasks") + "' must have names of tasks, in quotes");
    const std::string name = **element.as_string();
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
      const std::string near = did_you_mean(name, names);
      row.fail(&element, "no task has this name" + (near.empty() ? "; give names of [[tasks]]" : near));
    }
    links.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  return links;
}

template <typename Row>
void refuse_same_name(const TomlReader& row, const std::vector<Row>& before, const std::string& name) {
  if (std::ranges::find(before, name, &Row::name) == before.end()) return;
  row.fail_at("name", "another has this name, too; names tell them apart");
}

}  // namespace

TaskSet parse_task_set(std::string_view text, const std::string& file) {
  const toml::table table = parse_toml(text, file);
  const TomlReader top(table, file, "");
  top.allow_only({"schema", "tasks", "chains"});
  top.require_schema(kTaskSetSchema);
  TaskSet set;
  std::uint32_t contexts = 0;
  top.for_each_table("tasks", [&](const TomlReader& row) {
    TaskRow task = read_task(row);
    refuse_same_name(row, set.tasks, task.name);
    contexts += task.contexts;
    if (contexts > DETENT_MAX_POOL_MEMBERS) {
      row.fail(nullptr, fmt::format("more than {} contexts in all, which is what one pool of workers takes",
                                    DETENT_MAX_POOL_MEMBERS));
    }
    set.tasks.push_back(std::move(task));
  });
  if (set.tasks.empty()) top.fail_at("tasks", "'tasks' is empty; give a table [[tasks]] with name, model and period");
  if (!top.has("chains")) return set;
  top.for_each_table("chains", [&](const TomlReader& row) {
    row.allow_only({"name", "tasks", "latency"});
    ChainRow chain{
        .name = name_of(row), .tasks = read_links(row, set.tasks), .latency_ps = wanted_time(row, "latency")};
    refuse_same_name(row, set.chains, chain.name);
    if (set.chains.size() == kMostChains) row.fail(nullptr, fmt::format("more than {} chains", kMostChains));
    set.chains.push_back(std::move(chain));
  });
  return set;
}

TaskSet read_task_set(const std::string& path) {
  static const WantedFile kFile = {
      "a task set", {FileKind::kToml, FileKind::kText}, "give a detent.task_set/1 file with tables [[tasks]]"};
  return parse_task_set(read_wanted_file(path, kMaxTaskSetBytes, kFile), path);
}

}  // namespace detent::app
