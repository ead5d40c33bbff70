// Policies by id and by priority, and in an order drawn at random: Desc -> a unique rank per op.
#include <detent/policy.h>

#include "runtime/base/sort.h"

namespace {

detent_status rank_by_id(void *, const detent_desc *desc, uint32_t *rank, uint64_t *) {
  for (uint32_t op = 0; op < desc->op_count; ++op) rank[op] = op;
  return DETENT_OK;
}

detent_status rank_by_priority(void *, const detent_desc *desc, uint32_t *rank, uint64_t *work) {
  const uint32_t count = desc->op_count;
  uint32_t *const order = reinterpret_cast<uint32_t *>(work);
  for (uint32_t op = 0; op < count; ++op) order[op] = op;
  detent::radix_sort_ids(order, order + count, count, [desc](uint32_t op) {
    return uint64_t{static_cast<uint32_t>(desc->ops[op].priority) ^ 0x8000'0000u};  // signed order as unsigned
  });
  for (uint32_t position = 0; position < count; ++position) rank[order[position]] = position;
  return DETENT_OK;
}

/// splitmix64 (Steele, Lea, Flood 2014).
uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Uniform in [0, bound), bound > 0: rejects the remainder that would favour small numbers.
uint32_t random_below(uint64_t *state, uint32_t bound) {
  const uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
  uint64_t draw = next_random(state);
  while (draw >= limit) draw = next_random(state);
  return static_cast<uint32_t>(draw % bound);
}

detent_status rank_at_random(void *self, const detent_desc *desc, uint32_t *rank, uint64_t *) {
  auto *random = static_cast<detent_random_state *>(self);
  for (uint32_t op = 0; op < desc->op_count; ++op) rank[op] = op;
  for (uint32_t left = desc->op_count; left > 1; --left) {
    const uint32_t other = random_below(&random->seed, left);
    const uint32_t swap = rank[left - 1];
    rank[left - 1] = rank[other];
    rank[other] = swap;
  }
  return DETENT_OK;
}

}  // namespace

extern "C" detent_policy detent_policy_id(void) { return {nullptr, "id", rank_by_id, false, false, false}; }

extern "C" detent_policy detent_policy_priority(void) {
  return {nullptr, "priority", rank_by_priority, false, false, false};
}

extern "C" detent_policy detent_policy_random(detent_random_state *state) {
  return {state, "random", rank_at_random, true, false, false};
}
