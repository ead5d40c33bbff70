// Written files: well-formed whatever the names hold, and confirmed by cvc5.
#include "verify/smt/solver/smtlib.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "models/lower/lower.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/effort.hpp"
#include "tests/verify/random_graph.hpp"
#include "tests/verify/static/reuse_plans.hpp"
#include "verify/smt/plan/query.hpp"
#include "verify/smt/race_query.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/static/memory_plan.hpp"

namespace detent::verify::smt {
namespace {

using namespace verify::testing;

std::string run(const std::string& command) {
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return "popen failed";
  std::string output;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) output.append(buffer.data(), n);
  ::pclose(pipe);
  return output;
}

bool has_cvc5() { return run("command -v cvc5").find("cvc5") != std::string::npos; }

/// What cvc5 says of a file: "sat\n" or "unsat\n".
std::string ask_cvc5(const std::string& text) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("detent_smt_" + std::to_string(::getpid()) + ".smt2"));
  std::ofstream(path, std::ios::binary) << text;
  const std::string answer = run("cvc5 --lang=smt2.6 --strict-parsing --tlimit=60000 " + path);
  std::filesystem::remove(path);
  return answer;
}

std::string races_of(const detent_desc& desc, Status expected) {
  const RaceQuery query = encode_races(desc, nullptr);
  return format_smtlib(query.script, query.claim, expected, {"races"});
}

std::string plan_of(const detent_desc& desc, Status expected) {
  const PlanQuery query = encode_plan(desc);
  return format_smtlib(query.script, query.claim, expected, {"plan"});
}

/// cvc5 on both files of a model, against L0.
std::string confirm(const detent_desc& desc) {
  const bool races = find_races(desc).races.count > 0;
  const std::string race_answer = ask_cvc5(races_of(desc, races ? Status::kSat : Status::kUnsat));
  if (race_answer != (races ? "sat\n" : "unsat\n")) return "races: cvc5 says " + race_answer;
  const bool faults = check_memory_plan(desc).outcome == Outcome::kViolated;
  const std::string plan_answer = ask_cvc5(plan_of(desc, faults ? Status::kSat : Status::kUnsat));
  return plan_answer == (faults ? "sat\n" : "unsat\n") ? "" : "plan: cvc5 says " + plan_answer;
}

TEST(Smtlib, AFileIsOneQuestionWithItsExpectedAnswer) {
  Script script;
  const Term a = script.boolean("a");
  const Term x = script.integer("x");
  script.require(script.implies(a, script.less(x, script.plus(script.times(3, x), script.number(UINT64_MAX)))), "law");
  script.require(script.all_of({}));
  script.require(script.negate(script.any_of({})));
  script.require(script.all_of({script.equal(x, x)}));
  EXPECT_EQ(format_smtlib(script, a, Status::kSat, {"one", "two"}),
            "(set-info :smt-lib-version 2.6)\n(set-logic QF_LIA)\n(set-info :source |\none\ntwo\n|)\n"
            "(set-info :category \"industrial\")\n(set-info :status sat)\n"
            "(declare-const a Bool)\n(declare-const x Int)\n"
            "; law\n(assert (=> a (< x (+ (* 3 x) 18446744073709551615))))\n"
            "(assert true)\n(assert (not false))\n(assert (= x x))\n(assert a)\n(check-sat)\n(exit)\n");
  EXPECT_NE(format_smtlib(script, a, Status::kUnknown, {}).find(":status unknown"), std::string::npos);
}

TEST(Smtlib, B14_NamesCannotLeaveTheirComment) {
  DescTables tables(make_random_spec(5, {.op_count = 4}));
  const std::string hostile = "x|)\n(check-sat)\r\x01 \xff \"\\ ; " + std::string(100'000, 'y');
  for (detent_op& op : tables.ops) op.name = hostile.c_str();
  for (detent_tensor& tensor : tables.tensors) tensor.name = hostile.c_str();
  for (detent_region& region : tables.regions) region.name = hostile.c_str();
  const RaceQuery query = encode_races(tables.desc, nullptr);
  const std::string text = format_smtlib(query.script, query.claim, Status::kUnknown, {"model " + hostile});
  EXPECT_TRUE(std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  EXPECT_EQ(std::ranges::count(text, '|'), 2);
  EXPECT_LT(text.size(), 100'000U);
  std::size_t questions = 0;
  for (std::size_t at = text.find("\n(check-sat)"); at != std::string::npos; at = text.find("\n(check-sat)", at + 1)) {
    ++questions;
  }
  EXPECT_EQ(questions, 1U);
  if (has_cvc5()) {
    EXPECT_EQ(ask_cvc5(text), find_races(tables.desc).races.count > 0 ? "sat\n" : "unsat\n");
  }
}

TEST(Smtlib, Cvc5ConfirmsTheZoo) {
  if (!has_cvc5()) GTEST_SKIP() << "cvc5 is not installed: its second opinion is missing";
  for (const models::ZooEntry& entry : models::zoo()) {
    if (entry.expected.status == "CYCLE") continue;  // no schedule, nothing to ask
    // All sections of "calibration" at once take cvc5 minutes.
    const std::string spec = entry.name == "calibration" ? "calibration:1" : entry.name;
    const models::LoweredModel lowered = models::lower(models::make_zoo_model(spec), {.weights = false});
    EXPECT_EQ(confirm(lowered.desc()), "") << entry.name;
  }
}

TEST(Smtlib, Cvc5ConfirmsThatExclusiveBranchesNeverMeet) {
  if (!has_cvc5()) GTEST_SKIP() << "cvc5 is not installed: its second opinion is missing";
  const DescTables tables(reuse_after_one_reader());
  ValueTables values;
  values.decisions = {{"c", 0, {"then", "else"}}};
  for (const std::uint32_t outcome : {0U, 1U}) {
    values.guards = {{}, {}, {{0, 0}}, {{0, outcome}}};
    const RaceQuery query = encode_races(tables.desc, &values);
    EXPECT_EQ(ask_cvc5(format_smtlib(query.script, query.claim, Status::kUnknown, {"guards"})),
              outcome == 0 ? "sat\n" : "unsat\n");
  }
}

TEST(Smtlib, Cvc5ConfirmsRandomGraphs) {
  if (!has_cvc5()) GTEST_SKIP() << "cvc5 is not installed: its second opinion is missing";
  for (std::uint64_t seed = 0; seed < effort(60U); ++seed) {
    DescTables tables(make_random_spec(seed, {.op_count = 2 + static_cast<std::uint32_t>(seed % 9),
                                              .percent_edges = static_cast<std::uint32_t>(30 + seed % 3 * 25),
                                              .max_reads = 1,
                                              .max_writes = 1,
                                              .percent_strided = static_cast<std::uint32_t>(seed % 3 * 40),
                                              .mutex_count = static_cast<std::uint32_t>(seed % 3)}));
    Random random{seed};
    for (detent_tensor& tensor : tables.tensors) {
      tensor.flags = 0;
      tensor.live_begin = tensor.live_end = random.below(tables.desc.op_count);
    }
    ASSERT_EQ(confirm(tables.desc), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace detent::verify::smt
