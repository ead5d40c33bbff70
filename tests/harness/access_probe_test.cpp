// AccessProbe and measure_by_perturbation: the bytes of small kernels, by hand, with both compilers.
#include <gtest/gtest.h>

#include "harness/access/perturb.hpp"
#include "harness/access/probe.hpp"
#include "tests/harness/access_desc.hpp"
#include "tests/harness/module_fixture.hpp"

namespace detent::harness {
namespace {

using testing::access_kernel_names;
using testing::access_kernels_text;
using testing::AccessDesc;
using testing::AccessOp;
using testing::kernel_table;

constexpr std::uint32_t kIn = AccessDesc::kIn, kWs = AccessDesc::kWs, kOut = AccessDesc::kOut,
                        kWeights = AccessDesc::kWeights;

std::vector<CSource> kernel_sources() {
  return {{"kernels.c", access_kernels_text() + kernel_table(access_kernel_names())}};
}

CModuleOptions with_compiler(const std::string& compiler) {
  CModuleOptions options;
  options.use_cache = false;
  options.compile.compiler = compiler;
  return options;
}

/// The sets of one op in one region; empty when it touched nothing there.
RegionAccess touched(const AccessReport& report, std::uint32_t op, std::uint32_t region) {
  for (const RegionAccess& access : report.ops.at(op).regions) {
    if (access.region == region) return access;
  }
  return {.region = region, .reads = {}, .writes = {}, .early_reads = {}};
}

/// One probe per compiler, compiled once.
const AccessProbe& probe_of(const std::string& compiler) {
  static const AccessProbe gcc(kernel_sources(), with_compiler("gcc"));
  static const AccessProbe clang(kernel_sources(), with_compiler("clang"));
  return compiler == "gcc" ? gcc : clang;
}

class AccessProbeTest : public ::testing::TestWithParam<const char*> {
 protected:
  AccessReport measure(const std::vector<AccessOp>& ops) {
    const AccessDesc desc(ops);
    AccessReport report = probe_of(GetParam()).measure(desc.desc());
    EXPECT_EQ(report.error.status, DETENT_OK);
    return report;
  }
};

INSTANTIATE_TEST_SUITE_P(Compilers, AccessProbeTest, ::testing::Values("gcc", "clang"),
                         [](const auto& compiler) { return std::string(compiler.param); });

TEST_P(AccessProbeTest, ExactBytesOfAGoodKernel) {
  const AccessReport report = measure({{"scale", {{kIn, 32, 64}}, {{kOut, 16, 64}}}});
  EXPECT_EQ(report.ops[0].method, AccessMethod::kInstrumented);
  EXPECT_EQ(touched(report, 0, kIn).reads, (ByteRanges{{32, 96}}));
  EXPECT_EQ(touched(report, 0, kIn).writes, ByteRanges{});
  EXPECT_EQ(touched(report, 0, kOut).writes, (ByteRanges{{16, 80}}));
  EXPECT_EQ(touched(report, 0, kOut).reads, ByteRanges{});
  EXPECT_TRUE(report.ops[0].strays.empty());
  EXPECT_TRUE(report.unobserved_functions.empty());
}

TEST_P(AccessProbeTest, OpsAreRecordedApart) {
  const AccessReport report =
      measure({{"scale", {{kIn, 0, 32}}, {{kWs, 0, 32}}}, {"scale", {{kWs, 0, 32}}, {{kOut, 0, 32}}}});
  EXPECT_EQ(touched(report, 0, kWs).writes, (ByteRanges{{0, 32}}));
  EXPECT_EQ(touched(report, 0, kWs).reads, ByteRanges{});
  EXPECT_EQ(touched(report, 1, kWs).reads, (ByteRanges{{0, 32}}));
  EXPECT_EQ(touched(report, 1, kWs).writes, ByteRanges{});
  EXPECT_EQ(touched(report, 1, kIn).reads, ByteRanges{});
}

TEST_P(AccessProbeTest, ReadByOneElementTooFarIsSeen) {
  const AccessReport report = measure({{"over_read", {{kIn, 0, 64}}, {{kOut, 0, 64}}}});
  EXPECT_EQ(touched(report, 0, kIn).reads, (ByteRanges{{0, 68}}));
}

TEST_P(AccessProbeTest, AccessPastTheEndOfTheRegionIsStray) {
  const AccessReport read = measure({{"over_read", {{kIn, 192, 64}}, {{kOut, 0, 64}}}});
  ASSERT_EQ(read.ops[0].strays.size(), 1U);
  EXPECT_EQ(read.ops[0].strays[0].region, kIn);
  EXPECT_EQ(read.ops[0].strays[0].begin, 256);
  EXPECT_EQ(read.ops[0].strays[0].end, 260);
  EXPECT_FALSE(read.ops[0].strays[0].is_write);
  const AccessReport write = measure({{"over_write", {}, {{kOut, 192, 64}}}});
  ASSERT_EQ(write.ops[0].strays.size(), 1U);
  EXPECT_EQ(write.ops[0].strays[0].region, kOut);
  EXPECT_TRUE(write.ops[0].strays[0].is_write);
}

TEST_P(AccessProbeTest, LastByteIsMissedWhenItIsNotWritten) {
  const AccessReport report = measure({{"one_byte_short", {}, {{kOut, 0, 64}}}});
  EXPECT_EQ(touched(report, 0, kOut).writes, (ByteRanges{{0, 63}}));
}

TEST_P(AccessProbeTest, EarlyReadsAreThoseBeforeTheFirstWrite) {
  const AccessReport report = measure({{"accumulate", {{kIn, 0, 32}}, {{kOut, 0, 32}}},
                                       {"with_scratch", {{kIn, 0, 32}}, {{kOut, 32, 32}}, {}, {{kWs, 0, 32}}},
                                       {"stale_scratch", {{kIn, 0, 32}}, {{kOut, 64, 32}}, {}, {{kWs, 64, 32}}}});
  EXPECT_EQ(touched(report, 0, kOut).early_reads, (ByteRanges{{0, 32}}));
  EXPECT_EQ(touched(report, 1, kWs).reads, (ByteRanges{{0, 32}}));
  EXPECT_EQ(touched(report, 1, kWs).early_reads, ByteRanges{});
  EXPECT_EQ(touched(report, 2, kWs).early_reads, (ByteRanges{{64, 96}}));
}

TEST_P(AccessProbeTest, WeightsAreRecordedAndProtectedFromTheAudit) {
  const AccessDesc desc({{"writes_weight", {{kIn, 0, 32}}, {{kOut, 0, 32}}, {{kWeights, 64, 32}}}});
  const AccessReport report = probe_of(GetParam()).measure(desc.desc());
  EXPECT_EQ(touched(report, 0, kWeights).writes, (ByteRanges{{64, 96}}));
  const auto* const weights = static_cast<const float*>(desc.desc().regions[kWeights].data);
  EXPECT_EQ(weights[16], 0.5f) << "the caller's weights are as they were";
}

TEST_P(AccessProbeTest, StackArraysAreIgnored) {
  const AccessReport report = measure({{"local_array", {{kIn, 0, 64}}, {{kOut, 0, 64}}}});
  EXPECT_EQ(report.ops[0].regions.size(), 2U);
  EXPECT_TRUE(report.ops[0].strays.empty());
}

TEST_P(AccessProbeTest, LibraryCopiesAreRecorded) {
  const AccessReport report = measure({{"moves", {{kIn, 0, 64}}, {{kOut, 0, 64}}}});
  EXPECT_EQ(touched(report, 0, kIn).reads, (ByteRanges{{0, 64}}));
  EXPECT_EQ(touched(report, 0, kOut).writes, (ByteRanges{{0, 64}}));
  EXPECT_EQ(touched(report, 0, kOut).reads, (ByteRanges{{0, 60}}));
  EXPECT_EQ(touched(report, 0, kOut).early_reads, ByteRanges{});
}

TEST_P(AccessProbeTest, LibraryComparisonsSayWhichIsLess) {
  const AccessReport report = measure({{"compares", {{kIn, 0, 64}}, {{kOut, 0, 64}}}});
  EXPECT_EQ(report.error.code, 0);
  EXPECT_EQ(touched(report, 0, kOut).reads, (ByteRanges{{0, 64}}));
}

TEST_P(AccessProbeTest, StridedReadsKeepTheirGaps) {
  const AccessReport report = measure({{"strided", {{kIn, 0, 128}}, {{kOut, 0, 16}}}});
  EXPECT_EQ(touched(report, 0, kIn).reads, (ByteRanges{{0, 4}, {16, 20}}));
}

TEST_P(AccessProbeTest, AllSizesAndAlignments) {
  const AccessReport report = measure({{"mixed_sizes", {{kIn, 0, 32}}, {{kOut, 0, 32}}}});
  EXPECT_EQ(touched(report, 0, kIn).reads, (ByteRanges{{0, 24}, {25, 32}}));
  EXPECT_EQ(touched(report, 0, kOut).writes, (ByteRanges{{0, 32}}));
}

TEST_P(AccessProbeTest, AtomicsAreRecorded) {
  const AccessReport report = measure({{"counts", {{kIn, 0, 4}}, {{kOut, 8, 4}}}});
  EXPECT_EQ(touched(report, 0, kIn).reads, (ByteRanges{{0, 4}}));
  EXPECT_EQ(touched(report, 0, kOut).writes, (ByteRanges{{8, 12}}));
  EXPECT_EQ(touched(report, 0, kOut).early_reads, (ByteRanges{{8, 12}}));
}

TEST_P(AccessProbeTest, FailingKernelEndsTheRun) {
  const AccessDesc desc({{"scale", {{kIn, 0, 32}}, {{kWs, 0, 32}}},
                         {"fails", {{kWs, 0, 32}}, {{kWs, 32, 32}}},
                         {"scale", {{kWs, 32, 32}}, {{kOut, 0, 32}}}});
  const AccessReport report = probe_of(GetParam()).measure(desc.desc());
  EXPECT_EQ(report.error.status, DETENT_KERNEL_FAILED);
  EXPECT_EQ(report.error.op, 1U);
  EXPECT_EQ(report.error.code, 42);
  EXPECT_EQ(report.ops[0].method, AccessMethod::kInstrumented);
  EXPECT_EQ(report.ops[2].method, AccessMethod::kNone);
}

TEST_P(AccessProbeTest, OtherKernelsRunUnobserved) {
  const AccessDesc desc({{"scale", {{kIn, 0, 32}}, {{kWs, 0, 32}}}, {"delay", {}, {}, {}, {}, DETENT_OP_DELAY}});
  const AccessReport report = probe_of(GetParam()).measure(desc.desc());
  EXPECT_EQ(report.error.status, DETENT_OK);
  EXPECT_EQ(report.ops[0].method, AccessMethod::kInstrumented);
  EXPECT_EQ(report.ops[1].method, AccessMethod::kNone);
}

TEST_P(AccessProbeTest, UnobservedLibraryFunctionsAreNamed) {
  const AccessProbe probe({{"kernels.c", access_kernels_text() + kernel_table({"sorts"})}}, with_compiler(GetParam()));
  const AccessDesc desc({{"sorts", {{kIn, 0, 32}}, {{kOut, 0, 32}}}});
  EXPECT_EQ(probe.measure(desc.desc()).unobserved_functions, (std::vector<std::string>{"qsort"}));
}

TEST_P(AccessProbeTest, TwoMeasurementsAreEqual) {
  const std::vector<AccessOp> ops = {{"over_read", {{kIn, 0, 64}}, {{kWs, 0, 64}}},
                                     {"with_scratch", {{kWs, 0, 32}}, {{kOut, 32, 32}}, {}, {{kWs, 96, 32}}}};
  const AccessReport a = measure(ops);
  const AccessReport b = measure(ops);
  for (std::uint32_t op = 0; op < 2; ++op) {
    for (const std::uint32_t region : {kIn, kWs, kOut}) {
      EXPECT_EQ(touched(a, op, region).reads, touched(b, op, region).reads);
      EXPECT_EQ(touched(a, op, region).writes, touched(b, op, region).writes);
    }
  }
}

TEST(AccessProbe, DescThatIsRefusedSaysWhy) {
  const AccessDesc desc({{"scale", {{kIn, 0, 32}}, {{kOut, 250, 32}}}});
  const AccessReport report = probe_of("gcc").measure(desc.desc());
  EXPECT_EQ(report.error.status, DETENT_OUT_OF_REGION);
  EXPECT_TRUE(report.ops.empty());
  const AccessDesc unknown({{"no_such_kernel", {{kIn, 0, 32}}, {{kOut, 0, 32}}}});
  EXPECT_EQ(probe_of("gcc").measure(unknown.desc()).error.status, DETENT_UNKNOWN_KERNEL);
}

TEST(AccessProbe, InputOfTheWrongSizeIsRefused) {
  const AccessDesc desc({{"scale", {{kIn, 0, 32}}, {{kOut, 0, 32}}}});
  ObserveOptions options;
  options.input_bytes.assign(255, 0);
  EXPECT_THROW(static_cast<void>(probe_of("gcc").measure(desc.desc(), options)), std::invalid_argument);
  options.input_bytes.assign(257, 0);
  EXPECT_THROW(static_cast<void>(probe_of("gcc").measure(desc.desc(), options)), std::invalid_argument);
}

/// The other method, over the same kernels compiled without instrumentation.
class PerturbTest : public ::testing::Test {
 protected:
  AccessReport measure(const std::vector<AccessOp>& ops) {
    static const CModule module(kernel_sources(), with_compiler("gcc"));
    const AccessDesc desc(ops);
    PerturbOptions options;
    options.run.backends = {module.backend()};
    options.run.input_bytes = testing::access_input();
    AccessReport report = measure_by_perturbation(desc.desc(), options);
    EXPECT_EQ(report.error.status, DETENT_OK);
    return report;
  }
};

TEST_F(PerturbTest, WritesAreFoundAndGoodKernelsReadNothingElse) {
  const AccessReport report = measure({{"scale", {{kIn, 32, 64}}, {{kWs, 16, 64}}},
                                       {"weighted", {{kWs, 16, 32}}, {{kOut, 0, 32}}, {{kWeights, 0, 32}}},
                                       {"with_scratch", {{kIn, 0, 32}}, {{kOut, 32, 32}}, {}, {{kWs, 128, 32}}}});
  EXPECT_EQ(report.ops[0].method, AccessMethod::kPerturbed);
  EXPECT_EQ(touched(report, 0, kWs).writes, (ByteRanges{{16, 80}}));
  EXPECT_EQ(touched(report, 1, kOut).writes, (ByteRanges{{0, 32}}));
  EXPECT_EQ(touched(report, 2, kWs).writes, (ByteRanges{{128, 160}}));
  for (std::uint32_t op = 0; op < 3; ++op) {
    EXPECT_TRUE(report.ops[op].strays.empty());
    for (const RegionAccess& access : report.ops[op].regions) EXPECT_EQ(access.reads, ByteRanges{}) << op;
  }
}

TEST_F(PerturbTest, OverReadIsLocated) {
  const AccessReport inside = measure({{"over_read", {{kIn, 0, 64}}, {{kOut, 0, 64}}}});
  const ByteRanges reads = touched(inside, 0, kIn).reads;
  ASSERT_FALSE(reads.empty());
  EXPECT_GE(reads.front().begin, 64U);
  EXPECT_LE(reads.back().end, 68U);
  const AccessReport behind = measure({{"over_read", {{kIn, 192, 64}}, {{kOut, 0, 64}}}});
  ASSERT_FALSE(behind.ops[0].strays.empty());
  EXPECT_GE(behind.ops[0].strays[0].begin, 256);
  EXPECT_LE(behind.ops[0].strays[0].end, 260);
}

TEST_F(PerturbTest, StaleScratchAndOldOutputsAreLocated) {
  const AccessReport report = measure({{"stale_scratch", {{kIn, 0, 16}}, {{kOut, 0, 16}}, {}, {{kWs, 64, 16}}},
                                       {"accumulate", {{kIn, 0, 16}}, {{kOut, 32, 16}}}});
  EXPECT_EQ(touched(report, 0, kWs).early_reads, (ByteRanges{{64, 80}}));
  const ByteRanges old = touched(report, 1, kOut).early_reads;
  ASSERT_FALSE(old.empty());
  EXPECT_GE(old.front().begin, 32U);
  EXPECT_LE(old.back().end, 48U);
}

TEST_F(PerturbTest, UndeclaredWritesAreFound) {
  const AccessReport report = measure({{"over_write", {}, {{kOut, 0, 64}}},
                                       {"over_write", {}, {{kOut, 192, 64}}},
                                       {"writes_weight", {{kIn, 0, 32}}, {{kWs, 0, 32}}, {{kWeights, 64, 32}}},
                                       {"one_byte_short", {}, {{kOut, 128, 64}}}});
  EXPECT_EQ(touched(report, 0, kOut).writes, (ByteRanges{{0, 68}}));
  ASSERT_EQ(report.ops[1].strays.size(), 1U);
  EXPECT_TRUE(report.ops[1].strays[0].is_write);
  EXPECT_EQ(touched(report, 2, kWeights).writes.empty(), false);
  EXPECT_EQ(touched(report, 3, kOut).writes, (ByteRanges{{128, 191}}));
}

TEST_F(PerturbTest, InPlaceInputsKeepTheirValues) {
  const AccessReport report = measure({{"scale", {{kIn, 0, 32}}, {{kWs, 0, 32}}},
                                       {"in_place", {{kWs, 0, 32}}, {{kWs, 0, 32}}, {}, {}, DETENT_OP_IN_PLACE}});
  EXPECT_EQ(touched(report, 1, kWs).writes.empty(), false);
  EXPECT_EQ(touched(report, 1, kWs).early_reads, ByteRanges{});
}

TEST(ByteRangesTest, SetAlgebra) {
  const ByteRanges a = make_ranges({{8, 12}, {0, 4}, {4, 6}, {20, 20}, {10, 14}});
  EXPECT_EQ(a, (ByteRanges{{0, 6}, {8, 14}}));
  const ByteRanges b = {{2, 3}, {5, 9}, {13, 30}};
  EXPECT_EQ(difference(a, b), (ByteRanges{{0, 2}, {3, 5}, {9, 13}}));
  EXPECT_EQ(intersection(a, b), (ByteRanges{{2, 3}, {5, 6}, {8, 9}, {13, 14}}));
  EXPECT_EQ(unite(a, b), (ByteRanges{{0, 30}}));
  EXPECT_EQ(byte_count(a), 12U);
  EXPECT_EQ(difference({}, b), ByteRanges{});
  EXPECT_EQ(difference(a, {}), a);
}

}  // namespace
}  // namespace detent::harness
