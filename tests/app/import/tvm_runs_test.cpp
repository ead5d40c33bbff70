// An audit that Ctrl-C ends: what was complete by then stays, all else is unknown.
#include "app/import/tvm_runs.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "base/interrupt.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/models/import/tvm/import_text.hpp"

namespace detent::app {
namespace {

namespace tvm = models::tvm;
using verify::Outcome;

/// An audit during whose step of this name somebody asks the process to stop; "": nobody does.
ImportAudit audit_stopped_in(const std::string& step) {
  const tvm::Import import =
      tvm::import_of(tvm::artifact_of("#include <stdint.h>\n" + tvm::diamond_text(64, 128, 192, 256)));
  const LoadedModel loaded = load_imported(tvm::imported_model(import, tvm::ModelOptions{}), "");
  return audit_import(import, tvm::ModelOptions{}, loaded, "", 0, [&step](const std::string& begun) {
    if (begun == step) request_stop();
  });
}

// The wish to stop stays for ever: each in a process of its own.
void expect_known(const std::string& step, Outcome text, Outcome accesses, Outcome runs) {
  const ImportAudit audit = audit_stopped_in(step);
  const bool is_right = audit.text.outcome == text && audit.kernels.accesses.verdict.outcome == accesses &&
                        audit.runs.verdict.outcome == runs && audit.is_interrupted == !step.empty() &&
                        (audit.outcome() == Outcome::kUnknown) == !step.empty();
  std::exit(is_right ? 0 : 1);
}

TEST(TvmRunsDeathTest, AnInterruptedAuditKeepsWhatWasComplete) {
  constexpr Outcome kHolds = Outcome::kHolds;
  constexpr Outcome kUnknown = Outcome::kUnknown;
  const auto holds = testing::ExitedWithCode(0);
  EXPECT_EXIT(expect_known("", kHolds, kHolds, kHolds), holds, "");
  EXPECT_EXIT(expect_known("records accesses of the artifact", kUnknown, kUnknown, kUnknown), holds, "");
  EXPECT_EXIT(expect_known("records accesses of the package", kHolds, kUnknown, kUnknown), holds, "");
  EXPECT_EXIT(expect_known("runs the package", kHolds, kHolds, kUnknown), holds, "");
}

TEST(TvmRunsDeathTest, WorkThatAnInterruptSpoiltHasNotFinishedAndThrowsNothing) {
  const auto spoilt = [] {
    request_stop();
    throw std::invalid_argument("the compiler was ended");
  };
  EXPECT_EXIT(std::exit(finishes(spoilt) ? 1 : 0), testing::ExitedWithCode(0), "");
}

TEST(TvmRuns, WorkThatFailsByItselfSaysWhy) {
  EXPECT_TRUE(finishes([] {}));
  EXPECT_THROW(finishes([] { throw std::invalid_argument("no"); }), std::invalid_argument);
}

/// The audit's schedule knows no kernel of the artifact, and needs none: their times are all that counts.
TEST(ListSchedule, TakesTheTimesOfOpsWhateverTheirKernels) {
  models::Model model = models::make_zoo_model("diamond");
  std::uint64_t sum_ps = 0;
  for (std::size_t op = 0; op < model.ops.size(); ++op) {
    model.ops[op].kernel = "tvmgen_default_fused_" + std::to_string(op);
    model.ops[op].time_ps = {1'000, 1'000 * (op + 1)};
    sum_ps += 1'000 * (op + 1);
  }
  EXPECT_EQ(list_schedule_ps(model, 1), sum_ps);
  EXPECT_EQ(list_schedule_ps(model, 2), sum_ps - 2'000) << "the two branches, the shorter one beside the longer one";
  model.ops[0].core_class = "dsp";
  EXPECT_THROW((void)list_schedule_ps(model, 1), std::exception) << "a class that the chip lacks";
}

}  // namespace
}  // namespace detent::app
