// What is shown of each op: its words, written as it goes on and read at any time.
#include "runtime/engine/op_progress.h"

namespace detent {

namespace {

/// States as the word holds them; what was cancelled still says how far it had come.
enum Shown : std::uint32_t {
  kWaiting = 0,
  kReady = 1,
  kRunning = 2,
  kDone = 3,
  kFailed = 4,
  kCancelledWaiting = 5,
  kCancelledReady = 6,
  kTakenBack = 7
};

constexpr std::uint32_t kMostAttempts = 31;
constexpr std::uint32_t kRunBits = 24;

constexpr std::uint32_t shown_of(std::uint32_t word) { return word & 7; }
constexpr std::uint32_t attempts_of(std::uint32_t word) { return word >> 3 & kMostAttempts; }
constexpr std::uint32_t run_of(std::uint32_t word) { return word >> 8; }
constexpr std::uint32_t make_word(Shown shown, std::uint32_t attempts, std::uint32_t run) {
  return shown | attempts << 3 | run << 8;
}
constexpr std::uint32_t with_shown(std::uint32_t word, Shown shown) { return (word & ~std::uint32_t{7}) | shown; }

/// Which of an op's other words each state shows.
struct Parts {
  detent_op_state state;
  bool ready, begin, end;
};
constexpr Parts parts_of(std::uint32_t shown) {
  constexpr Parts kParts[] = {{DETENT_OP_WAITING, false, false, false}, {DETENT_OP_READY, true, false, false},
                              {DETENT_OP_RUNNING, true, true, false},   {DETENT_OP_DONE, true, true, true},
                              {DETENT_OP_FAILED, true, true, true},     {DETENT_OP_CANCELLED, false, false, true},
                              {DETENT_OP_CANCELLED, true, false, true}, {DETENT_OP_CANCELLED, true, true, true}};
  return kParts[shown];
}

void store_time(const AccessSite &site, std::uint32_t (&time)[2], std::uint64_t ps) {
  store_release(site, time[0], static_cast<std::uint32_t>(ps));
  store_release(site, time[1], static_cast<std::uint32_t>(ps >> 32));
}

std::uint64_t load_time(const AccessSite &site, const std::uint32_t (&time)[2]) {
  const std::uint64_t low = load_acquire(site, time[0]);
  return std::uint64_t{load_acquire(site, time[1])} << 32 | low;
}

/// Only its writers ask: what was written before is known to them.
std::uint32_t word_of(const AccessSite &site, const OpProgress &op) { return load_relaxed(site, op.word); }

/// One reading, of a word that shows more than waiting. Clocks may step back (F08): times of an op do not.
detent_op_record read_parts(const AccessSite &site, const OpProgress &op, std::uint32_t word) {
  const Parts parts = parts_of(shown_of(word));
  detent_op_record record{.state = parts.state,
                          .attempts = attempts_of(word),
                          .worker = DETENT_NONE,
                          .run = run_of(word),
                          .code = 0,
                          .ready_ps = UINT64_MAX,
                          .begin_ps = UINT64_MAX,
                          .end_ps = UINT64_MAX};
  std::uint64_t least_ps = 0;
  if (parts.ready) record.ready_ps = least_ps = load_time(site, op.ready_ps);
  if (parts.begin) {
    record.begin_ps = least_ps = later(load_time(site, op.begin_ps), least_ps);
    record.worker = load_acquire(site, op.slot);
  }
  if (parts.end) record.end_ps = later(load_time(site, op.end_ps), least_ps);
  if (parts.state == DETENT_OP_FAILED) record.code = load_acquire(site, op.code);
  return record;
}

}  // namespace

void begin_progress(detent_context &c, const AccessSite &site, std::uint64_t now_ps) {
  const std::uint32_t run = load_relaxed(site, c.run);
  for (OpId op = 0; op < c.graph.desc->op_count; ++op) {
    OpProgress &progress = c.op_progress[op];
    const std::uint32_t before = word_of(site, progress);
    const std::uint32_t attempts = shown_of(before) == kDone ? 0 : attempts_of(before);
    store_release(site, progress.word, make_word(kWaiting, attempts, run));
    const std::uint32_t predecessors = c.graph.nodes[op].entry_count;
    store_relaxed(site, progress.predecessors, predecessors);
    if (predecessors == 0) show_ready(c, site, op, now_ps);
  }
}

void cancel_rest(detent_context &c, const AccessSite &site, std::uint64_t now_ps) {
  for (OpId op = 0; op < c.graph.desc->op_count; ++op) {
    OpProgress &progress = c.op_progress[op];
    const std::uint32_t word = word_of(site, progress);
    if (shown_of(word) > kReady) continue;
    store_time(site, progress.end_ps, now_ps);
    store_release(site, progress.word,
                  with_shown(word, shown_of(word) == kReady ? kCancelledReady : kCancelledWaiting));
  }
}

void show_ready(detent_context &c, const AccessSite &site, OpId op, std::uint64_t now_ps) {
  OpProgress &progress = c.op_progress[op];
  store_time(site, progress.ready_ps, now_ps);
  store_release(site, progress.word, with_shown(word_of(site, progress), kReady));
}

void show_begin(detent_context &c, const AccessSite &site, OpId op, std::uint32_t slot, std::uint64_t now_ps) {
  OpProgress &progress = c.op_progress[op];
  const std::uint32_t word = word_of(site, progress);
  const std::uint32_t attempts = attempts_of(word) < kMostAttempts ? attempts_of(word) + 1 : kMostAttempts;
  store_time(site, progress.begin_ps, now_ps);
  store_release(site, progress.slot, slot);
  store_release(site, progress.word, make_word(kRunning, attempts, run_of(word)));
}

void show_end(detent_context &c, const AccessSite &site, OpId op, std::int32_t code, std::uint64_t now_ps) {
  OpProgress &progress = c.op_progress[op];
  store_time(site, progress.end_ps, now_ps);
  if (code != 0) store_release(site, progress.code, code);
  store_release(site, progress.word, with_shown(word_of(site, progress), code == 0 ? kDone : kFailed));
}

void show_taken_back(detent_context &c, const AccessSite &site, OpId op, std::uint64_t now_ps) {
  OpProgress &progress = c.op_progress[op];
  store_time(site, progress.end_ps, now_ps);
  store_release(site, progress.word, with_shown(word_of(site, progress), kTakenBack));
}

void end_unscheduled_op(detent_context &c, const AccessSite &site, OpId op, std::int32_t code, std::uint64_t now_ps) {
  show_end(c, site, op, code, now_ps);
  if (code != 0) return;
  const Node &node = c.graph.nodes[op];
  const std::uint32_t *const successor = c.graph.desc->successors + node.first_successor;
  for (std::uint32_t i = 0; i < node.successor_count; ++i) {
    // The clock is read after the last one's end: it may have come before that of another predecessor.
    if (fetch_add_seq_cst(site, c.op_progress[successor[i]].predecessors, UINT32_MAX) == 1)
      show_ready(c, site, successor[i], c.port->now_ps(c.port->self));
  }
}

detent_op_record read_progress(const detent_context &c, const AccessSite &site, OpId op) {
  const OpProgress &progress = c.op_progress[op];
  std::uint32_t word = load_acquire(site, progress.word);
  while (true) {
    detent_op_record record = read_parts(site, progress, word);
    const std::uint32_t again = record.state == DETENT_OP_WAITING ? word : load_acquire(site, progress.word);
    if (run_of(again) == run_of(word)) {
      // All bits of the number: c.run is of this run or of one that has begun since.
      const std::uint32_t last = load_relaxed(site, c.run);
      record.run = last - ((last - record.run) << (32 - kRunBits) >> (32 - kRunBits));
      return record;
    }
    word = again;
  }
}

}  // namespace detent
