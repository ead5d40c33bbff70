// Searches that draw schedules from a seed: random walk, PCT, POS. Each draw is independent of the others.
#pragma once

#include <vector>

#include "verify/explore/threads/world/turns.hpp"

namespace detent::verify::explore {

/// xorshift64*: fast, and the same everywhere.
class ThreadRandom {
 public:
  explicit ThreadRandom(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u) {
    if (state_ == 0) state_ = 1;
  }
  std::uint64_t next() {
    state_ ^= state_ >> 12U;
    state_ ^= state_ << 25U;
    state_ ^= state_ >> 27U;
    return state_ * 0x2545f4914f6cdd1du;
  }
  /// Below `bound` > 0; uniform to within 2^-32.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((next() >> 32U) * bound) >> 32U); }

 private:
  std::uint64_t state_;
};

/// Any thread that can run, each equally likely.
class RandomWalk final : public Strategy {
 public:
  RandomWalk(std::uint64_t seed, std::uint64_t executions) : random_(seed), left_(executions) {}
  ThreadId pick(const Turns&, std::uint64_t enabled) override {
    std::uint64_t rest = enabled;
    if ((rest & (rest - 1)) != 0) {
      const auto count = static_cast<std::uint32_t>(__builtin_popcountll(rest));
      for (std::uint32_t skip = random_.below(count); skip != 0; --skip) rest &= rest - 1;
    }
    return static_cast<ThreadId>(__builtin_ctzll(rest));
  }
  std::uint32_t choose(const Turns&, std::uint32_t count) override { return random_.below(count); }
  bool end_execution() override { return --left_ != 0; }

 private:
  ThreadRandom random_;
  std::uint64_t left_;
};

/// Burckhardt, Kothari, Musuvathi, Nagarakatte 2010: random priorities; at depth - 1 random steps the thread that runs
/// falls below all others. Finds a bug of `depth` ordering constraints with probability >= 1 / (n k^(depth - 1)).
/// k is the longest execution so far.
class Pct final : public Strategy {
 public:
  Pct(std::uint64_t seed, std::uint64_t executions, std::uint32_t depth)
      : random_(seed), left_(executions), depth_(depth) {}
  void begin_execution() override;
  ThreadId pick(const Turns& turns, std::uint64_t enabled) override;
  std::uint32_t choose(const Turns&, std::uint32_t count) override { return random_.below(count); }
  bool end_execution() override { return --left_ != 0; }

 private:
  ThreadRandom random_;
  std::uint64_t left_;
  std::uint32_t depth_;
  std::uint32_t steps_ = 0, longest_ = 1;
  std::uint64_t priority_[kMaxThreads] = {};
  std::vector<std::uint32_t> changes_;  // steps at which the priority of the running thread falls
};

/// Yuan, Yang, Gu 2018: each pending step has a random priority; one that conflicts with the step just taken draws
/// anew.
class Pos final : public Strategy {
 public:
  Pos(std::uint64_t seed, std::uint64_t executions) : random_(seed), left_(executions) {}
  void begin_execution() override;
  ThreadId pick(const Turns& turns, std::uint64_t enabled) override;
  std::uint32_t choose(const Turns&, std::uint32_t count) override { return random_.below(count); }
  bool end_execution() override { return --left_ != 0; }

 private:
  ThreadRandom random_;
  std::uint64_t left_;
  std::uint64_t priority_[kMaxThreads] = {};  // of pending steps; 0 = to be drawn
};

}  // namespace detent::verify::explore
