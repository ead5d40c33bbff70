// Faults of random graphs: drawn, made smaller, and what every run with them must have done, by code of the laws' own.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <detent/desc.h>

#include "harness/faults/faults.hpp"
#include "harness/faults/record.hpp"

namespace detent::laws {

/// Up to eight things that go wrong in one run, at least one of them. Devices are of class "cpu".
/// @param below    a number in [0, n)
/// @param moments  a run may be cancelled at a time; a deadline may stand without late ops
harness::Faults draw_faults(const std::function<std::uint32_t(std::uint64_t n)>& below, std::uint32_t op_count,
                            bool moments);

/// Ops [first, first + count) are gone: so are their faults, and later ops move up. Something still goes wrong.
harness::Faults faults_without_ops(harness::Faults faults, std::uint32_t first, std::uint32_t count);

/// One fault less, or a smaller number.
std::vector<harness::Faults> smaller_faults(const harness::Faults& faults);

/// The ops that began are closed under predecessors, hold the faulty one once and none of its successors, each once.
void assert_stopped_after_fault(const detent_desc& desc, const std::vector<std::uint32_t>& began,
                                std::uint32_t faulty_op);

/// Each op at most once, none before its predecessors.
void assert_prefix_of_an_order(const detent_desc& desc, const std::vector<std::uint32_t>& began);

/// Counts the calls of a device by itself, run after run, where a failing device is all that goes wrong.
class DeviceAccount {
 public:
  /// @param desc  outlives this
  DeviceAccount(const detent_desc& desc, harness::FailingDevice fault) : desc_(desc), fault_(std::move(fault)) {}
  /// The next run: exactly the calls that the fault names failed, with its code, and the status names one of them.
  void assert_failed(const harness::FaultRecord& record);

 private:
  const detent_desc& desc_;
  harness::FailingDevice fault_;
  std::uint64_t calls_ = 0;
};

/// Verdict "fault_response" is not violated; what it is violated by stands in the failure.
/// @param digest  of a serial run in which nothing goes wrong
void assert_answered(const detent_desc& desc, const harness::Faults& faults, const harness::FaultRecord& record,
                     std::uint64_t digest);

}  // namespace detent::laws
