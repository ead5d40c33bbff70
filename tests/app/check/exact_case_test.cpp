// The exact worst case in a check: as detent bound has it, drawn, between the longest simulated run and the bounds; and
// why there is none.
#include "app/check/exact_case.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "app/bound/bound_model.hpp"
#include "app/check/check_summary.hpp"
#include "app/check/judged_bound.hpp"
#include "app/check/reported_check.hpp"
#include "base/io.hpp"
#include "tests/app/answers.hpp"
#include "tests/app/bound/exact_request.hpp"

namespace detent::app {
namespace {

/// Graham 1969, figure 1, each op up to 1 ns shorter: nine tasks on three processors.
std::string nine_tasks() {
  const std::vector<int> times{3, 2, 2, 2, 4, 4, 4, 4, 9};
  std::string text = R"({"schema": "detent.graph/1", "name": "graham", "regions": [], "ops": [)";
  for (std::size_t op = 0; op < times.size(); ++op) {
    text += (op == 0 ? "" : ",\n") + std::string(R"({"id": )") + std::to_string(op) + R"(, "name": "t<)" +
            std::to_string(op + 1) + R"(>", "time_ps": [)" + std::to_string((times[op] - 1) * 1000) + ", " +
            std::to_string(times[op] * 1000) + R"(], "reads": [], "writes": []})";
  }
  return text + R"(], "edges": [[0, 8], [3, 4], [3, 5, 0, 500], [3, 6], [3, 7]]})";
}

class ExactInCheck : public ::testing::Test {
 protected:
  [[nodiscard]] CheckRequest request_of(const std::string& model, const std::string& cores = "3") const {
    CheckRequest made;
    made.check.request = {.model = model, .seeds = {.schedule = 1}, .reproducible = true};
    made.check.simulation.cores = cores;
    made.check.simulation.runs = 20;
    made.check.schedules = 0;
    made.directory = place_.file("out");
    return made;
  }
  [[nodiscard]] Answer checked(const CheckRequest& request) const {
    return report_check(request, start_check(request), 120, {});
  }
  [[nodiscard]] std::string page() const {
    return read_regular_file(place_.file("out") + "/report.html", std::uint64_t{1} << 24U);
  }
  [[nodiscard]] std::string graham() const { return place_.write("graham.json", nine_tasks()); }

  TemporaryDirectory place_;
};

TEST_F(ExactInCheck, IsThatOfBoundWithItsWitness) {
  for (const char* policy : {"id", "priority", "critical-path", "fifo"}) {
    CheckRequest request = request_of(graham());
    request.check.schedule.engine.policy = policy;
    const Answer answer = checked(request);
    BoundRequest bound = exact_request(graham(), "3");
    bound.exact.policy = policy;
    const Json told = bound_model(bound).json;
    const Json& exact = answer.json["exact"];
    EXPECT_EQ(exact["worst_ps"], told["methods"].back()["bound_ps"]) << policy;
    EXPECT_EQ(exact["best_ps"], told["best_ps"]) << policy;
    EXPECT_EQ(exact["witness"].dump(), told["witness"].dump()) << policy;
    EXPECT_EQ(exact["best_witness"].dump(), told["best_witness"].dump()) << policy;
    EXPECT_LE(answer.json["simulated"]["makespan_ps"]["max"], exact["worst_ps"]) << policy;
    EXPECT_FALSE(exact.contains("fault"));
  }
}

TEST_F(ExactInCheck, IsDrawnWithTheOpsThatMakeItLonger) {
  const Answer answer = checked(request_of(graham()));
  ASSERT_FALSE(answer.json["exact"]["witness"]["shorter"].empty());
  const std::string html = page();
  EXPECT_NE(html.find("id=\"exact\""), std::string::npos);
  EXPECT_NE(html.find("scheduling anomaly"), std::string::npos);
  EXPECT_NE(html.find("<svg class=\"exact-run\""), html.rfind("<svg class=\"exact-run\"")) << "two runs";
  EXPECT_EQ(html.find("t<1>"), std::string::npos) << "names are text";
  EXPECT_NE(answer.lines.at(0).find("exact worst case under policy id: "), std::string::npos) << answer.lines.at(0);
  EXPECT_NE(answer.lines.at(0).find("run longer"), std::string::npos) << answer.lines.at(0);
}

TEST_F(ExactInCheck, ClaimsNoMoreInItsVerdicts) {
  CheckRequest request = request_of(graham());
  const Json with = checked(request).json;
  request.check.max_states = 0;
  const Json without = checked(request).json;
  for (const char* key : {"verdicts", "answers", "methods", "bounds"}) EXPECT_EQ(with[key], without[key]) << key;
}

TEST_F(ExactInCheck, SaysWhyThereIsNone) {
  const auto why = [&](const CheckRequest& request) {
    const Json exact = checked(request).json["exact"];
    EXPECT_TRUE(exact["worst_ps"].is_null());
    return exact["why_not"].get<std::string>();
  };
  CheckRequest request = request_of(graham());
  request.check.max_states = 0;
  EXPECT_EQ(why(request), "it was not asked for: --max-states is 0");
  request.check.max_states = 3;
  EXPECT_EQ(why(request), "more than 3 symbolic states; --max-states allows more");
  EXPECT_NE(page().find("Not known: more than 3 symbolic states; "), std::string::npos);
  request = request_of(graham());
  request.check.schedule.engine.mode = DETENT_MODE_SERIAL;
  EXPECT_NE(why(request).find("closed loop"), std::string::npos);
  request = request_of(graham());
  request.check.schedule.engine.policy = "random";
  EXPECT_NE(why(request).find("not of random"), std::string::npos);
  request = request_of("branchnet", "");
  EXPECT_NE(why(request).find("the scheduler takes time"), std::string::npos);
}

TEST_F(ExactInCheck, OfAModelWithGuardsItIsOfTheOutcomesThatAreSimulated) {
  CheckRequest request = request_of(place_.write("g.json", R"({"schema": "detent.graph/2", "name": "g",
    "regions": [{"name": "ws", "size": 64}], "ops": [
    {"id": 0, "name": "c", "time_ps": [1000, 1000]},
    {"id": 1, "guard": "c=then", "time_ps": [10000, 10000]},
    {"id": 2, "guard": "c=else", "time_ps": [30000, 30000]}], "edges": [[0, 1], [0, 2]]})"));
  request.check.model.guards = ModelOptions::Guards::kResolved;
  request.check.model.outcomes = "c=then";
  const Answer answer = checked(request);
  EXPECT_EQ(answer.json["exact"]["worst_ps"], 11'000);
  EXPECT_EQ(answer.json["budget"]["bound_ps"], 31'000) << "bounds are of all outcomes";
  EXPECT_NE(answer.outcome, verify::Outcome::kViolated);
  EXPECT_TRUE(checked(request_of("cascade", "2")).json["exact"]["worst_ps"].is_null()) << "values decide";
}

TEST_F(ExactInCheck, TimelinesHaveALaneForEveryCore) {
  const LoadedModel loaded = load(graham(), {});
  verify::TimingProblem problem;
  problem.cores = std::vector<std::uint32_t>(loaded.desc().class_count, 0);
  problem.cores[0] = 3;
  verify::ListRun run;
  const std::uint32_t ops = loaded.desc().op_count;
  run.begin_ps.assign(ops, 5);
  run.end_ps.assign(ops, 9);
  run.core.assign(ops, 0);
  run.core[1] = 2;
  run.makespan_ps = 9;
  const reports::TimelineRun made = timeline_of("t", loaded.desc(), problem, run);
  ASSERT_EQ(made.lanes.size(), 2U + loaded.desc().class_count) << "three cores, and one lane for a class of delays";
  EXPECT_EQ(made.lanes[2], std::string(loaded.desc().classes[0].name) + "2");
  for (const harness::Span& span : made.trace.spans) {
    const bool is_delay = loaded.desc().ops[span.op].core_class != 0;
    EXPECT_EQ(span.slot, is_delay ? 3U : run.core[span.op]) << span.op;
  }
}

TEST(ExactStates, AreFewerOfLargeModelsAndOfManyOpsAtOnce) {
  const auto states = [](std::size_t ops, std::uint32_t cores) {
    verify::TimingProblem problem;
    problem.ops.resize(ops);
    problem.cores = {cores};
    return states_within_a_second(problem);
  };
  EXPECT_EQ(states(9, 3), 16'000U);
  EXPECT_EQ(states(1, 0), 18'348U);
  EXPECT_LT(states(100, 8), states(100, 4));
  EXPECT_LT(states(3'000, 64), 100U);
  EXPECT_LT(states(10'000, 0), states(10'000, 4)) << "delays all run at once";
  EXPECT_GE(states(2'000'000, 0), 1U);
}

TEST(CheckContradictions, TimesInTheWrongOrderAreFaults) {
  CheckResult result;
  result.bounds = {{"critical_path", 300, false, false, ""}, {"typed", 100, true, false, ""}};
  result.exact = reports::ExactCase{.policy = "id", .worst_ps = 90};
  EXPECT_EQ(contradictions_of(90, result), "");
  EXPECT_NE(contradictions_of(91, result).find("simulated maximum <= exact worst case: 91 ps <= 90 ps"),
            std::string::npos);
  result.exact->worst_ps = 101;
  EXPECT_NE(contradictions_of(90, result).find("exact worst case <= typed bound: 101 ps <= 100 ps"), std::string::npos);
  EXPECT_EQ(judge_bound(90, result).outcome, verify::Outcome::kViolated);
  result.exact->why_not = "more than 3 symbolic states";
  EXPECT_EQ(contradictions_of(200, result), "") << "nothing is claimed";
  result.exact = reports::ExactCase{.policy = "id", .worst_ps = 95, .fault = "the zones claim more"};
  EXPECT_EQ(contradictions_of(90, result), "the zones claim more");
}

}  // namespace
}  // namespace detent::app
