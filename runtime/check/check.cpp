// Artifact checks: runs the phases in an order in which each may rely on the ones before it.
#include "runtime/check/check.h"

#include <detent/detent.h>

#include "runtime/base/ids.h"
#include "runtime/check/internal.h"

namespace detent {
namespace {

Known take_known(Arena &arena, const detent_desc &desc) {
  Known known{};
  known.roots = arena.take_array<std::uint32_t>(desc.tensor_count);
  known.position = arena.take_array<std::uint32_t>(desc.op_count);
  return known;
}

/// The phases use the memory after `known` one after the other: each gets a copy of the same arena.
detent_error check_graph(const detent_desc &desc, const Known &known, Arena arena) {
  const GraphWork work = take_graph_work(arena, desc);
  if (!arena.ok()) return make_error(DETENT_NO_SPACE);
  detent_error error = check_edges(desc);
  if (error.status == DETENT_OK) error = check_order(desc, work, known.position);
  if (error.status == DETENT_OK) error = check_schedules(desc, work);
  return error;
}

detent_error check_overlaps(const detent_desc &desc, const Known &known, Arena arena) {
  const OverlapWork work = take_overlap_work(arena, desc, known.position);
  if (!arena.ok()) return make_error(DETENT_NO_SPACE);
  return check_live_tensors_disjoint(desc, known.roots, work);
}

detent_error check_uses(const detent_desc &desc, const Known &known, Arena arena) {
  UsesWork work = take_uses_work(arena, desc);
  if (!arena.ok()) return make_error(DETENT_NO_SPACE);
  detent_error error = check_roles(desc);
  if (error.status == DETENT_OK) error = check_producers(desc, known.roots, work);
  if (error.status == DETENT_OK) error = check_in_place(desc);
  if (error.status == DETENT_OK) error = check_deciding_ops(desc, known, work);
  return error;
}

std::size_t larger(std::size_t a, std::size_t b) { return a > b ? a : b; }

}  // namespace

std::size_t check_work_bytes(const detent_desc &desc) {
  if (desc.op_count > DETENT_MAX_OPS || desc.tensor_count == DETENT_NONE) return 0;
  Arena base = Arena::measuring();
  const Known known = take_known(base, desc);
  Arena graph = base, overlap = base, uses = base;
  take_graph_work(graph, desc);
  take_overlap_work(overlap, desc, known.position);
  take_uses_work(uses, desc);
  return larger(larger(graph.needed(), overlap.needed()), uses.needed());
}

detent_error check_desc(const detent_desc &desc, void *work, std::size_t work_bytes) {
  detent_error error = check_tables(desc);
  if (error.status == DETENT_OK) error = check_op_tables(desc);
  if (error.status != DETENT_OK) return error;
  if (work_bytes < check_work_bytes(desc)) return make_error(DETENT_NO_SPACE);
  Arena arena(work, work_bytes, alignof(std::uint32_t));
  const Known known = take_known(arena, desc);
  error = check_graph(desc, known, arena);
  if (error.status == DETENT_OK) error = check_regions(desc);
  if (error.status == DETENT_OK) error = check_tensors(desc, known.position);
  if (error.status == DETENT_OK) error = check_aliases(desc, known.roots);
  if (error.status == DETENT_OK) error = check_overlaps(desc, known, arena);
  if (error.status == DETENT_OK) error = check_uses(desc, known, arena);
  if (error.status == DETENT_OK) error = check_uses_within_lifetimes(desc, known.roots, known.position);
  return error;
}

detent_error check_memory_limit(const detent_desc &desc, std::uint64_t limit_bytes) {
  std::uint64_t sum = 0;
  for (RegionId region = 0; region < desc.region_count; ++region) {
    const std::uint64_t size = desc.regions[region].size_bytes;
    if (size > UINT64_MAX - sum) return make_error(DETENT_MEMORY_LIMIT, {.region = region});
    sum += size;
    if (limit_bytes != 0 && sum > limit_bytes) return make_error(DETENT_MEMORY_LIMIT, {.region = region});
  }
  return make_error(DETENT_OK);
}

}  // namespace detent

extern "C" size_t detent_check_bytes(const detent_desc *desc) {
  return desc == nullptr ? 0 : detent::check_work_bytes(*desc);
}

extern "C" detent_status detent_check(const detent_desc *desc, void *work, size_t work_bytes, detent_error *error) {
  const detent_error result =
      desc == nullptr ? detent::make_error(DETENT_INVALID_ARGUMENT) : detent::check_desc(*desc, work, work_bytes);
  if (error != nullptr) *error = result;
  return result.status;
}
