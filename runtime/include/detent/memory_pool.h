/* Memory pools: a request names memory as a pool, an offset and a length. A pool is an object of the caller, or what a
 * file holds; who made the request is not believed, so every place is checked, without a sum that may wrap.
 *
 * Two uses: a WEIGHTS region of a Desc points to a place (detent_pool_place, before detent_init), and INPUT and OUTPUT
 * regions stand at places for the runs from then on (detent_pool_bindings, then detent_bind_regions). */
#ifndef DETENT_RUNTIME_MEMORY_POOL_H_
#define DETENT_RUNTIME_MEMORY_POOL_H_

#include <stdbool.h>
#include <stdint.h>

#include <detent/compiler.h>
#include <detent/desc.h>
#include <detent/detent.h>
#include <detent/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A pool: memory of the caller, there as long as something stands in it. */
typedef struct detent_pool {
  /** Not null (INVALID_ARGUMENT). */
  void *data;
  /** Above 0 (EMPTY); the last byte is within the address space (OFFSET_WRAP). */
  uint64_t size_bytes;
  /** Of flash or a file: nothing is written here. */
  bool is_read_only;
} detent_pool;

/** A place of a pool for a region of a Desc. */
typedef struct detent_pool_region {
  /** Index of an INPUT or OUTPUT region (TABLE_RANGE; INVALID_ARGUMENT), once in one call (INVALID_ARGUMENT). */
  uint32_t region;
  /** Index into the pools (TABLE_RANGE). Of an OUTPUT region not read-only (INVALID_ARGUMENT). */
  uint32_t pool;
  /** As detent_pool_place. */
  uint64_t offset_bytes;
  /** At least the region's size (of an OUTPUT region INSUFFICIENT_SIZE, else OUT_OF_REGION); at most what is left of
   * the pool behind the offset. */
  uint64_t length_bytes;
} detent_pool_region;

/** The address of a place. Any thread; keeps nothing.
 *
 *  @param align_bytes  of the address: a power of two
 *  @param data         filled with OK only
 *  @return  OK; INVALID_ARGUMENT: a null argument, or the pool has no memory; EMPTY: the length, or the pool's size, is
 *           0; OFFSET_WRAP: the pool ends behind the address space; OUT_OF_REGION: offset and length do not lie in the
 *           pool; ALIGNMENT: `align_bytes` is no power of two, or the address is not aligned so */
DETENT_NODISCARD detent_status detent_pool_place(const detent_pool *pool, uint64_t offset_bytes, uint64_t length_bytes,
                                                 uint32_t align_bytes, void **data);

/** Places of pools, as detent_bind_regions wants them. Any thread; keeps nothing.
 *
 *  @param desc      has passed detent_check
 *  @param pools     [pool_count]
 *  @param regions   [region_count]
 *  @param bindings  [region_count]; holds anything where this does not return OK
 *  @param error     may be null; else the status again, with the region of the Desc concerned
 *  @return  OK; INVALID_ARGUMENT: a null argument; else what detent_pool_region and detent_pool_place say of the first
 *           place that does not fit. Whether places share bytes, with each other or with anything else, is for
 *           detent_bind_regions to say
 *  @note    time grows with the square of region_count */
DETENT_NODISCARD detent_status detent_pool_bindings(const detent_desc *desc, const detent_pool *pools,
                                                    uint32_t pool_count, const detent_pool_region *regions,
                                                    uint32_t region_count, detent_binding *bindings,
                                                    detent_error *error);

/** Read a part of a file into memory of the caller: a pool that is read-only and does not change with the file. POSIX
 *  hosts only.
 *
 *  The file is opened once, without following a symbolic link in its last part, and what was opened is examined: so
 *  nothing can change between check and use.
 *
 *  @param offset_bytes  in the file
 *  @param memory        memory_bytes of them, any alignment, which the pool then is; it may be half written where this
 *                       does not return OK
 *  @param pool          filled with OK only
 *  @return  OK: all memory_bytes were read; INVALID_ARGUMENT: a null argument; EMPTY: memory_bytes is 0;
 *           OUT_OF_REGION: the file ends before; UNSUPPORTED: it cannot be opened, is no regular file (a link, folder,
 *           FIFO or device), or reading failed */
DETENT_NODISCARD detent_status detent_pool_read_file(const char *path, uint64_t offset_bytes, void *memory,
                                                     uint64_t memory_bytes, detent_pool *pool);

#ifdef __cplusplus
}
#endif
#endif
