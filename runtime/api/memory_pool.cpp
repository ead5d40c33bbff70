// Places of memory pools: offset and length against the pool, without a sum that may wrap.
#include <detent/memory_pool.h>

#include "runtime/base/error.h"
#include "runtime/base/freestanding.h"

namespace detent {
namespace {

detent_status check_pool(const detent_pool &pool) {
  if (pool.data == nullptr) return DETENT_INVALID_ARGUMENT;
  if (pool.size_bytes == 0) return DETENT_EMPTY;
  const std::uint64_t last = pool.size_bytes - 1;
  return last > UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(pool.data) ? DETENT_OFFSET_WRAP : DETENT_OK;
}

/// Does the region stand in pools already, by a row before this one?
bool is_repeated(const detent_pool_region *regions, std::uint32_t index) {
  for (std::uint32_t before = 0; before < index; ++before) {
    if (regions[before].region == regions[index].region) return true;
  }
  return false;
}

/// All but what depends on the pool alone.
detent_status check_place(const detent_desc &desc, const detent_pool_region &place, const detent_pool &pool) {
  const detent_region &region = desc.regions[place.region];
  const bool is_output = region.kind == DETENT_REGION_OUTPUT;
  if (!is_output && region.kind != DETENT_REGION_INPUT) return DETENT_INVALID_ARGUMENT;
  if (is_output && pool.is_read_only) return DETENT_INVALID_ARGUMENT;
  if (place.length_bytes >= region.size_bytes) return DETENT_OK;
  return is_output ? DETENT_INSUFFICIENT_SIZE : DETENT_OUT_OF_REGION;
}

}  // namespace
}  // namespace detent

extern "C" {

detent_status detent_pool_place(const detent_pool *pool, uint64_t offset_bytes, uint64_t length_bytes,
                                uint32_t align_bytes, void **data) {
  if (pool == nullptr || data == nullptr) return DETENT_INVALID_ARGUMENT;
  const detent_status status = detent::check_pool(*pool);
  if (status != DETENT_OK) return status;
  if (length_bytes == 0) return DETENT_EMPTY;
  if (length_bytes > pool->size_bytes || offset_bytes > pool->size_bytes - length_bytes) return DETENT_OUT_OF_REGION;
  if (align_bytes == 0 || (align_bytes & (align_bytes - 1)) != 0) return DETENT_ALIGNMENT;
  auto *const at = static_cast<std::uint8_t *>(pool->data) + static_cast<std::size_t>(offset_bytes);
  if (reinterpret_cast<std::uintptr_t>(at) % align_bytes != 0) return DETENT_ALIGNMENT;
  *data = at;
  return DETENT_OK;
}

detent_status detent_pool_bindings(const detent_desc *desc, const detent_pool *pools, uint32_t pool_count,
                                   const detent_pool_region *regions, uint32_t region_count, detent_binding *bindings,
                                   detent_error *error) {
  using detent::make_error;
  detent_error found = make_error(DETENT_OK);
  if (desc == nullptr || (pools == nullptr && pool_count != 0) || (region_count != 0 && regions == nullptr) ||
      (region_count != 0 && bindings == nullptr)) {
    found = make_error(DETENT_INVALID_ARGUMENT);
  }
  for (std::uint32_t i = 0; i < region_count && found.status == DETENT_OK; ++i) {
    const detent_pool_region &place = regions[i];
    if (place.region >= desc->region_count) {
      found = make_error(DETENT_TABLE_RANGE);
      break;
    }
    detent_status status = place.pool < pool_count ? DETENT_OK : DETENT_TABLE_RANGE;
    if (status == DETENT_OK && detent::is_repeated(regions, i)) status = DETENT_INVALID_ARGUMENT;
    if (status == DETENT_OK) status = detent::check_place(*desc, place, pools[place.pool]);
    void *data = nullptr;
    if (status == DETENT_OK) {
      status = detent_pool_place(&pools[place.pool], place.offset_bytes, place.length_bytes,
                                 desc->regions[place.region].align_bytes, &data);
    }
    bindings[i] = {place.region, data, place.length_bytes};
    if (status != DETENT_OK) found = make_error(status, {.region = place.region});
  }
  if (error != nullptr) *error = found;
  return found.status;
}
}
