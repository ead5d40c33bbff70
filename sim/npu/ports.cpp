// Slots of the memory ports: chained intervals if private, rounds of turns if shared.
#include "sim/npu/ports.hpp"

#include <algorithm>

#include "sim/npu/checked.hpp"

namespace detent::sim::npu {
namespace {

std::int64_t checked_cycle(std::int64_t cycle, std::uint64_t more) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(cycle, more, &sum))
    throw std::overflow_error("NPU: the cycles of this layer exceed 64 bits; use smaller dimensions");
  return sum;
}

}  // namespace

std::int64_t PrivatePorts::fetch(Operand operand, std::uint64_t times, std::uint64_t lines, std::int64_t /*now*/) {
  std::int64_t& arrived = arrived_[static_cast<std::size_t>(operand)];
  arrived = checked_cycle(arrived, checked_product(times, lines + 1));
  return arrived;
}

void PrivatePorts::begin(Operand /*operand*/, std::uint64_t /*lines*/) {}

std::int64_t PrivatePorts::drain_end(std::int64_t /*now*/) { return drain_end_; }

std::int64_t PrivatePorts::quiet_until(std::int64_t /*now*/) { return drain_end_; }

void SharedPort::begin(Operand operand, std::uint64_t lines) { left(operand) = lines + 1; }

std::int64_t SharedPort::fetch(Operand operand, std::uint64_t times, std::uint64_t lines, std::int64_t now) {
  left(operand) += checked_product(times - 1, lines + 1);  // several moves at once: their prefetches follow each other
  const std::int64_t arrived = finish(operand, now);
  advance(arrived + 1);
  left(operand) = lines + 1;
  return arrived;
}

void SharedPort::drain(std::uint64_t lines, std::int64_t now) {
  advance(now);
  left(Operand::kOutput) = lines - 1;  // the first line goes in the cycle of the write
}

bool SharedPort::is_draining(std::int64_t now) {
  advance(now);
  return left(Operand::kOutput) > 0;
}

std::int64_t SharedPort::drain_end(std::int64_t now) { return std::max(now, finish(Operand::kOutput, now) + 1); }

void SharedPort::advance(std::int64_t cycle) {
  while (time_ < cycle) {
    std::uint64_t waiting = 0;
    std::uint64_t shortest = UINT64_MAX;
    for (const std::uint64_t slots : left_) {
      if (slots == 0) continue;
      ++waiting;
      shortest = std::min(shortest, slots);
    }
    if (waiting == 0) {
      time_ = cycle;
      return;
    }
    const std::uint64_t slots = static_cast<std::uint64_t>(cycle - time_);
    const std::uint64_t rounds = std::min(shortest, slots / waiting);
    for (std::uint64_t& operand : left_) operand -= operand > 0 ? rounds : 0;
    time_ += static_cast<std::int64_t>(rounds * waiting);
    if (rounds > 0) continue;
    while (left_[turn_] == 0) turn_ = (turn_ + 1) % kOperandCount;
    --left_[turn_];
    turn_ = (turn_ + 1) % kOperandCount;
    ++time_;
  }
}

std::int64_t SharedPort::finish(Operand operand, std::int64_t now) {
  advance(now);
  while (left(operand) > 0) advance(checked_cycle(time_, left(operand)));
  return time_ - 1;
}

}  // namespace detent::sim::npu
