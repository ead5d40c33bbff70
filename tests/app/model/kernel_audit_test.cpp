// Kernels of C against what their package declares, and what verdicts about races rest on.
#include "app/model/kernel_audit.hpp"

#include <gtest/gtest.h>

#include "app/import/tvm_runs.hpp"
#include "app/static/static_checks.hpp"
#include "tests/models/import/tvm/import_text.hpp"

namespace detent::app {
namespace {

namespace tvm = models::tvm;
using verify::Outcome;

models::Model diamond() {
  return tvm::imported_model(
      tvm::import_of(tvm::artifact_of("#include <stdint.h>\n" + tvm::diamond_text(0, 64, 128, 192))));
}

TEST(KernelAudit, HoldsForAllInputsOfAnImport) {
  const verify::Verdict verdict = kept_audit(load_imported(diamond(), ""), 0);
  EXPECT_EQ(verdict.property, verify::Property::kAccessAudit);
  EXPECT_EQ(verdict.outcome, Outcome::kHolds) << verdict.summary;
  EXPECT_EQ(verdict.summary, "4 ops observed, 0 findings; 4 of 4 touch the same bytes for all inputs (LLVM IR)");
}

TEST(KernelAudit, KeptAuditIsOfThePackagesPresentContent) {
  ASSERT_EQ(kept_audit(load_imported(diamond(), ""), 0).outcome, Outcome::kHolds);
  models::Model model = diamond();
  models::Tensor& tensor = model.tensors[model.ops[0].outputs.front()];
  tensor.block_bytes = tensor.size_bytes = 60;
  for (int twice = 0; twice < 2; ++twice) {  // the second time it is the kept one
    const verify::Verdict verdict = kept_audit(load_imported(model, ""), 0);
    EXPECT_EQ(verdict.outcome, Outcome::kViolated) << verdict.summary;
    ASSERT_EQ(verdict.witnesses.size(), 1U);
    EXPECT_EQ(verdict.witnesses[0].text,
              "op 0 (fused_a) writes undeclared bytes [60, 64) of global_workspace (tensor 3 (sid_1_let), tensor 6 "
              "(sid_1_let) lie there)");
    EXPECT_EQ(verdict.witnesses[0].ops, std::vector<std::uint32_t>{0});
  }
}

TEST(KernelAudit, KernelsThatDoNotCompileAreUnknown) {
  LoadedModel loaded = load_imported(diamond(), "");
  for (models::SourceFile& file : loaded.model.sources) {
    if (file.name == "operators.c") file.text += "\nthis is no C\n";
  }
  const verify::Verdict verdict = kept_audit(loaded, 0);
  EXPECT_EQ(verdict.outcome, Outcome::kUnknown);
  EXPECT_TRUE(verdict.summary.starts_with("not made: operators.c:")) << verdict.summary;
}

KernelAudit audit_of(models::Footprint text, tvm::IrVerdict::Kind ir) {
  KernelAudit audit;
  audit.accesses.verdict = {verify::Property::kAccessAudit, Outcome::kHolds, "1 op observed, 0 findings", {}};
  audit.opinions.push_back(
      {.op = 0,
       .function = "f",
       .ir = {.kind = ir, .by_place = false, .why = "the address of a load depends on data", .line = 7, .file = ""},
       .text = text,
       .is_observed = true,
       .is_equal = true});
  return audit;
}

TEST(KernelAudit, DataDependenceContradictsExactFootprintsOnly) {
  using Kind = tvm::IrVerdict::Kind;
  using models::Footprint;
  for (const Footprint text : {Footprint::kDeclared, Footprint::kExact, Footprint::kSuperset, Footprint::kOpaque}) {
    for (const Kind ir : {Kind::kIndependent, Kind::kDepends, Kind::kUnknown}) {
      const verify::Verdict verdict = audit_of(text, ir).verdict();
      const bool disagrees = text == Footprint::kExact && ir == Kind::kDepends;
      EXPECT_EQ(verdict.outcome, disagrees ? Outcome::kUnknown : Outcome::kHolds) << footprint_name(text);
      EXPECT_EQ(verdict.witnesses.size(), disagrees ? 1U : 0U);
      const std::string limit = "op 0 (f) for this input only: line 7: the address of a load depends on data";
      EXPECT_EQ(verdict.summary.find(limit) != std::string::npos, ir != Kind::kIndependent) << verdict.summary;
      EXPECT_EQ(verdict.assumes, ir == Kind::kIndependent
                                     ? ""
                                     : "no other input makes op 0 (f) touch bytes that the model does not list");
    }
  }
  KernelAudit by_place = audit_of(Footprint::kExact, Kind::kDepends);
  by_place.opinions[0].ir.by_place = true;
  EXPECT_EQ(by_place.verdict().outcome, Outcome::kHolds) << "buffers begin at multiples of 16";
  KernelAudit violated = audit_of(Footprint::kExact, Kind::kDepends);
  violated.accesses.verdict.outcome = Outcome::kViolated;
  EXPECT_EQ(violated.verdict().outcome, Outcome::kViolated);
}

TEST(KernelAudit, WhatIsAssumedNamesTheFirstOpAndCountsTheOthers) {
  using Kind = tvm::IrVerdict::Kind;
  KernelAudit audit = audit_of(models::Footprint::kDeclared, Kind::kIndependent);
  for (const OpId op : {OpId{1}, OpId{2}, OpId{3}}) {
    audit.opinions.push_back(audit.opinions.front());
    audit.opinions.back().op = op;
    if (op != 1) audit.opinions.back().ir.kind = op == 2 ? Kind::kDepends : Kind::kUnknown;
  }
  EXPECT_EQ(audit.verdict().assumes,
            "no other input makes op 2 (f) or 1 more touch bytes that the model does not list");
}

TEST(KernelAudit, OnlyFunctionsOfOpGraphsMakeAnAssumptionOfBytes) {
  verify::Verdict audit{verify::Property::kAccessAudit, Outcome::kHolds, "", {}};
  audit.assumes = "so";
  LoadedModel functions = load("diamond", {});
  EXPECT_EQ(assumed_of_functions(functions, nullptr), "") << "its ops are no C functions";
  EXPECT_EQ(assumed_of_functions(functions, &audit), "");
  functions.model.ops[0].kernel = "mine.c:f";
  EXPECT_EQ(assumed_of_functions(functions, &audit), "so");
  EXPECT_EQ(assumed_of_functions(functions, nullptr), "C functions touch no bytes but those that the graph lists");
  audit.outcome = Outcome::kUnknown;
  EXPECT_EQ(assumed_of_functions(functions, &audit), "C functions touch no bytes but those that the graph lists");
  EXPECT_EQ(assumed_of_functions(load_imported(diamond(), ""), nullptr), "") << "footprints by text analysis";
}

TEST(KernelAudit, ViolatedAuditMakesAbsenceOfRacesUnknown) {
  const verify::Verdict holds{verify::Property::kAccessAudit, Outcome::kHolds, "", {}};
  const verify::Verdict violated{verify::Property::kAccessAudit, Outcome::kViolated, "", {}};
  const auto races_on = [](const verify::Verdict* audit) {
    std::vector<verify::Verdict> verdicts = {{verify::Property::kStructure, Outcome::kHolds, "s", {}},
                                             {verify::Property::kBufferRaces, Outcome::kHolds, "r", {}},
                                             {verify::Property::kDeterminism, Outcome::kHolds, "d", {}}};
    add_ground(verdicts, "ground", audit);
    EXPECT_EQ(verdicts[0].summary, "s");
    EXPECT_EQ(verdicts[0].outcome, Outcome::kHolds);
    EXPECT_EQ(verdicts[1].summary, "r; ground");
    EXPECT_EQ(verdicts[1].outcome, verdicts[2].outcome);
    return verdicts[1].outcome;
  };
  EXPECT_EQ(races_on(nullptr), Outcome::kHolds);
  EXPECT_EQ(races_on(&holds), Outcome::kHolds);
  EXPECT_EQ(races_on(&violated), Outcome::kUnknown);
}

}  // namespace
}  // namespace detent::app
