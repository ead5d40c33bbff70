/* What detent_context_op_state shows: for each op a few shared words that the engine writes as the op goes on, only
 * with config.op_states (c.op_progress is not null).
 *
 *   word     state (3 bits), attempts (5), number of the run modulo 2^24
 *   others   written once in a run, before the word whose state shows them; their users: `parts_of` in op_progress.cpp
 *
 * Words are written with release and read with acquire. A reader takes the word, then the others, then the word again:
 * if that is still of the same run, all it has read belongs together, since a run first writes its word and then the
 * others. So the engine never waits, and a reader begins anew only if a run began meanwhile.
 *
 * One writer at a time: the holder of the role in the closed loop; in the other modes whoever executes the op, and for
 * READY whoever has ended its last predecessor, which comes before; for the answer of a collected or abandoned op the
 * thread inside detent_complete, under the port's lock; slot 0 at the begin and end of a run. docs/ENGINE.md says what
 * orders them. */
#ifndef DETENT_RUNTIME_ENGINE_OP_PROGRESS_H_
#define DETENT_RUNTIME_ENGINE_OP_PROGRESS_H_

#include "runtime/engine/context.h"

namespace detent {

/// Slot 0, before anything is given out: every op waits, those without predecessors are ready.
void begin_progress(detent_context &c, const AccessSite &site, std::uint64_t now_ps);
/// Slot 0, after a run that was cancelled, nothing in flight: what was not given out never will be.
void cancel_rest(detent_context &c, const AccessSite &site, std::uint64_t now_ps);

// One op's next state. c.op_progress is not null.
void show_ready(detent_context &c, const AccessSite &site, OpId op, std::uint64_t now_ps);
/// @param slot  that it is given to, or that dispatches it
void show_begin(detent_context &c, const AccessSite &site, OpId op, std::uint32_t slot, std::uint64_t now_ps);
void show_end(detent_context &c, const AccessSite &site, OpId op, std::int32_t code, std::uint64_t now_ps);
/// It was given out and will not begin.
void show_taken_back(detent_context &c, const AccessSite &site, OpId op, std::uint64_t now_ps);

/// Modes without a scheduler: show the end of an op, and what it makes ready. Before anybody can act on the end.
void end_unscheduled_op(detent_context &c, const AccessSite &site, OpId op, std::int32_t code, std::uint64_t now_ps);

/// Any thread. c.op_progress is not null, op is an id.
detent_op_record read_progress(const detent_context &c, const AccessSite &site, OpId op);

}  // namespace detent

#endif
