// FaultRecord: what a run with injected faults did, event by event, and whether its context could be used again.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <detent/detent.h>

#include "base/ids.hpp"

namespace detent::harness {

/// One thing that happened, as the back end saw it.
struct FaultEvent {
  enum class Kind : std::uint8_t { kBegin, kEnd, kCancel } kind = Kind::kBegin;
  OpId op = DETENT_NONE;
  std::int32_t code = 0;          ///< kEnd: what the engine is told
  std::uint64_t time_ps = 0;      ///< of the port's clock, since the run's begin
  std::uint64_t device_call = 0;  ///< kBegin: which call of the op's device it is; 0: it does not count as one
  bool is_device_fault = false;   ///< kBegin: a fault of its device makes the op fail, late or hang
};

/// The run after the one with faults: same context (where workers could not start: same port), reset, nothing injected.
struct RunAgain {
  detent_status status = DETENT_OK;
  std::uint32_t ops_ended = 0;   ///< ops that began and ended once each
  std::uint64_t longest_ps = 0;  ///< the longest time that one of them took; UINT64_MAX: one did not end
  std::optional<std::uint64_t> digest{};
};

struct FaultRecord {
  detent_error error{};               ///< of the run, or of the start of its context
  std::vector<FaultEvent> events{};   ///< in their order, until the run returned
  std::uint64_t returned_ps = 0;      ///< when it returned
  std::uint32_t said_in_flight = 0;   ///< ops that detent_result says are left in flight, at most
  bool exact_times = false;           ///< nothing but ops takes time: what is late can be told to the picosecond
  std::uint32_t slots = 1;            ///< threads of the engine that execute ops
  std::uint32_t second_answers = 0;   ///< ends that were reported a second time
  std::uint32_t accepted_second = 0;  ///< of them, not refused
  std::optional<RunAgain> again{};    ///< empty: it was not tried

  /// Ops that had begun and not ended when the run returned, ascending.
  [[nodiscard]] std::vector<std::uint32_t> in_flight() const;
  /// Ops in the order in which they began.
  [[nodiscard]] std::vector<std::uint32_t> began() const;
  /// The begins that are device faults, in their order.
  [[nodiscard]] std::vector<FaultEvent> device_faults() const;
};

}  // namespace detent::harness
