// The schedule of one execution as one line, and back: "t1:0x12.1x3.c1.0x5#89abcdef01234567".
//
//   0x12   thread 0 is picked 12 times in a row      c1   a choice takes its value 1      #...   hash of all sets of
//   choices on the way, so that a replay of another program is noticed
#pragma once

#include <string>
#include <vector>

#include "verify/explore/threads/world/turns.hpp"

namespace detent::verify::explore {

struct ThreadSchedule {
  std::vector<Decision> decisions;
  std::uint64_t trail = 0;
};

std::string format_schedule(const ThreadSchedule& schedule);
/// @throws std::invalid_argument  malformed, with the place
ThreadSchedule parse_schedule(const std::string& text);

/// One given schedule, then whoever runs goes on; the lowest thread where it cannot.
class GivenSchedule final : public Strategy {
 public:
  explicit GivenSchedule(ThreadSchedule schedule) : schedule_(std::move(schedule)) {}
  void begin_execution() override { at_ = 0; }
  [[nodiscard]] bool asks_after_begin() const override { return true; }
  ThreadId pick(const Turns& turns, std::uint64_t enabled) override;
  std::uint32_t choose(const Turns& turns, std::uint32_t count) override;
  bool end_execution() override { return false; }
  /// The schedule asked for something impossible at this decision, from 1; 0 = it fitted.
  [[nodiscard]] std::uint32_t misfit_at() const { return misfit_at_; }
  [[nodiscard]] std::uint32_t taken() const { return at_; }

 private:
  ThreadSchedule schedule_;
  std::uint32_t at_ = 0;
  std::uint32_t misfit_at_ = 0;
};

}  // namespace detent::verify::explore
