// Z3 and L0 find the same races: on hand-made graphs, random ones with strides and mutexes, and the whole zoo.
#include "verify/smt/race_proof.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/effort.hpp"
#include "tests/verify/flow/naive_flow.hpp"
#include "tests/verify/random_plan.hpp"
#include "tests/verify/static/reuse_plans.hpp"
#include "verify/graph/byte_set.hpp"
#include "verify/graph/schedule.hpp"
#include "verify/smt/agreement.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/static/memory_plan.hpp"

namespace detent::verify::smt {
namespace {

using namespace verify::testing;

/// "" or the first difference between the two checkers; also checks every race that Z3 claims by L0's definitions.
std::string compare(const detent_desc& desc, const RaceProof& proof, const ValueTables* tables = nullptr) {
  const RaceReport report = find_races(desc, {.values = tables});
  const Verdict agree = compare_checkers(desc, check_memory_plan(desc), prove_memory_plan(desc),
                                         {.races = &report, .race_proof = &proof});
  if (agree.outcome != Outcome::kHolds) {
    return agree.summary + (agree.witnesses.empty() ? "" : ": " + agree.witnesses[0].text);
  }
  if (proof.races.size() != report.races.count) return "number of races";
  for (std::size_t i = 0; i < proof.races.size(); ++i) {
    const ProvedRace& race = proof.races[i];
    for (const std::uint32_t tensor : {race.tensor_a, race.tensor_b}) {
      if (tensor >= desc.tensor_count || desc.tensors[tensor].region != race.region) return "tensor";
      if (!first_shared_bytes(bytes_of(desc.tensors[tensor]), {race.byte, 1, 0, 1})) return "byte";
    }
    if (i < 100 && !race.schedule.empty() && !is_linear_extension(desc, race.schedule)) return "schedule";
  }
  return "";
}

std::string compare(const GraphSpec& spec) {
  const DescTables tables(spec);
  return compare(tables.desc, prove_races(tables.desc, nullptr));
}

TEST(RaceProof, PlantedReuseComesWithAScheduleThatShowsIt) {
  const DescTables tables(reuse_after_one_reader());
  const Verdict verdict = check_buffer_races_smt(tables.desc, nullptr);
  EXPECT_EQ(verdict.property, Property::kBufferRacesSmt);
  ASSERT_EQ(verdict.outcome, Outcome::kViolated);
  ASSERT_EQ(verdict.witnesses.size(), 1U);
  EXPECT_EQ(verdict.witnesses[0].ops, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(verdict.witnesses[0].text,
            "war: op 2 (op2) reads and op 3 (op3) writes byte 32 of r0 at once (tensor 2 (op2.r0), tensor 3 (op3.w0))");
  EXPECT_TRUE(is_linear_extension(tables.desc, verdict.witnesses[0].schedule));
  EXPECT_NE(verdict.summary.find("1 hazard, each with a schedule that shows it, and no others"), std::string::npos);
}

TEST(RaceProof, TheMissingEdgeProvesTheAbsence) {
  GraphSpec spec = reuse_after_one_reader();
  spec.edges.emplace_back(2, 3);
  const DescTables tables(spec);
  const Verdict verdict = check_buffer_races_smt(tables.desc, nullptr);
  EXPECT_EQ(verdict.outcome, Outcome::kHolds) << verdict.summary;
  EXPECT_TRUE(verdict.witnesses.empty());
}

TEST(RaceProof, KindsGoByOpIdAndScratchCountsAsWritten) {
  GraphSpec spec = make_ops(3);
  spec.ops[0].reads = {{0, 0, 8}};
  spec.ops[1].scratch_ranges = {{0, 4, 8}};
  spec.ops[2].writes = {{0, 7, 8}};
  EXPECT_EQ(compare(spec), "");
  const DescTables tables(spec);
  const RaceProof proof = prove_races(tables.desc, nullptr);
  ASSERT_EQ(proof.races.size(), 3U);
  EXPECT_EQ(proof.races[0].kind, RaceKind::kWar);
  EXPECT_EQ(proof.races[2].kind, RaceKind::kWaw);
  EXPECT_TRUE(proof.complete);
  EXPECT_GT(proof.cost.steps, 0U);
}

TEST(RaceProof, AMutexExcludesAtTheInstantAndOrdersNothing) {
  GraphSpec spec = make_ops(3);
  for (OpSpec& op : spec.ops) op.writes = {{0, 0, 4}};
  spec.mutex_count = 2;
  spec.ops[0].mutexes = {0};
  spec.ops[1].mutexes = {0, 1};
  spec.ops[2].mutexes = {1};  // 0 and 2 share none, though both share one with 1
  EXPECT_EQ(compare(spec), "");
  const DescTables tables(spec);
  const RaceProof proof = prove_races(tables.desc, nullptr);
  ASSERT_EQ(proof.races.size(), 1U);
  EXPECT_EQ(proof.races[0].op_a, 0U);
  EXPECT_EQ(proof.races[0].op_b, 2U);
}

TEST(RaceProof, StridesMeetOnlyWhereTheirBlocksDo) {
  for (std::uint64_t offset = 0; offset < effort(60U); ++offset) {
    GraphSpec spec = make_ops(2);
    spec.regions = workspaces({1 << 20});
    spec.ops[0].writes = {{0, 100, 2, 40, 21}};         // phases 0 and 1 of 21
    spec.ops[1].reads = {{0, 97 + offset, 3, 30, 35}};  // gcd 7: some offsets never meet
    ASSERT_EQ(compare(spec), "") << offset;
    spec.ops[1].reads = {{0, 97 + offset, 20, 30, 21}};  // blocks that run over the end of their row
    ASSERT_EQ(compare(spec), "") << offset;
  }
  GraphSpec far = make_ops(2);
  far.regions = workspaces({DETENT_MAX_BYTES});
  far.ops[0].writes = {{0, DETENT_MAX_BYTES / 2, DETENT_MAX_BYTES / 2}};
  far.ops[1].writes = {{0, 1, 1, 2, DETENT_MAX_BYTES - 2}};
  EXPECT_EQ(compare(far), "");
}

TEST(RaceProof, EqualsL0OnRandomGraphs) {
  std::uint64_t racy = 0;
  for (std::uint64_t seed = 0; seed < effort(320U); ++seed) {
    const GraphSpec spec = make_random_spec(seed, {.op_count = 2 + static_cast<std::uint32_t>(seed % 11),
                                                   .percent_edges = static_cast<std::uint32_t>(10 + seed % 5 * 15),
                                                   .region_count = 1 + static_cast<std::uint32_t>(seed % 2),
                                                   .region_bytes = 48,
                                                   .percent_strided = static_cast<std::uint32_t>(seed % 3 * 40),
                                                   .mutex_count = static_cast<std::uint32_t>(seed % 4),
                                                   .group_count = static_cast<std::uint32_t>(seed % 2)});
    const DescTables tables(spec);
    const RaceProof proof = prove_races(tables.desc, nullptr);
    racy += proof.races.empty() ? 0 : 1;
    ASSERT_EQ(compare(tables.desc, proof), "") << "seed " << seed;
  }
  EXPECT_GT(racy, effort(320U) / 4);
  EXPECT_LT(racy, effort(320U));
}

TEST(RaceProof, EqualsL0OnEveryModelOfTheZoo) {
  for (const models::ZooEntry& entry : models::zoo()) {
    // The plan of all sections of "calibration" at once, 1653 tensors, takes Z3 minutes.
    const std::string spec = entry.name == "calibration" ? "calibration:1" : entry.name;
    const models::LoweredModel lowered = models::lower(models::make_zoo_model(spec), {.weights = false});
    const RaceProof proof = prove_races(lowered.desc(), nullptr);
    if (entry.expected.status == "CYCLE") {
      EXPECT_FALSE(proof.complete);
      EXPECT_EQ(proof.reason, "there is no schedule: the edges close a cycle");
      continue;
    }
    EXPECT_EQ(compare(lowered.desc(), proof), "") << entry.name;
    EXPECT_EQ(proof.races.empty(), entry.expected.property != "buffer_races") << entry.name;
  }
}

/// How many races L0 lists where guards are left out, less those where they count.
std::int64_t excluded_races(const detent_desc& desc, const ValueTables& tables) {
  return static_cast<std::int64_t>(find_races(desc).races.count) -
         static_cast<std::int64_t>(find_races(desc, {.values = &tables}).races.count);
}

TEST(RaceProof, OpsOfExclusiveBranchesNeverMeet) {
  DescTables tables(reuse_after_one_reader());
  ValueTables values;
  values.decisions = {{"c", 0, {"then", "else"}}};
  values.guards = {{}, {}, {{0, 0}}, {{0, 1}}};
  EXPECT_EQ(check_buffer_races_smt(tables.desc, nullptr).outcome, Outcome::kViolated);
  EXPECT_EQ(check_buffer_races_smt(tables.desc, &values).outcome, Outcome::kHolds);
  values.guards[3] = {{0, 0}};
  EXPECT_EQ(check_buffer_races_smt(tables.desc, &values).outcome, Outcome::kViolated);
  values.guards[3] = {{7, 0}};
  EXPECT_EQ(check_buffer_races_smt(tables.desc, &values).outcome, Outcome::kUnknown);
}

TEST(RaceProof, EqualsL0OnRandomGraphsWithGuards) {
  std::int64_t excluded = 0;
  for (std::uint64_t seed = 0; seed < effort(300U); ++seed) {
    const std::string text = random_flow_graph(seed, 7, true);
    if (text.find("nobody") != std::string::npos) continue;  // the reader of graphs refuses it
    const models::Model model = models::parse_graph(text, "g.json");
    const models::LoweredModel lowered = models::lower(model);
    const ValueTables values = models::value_tables(model);
    ASSERT_EQ(compare(lowered.desc(), prove_races(lowered.desc(), &values), &values), "") << seed << "\n" << text;
    excluded += excluded_races(lowered.desc(), values);
  }
  EXPECT_GT(excluded, 0);
}

/// Decisions that several ops name, one of them taken by an op that has guards itself.
TEST(RaceProof, EqualsL0OnRandomPlansWithGuards) {
  std::int64_t excluded = 0;
  for (std::uint64_t seed = 0; seed < effort(200U); ++seed) {
    Random random{seed};
    RandomPlan plan([&](std::uint32_t bound) { return random.below(bound); }, {});
    ValueTables values;
    values.decisions = {{"d", random.below(plan.desc.op_count), {"a", "b"}}, {"e", DETENT_NONE, {"only"}}};
    for (std::uint32_t op = 0; op < plan.desc.op_count; ++op) {
      values.guards.emplace_back();
      if (random.below(2) == 0) values.guards[op].push_back({0, random.below(2)});
      if (random.below(3) == 0) values.guards[op].push_back({1, random.below(2)});
    }
    ASSERT_EQ(compare(plan.desc, prove_races(plan.desc, &values), &values), "") << seed;
    excluded += excluded_races(plan.desc, values);
  }
  EXPECT_GT(excluded, 0);
}

TEST(RaceProof, EqualsL0OnBandsOfOneTensor) {
  models::ZooOptions options;
  options.split = 3;
  models::Model model = models::make_zoo_model("branchnet", options);
  for (std::size_t dropped = 0; dropped < std::min<std::size_t>(model.edges.size(), effort(20U)); ++dropped) {
    models::Model broken = model;
    broken.edges.erase(broken.edges.begin() + static_cast<std::ptrdiff_t>(dropped));
    const models::LoweredModel lowered = models::lower(broken, {.weights = false});
    EXPECT_EQ(compare(lowered.desc(), prove_races(lowered.desc(), nullptr)), "") << "edge " << dropped;
  }
}

TEST(RaceProof, VerdictIsUnknownWhereALimitEndsTheSearch) {
  const DescTables tables(make_random_spec(3, {.op_count = 40, .percent_edges = 60}));
  ProofOptions options;
  options.limits = {.seconds = 0, .steps = 1};
  RaceProof proof = prove_races(tables.desc, nullptr, options);
  EXPECT_FALSE(proof.complete);
  Verdict verdict = judge_race_proof(tables.desc, proof);
  EXPECT_EQ(verdict.outcome, Outcome::kUnknown);
  EXPECT_NE(verdict.summary.find("not decided: limit of 1 solver steps"), std::string::npos) << verdict.summary;
  options.limits = {.seconds = 1e-9};
  verdict = check_buffer_races_smt(tables.desc, nullptr, options);
  EXPECT_EQ(verdict.outcome, Outcome::kUnknown);
  EXPECT_NE(verdict.summary.find("time limit of 0.00 s"), std::string::npos) << verdict.summary;
}

double race_now_s = 0;
double ticking_race_clock() { return race_now_s += 1; }

TEST(RaceProof, TheTimeLimitCoversTheBuilding) {
  const DescTables tables(make_random_spec(3, {.op_count = 8, .percent_edges = 60}));
  std::set<std::string> places;
  bool is_complete = false;
  ProofOptions options;
  for (double seconds = 1; seconds < 10'000 && !is_complete; ++seconds) {
    race_now_s = 0;
    options.limits = {.seconds = seconds, .clock = ticking_race_clock};
    const RaceProof proof = prove_races(tables.desc, nullptr, options);
    is_complete = proof.complete;
    if (!is_complete) places.insert(proof.reason.substr(proof.reason.find(" s") + 2, 40));
  }
  EXPECT_TRUE(is_complete);
  for (const char* place : {" while the formula was built (schedules ", " while the formula was built (edges 0 of",
                            " while the formula was built (accesses 0"}) {
    EXPECT_TRUE(places.contains(place)) << place;
  }
  EXPECT_EQ(
      judge_race_proof(tables.desc, prove_races(tables.desc, nullptr, {.limits = {.seconds = 0, .steps = 50}})).outcome,
      Outcome::kUnknown);
}

TEST(RaceProof, LimitOfRacesEndsTheProofWithANote) {
  GraphSpec spec = make_ops(30);
  for (OpSpec& op : spec.ops) op.writes = {{0, 0, 4}};
  const DescTables tables(spec);
  ProofOptions options;
  options.max_races = 7;
  std::uint64_t calls = 0;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_LT(done, total);
    ++calls;
  };
  const RaceProof proof = prove_races(tables.desc, nullptr, options);
  EXPECT_EQ(proof.races.size(), 7U);
  EXPECT_FALSE(proof.complete);
  EXPECT_GT(calls, 0U);
  const Verdict verdict = judge_race_proof(tables.desc, proof);
  EXPECT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_NE(verdict.summary.find("7 hazards, each with a schedule that shows it; stopped by the limit of 7 races"),
            std::string::npos);
}

TEST(RaceProof, SameQuestionsSameAnswers) {
  const DescTables tables(make_random_spec(11, {.op_count = 14, .percent_strided = 40, .mutex_count = 2}));
  const RaceProof once = prove_races(tables.desc, nullptr);
  const RaceProof again = prove_races(tables.desc, nullptr);
  EXPECT_EQ(once.cost.steps, again.cost.steps);
  EXPECT_EQ(once.cost.questions, again.cost.questions);
  ASSERT_EQ(once.races.size(), again.races.size());
  for (std::size_t i = 0; i < once.races.size(); ++i) {
    EXPECT_EQ(once.races[i].byte, again.races[i].byte);
    EXPECT_EQ(once.races[i].schedule, again.races[i].schedule);
  }
}

TEST(RaceProof, B09_BrokenTablesAreRefused) {
  DescTables tables(reuse_after_one_reader());
  const auto expect_refusal = [&](const std::string& what) {
    EXPECT_THROW(prove_races(tables.desc, nullptr), std::invalid_argument);
    const Verdict verdict = check_buffer_races_smt(tables.desc, nullptr);
    EXPECT_EQ(verdict.outcome, Outcome::kUnknown);
    EXPECT_NE(verdict.summary.find(what), std::string::npos) << verdict.summary;
  };
  tables.successors[0] = 9;
  expect_refusal("op 0 (op0): a list names number 9, which does not exist");
  tables.successors[0] = 1;
  tables.ops[1].inputs.count = 100;
  expect_refusal("op 1 (op1): a list lies outside its table");
  tables.ops[1].inputs.count = 1;
  tables.tensors[0].offset_bytes = UINT64_MAX;
  expect_refusal("tensor 0 (op0.w0) describes no bytes of a region");
}

TEST(CheckersAgree, NamesThePairThatOnlyOneOfThemFinds) {
  const DescTables tables(reuse_after_one_reader());
  const Verdict plan = check_memory_plan(tables.desc);
  const PlanProof plan_proof = prove_memory_plan(tables.desc);
  RaceReport report = find_races(tables.desc);
  RaceProof proof = prove_races(tables.desc, nullptr);
  const auto judge = [&] {
    return compare_checkers(tables.desc, plan, plan_proof, {.races = &report, .race_proof = &proof});
  };
  EXPECT_EQ(judge().outcome, Outcome::kHolds);
  std::swap(proof.races[0].op_a, proof.races[0].op_b);
  EXPECT_EQ(judge().witnesses.size(), 2U);
  proof.races.clear();
  Verdict verdict = judge();
  EXPECT_EQ(verdict.property, Property::kCheckersAgree);
  EXPECT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(verdict.summary,
            "checkers disagree: 1 difference between L0 and Z3; one of them is wrong, please report it with the model");
  EXPECT_EQ(verdict.witnesses.at(0).text, "only L0 finds war of op 2 (op2) and op 3 (op3) in r0");
  EXPECT_EQ(verdict.witnesses[0].ops, (std::vector<std::uint32_t>{2, 3}));
  proof.complete = false;  // Z3 may still find it
  EXPECT_EQ(judge().outcome, Outcome::kUnknown);
  EXPECT_EQ(judge().summary, "no difference, but Z3 has not decided all buffer races");
  proof = prove_races(tables.desc, nullptr);
  report.races = {};
  verdict = judge();
  EXPECT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(verdict.witnesses.at(0).text, "only Z3 finds war of op 2 (op2) and op 3 (op3) in r0");
}

TEST(CheckersAgree, CutListsAreComparedAsFarAsTheyGo) {
  GraphSpec spec = make_ops(12);
  for (OpSpec& op : spec.ops) op.writes = {{0, 0, 4}};
  const DescTables tables(spec);
  const PlanProof plan = prove_memory_plan(tables.desc);
  const Verdict l0_plan = check_memory_plan(tables.desc);
  const RaceReport few = find_races(tables.desc, {.max_listed = 5});
  RaceProof proof = prove_races(tables.desc, nullptr);
  EXPECT_EQ(compare_checkers(tables.desc, l0_plan, plan, {.races = &few, .race_proof = &proof}).outcome,
            Outcome::kHolds);
  proof.races.erase(proof.races.begin() + 2);
  EXPECT_EQ(compare_checkers(tables.desc, l0_plan, plan, {.races = &few, .race_proof = &proof}).outcome,
            Outcome::kViolated);
}

TEST(CheckersAgree, DisagreementAboutAPlanIsNamed) {
  DescTables tables(reuse_after_one_reader());
  const Verdict good = check_memory_plan(tables.desc);
  const PlanProof good_proof = prove_memory_plan(tables.desc);
  tables.tensors[0].align_bytes = 3;
  const Verdict bad = check_memory_plan(tables.desc);
  const PlanProof bad_proof = prove_memory_plan(tables.desc);
  const auto judge = [&](const Verdict& verdict, const PlanProof& proof) {
    return compare_checkers(tables.desc, verdict, proof, {});
  };
  EXPECT_EQ(judge(good, good_proof).outcome, Outcome::kHolds);
  EXPECT_EQ(judge(bad, bad_proof).outcome, Outcome::kHolds);
  EXPECT_EQ(judge(good, bad_proof).witnesses.at(0).text.substr(0, 48),
            "only Z3 finds fault with the memory plan: B48: t");
  EXPECT_EQ(judge(bad, good_proof).witnesses.at(0).text.substr(0, 48),
            "only L0 finds fault with the memory plan: B48: t");
  EXPECT_EQ(judge(good, prove_memory_plan(tables.desc, {.seconds = 0, .steps = 1})).outcome, Outcome::kUnknown);
}

}  // namespace
}  // namespace detent::verify::smt
