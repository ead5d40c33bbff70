// Written formulas byte for byte, and verdicts and limits word for word: nothing here asks a solver.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/defaults.hpp"
#include "tests/verify/static/reuse_plans.hpp"
#include "tests/verify/verdict_text.hpp"
#include "verify/smt/agreement.hpp"
#include "verify/smt/plan/query.hpp"
#include "verify/smt/plan_proof.hpp"
#include "verify/smt/race_proof.hpp"
#include "verify/smt/race_query.hpp"
#include "verify/smt/solver/smtlib.hpp"

namespace detent::verify::smt {
namespace {

using namespace verify::testing;

/// The file says what `text` says. With DETENT_WRITE_GOLDEN in the environment it is written instead.
void expect_file(const std::string& name, const std::string& text) {
  const std::string path = std::string(DETENT_SOURCE_DIR) + "/tests/verify/smt/golden/" + name;
  if (std::getenv("DETENT_WRITE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  EXPECT_EQ(content.str(), text) << path;
}

/// Reads, writes, weights, scratch, strides that run over their rows, two regions, mutexes with one user and with two.
GraphSpec many_accesses() {
  GraphSpec spec = make_ops(4);
  spec.regions = workspaces({256, 64});
  spec.mutex_count = 2;
  spec.ops[0].writes = {{0, 0, 16}, {1, 8, 8}};
  spec.ops[0].mutexes = {0, 1};
  spec.ops[1].reads = {{0, 4, 4, 3, 10}};
  spec.ops[1].writes = {{0, 29, 7, 2, 10}, {0, 60, 10, 2, 10}};
  spec.ops[1].mutexes = {0};
  spec.ops[2].reads = {{0, 0, 16}, {1, 0, 8}};
  spec.ops[2].scratch_ranges = {{0, 128, 16}};
  spec.edges = {{0, 2}, {1, 3}};
  return spec;
}

TEST(SmtTexts, RacesAsWritten) {
  const DescTables tables(many_accesses());
  const RaceQuery query = encode_races(tables.desc, nullptr);
  EXPECT_EQ(query.stopped, "");
  expect_file("races.smt2", format_smtlib(query.script, query.claim, Status::kSat, {"races", "of four ops"}));
}

TEST(SmtTexts, AGoodPlanAsWritten) {
  ReusePlan plan;
  plan.tensors.push_back(plan.tensors[1]);
  plan.tensors[3].alias_of = 1;
  plan.tensors[3].size_bytes = plan.tensors[3].block_bytes = 32;
  plan.ops[1].flags = DETENT_OP_IN_PLACE;
  plan.refresh();
  const std::vector<std::uint32_t> input = {0}, output = {2};
  plan.desc.inputs = input.data();
  plan.desc.outputs = output.data();
  plan.desc.input_count = plan.desc.output_count = 1;
  const PlanQuery query = encode_plan(plan.desc);
  expect_file("plan.smt2", format_smtlib(query.script, query.claim, Status::kUnsat, {"plan"}));
}

TEST(SmtTexts, ABrokenPlanAsWritten) {
  GraphSpec spec = many_accesses();
  DescTables tables(spec);
  for (detent_tensor& tensor : tables.tensors) tensor.flags = 0;
  tables.tensors[1].alias_of = 2;
  tables.tensors[2].alias_of = 1;
  tables.tensors[3].alias_of = 99;
  tables.tensors[4].region = 9;
  tables.tensors[5].align_bytes = 3;
  tables.tensors[0].live_begin = 0;
  tables.tensors[0].live_end = 2;
  tables.tensors[6].live_begin = 3;
  tables.regions.push_back({"weights", DETENT_REGION_WEIGHTS, 64, 64, nullptr});
  tables.regions.push_back({"in", DETENT_REGION_INPUT, 64, 64, nullptr});
  tables.tensors.push_back(tables.tensors[0]);
  tables.tensors.back().region = 3;
  tables.refresh();
  const PlanQuery query = encode_plan(tables.desc);
  expect_file("broken_plan.smt2", format_smtlib(query.script, query.claim, Status::kUnknown, {}));
}

TEST(SmtTexts, RefusalsOfRaceQueries) {
  const auto refusal = [](auto change) {
    DescTables tables(many_accesses());
    change(tables);
    try {
      encode_races(tables.desc, nullptr);
    } catch (const std::invalid_argument& refused) {
      return std::string(refused.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(refusal([](DescTables& t) {
              t.ops[1].inputs = {t.desc.tensor_ref_count, 1};
            }),
            "op 1 (op1): a list lies outside its table; repair the tables");
  EXPECT_EQ(refusal([](DescTables& t) { t.ops[3].inputs = {t.desc.tensor_ref_count, 0}; }), "none");
  EXPECT_EQ(refusal([](DescTables& t) {
              t.ops[1].mutexes = {3, 1};
            }),
            "op 1 (op1): a list lies outside its table; repair the tables");
  EXPECT_EQ(refusal([](DescTables& t) { t.mutex_refs[0] = 2; }),
            "op 0 (op0): a list names number 2, which does not exist; repair the tables");
  EXPECT_EQ(refusal([](DescTables& t) { t.successors[0] = 4; }),
            "op 0 (op0): a list names number 4, which does not exist; repair the tables");
  EXPECT_EQ(refusal([](DescTables& t) { t.tensor_refs[0] = t.desc.tensor_count; }),
            "op 0 (op0): a list names number 8, which does not exist; repair the tables");
  EXPECT_EQ(refusal([](DescTables& t) { t.tensors[0].region = 2; }),
            "op 0 (op0): tensor 0 (op0.w0) describes no bytes of a region; repair its offset, size or blocks");
  EXPECT_EQ(refusal([](DescTables& t) { t.tensors[0].block_bytes = 15; }),
            "op 0 (op0): tensor 0 (op0.w0) describes no bytes of a region; repair its offset, size or blocks");
}

TEST(SmtTexts, PlansOfOpsWhoseSuccessorsLeaveTheirTable) {
  for (std::uint32_t op = 0; op < 3; ++op) {
    ReusePlan plan;
    plan.ops[op].successors = {plan.desc.successor_count, 1};
    EXPECT_EQ(encode_plan(plan.desc).unordered,
              "op " + std::to_string(op) + " (op" + std::to_string(op) + "): its successors lie outside their table");
  }
  EXPECT_EQ(encode_plan(ReusePlan().desc).unordered, "");
}

double fixed_clock() { return 100; }
double texts_now_s = 0;
double texts_clock() { return texts_now_s; }

TEST(SmtTexts, Limits) {
  EXPECT_EQ(Limits{}.seconds, 60);
  test::expect_zero(Limits{}.steps, Limits{}.spent_seconds, Limits{}.spent_steps);
  EXPECT_EQ(Limits{}.clock, &steady_seconds);
  texts_now_s = 50;
  const Budget budget({.seconds = 3.5, .steps = 1000, .spent_seconds = 1, .spent_steps = 400, .clock = texts_clock});
  EXPECT_EQ(budget.time_limit(), "time limit of 3.50 s");
  EXPECT_EQ(budget.step_limit(), "limit of 1000 solver steps");
  EXPECT_TRUE(budget.has_time_limit());
  EXPECT_TRUE(budget.has_step_limit());
  texts_now_s = 52;
  EXPECT_EQ(budget.seconds(), 2);
  EXPECT_EQ(budget.left_seconds(), 0.5);
  EXPECT_FALSE(budget.is_late());
  texts_now_s = 52.5;
  EXPECT_TRUE(budget.is_late());
  EXPECT_EQ(budget.left_steps(599), 1U);
  EXPECT_FALSE(budget.is_spent(599));
  EXPECT_EQ(budget.left_steps(600), 0U);
  EXPECT_TRUE(budget.is_spent(600));
  EXPECT_EQ(budget.left_steps(601), 0U);
  EXPECT_EQ(Budget({.seconds = 0, .steps = 5, .spent_steps = 5, .clock = fixed_clock}).left_steps(0), 0U);
  EXPECT_EQ(Budget({.seconds = 0, .steps = 5, .spent_steps = 6, .clock = fixed_clock}).left_steps(0), 0U);
  const Budget unlimited = Budget::unlimited();
  EXPECT_FALSE(unlimited.has_time_limit() || unlimited.has_step_limit() || unlimited.is_late() ||
               unlimited.is_spent(UINT64_MAX));
}

TEST(SmtTexts, WhereTheBuildingStopped) {
  const DescTables tables(many_accesses());
  const auto stopped = [&](std::uint64_t steps) {
    return encode_races(tables.desc, nullptr, Budget({.seconds = 0, .steps = steps, .clock = fixed_clock})).stopped;
  };
  EXPECT_EQ(stopped(1), "limit of 1 solver steps while the formula was built (schedules 0 of 4)");
  EXPECT_EQ(stopped(12), "limit of 12 solver steps while the formula was built (schedules 1 of 4)");
  EXPECT_EQ(stopped(60), "limit of 60 solver steps while the formula was built (edges 2 of 4)");
  EXPECT_EQ(stopped(100), "limit of 100 solver steps while the formula was built (accesses 1 of 4)");
  EXPECT_EQ(encode_plan(tables.desc, Budget({.seconds = 0, .steps = 300, .clock = fixed_clock})).stopped,
            "limit of 300 solver steps while the formula was built (tensor 1 of 8)");
  EXPECT_EQ(encode_plan(tables.desc, Budget({.seconds = 1, .spent_seconds = 1, .clock = fixed_clock})).stopped,
            "time limit of 1.00 s while the formula was built (region 0 of 2)");
}

/// Without the version of the solver at hand.
std::string without_version(const Verdict& verdict) {
  std::string text = text_of(verdict);
  const std::size_t at = text.find(Solver::version());
  return at == std::string::npos ? text : text.replace(at, Solver::version().size(), "Z3");
}

TEST(SmtTexts, VerdictsOfRaceProofs) {
  const DescTables tables(many_accesses());
  RaceProof proof;
  proof.cost.questions = 7;
  proof.reason = "time limit of 1.00 s";
  EXPECT_EQ(without_version(judge_race_proof(tables.desc, proof)),
            "buffer_races_smt unknown: Z3, 7 questions: not decided: time limit of 1.00 s\n");
  proof.complete = true;
  EXPECT_EQ(without_version(judge_race_proof(tables.desc, proof)),
            "buffer_races_smt holds: Z3, 7 questions: no schedule lets two ops touch a byte at once that one of them "
            "writes\n");
  proof.races.push_back({0, 1, RaceKind::kRaw, 0, 4, 0, 2, {1, 0, 2, 3}});
  EXPECT_EQ(without_version(judge_race_proof(tables.desc, proof)),
            "buffer_races_smt violated: Z3, 7 questions: 1 hazard, each with a schedule that shows it, and no others\n"
            "- raw: op 0 (op0) writes and op 1 (op1) reads byte 4 of r0 at once (tensor 0 (op0.w0), tensor 2 (op1.r0)) "
            "[0 1] {1 0 2 3}\n");
  proof.complete = false;
  proof.races.push_back({1, 2, RaceKind::kWar, 0, 4, 2, 5, {}});
  proof.races.push_back({0, 3, RaceKind::kWaw, 1, 8, 1, 5, {}});
  EXPECT_EQ(without_version(judge_race_proof(tables.desc, proof)),
            "buffer_races_smt violated: Z3, 7 questions: 3 hazards, each with a schedule that shows it; stopped by the "
            "time limit of 1.00 s\n"
            "- raw: op 0 (op0) writes and op 1 (op1) reads byte 4 of r0 at once (tensor 0 (op0.w0), tensor 2 (op1.r0)) "
            "[0 1] {1 0 2 3}\n"
            "- war: op 1 (op1) reads and op 2 (op2) writes byte 4 of r0 at once (tensor 2 (op1.r0), tensor 5 (op2.r0)) "
            "[1 2]\n"
            "- waw: op 0 (op0) writes and op 3 (op3) writes byte 8 of r1 at once (tensor 1 (op0.w1), tensor 5 "
            "(op2.r0)) [0 3]\n");
  proof.races.assign(101, proof.races[0]);
  EXPECT_EQ(judge_race_proof(tables.desc, proof).witnesses.size(), 100U);
  DescTables broken(many_accesses());
  broken.successors[0] = 4;
  EXPECT_EQ(without_version(check_buffer_races_smt(broken.desc, nullptr)),
            "buffer_races_smt unknown: not checked: op 0 (op0): a list names number 4, which does not exist; repair "
            "the tables\n");
}

TEST(SmtTexts, VerdictsOfPlanProofs) {
  const ReusePlan plan;
  PlanProof proof;
  proof.cost.questions = 3;
  proof.reason = "limit of 16 faults";
  EXPECT_EQ(without_version(judge_plan_proof(plan.desc, proof)),
            "memory_plan_smt unknown: Z3, 3 questions: not decided: limit of 16 faults\n");
  proof.complete = true;
  EXPECT_EQ(without_version(judge_plan_proof(plan.desc, proof)),
            "memory_plan_smt holds: Z3, 3 questions: none of 3 tensors in 1 region breaks a law\n");
  proof.faults = {{"B40: somewhere", {2}, {}}};
  EXPECT_EQ(without_version(judge_plan_proof(plan.desc, proof)),
            "memory_plan_smt violated: Z3, 3 questions: 1 fault, and no others\n"
            "- B40: somewhere [2]\n");
  proof.complete = false;
  proof.faults.push_back({"B42: elsewhere", {}, {1, 0}});
  EXPECT_EQ(without_version(judge_plan_proof(plan.desc, proof)),
            "memory_plan_smt violated: Z3, 3 questions: 2 faults; stopped by the limit of 16 faults\n"
            "- B40: somewhere [2]\n"
            "- B42: elsewhere {1 0}\n");
}

TEST(SmtTexts, CheckersSideBySide) {
  const DescTables tables(many_accesses());
  const Verdict good{Property::kMemoryPlan, Outcome::kHolds, "", {}};
  const Verdict bad{Property::kMemoryPlan, Outcome::kViolated, "", {{"B40: somewhere", {}, {}}}};
  const Verdict open{Property::kMemoryPlan, Outcome::kUnknown, "", {}};
  PlanProof clean, faulty, undecided;
  clean.complete = true;
  faulty.faults = {{"B41: elsewhere", {}, {}}};
  EXPECT_EQ(text_of(compare_checkers(tables.desc, good, clean, {})), "checkers_agree holds: L0 and Z3 say the same\n");
  EXPECT_EQ(text_of(compare_checkers(tables.desc, bad, faulty, {})), "checkers_agree holds: L0 and Z3 say the same\n");
  EXPECT_EQ(text_of(compare_checkers(tables.desc, bad, clean, {})),
            "checkers_agree violated: checkers disagree: 1 difference between L0 and Z3; one of them is wrong, please "
            "report it with the model\n"
            "- only L0 finds fault with the memory plan: B40: somewhere\n");
  EXPECT_EQ(text_of(compare_checkers(tables.desc, good, faulty, {})),
            "checkers_agree violated: checkers disagree: 1 difference between L0 and Z3; one of them is wrong, please "
            "report it with the model\n"
            "- only Z3 finds fault with the memory plan: B41: elsewhere\n");
  EXPECT_EQ(text_of(compare_checkers(tables.desc, good, undecided, {})),
            "checkers_agree unknown: no difference, but Z3 has not decided the memory plan\n");
  EXPECT_EQ(text_of(compare_checkers(tables.desc, open, clean, {})),
            "checkers_agree unknown: no difference, but Z3 has not decided the memory plan\n");
  RaceReport report;
  report.races.count = 2;
  report.races.listed = {{0, 1, HazardKind::kRaw, 0, 4, 4, 0, 2}, {0, 2, HazardKind::kWaw, 1, 0, 1, 1, 4}};
  RaceProof proof;
  proof.races = {{0, 1, RaceKind::kRaw, 0, 4, 0, 2, {}}, {1, 3, RaceKind::kWar, 0, 4, 0, 2, {}}};
  EXPECT_EQ(text_of(compare_checkers(tables.desc, good, undecided, {.races = &report, .race_proof = &proof})),
            "checkers_agree violated: checkers disagree: 1 difference between L0 and Z3; one of them is wrong, please "
            "report it with the model\n"
            "- only Z3 finds war of op 1 (op1) and op 3 (op3) in r0 [1 3]\n");
  proof.complete = true;
  EXPECT_EQ(text_of(compare_checkers(tables.desc, good, clean, {.races = &report, .race_proof = &proof})),
            "checkers_agree violated: checkers disagree: 2 differences between L0 and Z3; one of them is wrong, please "
            "report it with the model\n"
            "- only Z3 finds war of op 1 (op1) and op 3 (op3) in r0 [1 3]\n"
            "- only L0 finds waw of op 0 (op0) and op 2 (op2) in r1 [0 2]\n");
  proof.races.assign(20, {1, 3, RaceKind::kWar, 0, 4, 0, 2, {}});
  for (std::uint32_t i = 0; i < 20; ++i) proof.races[i].region = i;
  EXPECT_EQ(compare_checkers(tables.desc, good, clean, {.races = &report, .race_proof = &proof}).witnesses.size(), 16U);
}

TEST(SmtTexts, ResultsClaimNothing) {
  const ProvedRace race;
  test::expect_zero(race.op_a, race.op_b, race.kind, race.region, race.byte, race.tensor_a, race.tensor_b);
  test::expect_zero(ProofCost{}.questions, ProofCost{}.steps, ProofCost{}.seconds, RaceProof{}.complete,
                    RaceProof{}.writers, PlanProof{}.complete);
  EXPECT_EQ(ProofOptions{}.max_races, 10'000U);
  test::expect_zero(AccessGroup{}.op, AccessGroup{}.region, AccessGroup{}.writes, PlanQuery::Resident{}.tensor,
                    PlanQuery::Resident{}.is_input, PlanQuery::Resident{}.is_output, PlanQuery::Meeting{}.op);
  test::expect_zero(Term{}.index, Node{}.kind, Node{}.first, Node{}.count, Node{}.value);
}

}  // namespace
}  // namespace detent::verify::smt
