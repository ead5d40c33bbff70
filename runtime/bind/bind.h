/* Bind: Desc + config -> a context in the arena. The layout is one function that runs over a measuring arena first,
 * so that the size asked for is the size used. */
#ifndef DETENT_RUNTIME_BIND_H_
#define DETENT_RUNTIME_BIND_H_

#include "runtime/base/arena.h"
#include "runtime/base/error.h"
#include "runtime/engine/context.h"

namespace detent {

/// What detent_init can know to be wrong about a config without looking at the Desc's tables.
detent_status check_config(const detent_desc &desc, const detent_config &config);

/// Every function that is required is there.
bool is_port_complete(const detent_port &port);

/// The clock of a port that has none. check_config refuses a deadline on it: nothing would ever be late.
std::uint64_t no_clock(void *self);

/// Bytes for the checks and for the context, of any alignment; 0 when the counts are impossible.
std::size_t arena_bytes(const detent_desc &desc, const detent_config &config);

/// Place and fill a context; workers are not started. The Desc has passed check_desc, the config check_config.
/// NO_SPACE, UNKNOWN_KERNEL, SHAPE, ALIGNMENT, OVERLAP, UNSUPPORTED or what the policy returned; *context is then null.
detent_error bind(void *memory, std::size_t bytes, const detent_desc &desc, const detent_config &config,
                  detent_context **context);

/// Addresses of all operands, from c.graph.region_bases.
void fill_buffers(detent_context &c);

/// detent_bind_regions: all of the bindings, or the first that does not fit and none of them. No op is in flight.
detent_error bind_regions(detent_context &c, const detent_binding *bindings, std::uint32_t count);

/// Ranks from the policy and everything that follows from them: nodes, entry sets, and the orders of the mode.
/// INVALID_ARGUMENT if the result is no permutation, STALLED if a strict order contradicts the edges in a mode that
/// lays out its order ahead of time, else what the layout says.
detent_error take_ranks(detent_context &c);

/// Active waiting, where the port and the config have it. The last step of a bind.
void start_active_waiting(detent_context &c);
/// With active waiting, before a run: does it measure how long its ops take?
void begin_measuring(detent_context &c);
/// With active waiting, after a run that ended well and took `run_ps`: what it has measured becomes costs.
void end_measuring(detent_context &c, std::uint64_t run_ps);

}  // namespace detent

#endif
