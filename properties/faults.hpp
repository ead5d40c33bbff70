// Faults of random graphs: drawn, made smaller, and what every run with them must have done, by code of the laws' own.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <detent/desc.h>

#include "harness/faults/faults.hpp"
#include "harness/faults/record.hpp"

namespace detent::laws {

/// Up to five things that go wrong in one run, at least one of them.
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

/// Verdict "fault_response" is not violated; what it is violated by stands in the failure.
/// @param digest  of a serial run in which nothing goes wrong
void assert_answered(const detent_desc& desc, const harness::Faults& faults, const harness::FaultRecord& record,
                     std::uint64_t digest);

}  // namespace detent::laws
