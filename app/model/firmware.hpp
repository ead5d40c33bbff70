// What a firmware's tables need of the runtime: memory sizes and static lists, from a context bound on the host.
#pragma once

#include <cstdint>
#include <vector>

#include <detent/desc.h>

namespace detent::app {

/// One static schedule with its storage.
struct StaticLists {
  std::vector<detent_slice> lists;  ///< one per worker, into `ops`
  std::vector<std::uint32_t> ops;

  [[nodiscard]] detent_static_schedule schedule() const;
};

/// The lists that the engine's mode `static` computes for so many workers. No thread is started and no kernel runs.
/// @param any_kernel  kernels that are not built in are taken for granted
/// @throws std::invalid_argument  the Desc does not bind: the rule, the ops, the tensors
StaticLists bind_static_lists(const detent_desc& desc, std::uint32_t worker_count, bool any_kernel);

/// Arena bytes that suffice for up to `worker_count` workers in every mode, with so many records in each ring of the
/// log.
std::uint64_t firmware_arena_bytes(const detent_desc& desc, std::uint32_t worker_count, std::uint32_t log_records = 0);

/// Is some kernel of the Desc one of runtime/kernels?
bool uses_builtin_kernels(const detent_desc& desc);

}  // namespace detent::app
