// Access by perturbation: poison, run, compare, bisect.
#include "harness/access_perturb.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

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

/// One op, its declaration, and the memory as it was before the op.
class Trial {
 public:
  Trial(const ProbedMemory& memory, const detent_entity& entity, std::uint32_t max_searches)
      : memory_(memory), entity_(entity), searches_left_(max_searches) {
    const detent_op& op = memory.desc().ops[entity.args.op];
    inputs_ = unite(memory.declared(op.inputs), memory.declared(op.weights));
    outputs_ = memory.declared(op.outputs);
    perturbed_ = difference({{0, memory.block_bytes()}}, inputs_);
    before_.assign(memory.block(), memory.block() + memory.block_bytes());
  }

  /// Leaves the memory as the op leaves it. Returns the op's code.
  std::int32_t run(OpAccess& access) {
    first_ = run_on(filled(kFirst));
    const Outcome second = run_on(filled(kSecond));
    const Outcome real = run_on(before_);
    const ByteRanges poisoned_writes =
        unite(changed(filled(kFirst), first_.block), changed(filled(kSecond), second.block));
    const ByteRanges writes = unite(poisoned_writes, changed(before_, real.block));
    watched_ = intersection(outputs_, writes);
    const ByteRanges reads = unite(search(second, filled(kSecond)), search(real, before_));
    std::memcpy(memory_.block(), real.block.data(), real.block.size());
    access = memory_.by_region(reads, writes, reads, AccessMethod::kPerturbed);
    return real.code;
  }

 private:
  /// Memory in which nothing but the declared inputs is what it was.
  [[nodiscard]] Bytes filled(Poison poison) const {
    Bytes block(before_.size(), poison.other);
    for (const ByteRange& r : outputs_) std::memset(block.data() + r.begin, poison.output, r.end - r.begin);
    copy(inputs_, before_, block);
    return block;
  }

  static void copy(const ByteRanges& ranges, const Bytes& from, Bytes& to) {
    for (const ByteRange& r : ranges) std::memcpy(to.data() + r.begin, from.data() + r.begin, r.end - r.begin);
  }

  [[nodiscard]] Outcome run_on(const Bytes& block) const {
    std::memcpy(memory_.block(), block.data(), block.size());
    const std::int32_t code = entity_.run(&entity_.args);
    return {.block = Bytes(memory_.block(), memory_.block() + block.size()), .code = code};
  }

  static ByteRanges changed(const Bytes& before, const Bytes& after) {
    constexpr std::uint64_t kStep = 4096;  // the block is a multiple of it
    std::vector<ByteRange> ranges;
    for (std::uint64_t page = 0; page < before.size(); page += kStep) {
      if (std::memcmp(before.data() + page, after.data() + page, kStep) == 0) continue;
      for (std::uint64_t i = page; i < page + kStep; ++i) {
        if (before[i] != after[i]) ranges.push_back({i, i + 1});
      }
    }
    return make_ranges(std::move(ranges));
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
    Bytes block = filled(kFirst);
    copy(set, alternative, block);
    return differs(run_on(block));
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
  const detent_entity& entity_;
  std::uint32_t searches_left_;
  ByteRanges inputs_, outputs_, perturbed_, watched_;
  Bytes before_;
  Outcome first_;
};

}  // namespace

AccessReport measure_by_perturbation(const detent_desc& desc, const PerturbOptions& options) {
  AccessReport report{.error = check_desc(desc), .ops = {}, .unobserved_functions = {}};
  if (report.error.status != DETENT_OK) return report;
  report.ops.resize(desc.op_count);
  const ProbedMemory memory(desc, kGuardBytes);
  const Observer observer = [&](const detent_entity& entity, std::size_t /*backend*/) {
    return Trial(memory, entity, options.max_searches).run(report.ops[entity.args.op]);
  };
  report.error = run_observed(memory, options.run, observer);
  return report;
}

}  // namespace detent::harness
