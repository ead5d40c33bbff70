// Faults: what is made to go wrong in a run, as one value: text of options and replay lines <-> ops, codes and moments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"

namespace detent::harness {

/// Which calls of an op or of a device: they are counted from 1 over the runs on one context in which faults are
/// injected.
struct Calls {
  std::uint32_t first = 0;  ///< 0: every call
  bool onward = false;      ///< `first` and every later one; only where `first` is not 0
  bool operator==(const Calls&) const = default;
  [[nodiscard]] bool include(std::uint64_t call) const {
    return first == 0 || call == first || (onward && call > first);
  }
};

/// The kernel of `op` computes nothing and returns `code` (F01).
struct FailingOp {
  OpId op = 0;
  Calls calls{};
  std::int32_t code = 1;  ///< never 0
  bool operator==(const FailingOp&) const = default;
};

/// The back end of `op` answers `delay_ps` later than it would, or never (F02).
struct LateOp {
  static constexpr std::uint64_t kNever = UINT64_MAX;  ///< it hangs, until the run has been given up
  OpId op = 0;
  std::uint64_t delay_ps = kNever;
  bool operator==(const LateOp&) const = default;
};

/// Calls of a device fail (F01). A device is a class of cores, by its name in detent_desc.classes: each op of that
/// class which is dispatched, whichever it is, is a call of it.
struct FailingDevice {
  std::string device{};  ///< as is_device_name
  Calls calls{};
  std::int32_t code = 1;  ///< never 0
  bool operator==(const FailingDevice&) const = default;
};

/// Calls of a device are answered `delay_ps` later than they would be, or never (F02).
struct LateDevice {
  std::string device{};  ///< as is_device_name
  Calls calls{};
  std::uint64_t delay_ps = LateOp::kNever;
  bool operator==(const LateDevice&) const = default;
};

/// The moment at which the run is cancelled (F07).
struct CancelAt {
  enum class Moment : std::uint8_t { kOpBegin, kOpEnd, kTime } moment = Moment::kOpBegin;
  OpId op = 0;  ///< kOpBegin: when its kernel is called; kOpEnd: when it has computed, before it is reported
  std::uint64_t time_ps = 0;  ///< kTime: after the run's begin, before all else of that instant; simulated time only
  bool operator==(const CancelAt&) const = default;
};

/// With which an op fails that a watchdog has given up.
inline constexpr std::int32_t kGivenUpCode = 110;

/// Everything that is made to go wrong. Vectors ascend by op or device, then by calls.first, and have each of these
/// once.
///
/// Where several elements of a vector are about one call, the last of them counts: the one with the largest
/// calls.first. What is said of an op counts before what is said of its device: of the codes and, apart from them, of
/// the delays.
struct Faults {
  std::vector<FailingOp> failing_ops{};
  std::vector<LateOp> late_ops{};
  std::vector<FailingDevice> failing_devices{};
  std::vector<LateDevice> late_devices{};
  std::vector<std::uint32_t> answered_twice{};  ///< ops whose end is reported a second time (F12)
  std::optional<CancelAt> cancel_at{};
  std::uint64_t op_deadline_ps = 0;  ///< an op in flight for longer ends the run with TIMEOUT; 0: none
  std::uint32_t failing_start = 0;   ///< slot that cannot be started (F04); 0: all can
  /// By op: when it has not answered this long after it began, its back end says that it has failed, with kGivenUpCode.
  /// 0, and beyond the end: nobody watches. What the model has (models::Op::watchdog_ps), so not said in words.
  std::vector<std::uint64_t> watchdogs_ps{};

  bool operator==(const Faults&) const = default;
  /// No deadline either: a run like any other.
  [[nodiscard]] bool empty() const {
    Faults others = *this;
    others.watchdogs_ps.clear();
    return others == Faults{};
  }
  [[nodiscard]] std::uint64_t watchdog_of(OpId op) const { return op < watchdogs_ps.size() ? watchdogs_ps[op] : 0; }
  /// Is something made to go wrong? A deadline alone is a demand on the run, no fault.
  [[nodiscard]] bool injects() const;
  /// Is anything late, or does anything hang?
  [[nodiscard]] bool has_late() const { return !late_ops.empty() || !late_devices.empty(); }
  [[nodiscard]] bool has_devices() const { return !failing_devices.empty() || !late_devices.empty(); }
};

/// One fault as text: `key` is the replay line's word, and with hyphens the option of `detent run` and `simulate`.
///
///     fail_op       OP[CALLS][=CODE]
///     late_op       OP=TIME
///     hang_op       OP
///     fail_device   CLASS[CALLS][=CODE]
///     late_device   CLASS[CALLS]=TIME
///     hang_device   CLASS[CALLS]
///     answer_twice  OP
///     cancel_at     OP or OP:begin, OP:end, or a TIME with its unit
///     deadline_op   TIME
///     fail_start    SLOT
///
/// CALLS is ",2" (the second call alone) or ",2+" (the second and every later one); without it every call. TIME is as
/// base/quantity.hpp reads it: 5ms, 1.5s, 900.
struct FaultWord {
  std::string key;
  std::string value;
};

/// Keys in the order in which they are written.
const std::vector<std::string>& fault_keys();
/// One word per fault, the same for equal faults.
std::vector<FaultWord> fault_words(const Faults& faults);
/// "cancel_at" -> "--cancel-at".
std::string fault_option(const std::string& key);
/// All of them as options: "--fail-op 3=42 --deadline-op 5ms"; empty when nothing goes wrong.
std::string format_faults(const Faults& faults);
/// Add one fault. @throws std::invalid_argument  no such key; a value that is none; an op or a device (a call of it)
///         named twice
void add_fault(Faults& faults, const FaultWord& word);

/// "5ms", "1.5s", "900ps", "900". @throws std::invalid_argument  says what may stand there
std::uint64_t parse_time_ps(const std::string& text);
/// The same time in the largest unit that needs no fraction: "1500us".
std::string format_time_ps(std::uint64_t time_ps);

/// Can a fault name this class of cores? Letters, digits, '_' and '-', at least one of them.
bool is_device_name(std::string_view name);

/// @throws std::invalid_argument  an op or a class that the Desc does not have; a class whose name is no device name;
///         what hangs without a deadline, which would never end; a moment in time where `simulated` is false
void check_faults(const Faults& faults, const detent_desc& desc, bool simulated);

}  // namespace detent::harness
