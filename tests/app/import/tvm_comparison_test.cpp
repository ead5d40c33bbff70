// Analysed bytes that are not those of the run: each direction, for writes and reads.
#include "app/import/tvm_comparison.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "app/import/tvm_runs.hpp"
#include "harness/access/probe.hpp"
#include "tests/models/import/tvm/import_text.hpp"

namespace detent::app {
namespace {

namespace tvm = models::tvm;

/// The verdict on what the analysis says after `change`.
verify::Verdict compared(const std::function<void(tvm::Import&)>& change) {
  tvm::Import import = tvm::import_of(tvm::artifact_of("#include <stdint.h>\n" + tvm::diamond_text(64, 128, 192, 256)));
  std::vector<tvm::ObjectPlace> places;
  const LoadedModel original = load_imported(tvm::imported_model(import, tvm::ModelOptions{}, &places), "");
  const harness::AccessProbe probe(module_sources(original.model), module_options(original.model, ""));
  const harness::AccessReport report = probe.measure(original.desc(), harness::ObserveOptions{});
  change(import);
  return compare_with_text(import, original, places, report);
}

tvm::CallAccess& access_with(std::vector<tvm::CallAccess>& accesses, bool writes, bool scratch) {
  for (tvm::CallAccess& access : accesses) {
    if ((access.buffer == UINT32_MAX) == scratch && access.writes.empty() != writes) return access;
  }
  throw std::logic_error("no such access");
}

TEST(TvmComparison, HoldsForWhatTheAnalysisFound) {
  const verify::Verdict verdict = compared([](tvm::Import&) {});
  EXPECT_EQ(verdict.outcome, verify::Outcome::kHolds) << verdict.summary;
  EXPECT_EQ(verdict.summary,
            "4 of 4 ops are exact by text analysis; 4 compared with the bytes that they touched before anything was "
            "planned anew, 0 differences");
}

struct Change {
  const char* name;
  bool writes, scratch, adds;
  const char* text;
};
void PrintTo(const Change& change, std::ostream* out) { *out << change.name; }

class TvmComparisonOf : public testing::TestWithParam<Change> {};

TEST_P(TvmComparisonOf, ChangedAnalysisIsViolatedWithTheBytes) {
  const Change& change = GetParam();
  const verify::Verdict verdict = compared([&](tvm::Import& import) {
    tvm::CallAccess& access = access_with(import.accesses[1], change.writes, change.scratch);
    tvm::ByteSet& bytes = change.writes ? access.writes : access.reads;
    const std::int64_t begin = bytes.hull().begin;
    if (change.adds) {
      bytes.unite(tvm::ByteSet({begin - 4, begin}));
    } else {
      bytes = bytes.difference(tvm::ByteSet({begin, begin + 4}));
    }
  });
  EXPECT_EQ(verdict.outcome, verify::Outcome::kViolated);
  ASSERT_EQ(verdict.witnesses.size(), 1U);
  EXPECT_NE(verdict.witnesses[0].text.find(change.text), std::string::npos) << verdict.witnesses[0].text;
  EXPECT_NE(verdict.witnesses[0].text.find("4 bytes of global_workspace,"), std::string::npos)
      << verdict.witnesses[0].text;
  EXPECT_EQ(verdict.witnesses[0].ops, std::vector<std::uint32_t>{1});
}

INSTANTIATE_TEST_SUITE_P(Bytes, TvmComparisonOf,
                         testing::Values(Change{"WriteMissed", true, false, false, "was seen to write"},
                                         Change{"WriteInvented", true, false, true, "did not write"},
                                         Change{"ScratchMissed", true, true, false, "was seen to write"},
                                         Change{"ScratchInvented", true, true, true, "did not write"},
                                         Change{"ReadMissed", false, false, false, "was seen to read"},
                                         Change{"ReadInvented", false, false, true, "did not read"}),
                         [](const auto& row) { return row.param.name; });

TEST(TvmComparison, SupersetsAreNotCompared) {
  const verify::Verdict verdict = [] {
    tvm::Import import = tvm::import_of(tvm::artifact_of("#include <stdint.h>\n" + tvm::diamond_text(64, 128, 192)));
    std::vector<tvm::ObjectPlace> places;
    LoadedModel original = load_imported(tvm::imported_model(import, tvm::ModelOptions{}, &places), "");
    original.model.ops[1].footprint = models::Footprint::kSuperset;
    const harness::AccessProbe probe(module_sources(original.model), module_options(original.model, ""));
    const harness::AccessReport report = probe.measure(original.desc(), harness::ObserveOptions{});
    access_with(import.accesses[1], true, false).writes.unite(tvm::ByteSet({1000, 1004}));
    return compare_with_text(import, original, places, report);
  }();
  EXPECT_EQ(verdict.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(verdict.summary,
            "3 of 4 ops are exact by text analysis; 3 compared with the bytes that they touched before anything was "
            "planned anew, 0 differences");
}

TEST(TvmComparison, IncompleteMeasurementIsUnknown) {
  tvm::Import import = tvm::import_of(tvm::artifact_of("#include <stdint.h>\n" + tvm::diamond_text(64, 128, 192)));
  std::vector<tvm::ObjectPlace> places;
  const LoadedModel original = load_imported(tvm::imported_model(import, tvm::ModelOptions{}, &places), "");
  const harness::AccessProbe probe(module_sources(original.model), module_options(original.model, ""));
  harness::AccessReport report = probe.measure(original.desc(), harness::ObserveOptions{});
  report.ops[2].is_incomplete = true;
  EXPECT_EQ(compare_with_text(import, original, places, report).outcome, verify::Outcome::kUnknown);
}

}  // namespace
}  // namespace detent::app
