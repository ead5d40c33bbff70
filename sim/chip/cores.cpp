#include "sim/chip/cores.hpp"

#include <stdexcept>

#include "base/ids.hpp"

namespace detent::sim {
namespace {

std::vector<bool> used_classes(const detent_desc& desc) {
  std::vector<bool> used(desc.class_count, false);
  for (OpId op = 0; op < desc.op_count; ++op) used[desc.ops[op].core_class] = true;
  return used;
}

bool has_async_ops(const detent_desc& desc, const std::vector<bool>& used) {
  for (std::uint32_t i = 0; i < desc.class_count; ++i) {
    if (used[i] && desc.classes[i].kind == DETENT_CLASS_ASYNC) return true;
  }
  return false;
}

/// Index of the Desc's class of this name, DETENT_NONE when it has none or no op needs it.
std::uint32_t class_index(const detent_desc& desc, const std::vector<bool>& used, const std::string& name) {
  for (std::uint32_t i = 0; i < desc.class_count; ++i) {
    if (name == desc.classes[i].name) return used[i] && desc.classes[i].kind == DETENT_CLASS_WORKERS ? i : DETENT_NONE;
  }
  return DETENT_NONE;
}

/// A worker per core, then a second one per core, and so on: lower workers are served first, empty queues before
/// others.
void add_workers(CoreMap& map, const Platform& platform, std::uint32_t core_class, std::uint32_t desc_class,
                 std::uint32_t count) {
  const CoreClass& core = platform.classes[core_class];
  for (std::uint32_t entry = 0; entry < core.queue_depth; ++entry) {
    for (std::uint32_t i = 0; i < count; ++i) {
      map.worker_classes.push_back(desc_class);
      map.slot_names.push_back(core.name + std::to_string(i) + (entry == 0 ? "" : "." + std::to_string(entry)));
      map.slot_cores.push_back({core_class, i});
    }
  }
}

}  // namespace

std::uint32_t cpu_workers(const Platform& platform, std::uint32_t asked) {
  const std::uint32_t cores = platform.classes[0].count;
  if (asked > cores) {
    throw std::invalid_argument("workers: " + std::to_string(asked) + " on platform '" + platform.name +
                                "', which has " + std::to_string(cores) + " CPU cores; ask for at most that many");
  }
  return asked == 0 ? cores : asked;
}

CoreMap map_cores(const detent_desc& desc, const Platform& platform, const SimOptions& options) {
  if (platform.classes.empty() || desc.class_count == 0) {
    throw std::invalid_argument("platform '" + platform.name + "': no cores; describe at least class 'cpu'");
  }
  CoreMap map;
  const std::uint32_t cpus = cpu_workers(platform, options.engine.workers);
  if (options.engine.mode == DETENT_MODE_SERIAL) {
    map.slot_names.push_back(platform.classes[0].name + "0");
    map.slot_cores.push_back({0, 0});
    map.slot_count = 1;
    return map;
  }
  const bool own_thread =
      options.engine.mode == DETENT_MODE_CLOSED_LOOP && options.engine.scheduler == DETENT_SCHEDULER_THREAD;
  if (own_thread) {
    map.slot_names.emplace_back("scheduler");
    map.slot_cores.emplace_back();
  }
  const std::vector<bool> used = used_classes(desc);
  add_workers(map, platform, 0, 0, cpus);
  for (std::uint32_t i = 1; i < platform.classes.size(); ++i) {
    const std::uint32_t index = class_index(desc, used, platform.classes[i].name);
    if (index != DETENT_NONE) add_workers(map, platform, i, index, platform.classes[i].count);
  }
  map.worker_count = static_cast<std::uint32_t>(map.worker_classes.size());
  map.slot_count = static_cast<std::uint32_t>(map.slot_names.size());
  if (has_async_ops(desc, used)) map.slot_names.emplace_back("delays");
  if (map.worker_count > DETENT_MAX_WORKERS) {
    throw std::invalid_argument("workers: " + std::to_string(map.worker_count) + " over all classes; at most " +
                                std::to_string(DETENT_MAX_WORKERS));
  }
  return map;
}

}  // namespace detent::sim
