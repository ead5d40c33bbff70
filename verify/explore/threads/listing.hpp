// Replay of one schedule with a line per step, and what its preemptions mean.
#pragma once

#include <string>
#include <vector>

#include "verify/explore/threads/program.hpp"
#include "verify/explore/threads/search/choices.hpp"

namespace detent::verify::explore {

/// A given schedule that writes down what it does.
class ListedSchedule final : public Strategy {
 public:
  ListedSchedule(ThreadSchedule schedule, const Program& program) : given_(std::move(schedule)), program_(program) {}
  void begin_execution() override { given_.begin_execution(); }
  [[nodiscard]] bool asks_after_begin() const override { return true; }
  ThreadId pick(const Turns& turns, std::uint64_t enabled) override;
  std::uint32_t choose(const Turns& turns, std::uint32_t count) override;
  bool end_execution() override { return false; }

  [[nodiscard]] const GivenSchedule& given() const { return given_; }
  /// "   12  slot 1               reads role"
  [[nodiscard]] const std::string& lines() const { return lines_; }
  [[nodiscard]] const std::vector<ThreadStep>& steps() const { return steps_; }
  /// "slot 0 stops before it reads role; slot 1 goes on"; "slot 1 reads role = held, which slot 0 had already
  /// overwritten"
  [[nodiscard]] const std::vector<std::string>& constraints() const { return constraints_; }
  /// How many of them are of the first kind.
  [[nodiscard]] std::uint32_t preemptions() const { return preemptions_; }

 private:
  GivenSchedule given_;
  const Program& program_;
  std::string lines_;
  std::vector<ThreadStep> steps_;
  std::vector<std::string> constraints_;
  std::uint32_t preemptions_ = 0;
};

}  // namespace detent::verify::explore
