// Access audit: do kernels touch what their ops declare, and nothing else? Measured accesses against the Desc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "harness/access/perturb.hpp"
#include "harness/access/report.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::verify {

/// How an op breaks its declaration.
enum class AccessFault : std::uint8_t {
  kReadsUndeclared,     ///< reads a byte that none of its tensors holds
  kReadsOldOutput,      ///< reads a byte of an output before it has written it, and no input holds that byte
  kReadsOldScratch,     ///< reads a byte of its scratch before it has written it
  kWritesUndeclared,    ///< writes a byte that none of its tensors holds
  kWritesReadOnly,      ///< writes a byte of an input or weight that is no output
  kOutputUnwritten,     ///< leaves a byte of an output as it was (bytes that an input shares may pass through)
  kReadsOutsideRegion,  ///< reads before or behind a region
  kWritesOutsideRegion,
  kWritesVariables,  ///< writes variables of its code, static or of a thread: no tensor, kept between calls
};

/// "reads undeclared bytes", ...
const char* fault_name(AccessFault fault);

/// One (op, fault, region): all bytes concerned, of which the first run is given.
struct AccessFinding {
  OpId op = 0;
  AccessFault fault = AccessFault::kReadsUndeclared;
  RegionId region = 0;     ///< with kWritesVariables it and the bytes say nothing
  std::int64_t begin = 0;  ///< first run of bytes, from the region's base; negative before it
  std::int64_t end = 0;
  std::uint64_t byte_count = 0;        ///< in all runs
  std::vector<std::uint32_t> tensors;  ///< those that hold a byte of the first run, ascending; the first 8
};

/// Declared but never touched: no fault, because which bytes are read may depend on the data.
struct AccessSlack {
  OpId op = 0;
  std::uint64_t read_bytes = 0;     ///< of inputs and weights
  std::uint64_t scratch_bytes = 0;  ///< of scratch, neither read nor written
};

struct AccessAudit {
  Verdict verdict;                      ///< property "access_audit"
  std::vector<AccessFinding> findings;  ///< by (op, fault, region)
  std::vector<AccessSlack> slack;       ///< by op; instrumented ops that have some
  std::uint64_t observed_ops = 0;       ///< ops that were observed, by either method; ops without tensors included
};

/// Judge what was measured. Violated when there is a finding; unknown when an op was not observed, when the run did
/// not end well, or when a kernel may call a library function whose accesses nobody sees; else it holds, for this
/// input.
/// @param report  of this Desc
AccessAudit audit_accesses(const detent_desc& desc, const harness::AccessReport& report);

/// audit_accesses of measure_by_perturbation: for kernels that were not compiled here.
AccessAudit audit_by_perturbation(const detent_desc& desc, const harness::PerturbOptions& options = {});

/// One line: "op 3 (conv) reads undeclared bytes [64, 68) of ws (tensor 7 (act) lies there); 12 bytes in all".
std::string describe_finding(const detent_desc& desc, const AccessFinding& finding);

}  // namespace detent::verify
