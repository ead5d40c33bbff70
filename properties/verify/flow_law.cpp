// Laws of value flow: on random graphs with values, the static answer, Z3's and that of executed orders are one.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "properties/law.hpp"
#include "tests/verify/static/naive_flow.hpp"
#include "verify/runs/read_check.hpp"
#include "verify/static/value_flow.hpp"

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

/// A random graph of up to 6 ops; where it fails, the smallest is left as a file that `detent verify` reads.
template <typename Body>
void law_of_flow(bool guards, const Body& body) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto ops = *rc::gen::inRange<std::uint32_t>(1, 7);
  const std::string text = verify::testing::random_flow_graph(seed, ops, guards);
  std::optional<FlowCase> drawn;
  try {
    drawn.emplace(text);
  } catch (const std::invalid_argument&) {
    RC_DISCARD("a graph that no reader takes");
  }
  check_law([&] { body(*drawn); },
            [&] {
              const std::string path = failure_path("json");
              std::ofstream(path) << text;
              return "detent verify '" + path + "'";
            });
}

void judge_by_force(const FlowCase& g) {
  const verify::ValueFlowReport report = verify::find_value_violations(g.lowered.desc(), &g.values);
  RC_ASSERT(verify::testing::flow_set(g.model, report) == verify::testing::find_flow_naively(g.model));
}

RC_GTEST_PROP(ValueFlowLaw, EqualsEveryOrder, ()) { law_of_flow(false, judge_by_force); }

RC_GTEST_PROP(ValueFlowLaw, EqualsEveryOrderAndEveryOutcome, ()) { law_of_flow(true, judge_by_force); }

void for_each_order(const models::Model& model, const std::function<void(const std::vector<std::uint32_t>&)>& visit) {
  const auto count = static_cast<std::uint32_t>(model.ops.size());
  std::vector<std::uint32_t> order;
  std::vector<bool> taken(count);
  const std::function<void()> go = [&] {
    if (order.size() == count) visit(order);
    for (std::uint32_t op = 0; op < count; ++op) {
      const bool is_ready = !taken[op] && std::ranges::none_of(model.edges, [&](const models::Edge& edge) {
        return edge.to == op && !taken[edge.from];
      });
      if (!is_ready) continue;
      taken[op] = true;
      order.push_back(op);
      go();
      order.pop_back();
      taken[op] = false;
    }
  };
  go();
}

/// Followed op by op over every order: a reader misses a value on some order exactly where executing the bytes says so,
/// and then L0 lists it; one that L0 lists is missed on some order.
RC_GTEST_PROP(ValueFlowLaw, FollowedReadsMissWhatEveryOrderSaysTheyMiss, ()) {
  law_of_flow(false, [](const FlowCase& g) {
    verify::ReadCheck check(g.lowered.desc(), &g.values);
    std::set<std::uint32_t> followed, executed, listed;
    for_each_order(g.model, [&](const std::vector<std::uint32_t>& order) {
      check.arm();
      for (const std::uint32_t op : order) {
        check.begin(op);
        check.end(op);
      }
      check.finish();
      for (const verify::MissedRead& missed : check.missed()) followed.insert(missed.reader);
    });
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

}  // namespace
}  // namespace detent::laws
