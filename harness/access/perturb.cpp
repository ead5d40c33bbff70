// Access by perturbation: poison, run, compare, bisect.
#include "harness/access/perturb.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/instance.hpp"

namespace detent::harness {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t kGuardBytes = 4096;
/// Bytes of everything that an op may not read. As floats: -2.9e-16 and 1.5e16, so that one of them wins in a maximum
/// and the other in a minimum. Outputs hold others, so that a copy of poison is no byte left alone.
struct Poison {
  std::uint8_t other;
  std::uint8_t output;
};
constexpr Poison kFirst{.other = 0xa5, .output = 0x3c};
constexpr Poison kSecond{.other = 0x5a, .output = 0xc3};

/// What one execution left behind.
struct Outcome {
  Bytes block;
  std::int32_t code = 0;
};

/// One op after the other; keeps its buffers, because touching fresh pages costs more than comparing them.
class Trial {
 public:
  Trial(const ProbedMemory& memory, std::uint32_t max_searches) : memory_(memory), max_searches_(max_searches) {}

  /// Leaves the memory as the op leaves it. Returns the op's code.
  std::int32_t run(const detent_entity& entity, OpAccess& access) {
    declare(entity);
    fill(kFirst, first_start_);
    run_on(first_start_, first_);
    fill(kSecond, second_start_);
    run_on(second_start_, second_);
    run_on(before_, real_);
    const ByteRanges poisoned = unite(changed(first_start_, first_.block), changed(second_start_, second_.block));
    const ByteRanges writes = unite(poisoned, changed(before_, real_.block));
    watched_ = intersection(outputs_, writes);
    const ByteRanges reads = unite(search(second_, second_start_), search(real_, before_));
    std::memcpy(memory_.block(), real_.block.data(), real_.block.size());
    access = memory_.by_region(reads, writes, reads, AccessMethod::kPerturbed);
    return real_.code;
  }

 private:
  void declare(const detent_entity& entity) {
    const detent_op& op = memory_.desc().ops[entity.args.op];
    entity_ = &entity;
    searches_left_ = max_searches_;
    inputs_ = unite(memory_.declared(op.inputs), memory_.declared(op.weights));
    outputs_ = memory_.declared(op.outputs);
    perturbed_ = difference({{0, memory_.block_bytes()}}, inputs_);
    before_.assign(memory_.block(), memory_.block() + memory_.block_bytes());
  }

  /// Memory in which nothing but the declared inputs is what it was.
  void fill(Poison poison, Bytes& block) const {
    block.assign(before_.size(), poison.other);
    for (const ByteRange& r : outputs_) std::memset(block.data() + r.begin, poison.output, r.end - r.begin);
    copy(inputs_, before_, block);
  }

  static void copy(const ByteRanges& ranges, const Bytes& from, Bytes& to) {
    for (const ByteRange& r : ranges) std::memcpy(to.data() + r.begin, from.data() + r.begin, r.end - r.begin);
  }

  void run_on(const Bytes& start, Outcome& outcome) const {
    std::memcpy(memory_.block(), start.data(), start.size());
    outcome.code = entity_->run(&entity_->args);
    outcome.block.assign(memory_.block(), memory_.block() + start.size());
  }

  static ByteRanges changed(const Bytes& before, const Bytes& after) {
    return changed_bytes({{0, before.size()}}, before.data(), after.data());
  }

  [[nodiscard]] bool differs(const Outcome& other) const {
    if (other.code != first_.code) return true;
    for (const ByteRange& r : watched_) {
      if (std::memcmp(first_.block.data() + r.begin, other.block.data() + r.begin, r.end - r.begin) != 0) return true;
    }
    return false;
  }

  /// The bytes on which the difference between `outcome`, which started from `alternative`, and the first run depends.
  ByteRanges search(const Outcome& outcome, const Bytes& alternative) {
    std::vector<ByteRange> found;
    if (differs(outcome)) narrow(perturbed_, alternative, found);
    return make_ranges(std::move(found));
  }

  /// `set` makes a difference. Which of its halves does? Neither alone: the set itself.
  void narrow(const ByteRanges& set, const Bytes& alternative, std::vector<ByteRange>& found) {
    std::vector<ByteRanges> pending{set};
    while (!pending.empty()) {
      const ByteRanges now = std::move(pending.back());
      pending.pop_back();
      bool smaller = false;
      if (byte_count(now) > 1 && searches_left_ >= 2) {
        for (ByteRanges& half : halves(now)) {
          if (!makes_difference(half, alternative)) continue;
          pending.push_back(std::move(half));
          smaller = true;
        }
      }
      if (!smaller) found.insert(found.end(), now.begin(), now.end());
    }
  }

  bool makes_difference(const ByteRanges& set, const Bytes& alternative) {
    --searches_left_;
    Bytes start = first_start_;
    copy(set, alternative, start);
    Outcome outcome;
    run_on(start, outcome);
    return differs(outcome);
  }

  static std::vector<ByteRanges> halves(const ByteRanges& set) {
    std::vector<ByteRanges> result(2);
    std::uint64_t left = byte_count(set) / 2;
    for (const ByteRange& range : set) {
      const std::uint64_t middle = range.begin + std::min(left, range.end - range.begin);
      if (range.begin < middle) result[0].push_back({range.begin, middle});
      if (middle < range.end) result[1].push_back({middle, range.end});
      left -= middle - range.begin;
    }
    return result;
  }

  const ProbedMemory& memory_;
  const std::uint32_t max_searches_;
  const detent_entity* entity_ = nullptr;
  std::uint32_t searches_left_ = 0;
  ByteRanges inputs_, outputs_, perturbed_, watched_;
  Bytes before_, first_start_, second_start_;
  Outcome first_, second_, real_;
};

}  // namespace

AccessReport measure_by_perturbation(const detent_desc& desc, const PerturbOptions& options) {
  AccessReport report{.error = check_desc(desc), .ops = {}, .unobserved_functions = {}};
  if (report.error.status != DETENT_OK) return report;
  report.ops.resize(desc.op_count);
  const ProbedMemory memory(desc, kGuardBytes);
  Trial trial(memory, options.max_searches);
  const Observer observer = [&](const detent_entity& entity, std::size_t /*backend*/) {
    return trial.run(entity, report.ops[entity.args.op]);
  };
  report.error = run_observed(memory, options.run, observer);
  return report;
}

}  // namespace detent::harness
