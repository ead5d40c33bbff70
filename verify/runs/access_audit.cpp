// Access audit: per op and region, measured sets minus declared sets, and declared outputs minus measured writes.
#include "verify/runs/access_audit.hpp"

#include <algorithm>
#include <tuple>

#include "base/counted.hpp"
#include "harness/instance.hpp"
#include "verify/graph/byte_set.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify {
namespace {

using harness::AccessMethod;
using harness::OpAccess;
using harness::RegionAccess;

constexpr std::size_t kMaxTensors = 8;
constexpr std::size_t kMaxWitnesses = 100;

/// The declaration of an op within one region.
struct Declared {
  ByteRanges reads;    ///< inputs and weights
  ByteRanges outputs;  ///< including those that an input shares
  ByteRanges scratch;
};

void add_blocks(const detent_desc& desc, const detent_slice& slice, RegionId region, std::vector<ByteRange>& to) {
  for (std::uint32_t i = slice.first; i < slice.first + slice.count; ++i) {
    const detent_tensor& tensor = desc.tensors[desc.tensor_refs[i]];
    if (tensor.region == region) append_blocks(tensor, 0, to);
  }
}

Declared declared_in(const detent_desc& desc, const detent_op& op, RegionId region) {
  std::vector<ByteRange> reads, outputs, scratch;
  add_blocks(desc, op.inputs, region, reads);
  add_blocks(desc, op.weights, region, reads);
  add_blocks(desc, op.outputs, region, outputs);
  add_blocks(desc, op.scratch, region, scratch);
  return {.reads = make_ranges(std::move(reads)),
          .outputs = make_ranges(std::move(outputs)),
          .scratch = make_ranges(std::move(scratch))};
}

/// Regions that an op declares something in or was seen to touch, ascending.
std::vector<std::uint32_t> regions_of(const detent_desc& desc, const detent_op& op, const OpAccess& access) {
  std::vector<std::uint32_t> regions;
  for (const detent_slice& slice : {op.inputs, op.weights, op.outputs, op.scratch}) {
    for (std::uint32_t i = slice.first; i < slice.first + slice.count; ++i) {
      regions.push_back(desc.tensors[desc.tensor_refs[i]].region);
    }
  }
  for (const RegionAccess& touched : access.regions) regions.push_back(touched.region);
  std::ranges::sort(regions);
  regions.erase(std::ranges::unique(regions).begin(), regions.end());
  return regions;
}

std::vector<std::uint32_t> tensors_at(const detent_desc& desc, RegionId region, ByteRange range) {
  const ByteSet wanted{.begin = range.begin, .block_bytes = range.end - range.begin, .stride_bytes = 0, .count = 1};
  std::vector<std::uint32_t> tensors;
  for (std::uint32_t i = 0; i < desc.tensor_count && tensors.size() < kMaxTensors; ++i) {
    const detent_tensor& tensor = desc.tensors[i];
    if (tensor.region == region && first_shared_bytes(bytes_of(tensor), wanted)) tensors.push_back(i);
  }
  return tensors;
}

/// What is collected about one op.
class OpJudge {
 public:
  OpJudge(const detent_desc& desc, const detent_op& op, const OpAccess& access, AccessAudit& audit)
      : desc_(desc), op_(op), access_(access), audit_(audit) {}

  void judge() {
    AccessSlack slack{.op = op_.id, .read_bytes = 0, .scratch_bytes = 0};
    const std::size_t first = audit_.findings.size();
    for (const RegionId region : regions_of(desc_, op_, access_)) judge_region(region, slack);
    for (const harness::StrayAccess& stray : access_.strays) add_stray(stray);
    if (access_.variable_writes != 0) {
      audit_.findings.push_back({.op = op_.id, .fault = AccessFault::kWritesVariables, .tensors = {}});
    }
    const auto key = [](const AccessFinding& f) { return std::tuple(f.fault, f.region, f.begin); };
    std::sort(audit_.findings.begin() + static_cast<std::ptrdiff_t>(first), audit_.findings.end(),
              [&key](const AccessFinding& a, const AccessFinding& b) { return key(a) < key(b); });
    const bool is_exact = access_.method == AccessMethod::kInstrumented;
    if (is_exact && slack.read_bytes + slack.scratch_bytes != 0) audit_.slack.push_back(slack);
  }

 private:
  void judge_region(RegionId region, AccessSlack& slack) {
    static const RegionAccess kUntouched;
    const auto place = std::ranges::find(access_.regions, region, &RegionAccess::region);
    const RegionAccess& touched = place == access_.regions.end() ? kUntouched : *place;
    const Declared declared = declared_in(desc_, op_, region);
    const ByteRanges writable = unite(declared.outputs, declared.scratch);
    const ByteRanges all = unite(declared.reads, writable);
    const ByteRanges early = difference(touched.early_reads, declared.reads);
    add(AccessFault::kReadsUndeclared, region, difference(touched.reads, all));
    add(AccessFault::kReadsOldOutput, region, intersection(early, declared.outputs));
    add(AccessFault::kReadsOldScratch, region, intersection(early, declared.scratch));
    add(AccessFault::kWritesUndeclared, region, difference(touched.writes, all));
    add(AccessFault::kWritesReadOnly, region, difference(intersection(touched.writes, declared.reads), writable));
    add(AccessFault::kOutputUnwritten, region,
        difference(difference(declared.outputs, declared.reads), touched.writes));
    slack.read_bytes += byte_count(difference(declared.reads, touched.reads));
    slack.scratch_bytes += byte_count(difference(declared.scratch, unite(touched.reads, touched.writes)));
  }

  void add(AccessFault fault, RegionId region, const ByteRanges& bytes) {
    if (bytes.empty()) return;
    audit_.findings.push_back({.op = op_.id,
                               .fault = fault,
                               .region = region,
                               .begin = static_cast<std::int64_t>(bytes[0].begin),
                               .end = static_cast<std::int64_t>(bytes[0].end),
                               .byte_count = byte_count(bytes),
                               .tensors = tensors_at(desc_, region, bytes[0])});
  }

  void add_stray(const harness::StrayAccess& stray) {
    audit_.findings.push_back(
        {.op = op_.id,
         .fault = stray.is_write ? AccessFault::kWritesOutsideRegion : AccessFault::kReadsOutsideRegion,
         .region = stray.region,
         .begin = stray.begin,
         .end = stray.end,
         .byte_count = static_cast<std::uint64_t>(stray.end - stray.begin),
         .tensors = {}});
  }

  const detent_desc& desc_;
  const detent_op& op_;
  const OpAccess& access_;
  AccessAudit& audit_;
};

bool has_tensors(const detent_op& op) {
  return op.inputs.count + op.outputs.count + op.weights.count + op.scratch.count != 0;
}

/// Why nothing can be said although nothing was found; "" when something can.
std::string reason_unknown(const detent_desc& desc, const harness::AccessReport& report, std::uint64_t observed_ops) {
  if (report.error.status != DETENT_OK) return harness::describe_error(desc, report.error);
  if (observed_ops != desc.op_count) {
    return std::to_string(desc.op_count - observed_ops) + " of " + std::to_string(desc.op_count) +
           " ops were not observed";
  }
  const auto incomplete = std::ranges::find(report.ops, true, &OpAccess::is_incomplete);
  if (incomplete != report.ops.end()) {
    return op_name(desc, static_cast<std::uint32_t>(incomplete - report.ops.begin())) +
           " touches bytes that the recorder does not see (assembly, instructions as built-in functions, no_sanitize), "
           "or does not do the same twice";
  }
  if (report.unobserved_functions.empty()) return "";
  return "kernels may call " + report.unobserved_functions[0] + " (and " +
         std::to_string(report.unobserved_functions.size() - 1) + " more), whose accesses are not seen";
}

void conclude(const detent_desc& desc, const harness::AccessReport& report, AccessAudit& audit) {
  Verdict& verdict = audit.verdict;
  verdict.property = Property::kAccessAudit;
  const std::string unknown = reason_unknown(desc, report, audit.observed_ops);
  std::uint64_t slack_bytes = 0;
  for (const AccessSlack& slack : audit.slack) slack_bytes += slack.read_bytes + slack.scratch_bytes;
  verdict.summary = counted(audit.observed_ops, "op") + " observed, " + counted(audit.findings.size(), "finding");
  if (slack_bytes != 0) verdict.summary += ", " + counted(slack_bytes, "byte") + " declared but never touched";
  if (!unknown.empty()) verdict.summary += "; " + unknown;
  verdict.outcome = !audit.findings.empty() ? Outcome::kViolated
                    : unknown.empty()       ? Outcome::kHolds
                                            : Outcome::kUnknown;
  verdict.total = audit.findings.size();
  for (const AccessFinding& finding : audit.findings) {
    if (verdict.witnesses.size() == kMaxWitnesses) break;
    verdict.witnesses.push_back({.text = describe_finding(desc, finding), .ops = {finding.op}, .schedule = {}});
  }
}

}  // namespace

const char* fault_name(AccessFault fault) {
  switch (fault) {
    case AccessFault::kReadsUndeclared:
      return "reads undeclared bytes";
    case AccessFault::kReadsOldOutput:
      return "reads before writing output bytes";
    case AccessFault::kReadsOldScratch:
      return "reads before writing scratch bytes";
    case AccessFault::kWritesUndeclared:
      return "writes undeclared bytes";
    case AccessFault::kWritesReadOnly:
      return "writes read-only bytes";
    case AccessFault::kOutputUnwritten:
      return "never writes output bytes";
    case AccessFault::kReadsOutsideRegion:
      return "reads outside the region bytes";
    case AccessFault::kWritesOutsideRegion:
      return "writes outside the region bytes";
    case AccessFault::kWritesVariables:
      return "writes variables of its code";
  }
  return "?";
}

AccessAudit audit_accesses(const detent_desc& desc, const harness::AccessReport& report) {
  AccessAudit audit;
  for (std::uint32_t id = 0; id < report.ops.size(); ++id) {
    const bool failed = report.error.status != DETENT_OK && report.error.op == id;  // it may have stopped anywhere
    const bool is_observed = report.ops[id].method != AccessMethod::kNone && !failed;
    if (is_observed) OpJudge(desc, desc.ops[id], report.ops[id], audit).judge();
    if (is_observed || !has_tensors(desc.ops[id])) ++audit.observed_ops;
  }
  conclude(desc, report, audit);
  return audit;
}

AccessAudit audit_by_perturbation(const detent_desc& desc, const harness::PerturbOptions& options) {
  return audit_accesses(desc, harness::measure_by_perturbation(desc, options));
}

std::string describe_finding(const detent_desc& desc, const AccessFinding& finding) {
  if (finding.fault == AccessFault::kWritesVariables) {
    return op_name(desc, finding.op) + " " + fault_name(finding.fault) +
           ", static or of a thread: they keep their value between calls, and nothing orders the ops that share them; "
           "bytes that an op needs are outputs or scratch of it";
  }
  std::string text = op_name(desc, finding.op) + " " + fault_name(finding.fault) + " [" +
                     std::to_string(finding.begin) + ", " + std::to_string(finding.end) + ") of " +
                     region_name(desc, finding.region);
  for (std::size_t i = 0; i < finding.tensors.size(); ++i) {
    text += (i == 0 ? " (" : ", ") + tensor_name(desc, finding.tensors[i]);
  }
  if (!finding.tensors.empty()) text += finding.tensors.size() == 1 ? " lies there)" : " lie there)";
  const auto first_run = static_cast<std::uint64_t>(finding.end - finding.begin);
  if (finding.byte_count != first_run) text += "; " + std::to_string(finding.byte_count) + " bytes in all";
  return text;
}

}  // namespace detent::verify
