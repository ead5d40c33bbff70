// Binding for a look at the result: a port that starts nothing, kernels that are never called.
#include "app/model/firmware.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>

#include <detent/detent.h>

#include "app/model/loaded_model.hpp"
#include "base/ids.hpp"
#include "harness/instance.hpp"
#include "runtime/engine/context.h"

namespace detent::app {
namespace {

/// Lists are computed as for real threads, which cost something to wake (spin_limit), but no thread starts.
detent_port idle_port() {
  detent_port port = detent_port_single();
  port.max_slots = DETENT_MAX_WORKERS + 1;
  port.spin_limit = 1;
  port.start = [](void*, std::uint32_t, void (*)(void*), void*) { return DETENT_OK; };
  return port;
}

detent_config make_config(const detent_port& port, const std::vector<detent_backend>& backends, detent_mode mode,
                          std::uint32_t worker_count) {
  detent_config config = detent_default_config(&port);
  config.backends = backends.data();
  config.backend_count = static_cast<std::uint32_t>(backends.size());
  config.mode = mode;
  config.worker_count = worker_count;
  return config;
}

StaticLists copy_lists(const detent_context& context) {
  StaticLists out;
  for (SlotId worker = 0; worker < context.worker_count; ++worker) {
    const std::uint32_t first = context.fixed.lists.first[worker];
    const std::uint32_t count = context.fixed.lists.first[worker + 1] - first;
    out.lists.push_back({first, count});
    for (std::uint32_t i = 0; i < count; ++i) out.ops.push_back(context.fixed.lists.entries[first + i].op);
  }
  return out;
}

}  // namespace

detent_static_schedule StaticLists::schedule() const {
  return {static_cast<std::uint32_t>(lists.size()), lists.data(), ops.data()};
}

StaticLists bind_static_lists(const detent_desc& desc, std::uint32_t worker_count, bool any_kernel) {
  std::vector<detent_backend> backends = {detent_cpu_backend("*", detent_builtin_kernels())};
  if (any_kernel) backends.push_back(any_kernel_backend());
  const detent_port port = idle_port();
  const detent_config config = make_config(port, backends, DETENT_MODE_STATIC, worker_count);
  const std::size_t bytes = detent_arena_bytes(&desc, &config);
  const std::unique_ptr<std::uint8_t[]> arena(new (std::nothrow) std::uint8_t[bytes]);
  if (!arena) throw std::invalid_argument(fmt::format("{}: no memory for {} bytes of regions", desc.name, bytes));
  detent_context* context = nullptr;
  detent_error error{};
  if (detent_init(arena.get(), bytes, &desc, &config, &context, &error) != DETENT_OK) {
    throw std::invalid_argument(fmt::format("{}: {}", desc.name, harness::describe_error(desc, error)));
  }
  StaticLists lists = copy_lists(*context);
  static_cast<void>(detent_deinit(context));  // nothing runs, so it cannot be busy
  return lists;
}

std::uint64_t firmware_arena_bytes(const detent_desc& desc, std::uint32_t worker_count, std::uint32_t log_records) {
  const std::vector<detent_backend> backends = {detent_cpu_backend("*", detent_builtin_kernels())};
  const detent_port port = idle_port();
  std::size_t most = 0;
  for (const detent_mode mode :
       {DETENT_MODE_SERIAL, DETENT_MODE_LAYERED, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC}) {
    for (std::uint32_t workers = 0; workers <= worker_count; ++workers) {
      detent_config config = make_config(port, backends, mode, workers);
      config.log_records_per_worker = log_records;
      most = std::max(most, detent_arena_bytes(&desc, &config));
    }
  }
  return most;
}

bool uses_builtin_kernels(const detent_desc& desc) {
  const detent_kernel_table& table = *detent_builtin_kernels();
  for (std::uint32_t k = 0; k < desc.kernel_count; ++k) {
    for (std::uint32_t i = 0; i < table.count; ++i) {
      if (std::strcmp(table.kernels[i].name, desc.kernels[k]) == 0) return true;
    }
  }
  return false;
}

}  // namespace detent::app
