// When a fetch has arrived and a drain has ended: a port of its own for each operand, or one that takes turns.
#pragma once

#include <array>
#include <cstdint>

namespace detent::sim::npu {

enum class Operand : std::uint8_t { kInput = 0, kWeight = 1, kOutput = 2 };
inline constexpr std::size_t kOperandCount = 3;

/// Words per cycle of each operand's port; of the one port, if shared, the first counts.
struct Bandwidth {
  std::uint64_t input = 0;
  std::uint64_t weight = 0;
  std::uint64_t output = 0;
};

/// Private ports: each operand's prefetches follow each other without a pause, one line per cycle and a cycle between
/// two of them, from before cycle 0 on. Nothing that happens on one port delays another.
class PrivatePorts {
 public:
  /// `times` more prefetches of `lines` lines; returns the cycle at which the last of them has arrived.
  std::int64_t fetch(Operand operand, std::uint64_t times, std::uint64_t lines, std::int64_t now);
  /// A first prefetch is under way when the array starts.
  void begin(Operand operand, std::uint64_t lines);
  void drain(std::uint64_t lines, std::int64_t now) { drain_end_ = now + static_cast<std::int64_t>(lines) - 1; }
  [[nodiscard]] bool is_draining(std::int64_t now) { return now < drain_end_; }
  /// Cycle at which the drain is over, seen from `now` while it is under way.
  [[nodiscard]] std::int64_t drain_end(std::int64_t now);
  /// Cycle before which nothing changes on its own; drain_end() if it is known in advance.
  [[nodiscard]] std::int64_t quiet_until(std::int64_t now);
  static constexpr bool kIsShared = false;

 private:
  std::array<std::int64_t, kOperandCount> arrived_{-1, -1, -1};
  std::int64_t drain_end_ = 0;
};

/// One port, one line per cycle, round robin among the operands that wait. A prefetch starts when the window has moved,
/// because only then its half of the buffer is free; so each fetch arrives at the earliest when a private port's does.
class SharedPort {
 public:
  std::int64_t fetch(Operand operand, std::uint64_t times, std::uint64_t lines, std::int64_t now);
  void begin(Operand operand, std::uint64_t lines);
  void drain(std::uint64_t lines, std::int64_t now);
  [[nodiscard]] bool is_draining(std::int64_t now);
  [[nodiscard]] std::int64_t drain_end(std::int64_t now);
  [[nodiscard]] std::int64_t quiet_until(std::int64_t now) { return now + 1; }
  static constexpr bool kIsShared = true;

 private:
  std::uint64_t& left(Operand operand) { return left_[static_cast<std::size_t>(operand)]; }
  void advance(std::int64_t cycle);
  std::int64_t finish(Operand operand, std::int64_t now);

  std::int64_t time_ = 0;                            ///< slots before this cycle are given away
  std::array<std::uint64_t, kOperandCount> left_{};  ///< slots that each operand still needs
  std::size_t turn_ = 0;                             ///< who is asked first
};

}  // namespace detent::sim::npu
