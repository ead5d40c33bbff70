// Laws of value flow: on random graphs with values, the static answer, Z3's and that of executed orders are one.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/core/outcomes.hpp"
#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "properties/law.hpp"
#include "tests/verify/flow/naive_flow.hpp"
#include "verify/flow/value_flow.hpp"
#include "verify/runs/read_check.hpp"

namespace detent::laws {
namespace {

struct FlowCase {
  models::Model model;
  models::LoweredModel lowered;
  ValueTables values;

  explicit FlowCase(const std::string& text)
      : model(models::parse_graph(text, "drawn.json")),
        lowered(models::lower(model)),
        values(models::value_tables(model)) {}
};

struct FlowText {
  std::string text;
};

void showValue(const FlowText& drawn, std::ostream& out) { out << drawn.text; }

std::string save_case(const FlowText& drawn, const std::string& path) {
  std::ofstream(path) << drawn.text;
  return path;
}

std::string verify_command_of(const FlowText&, const std::string& path) { return "detent verify '" + path + "'"; }

bool is_taken_by_the_reader(const FlowText& drawn) {
  try {
    models::parse_graph(drawn.text, "drawn.json");
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// Graphs with values of up to 6 ops, as files.
rc::Gen<FlowText> flow_graphs(bool guards) {
  const auto draw = [guards] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto ops = *rc::gen::inRange<std::uint32_t>(1, 7);
    return FlowText{verify::testing::random_flow_graph(seed, ops, guards)};
  };
  return rc::gen::suchThat(rc::gen::exec(draw), is_taken_by_the_reader);
}

void judge_by_force(const FlowText& drawn) {
  const FlowCase g(drawn.text);
  const verify::ValueFlowReport report = verify::find_value_violations(g.lowered.desc(), &g.values);
  RC_ASSERT(verify::testing::flow_set(g.model, report) == verify::testing::find_flow_naively(g.model));
}

RC_GTEST_PROP(ValueFlowLaw, EqualsEveryOrder, ()) { law_of(flow_graphs(false), verify_command_of, judge_by_force); }

RC_GTEST_PROP(ValueFlowLaw, EqualsEveryOrderAndEveryOutcome, ()) {
  law_of(flow_graphs(true), verify_command_of, judge_by_force);
}

/// Larger than what can be judged by force: ops in the way decided one by one are those that the closure finds.
RC_GTEST_PROP(ValueFlowLaw, PairByPairEqualsTheClosure, ()) {
  const auto draw = [] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    return FlowText{verify::testing::random_flow_graph(seed, *rc::gen::inRange<std::uint32_t>(1, 60), false)};
  };
  const rc::Gen<FlowText> drawn = rc::gen::suchThat(rc::gen::exec(draw), is_taken_by_the_reader);
  law_of(drawn, verify_command_of, [](const FlowText& text) {
    const FlowCase g(text.text);
    const detent_desc& desc = g.lowered.desc();
    const verify::ValueFlowReport closed = verify::find_value_violations(desc, &g.values);
    const verify::ValueFlowReport paths =
        verify::find_value_violations(desc, &g.values, {.max_closed_ops = 0, .max_decided_pairs = 1'000'000});
    RC_ASSERT(paths.count == closed.count);
    RC_ASSERT(paths.always == closed.always);
    RC_ASSERT(paths.listed.size() == closed.listed.size());
    for (std::size_t i = 0; i < paths.listed.size(); ++i) {
      RC_ASSERT(verify::describe_violation(desc, paths.listed[i]) ==
                verify::describe_violation(desc, closed.listed[i]));
      RC_ASSERT(paths.listed[i].schedule == closed.listed[i].schedule);
    }
  });
}

/// Followed op by op over every order: a reader misses a value on some order exactly where executing the bytes says so,
/// and then L0 lists it; one that L0 lists is missed on some order.
RC_GTEST_PROP(ValueFlowLaw, FollowedReadsMissWhatEveryOrderSaysTheyMiss, ()) {
  law_of(flow_graphs(false), verify_command_of, [](const FlowText& drawn) {
    const FlowCase g(drawn.text);
    verify::ReadCheck check(g.lowered.desc(), &g.values);
    std::set<std::uint32_t> followed, executed, listed;
    for (const std::vector<std::uint32_t>& order : verify::testing::all_orders(g.model)) {
      check.arm();
      for (const std::uint32_t op : order) {
        check.begin(op);
        check.end(op);
      }
      check.finish();
      for (const verify::MissedRead& missed : check.missed()) followed.insert(missed.reader);
    }
    for (const verify::testing::ReadTruth& truth : verify::testing::execute_all(g.model)) {
      if (truth.some) executed.insert(truth.reader);
    }
    for (const verify::ValueViolation& violation : verify::find_value_violations(g.lowered.desc(), &g.values).listed) {
      listed.insert(violation.reader);
    }
    RC_ASSERT(followed == executed);
    RC_ASSERT(followed == listed);
  });
}

RC_GTEST_PROP(ValueFlowLaw, FollowedReadsUnderEveryOutcomeMissWhatForceSaysTheyMiss, ()) {
  law_of(flow_graphs(true), verify_command_of, [](const FlowText& drawn) {
    const models::Model model = models::parse_graph(drawn.text, "drawn.json");
    std::set<std::uint32_t> followed, executed;
    const models::Combinations combinations = models::combine_outcomes(model, "", 4096);
    RC_ASSERT(combinations.is_whole);
    for (const models::Outcomes& outcomes : combinations.all) {
      models::Model run = model;
      const ValueTables values = models::value_tables(run, outcomes);
      models::apply_outcomes(run, outcomes);
      const models::LoweredModel lowered = models::lower(run);
      verify::ReadCheck check(lowered.desc(), &values);
      for (const std::vector<std::uint32_t>& order : verify::testing::all_orders(run)) {
        check.arm();
        for (const std::uint32_t op : order) {
          check.begin(op);
          check.end(op);
        }
        check.finish();
        for (const verify::MissedRead& missed : check.missed()) followed.insert(missed.reader);
      }
    }
    for (const verify::testing::ReadTruth& truth : verify::testing::execute_all(model)) {
      if (truth.some) executed.insert(truth.reader);
    }
    RC_ASSERT(followed == executed);
  });
}

}  // namespace
}  // namespace detent::laws
