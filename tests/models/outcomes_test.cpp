// Outcomes of decisions: names, combinations, seeds, and which ops run.
#include "models/core/outcomes.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <stdexcept>

#include "models/files/graph_file.hpp"
#include "models/lower/value_tables.hpp"

namespace detent::models {
namespace {

std::string write(int offset, const std::string& value) {
  return R"({"region": "ws", "offset": )" + std::to_string(offset) + R"(, "size": 8, "value": ")" + value + "\"}";
}

/// Op 0 decides c; under c=then op 1 decides d; op 2 runs under d=yes, op 3 under c=else, op 4 always reads one of
/// both.
Model nested() {
  return parse_graph(R"({"schema": "detent.graph/2", "name": "nested", "regions": [{"name": "ws", "size": 64}], "ops": [
    {"id": 0, "writes": [)" +
                         write(0, "c") + R"(]},
    {"id": 1, "guard": "c=then", "writes": [)" +
                         write(8, "d") + R"(]},
    {"id": 2, "guard": "d=yes", "time_ps": [5, 7], "writes": [)" +
                         write(16, "a") + R"(]},
    {"id": 3, "guard": "c=else", "writes": [)" +
                         write(16, "b") + R"(]},
    {"id": 4, "reads": [{"region": "ws", "offset": 16, "size": 8, "value": ["a", "b"]}]}],
    "edges": [[0, 1], [1, 2], [0, 3], [2, 4], [3, 4]]})",
                     "g.json");
}

std::vector<std::string> combinations(const Model& model, const std::string& text, std::size_t limit = 100) {
  std::vector<std::string> texts;
  for (const Outcomes& outcomes : combine_outcomes(model, text, limit).all) {
    texts.push_back(outcomes_text(model, outcomes));
  }
  return texts;
}

TEST(Outcomes, EveryConsistentCombination) {
  const Model m = nested();
  EXPECT_EQ(combinations(m, ""), (std::vector<std::string>{"c=then,d=yes", "c=then,d=other", "c=else"}));
  EXPECT_EQ(combinations(m, "c=then"), (std::vector<std::string>{"c=then,d=yes", "c=then,d=other"}));
  EXPECT_EQ(combinations(m, "d=yes"), std::vector<std::string>{"c=then,d=yes"}) << "implies c";
  EXPECT_EQ(combinations(Model{}, ""), std::vector<std::string>{""});
}

/// Op 2 decides e, but runs only where d is yes, which nobody decides where c is else.
TEST(Outcomes, DecisionsOfOpsThatDoNotRunAreNotTakenHoweverDeepTheyAreNested) {
  Model m = nested();
  m.decisions.push_back({"e", 2, {"on"}});
  m.ops[4].guards = {{2, 0}};
  EXPECT_EQ(combinations(m, ""),
            (std::vector<std::string>{"c=then,d=yes,e=on", "c=then,d=yes,e=other", "c=then,d=other", "c=else"}));
  EXPECT_EQ(outcomes_text(m, read_outcomes(m, "c=else", std::nullopt)), "c=else") << "nothing else need be named";
}

TEST(Outcomes, MoreThanTheLimitIsSaid) {
  EXPECT_EQ(combinations(nested(), "", 2).size(), 2U);
  EXPECT_FALSE(combine_outcomes(nested(), "", 2).is_whole);
  EXPECT_TRUE(combine_outcomes(nested(), "", 3).is_whole);
}

TEST(Outcomes, OpsRunWhereTheirGuardsAndThoseOfTheDecidersHold) {
  const Model m = nested();
  const auto runs = [&](const std::string& text) { return ops_that_run(m, read_outcomes(m, text, std::nullopt)); };
  EXPECT_EQ(runs("c=then,d=yes"), (std::vector<bool>{true, true, true, false, true}));
  EXPECT_EQ(runs("c=then,d=other"), (std::vector<bool>{true, true, false, false, true}));
  EXPECT_EQ(runs("c=else"), (std::vector<bool>{true, false, false, true, true}));
}

TEST(Outcomes, WhatIsNotNamedIsDrawnFromTheSeed) {
  const Model m = nested();
  std::set<std::string> drawn;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    const std::string text = outcomes_text(m, read_outcomes(m, "", seed));
    EXPECT_EQ(outcomes_text(m, read_outcomes(m, "", seed)), text);
    EXPECT_EQ(outcomes_text(m, read_outcomes(m, text, std::nullopt)), text) << "read back";
    drawn.insert(text);
  }
  EXPECT_EQ(drawn.size(), 3U);
  EXPECT_EQ(outcomes_text(m, read_outcomes(m, "c=else", 5)), "c=else");
}

void expect_refused(const std::function<void()>& call, const std::string& part) {
  try {
    call();
    ADD_FAILURE() << "taken";
  } catch (const std::invalid_argument& refused) {
    EXPECT_NE(std::string(refused.what()).find(part), std::string::npos) << refused.what();
  }
}

TEST(Outcomes, Refusals) {
  const Model m = nested();
  const auto refused = [&](const std::string& text, const std::string& part) {
    expect_refused([&] { static_cast<void>(read_outcomes(m, text, std::nullopt)); }, part);
  };
  refused("", "decision c has no outcome; add --outcome c= and one of then, else");
  refused("c", "--outcome c: is no DECISION=OUTCOME");
  refused("x=then", "no such decision; there are c: then, else; d: yes, other");
  refused("c=maybe", "no such outcome; there are then, else");
  refused("c=then,c=then", "named twice");
  refused("c=else,d=yes", "nobody takes this decision under c=else; leave it out");
  expect_refused([&] { static_cast<void>(combine_outcomes(m, "c=else,d=yes", 9)); }, "no run has these outcomes");
  expect_refused([&] { static_cast<void>(read_outcomes(Model{}, "c=then", 1)); },
                 "no such decision; there are none in this model");
}

TEST(Outcomes, TheUnnamedOutcomeHasANameOfItsOwn) {
  EXPECT_EQ(outcome_name({"c", 0, {"yes"}}, 0), "yes");
  EXPECT_EQ(outcome_name({"c", 0, {"yes"}}, 1), "other");
  EXPECT_EQ(outcome_name({"c", 0, {"other"}}, 1), "another");
}

TEST(Outcomes, OpsThatDoNotRunTouchNothingAndTakeNoTime) {
  Model m = nested();
  apply_outcomes(m, read_outcomes(m, "c=else", std::nullopt));
  EXPECT_TRUE(m.decisions.empty());
  ASSERT_EQ(m.ops.size(), 5U);
  EXPECT_EQ(m.edges, nested().edges);
  EXPECT_TRUE(m.ops[2].outputs.empty());
  EXPECT_EQ(m.ops[2].time_ps, (std::pair<std::uint64_t, std::uint64_t>{0, 0}));
  EXPECT_FALSE(m.ops[3].outputs.empty());
  EXPECT_TRUE(m.ops[3].guards.empty());
}

TEST(Outcomes, ValuesOfOpsThatDoNotRunHaveAnAbsentWriter) {
  const Model m = nested();
  const ValueTables tables = value_tables(m, read_outcomes(m, "c=then,d=other", std::nullopt));
  EXPECT_FALSE(tables.has_guards());
  EXPECT_EQ(tables.names, (std::vector<std::string>{"c", "d", "a", "b"}));
  EXPECT_EQ(tables.absent_writers, (std::vector<std::uint32_t>{kNone, kNone, 2, 3}));
}

/// A takes the decision that guards B, and B the one that guards A: no run takes either, and the search ends.
TEST(Outcomes, DecisionsInACircleEnd) {
  Model m = nested();
  m.ops[0].guards = {{1, 0}};
  for (const Outcomes& outcomes : combine_outcomes(m, "", 100).all) {
    EXPECT_EQ(ops_that_run(m, outcomes).size(), 5U);
  }
}

/// Levels of two ops that decide, each guarded by both of the level before: 2^40 ways back, every op asked once.
TEST(Outcomes, NestedGuardsAreFollowedOnceForEachOp) {
  constexpr std::uint32_t kOps = 80;
  Model m;
  m.ops.resize(kOps);
  for (std::uint32_t op = 0; op < kOps; ++op) {
    m.decisions.push_back({"d" + std::to_string(op), op, {"yes", "no"}});
    if (op >= 2) m.ops[op].guards = {{op / 2 * 2 - 2, 0}, {op / 2 * 2 - 1, 0}};
  }
  EXPECT_EQ(ops_that_run(m, Outcomes(kOps, 0)), std::vector<bool>(kOps, true));
  Outcomes first_fails(kOps, 0);
  first_fails[0] = 1;
  std::vector<bool> two(kOps, false);
  two[0] = two[1] = true;
  EXPECT_EQ(ops_that_run(m, first_fails), two);
}

}  // namespace
}  // namespace detent::models
