// Access audit: one planted fault per law, by both methods; good kernels are not blamed.
#include "verify/runs/access_audit.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/access/probe.hpp"
#include "models/lower/lower.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/harness/access_desc.hpp"
#include "tests/harness/module_fixture.hpp"
#include "tests/verify/random_graph.hpp"

namespace detent::verify {
namespace {

using harness::testing::access_input;
using harness::testing::access_kernel_names;
using harness::testing::access_kernels_text;
using harness::testing::AccessDesc;
using harness::testing::AccessOp;
using harness::testing::kernel_table;

constexpr std::uint32_t kIn = AccessDesc::kIn, kWs = AccessDesc::kWs, kOut = AccessDesc::kOut,
                        kWeights = AccessDesc::kWeights;

std::vector<harness::CSource> sources(const std::vector<std::string>& names) {
  return {{"kernels.c", access_kernels_text() + kernel_table(names)}};
}

harness::CModuleOptions uncached() {
  harness::CModuleOptions options;
  options.use_cache = false;
  return options;
}

enum class Method { kProbe, kPerturb };

class AccessAuditTest : public ::testing::TestWithParam<Method> {
 protected:
  AccessAudit audit(const AccessDesc& desc) {
    static const harness::AccessProbe probe(sources(access_kernel_names()), uncached());
    static const harness::CModule module(sources(access_kernel_names()), uncached());
    harness::PerturbOptions options;
    options.run.input_bytes = access_input();
    if (GetParam() == Method::kProbe) return audit_accesses(desc.desc(), probe.measure(desc.desc(), options.run));
    options.run.backends = {module.backend()};
    return audit_by_perturbation(desc.desc(), options);
  }
};

INSTANTIATE_TEST_SUITE_P(Methods, AccessAuditTest, ::testing::Values(Method::kProbe, Method::kPerturb),
                         [](const auto& method) { return method.param == Method::kProbe ? "Probe" : "Perturb"; });

/// The one finding that an audit is expected to have.
AccessFinding only_finding(const AccessAudit& audit) {
  EXPECT_EQ(audit.verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(audit.findings.size(), 1U);
  EXPECT_EQ(audit.verdict.witnesses.size(), audit.findings.size());
  return audit.findings.empty() ? AccessFinding{} : audit.findings[0];
}

TEST_P(AccessAuditTest, GoodKernelsHold) {
  const AccessDesc desc({{"scale", {{kIn, 0, 64}}, {{kWs, 0, 64}}},
                         {"weighted", {{kWs, 0, 32}}, {{kWs, 64, 32}}, {{kWeights, 0, 32}}},
                         {"with_scratch", {{kWs, 64, 32}}, {{kOut, 0, 32}}, {}, {{kWs, 96, 32}}},
                         {"in_place", {{kWs, 64, 32}}, {{kWs, 64, 32}}, {}, {}, DETENT_OP_IN_PLACE},
                         {"local_array", {{kWs, 64, 32}}, {{kOut, 32, 32}}},
                         {"mixed_sizes", {{kIn, 0, 32}}, {{kOut, 64, 32}}}});
  const AccessAudit result = audit(desc);
  EXPECT_EQ(result.verdict.property, Property::kAccessAudit);
  EXPECT_EQ(result.verdict.outcome, Outcome::kHolds) << result.verdict.summary;
  EXPECT_TRUE(result.findings.empty()) << describe_finding(desc.desc(), result.findings[0]);
  EXPECT_EQ(result.observed_ops, 6U);
}

TEST_P(AccessAuditTest, OverReadNamesOpBytesAndTensorThere) {
  const AccessDesc desc({{"scale", {{kIn, 0, 32}}, {{kWs, 64, 32}}},
                         {"scale", {{kIn, 64, 32}}, {{kWs, 96, 32}}},
                         {"over_read", {{kWs, 64, 32}}, {{kOut, 0, 32}}}});
  const AccessAudit result = audit(desc);
  const AccessFinding finding = only_finding(result);
  EXPECT_EQ(finding.op, 2U);
  EXPECT_EQ(finding.fault, AccessFault::kReadsUndeclared);
  EXPECT_EQ(finding.region, kWs);
  EXPECT_GE(finding.begin, 96);
  EXPECT_LE(finding.end, 100);
  EXPECT_EQ(finding.tensors, (std::vector<std::uint32_t>{3}));
  EXPECT_NE(result.verdict.witnesses[0].text.find("op 2 (over_read_2) reads undeclared bytes ["), std::string::npos);
  EXPECT_NE(result.verdict.witnesses[0].text.find("of ws (tensor 3 (scale_1.out0) lies there)"), std::string::npos);
}

TEST_P(AccessAuditTest, WritePastTheEndNamesItsVictim) {
  const AccessDesc desc({{"scale", {{kIn, 0, 32}}, {{kWs, 32, 32}}}, {"over_write", {}, {{kWs, 0, 32}}}});
  const AccessFinding finding = only_finding(audit(desc));
  EXPECT_EQ(finding.op, 1U);
  EXPECT_EQ(finding.fault, AccessFault::kWritesUndeclared);
  EXPECT_EQ(finding.begin, 32);
  EXPECT_EQ(finding.end, 36);
  EXPECT_EQ(finding.tensors, (std::vector<std::uint32_t>{1}));
}

TEST_P(AccessAuditTest, AccessOutsideTheRegionIsAFaultOfItsOwn) {
  const AccessFinding read = only_finding(audit(AccessDesc({{"over_read", {{kIn, 192, 64}}, {{kOut, 0, 64}}}})));
  EXPECT_EQ(read.fault, AccessFault::kReadsOutsideRegion);
  EXPECT_GE(read.begin, 256);
  const AccessFinding write = only_finding(audit(AccessDesc({{"over_write", {}, {{kOut, 192, 64}}}})));
  EXPECT_EQ(write.fault, AccessFault::kWritesOutsideRegion);
  EXPECT_EQ(write.begin, 256);
}

TEST_P(AccessAuditTest, MissingOutputByteIsFound) {
  const AccessFinding finding = only_finding(audit(AccessDesc({{"one_byte_short", {}, {{kOut, 16, 64}}}})));
  EXPECT_EQ(finding.fault, AccessFault::kOutputUnwritten);
  EXPECT_EQ(finding.begin, 79);
  EXPECT_EQ(finding.end, 80);
  EXPECT_EQ(finding.byte_count, 1U);
}

TEST_P(AccessAuditTest, OldOutputAndStaleScratchAreFound) {
  const AccessFinding old = only_finding(audit(AccessDesc({{"accumulate", {{kIn, 0, 32}}, {{kOut, 0, 32}}}})));
  EXPECT_EQ(old.fault, AccessFault::kReadsOldOutput);
  EXPECT_EQ(old.region, kOut);
  const AccessFinding stale =
      only_finding(audit(AccessDesc({{"stale_scratch", {{kIn, 0, 32}}, {{kOut, 0, 32}}, {}, {{kWs, 64, 32}}}})));
  EXPECT_EQ(stale.fault, AccessFault::kReadsOldScratch);
  EXPECT_EQ(stale.region, kWs);
  EXPECT_EQ(stale.byte_count, 32U);
}

TEST_P(AccessAuditTest, WritingAWeightIsFound) {
  const AccessDesc desc({{"writes_weight", {{kIn, 0, 32}}, {{kOut, 0, 32}}, {{kWeights, 64, 32}}}});
  const AccessFinding finding = only_finding(audit(desc));
  EXPECT_EQ(finding.fault, AccessFault::kWritesReadOnly);
  EXPECT_EQ(finding.region, kWeights);
}

TEST_P(AccessAuditTest, FailingKernelIsUnknown) {
  const AccessAudit result = audit(AccessDesc({{"fails", {{kIn, 0, 32}}, {{kOut, 0, 32}}}}));
  EXPECT_EQ(result.verdict.outcome, Outcome::kUnknown);
  EXPECT_EQ(result.verdict.summary,
            "0 ops observed, 0 findings; F01 KERNEL_FAILED: a kernel returned an error (op 0 \"fails_0\", code 42); "
            "look up the kernel's code; detent_reset makes the context usable again");
}

TEST_P(AccessAuditTest, DescThatIsRefusedIsUnknown) {
  const AccessAudit result = audit(AccessDesc({{"scale", {{kIn, 0, 32}}, {{kOut, 250, 32}}}}));
  EXPECT_EQ(result.verdict.outcome, Outcome::kUnknown);
  EXPECT_EQ(result.verdict.summary,
            "0 ops observed, 0 findings; B40 OUT_OF_REGION: a tensor or region lies outside its memory (tensor 1 "
            "\"scale_0.out0\", region 2 \"out\"); enlarge the region or move the tensor");
}

class AccessAuditProbe : public ::testing::Test {
 protected:
  const harness::AccessProbe probe_{sources({"strided", "sorts", "with_scratch"}), uncached()};
};

TEST_F(AccessAuditProbe, SlackIsCountedAndIsNotAFault) {
  const AccessDesc desc({{"strided", {{kIn, 0, 128}}, {{kOut, 0, 16}}, {{kWeights, 0, 8}}, {{kWs, 0, 64}}}});
  harness::AccessReport report = probe_.measure(desc.desc());
  report.unobserved_functions.clear();
  const AccessAudit result = audit_accesses(desc.desc(), report);
  EXPECT_EQ(result.verdict.outcome, Outcome::kHolds);
  ASSERT_EQ(result.slack.size(), 1U);
  EXPECT_EQ(result.slack[0].read_bytes, 128U - 8U + 8U);
  EXPECT_EQ(result.slack[0].scratch_bytes, 64U);
}

TEST_F(AccessAuditProbe, UnobservedFunctionsMakeTheVerdictUnknown) {
  const AccessDesc desc({{"sorts", {{kIn, 0, 32}}, {{kOut, 0, 32}}}});
  const AccessAudit result = audit_accesses(desc.desc(), probe_.measure(desc.desc()));
  EXPECT_EQ(result.verdict.outcome, Outcome::kUnknown);
  EXPECT_EQ(result.verdict.summary,
            "1 op observed, 0 findings; kernels may call qsort (and 0 more), whose accesses are not seen");
}

TEST_F(AccessAuditProbe, UnobservedOpsMakeTheVerdictUnknown) {
  testing::GraphSpec spec = testing::make_ops(1);
  spec.ops[0].writes = {{.offset = 0, .size = 16}};
  const testing::DescTables tables(spec);
  const AccessAudit result = audit_accesses(tables.desc, probe_.measure(tables.desc));
  EXPECT_EQ(result.verdict.outcome, Outcome::kUnknown);
  EXPECT_EQ(result.observed_ops, 0U);
}

/// Kernels whose accesses the sanitizer's hooks do not see, or that have a state of their own.
const char* const kUnrecorded = R"c(
#define UNSEEN(name) __attribute__((noinline, no_sanitize("thread"))) static int32_t name(const detent_kernel_args *a)
UNSEEN(unseen_copy) { for (int i = 0; i < N; ++i) Y[i] = X[i]; return 0; }
UNSEEN(unseen_over_write) { for (int i = 0; i <= N; ++i) Y[i] = X[0] + 1.0f; return 0; }
__attribute__((noinline, no_sanitize("thread"))) static float unseen(const float *x) { return *x; }
KERNEL(unseen_over_read) { for (int i = 0; i < N; ++i) Y[i] = X[i] + unseen(X + N); return 0; }
__attribute__((noinline, no_sanitize("thread"))) static void put(float *y, float value) { *y = value; }
KERNEL(unseen_same) { for (int i = 0; i < N; ++i) Y[i] = X[i]; put((float *)X + 8, 2.5f); return 0; }
KERNEL(unseen_code) { for (int i = 0; i < N; ++i) Y[i] = X[i]; return !(unseen(X + N) > 0.0f); }
KERNEL(remembers) { static int count; for (int i = 0; i < N; ++i) Y[i] = count; ++count; return 0; }
KERNEL(counts_calls) { static int calls; for (int i = 0; i < N; ++i) Y[i] = X[i]; return ++calls > 1000; }
KERNEL(static_scratch) {
  static float kept[64];
  for (int i = 0; i < N; ++i) kept[i] = X[i] * 2.0f;
  for (int i = 0; i < N; ++i) Y[i] = kept[N - 1 - i];
  return 0;
}
KERNEL(copies_into_static) { static float kept[64]; memcpy(kept, X, 32); memcpy(Y, kept, 32); return 0; }
KERNEL(thread_scratch) {
  static _Thread_local float kept[64];
  for (int i = 0; i < N; ++i) kept[i] = X[i];
  for (int i = 0; i < N; ++i) Y[i] = kept[N - 1 - i];
  return 0;
}
KERNEL(counts_atomically) {
  static int calls;
  for (int i = 0; i < N; ++i) Y[i] = X[i];
  return __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) > 1000;
}
__attribute__((noinline, no_sanitize("thread"))) static void count_unseen(void) { static int calls; ++calls; }
KERNEL(counts_unseen) { for (int i = 0; i < N; ++i) Y[i] = X[i]; count_unseen(); return 0; }
KERNEL(writes_what_is_there) { static volatile float kept = 1.0f; kept = 1.0f; for (int i = 0; i < N; ++i) Y[i] = X[i]; return 0; }
KERNEL(reads_a_variable) { static volatile float factor = 2.0f; for (int i = 0; i < N; ++i) Y[i] = X[i] * factor; return 0; }
KERNEL(assembly) {
#ifdef __x86_64__
  __asm__ volatile("movl (%1), %%eax\n movl %%eax, (%0)" : : "r"(Y), "r"(X) : "eax", "memory");
#else
  put(Y, unseen(X));
#endif
  for (int i = 1; i < N; ++i) Y[i] = X[i];
  return 0;
}
)c";

class AccessAuditUnrecorded : public ::testing::TestWithParam<const char*> {
 protected:
  AccessAudit audit(const AccessOp& op) {
    static const std::vector<std::string> kNames = {
        "scale",          "unseen_copy",          "unseen_over_write", "unseen_over_read",
        "unseen_same",    "unseen_code",          "remembers",         "counts_calls",
        "static_scratch", "copies_into_static",   "thread_scratch",    "counts_atomically",
        "counts_unseen",  "writes_what_is_there", "assembly",          "reads_a_variable"};
    static const harness::AccessProbe gcc(probe_sources(kNames), of("gcc"));
    static const harness::AccessProbe clang(probe_sources(kNames), of("clang"));
    const AccessDesc desc({op});
    return audit_accesses(
        desc.desc(),
        (std::string(GetParam()) == "gcc" ? gcc : clang).measure(desc.desc(), {.input_bytes = access_input()}));
  }

  static std::vector<harness::CSource> probe_sources(const std::vector<std::string>& names) {
    return {{"kernels.c", access_kernels_text() + kUnrecorded + kernel_table(names)}};
  }
  static harness::CModuleOptions of(const std::string& compiler) {
    harness::CModuleOptions options = uncached();
    options.compile.compiler = compiler;
    return options;
  }
};

INSTANTIATE_TEST_SUITE_P(Compilers, AccessAuditUnrecorded, ::testing::Values("gcc", "clang"),
                         [](const auto& compiler) { return std::string(compiler.param); });

TEST_P(AccessAuditUnrecorded, UnrecordedAccessesMakeTheVerdictUnknown) {
  for (const char* const kernel : {"unseen_copy", "unseen_over_read", "unseen_same", "unseen_code", "assembly"}) {
    const AccessAudit result = audit({kernel, {{kIn, 0, 32}}, {{kOut, 0, 32}}});
    EXPECT_EQ(result.verdict.outcome, Outcome::kUnknown) << kernel;
    EXPECT_TRUE(result.findings.empty()) << kernel;
    EXPECT_NE(result.verdict.summary.find("op 0 (" + std::string(kernel) +
                                          "_0) touches bytes that the recorder does not see"),
              std::string::npos)
        << result.verdict.summary;
  }
  EXPECT_EQ(audit({"scale", {{kIn, 0, 32}}, {{kOut, 0, 32}}}).verdict.outcome, Outcome::kHolds);
}

/// Two ops that share them race, whatever their buffers; and what an earlier call left may change what a later one
/// does.
TEST_P(AccessAuditUnrecorded, WritesToVariablesOfTheCodeAreFaults) {
  for (const char* const kernel : {"remembers", "counts_calls", "static_scratch", "copies_into_static",
                                   "thread_scratch", "counts_atomically", "counts_unseen", "writes_what_is_there"}) {
    const AccessAudit result = audit({kernel, {{kIn, 0, 32}}, {{kOut, 0, 32}}});
    EXPECT_EQ(only_finding(result).fault, AccessFault::kWritesVariables) << kernel;
    ASSERT_EQ(result.verdict.witnesses.size(), 1U);
    EXPECT_EQ(result.verdict.witnesses[0].text,
              "op 0 (" + std::string(kernel) +
                  "_0) writes variables of its code, static or of a thread: they keep their value between calls, and "
                  "nothing orders the ops that share them; bytes that an op needs are outputs or scratch of it");
  }
  EXPECT_EQ(audit({"reads_a_variable", {{kIn, 0, 32}}, {{kOut, 0, 32}}}).verdict.outcome, Outcome::kHolds);
}

TEST_P(AccessAuditUnrecorded, ChangedByteIsAWriteWithoutARecord) {
  const AccessFinding finding = only_finding(audit({"unseen_over_write", {{kIn, 0, 32}}, {{kOut, 0, 32}}}));
  EXPECT_EQ(finding.fault, AccessFault::kWritesUndeclared);
  EXPECT_EQ(finding.region, kOut);
  EXPECT_GE(finding.begin, 32);
  EXPECT_EQ(finding.end, 36);
}

/// The limit of the second method: an undeclared write that puts back what it found changes nothing that is compared.
TEST(AccessAuditPerturb, AWriteThatPutsBackWhatItFoundIsSeenByTheProbeAlone) {
  const AccessDesc desc({{"restores", {{kIn, 0, 32}}, {{kOut, 0, 32}}}});
  const harness::CModule module(sources({"restores"}), uncached());
  harness::PerturbOptions options;
  options.run.input_bytes = access_input();
  options.run.backends = {module.backend()};
  EXPECT_EQ(audit_by_perturbation(desc.desc(), options).verdict.outcome, Outcome::kHolds);
  const harness::AccessProbe probe(sources({"restores"}), uncached());
  const AccessAudit seen = audit_accesses(desc.desc(), probe.measure(desc.desc(), {.input_bytes = access_input()}));
  ASSERT_EQ(seen.verdict.outcome, Outcome::kViolated) << seen.verdict.summary;
  EXPECT_TRUE(std::ranges::any_of(seen.findings, [](const AccessFinding& finding) {
    return finding.fault == AccessFault::kWritesUndeclared && finding.begin == 32 && finding.end == 33;
  }));
}

/// The mixing kernel keeps its declaration whatever the blocks: random op graphs with strided ranges.
TEST(AccessAuditPerturb, BuiltInMixHoldsOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const testing::DescTables tables(testing::make_random_spec(seed, {.op_count = 6, .percent_strided = 50}));
    const AccessAudit result = audit_by_perturbation(tables.desc);
    EXPECT_EQ(result.verdict.outcome, Outcome::kHolds) << seed << ": " << result.verdict.summary;
  }
}

/// The portable kernels, as real networks use them: convolutions, depthwise, pools, softmax, layout changes, bands.
TEST(AccessAuditPerturb, BuiltInKernelsHoldOnTheZoo) {
  for (const char* const name : {"yolov8n:32", "mobilenetv2:32", "branchnet", "branchnet_int8"}) {
    const models::LoweredModel lowered = models::lower(models::make_zoo_model(name), {});
    const AccessAudit result = audit_by_perturbation(lowered.desc());
    EXPECT_EQ(result.verdict.outcome, Outcome::kHolds) << name << ": " << result.verdict.summary;
    EXPECT_EQ(result.observed_ops, lowered.desc().op_count);
  }
}

TEST(AccessAuditText, EveryFaultHasAName) {
  for (int fault = 0; fault <= static_cast<int>(AccessFault::kWritesVariables); ++fault) {
    EXPECT_STRNE(fault_name(static_cast<AccessFault>(fault)), "?");
  }
}

}  // namespace
}  // namespace detent::verify
