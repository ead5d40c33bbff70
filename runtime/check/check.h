/* Artifact checks: is a Desc fit to be executed? Every law of runtime/include/detent/desc.h, each in a function named
 * for it.
 *
 * Order: tables first (every slice and index stays inside its table), because all later checks follow them; then
 * graph, shapes, memory, uses of tensors, steps. The first broken law is reported. No heap, no recursion; work memory
 * comes from an arena; O(n log n) in ops, edges, references and tensors.
 */
#ifndef DETENT_RUNTIME_CHECK_H_
#define DETENT_RUNTIME_CHECK_H_

#include <detent/desc.h>

#include "runtime/base/arena.h"
#include "runtime/base/error.h"
#include "runtime/base/freestanding.h"

namespace detent {

/// All checks but the memory limit.
///
/// @param work   at least check_work_bytes(desc) bytes; free again when the call returns
/// @return       status == OK, or the law that is broken and where. NO_SPACE: work is too small
detent_error check_desc(const detent_desc &desc, void *work, std::size_t work_bytes);

/// Bytes of work memory, of any alignment, that check_desc needs. A function of the counts alone, which are capped
/// at what desc.h allows: 0 when a count is impossible (check_desc then says which, with no memory).
std::size_t check_work_bytes(const detent_desc &desc);

/// B50: WORKSPACE + INPUT + OUTPUT + WEIGHTS bytes <= limit_bytes (0 = no limit). The sum must not wrap.
detent_error check_memory_limit(const detent_desc &desc, std::uint64_t limit_bytes);

}  // namespace detent

#endif
