// Offsets of shared words to the names that runtime/engine/context.h gives them.
#include "base/ids.hpp"
#include "runtime/engine/context.h"
#include "verify/explore/threads/engine.hpp"

namespace detent::verify::explore {

namespace {

/// Names of words by address, as far as this context reaches.
class WordNamer {
 public:
  WordNamer(const detent_context& context, std::uint64_t offset_bytes)
      : context_(context), address_(reinterpret_cast<std::uintptr_t>(&context) + offset_bytes) {}

  [[nodiscard]] std::string name() const {
    const detent_context& c = context_;
    if (is(c.loop.role)) return "role";
    if (is(c.loop.finished)) return "finished";
    if (is(c.cancelled)) return "cancelled";
    if (is(c.quit)) return "quit";
    if (is(c.fixed.failure)) return "failure";
    if (is(c.fixed.working)) return "working";
    if (is(c.busy)) return "busy";
    if (is(c.abandoned)) return "abandoned";
    if (is(c.foreign_inside)) return "foreign_inside";
    if (is(c.run)) return "run number";
    if (within(c.loop.complete)) return "complete queue";
    if (within(c.loop.foreign)) return "foreign queue";
    if (within(c.fixed.layers.claimed)) return "claims of the layer";
    return name_in_arrays();
  }

 private:
  template <typename T>
  [[nodiscard]] bool is(const T& word) const {
    return reinterpret_cast<std::uintptr_t>(&word) == address_;
  }
  template <typename T>
  [[nodiscard]] bool within(const T& object) const {
    const auto begin = reinterpret_cast<std::uintptr_t>(&object);
    return address_ >= begin && address_ < begin + sizeof object;
  }
  [[nodiscard]] std::string name_in_arrays() const {
    for (SlotId slot = 0; slot < context_.slot_count; ++slot) {
      const Worker& worker = context_.workers[slot];
      const std::string of = " of slot " + std::to_string(slot);
      if (is(worker.inbox)) return "inbox" + of;
      if (is(worker.parked)) return "parked" + of;
      if (is(worker.progress)) return "progress" + of;
      if (is(worker.begun)) return "begun" + of;
      if (is(worker.current)) return "current op" + of;
      if (is(worker.begun_at)) return "begin time" + of;
    }
    for (OpId op = 0; context_.op_states != nullptr && op < context_.graph.desc->op_count; ++op) {
      if (within(context_.op_states[op])) return "state of op " + std::to_string(op);
    }
    for (OpId op = 0; context_.op_progress != nullptr && op < context_.graph.desc->op_count; ++op) {
      const OpProgress& shown = context_.op_progress[op];
      if (is(shown.word)) return "shown state of op " + std::to_string(op);
      if (within(shown)) return "shown words of op " + std::to_string(op);
    }
    return "a cell of the complete queue";
  }

  const detent_context& context_;
  std::uintptr_t address_;
};

}  // namespace

std::string name_of_value(const std::string& word, std::uint64_t value) {
  if (word == "role" && value < 3) {
    const char* const names[] = {"free", "held", "held and waited for by slot 0"};
    return names[value];
  }
  if (value == DETENT_NONE) return "none";
  return std::to_string(value);
}

std::string name_of_word(const detent_context& context, std::uint64_t offset_bytes) {
  return WordNamer(context, offset_bytes).name();
}

}  // namespace detent::verify::explore
