// detent.lists/1: static lists with the class of each core, as `synthesize` writes them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include <detent/limits.h>

#include "app/answer/answer.hpp"
#include "app/settings/schedule_file.hpp"
#include "base/counted.hpp"
#include "base/json.hpp"

namespace detent::app {
namespace {

constexpr std::string_view kListsSchema = "detent.lists/1";
constexpr std::string_view kFirstCore = "cpu";
constexpr std::uint64_t kMaxListsBytes = std::uint64_t{1} << 28U;

using CoreAndOps = std::pair<std::string, std::vector<ListedOp>>;

CoreAndOps read_list(JsonValue value, std::uint32_t list) {
  JsonObject object(value);
  CoreAndOps made{std::string(object.require("core").as_name()), {}};
  for (const JsonValue op : object.require("ops").elements()) {
    const auto id = static_cast<std::uint32_t>(op.as_u64(DETENT_MAX_OPS - 1));
    made.second.push_back({.op = id, .list = list, .at = static_cast<std::uint32_t>(made.second.size())});
  }
  object.finish();
  return made;
}

/// Workers are CPUs first, then the cores of one class after the other.
void sort_by_core(std::vector<CoreAndOps>& lists) {
  std::vector<std::string> order = {std::string(kFirstCore)};
  for (const auto& [core, ops] : lists) {
    if (std::ranges::count(order, core) == 0) order.push_back(core);
  }
  std::ranges::stable_sort(lists, {}, [&](const CoreAndOps& list) { return std::ranges::find(order, list.first); });
}

/// Leave out cores of a class all of whose lists are empty: no op needs one, so there are no workers for them.
void drop_needless(std::vector<CoreAndOps>& lists) {
  std::vector<std::string> needed = {std::string(kFirstCore)};
  for (const auto& [core, ops] : lists) {
    if (!ops.empty()) needed.push_back(core);
  }
  std::erase_if(lists, [&](const CoreAndOps& list) { return std::ranges::count(needed, list.first) == 0; });
}

}  // namespace

ScheduleFile parse_lists(std::string_view text, const std::string& file) {
  const JsonDocument document = JsonDocument::parse(text, file, {.max_bytes = kMaxListsBytes, .max_depth = 8});
  JsonObject top(document.root());
  const JsonValue schema = top.require("schema");
  if (schema.as_string() != kListsSchema) schema.fail(fmt::format("must be \"{}\"", kListsSchema));
  const JsonValue given = top.require("lists");
  std::vector<CoreAndOps> lists;
  for (const JsonValue list : given.elements()) {
    if (lists.size() == DETENT_MAX_WORKERS) break;
    lists.push_back(read_list(list, static_cast<std::uint32_t>(lists.size())));
  }
  if (lists.empty() || given.size() > DETENT_MAX_WORKERS) {
    given.fail(fmt::format("has {} of ops; there must be 1 to {}, one per worker", counted(given.size(), "list"),
                           DETENT_MAX_WORKERS));
  }
  top.finish();
  drop_needless(lists);
  sort_by_core(lists);
  ScheduleFile made;
  OpLists& ops = made.layers.emplace_back();
  for (CoreAndOps& list : lists) {
    made.cores.push_back(std::move(list.first));
    ops.push_back(std::move(list.second));
  }
  if (made.cpu_workers() == 0) given.fail("has no list of a core of class cpu; give one, empty if need be");
  return made;
}

std::string format_lists(const std::vector<NamedList>& lists) {
  std::string text = fmt::format("{{\"schema\": \"{}\", \"lists\": [", kListsSchema);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    text += fmt::format("{}\n  {{\"core\": {}, \"ops\": [{}]}}", i == 0 ? "" : ",", Json(lists[i].core).dump(),
                        fmt::join(lists[i].ops, ", "));
  }
  return text + "]}\n";
}

}  // namespace detent::app
