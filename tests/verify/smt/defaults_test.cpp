// Values that nobody has filled in claim nothing, and options that nobody has set are what the headers say.
#include "tests/defaults.hpp"

#include "verify/smt/agreement.hpp"
#include "verify/smt/flow/families.hpp"
#include "verify/smt/flow/query.hpp"
#include "verify/smt/flow_proof.hpp"
#include "verify/smt/plan/formula.hpp"
#include "verify/smt/plan_proof.hpp"
#include "verify/smt/race_proof.hpp"
#include "verify/smt/race_query.hpp"
#include "verify/smt/solver/budget.hpp"
#include "verify/smt/solver/inquiry.hpp"
#include "verify/smt/solver/script.hpp"
#include "verify/smt/timing/query.hpp"
#include "verify/smt/timing_proof.hpp"

namespace detent::verify::smt {
namespace {

using test::expect_value;
using test::expect_zero;

TEST(SmtDefaults, ValuesOfProofs) {
  expect_zero(Opinions{}.races, Opinions{}.race_proof, Opinions{}.flow, Opinions{}.flow_proof, FlowProof{}.complete,
              FlowProof{}.reads, PlanProof{}.complete, ProvedRace{}.op_a, ProvedRace{}.op_b, ProvedRace{}.region,
              ProvedRace{}.byte, ProvedRace{}.tensor_a, ProvedRace{}.tensor_b, RaceProof{}.complete,
              RaceProof{}.writers, AccessGroup{}.op, AccessGroup{}.region, AccessGroup{}.writes,
              ProvedRun{}.makespan_ps, TimingProof{}.complete);
  expect_value(ProvedViolation{}.reader, DETENT_NONE);
  expect_value(ProvedViolation{}.in_the_way, DETENT_NONE);
  expect_value(FlowProofOptions{}.max_violations, 10'000);
  expect_value(ProvedRace{}.kind, RaceKind::kRaw);
  expect_value(ProofOptions{}.max_races, 10'000);
}

TEST(SmtDefaults, ValuesOfFlow) {
  expect_zero(Touch{}.step, Touch{}.tensor, FlowQuery::Way{}.op, FlowQuery::Fact{}.reader);
  expect_value(Touch{}.op, DETENT_NONE);
  expect_value(FlowQuery::Want{}.reader, DETENT_NONE);
  expect_value(FlowQuery::Fact{}.in_the_way, DETENT_NONE);
}

TEST(SmtDefaults, ValuesOfPlan) {
  expect_zero(PlanQuery::Resident{}.tensor, PlanQuery::Resident{}.is_input, PlanQuery::Resident{}.is_output,
              PlanQuery::Meeting{}.op);
}

TEST(SmtDefaults, ValuesOfSolver) {
  expect_zero(Limits{}.spent_seconds, Limits{}.spent_steps, ProofCost{}.questions, ProofCost{}.steps,
              ProofCost{}.seconds, Term{}.index, Node{}.first, Node{}.count, Node{}.value);
  expect_value(Limits{}.seconds, 60);
  expect_value(Node{}.kind, TermKind::kBoolean);
}

TEST(SmtDefaults, ValuesOfTiming) { expect_value(TimingQuery{}.tick_ps, 1); }

}  // namespace
}  // namespace detent::verify::smt
