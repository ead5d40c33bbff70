#include "app/front/front.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "app/bound/bound_model.hpp"
#include "app/front/checked_plan.hpp"
#include "app/front/dominance.hpp"
#include "app/model/plan.hpp"
#include "base/io.hpp"
#include "models/lower/lower.hpp"
#include "models/plan/memory_plan.hpp"
#include "models/prepare/load.hpp"
#include "tests/app/answers.hpp"
#include "tests/golden.hpp"

namespace detent::app {
namespace {

const std::filesystem::path kFrontPlace = std::filesystem::temp_directory_path() / "detent_front";

/// source -> left_i -> right_i -> join, each branch of 1000 and 100 bytes.
std::string branches_file() {
  std::string buffers = R"({"name": "s", "size": 100})",
              ops = R"({"id": 0, "time_ps": 5, "writes": [{"buffer": "s"}]})";
  std::string edges, ends;
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i), left = std::to_string(2 * i + 1), right = std::to_string(2 * i + 2);
    buffers += R"(, {"name": "l)" + n + R"(", "size": 1000}, {"name": "r)" + n + R"(", "size": 100})";
    ops += R"(, {"id": )" + left + R"(, "time_ps": [10, )" + std::to_string(20 + i) +
           R"(], "reads": [{"buffer": "s"}], "writes": [{"buffer": "l)" + n + R"("}]})";
    ops += R"(, {"id": )" + right + R"(, "time_ps": 30, "reads": [{"buffer": "l)" + n +
           R"("}], "writes": [{"buffer": "r)" + n + R"("}]})";
    edges += "[0, " + left + "], [" + left + ", " + right + "], [" + right + ", 9]" + (i < 3 ? ", " : "");
    ends += (i > 0 ? ", " : "") + (R"({"buffer": "r)" + n + R"("})");
  }
  ops += R"(, {"id": 9, "time_ps": 5, "reads": [)" + ends + R"(], "writes": [{"buffer": "y"}]})";
  buffers += R"(, {"name": "y", "size": 10, "role": "output"})";
  std::filesystem::create_directories(kFrontPlace);
  std::string file = (kFrontPlace / "branches.json").string();
  write_file_atomically(file, R"({"schema": "detent.graph/1", "name": "branches", "buffers": [)" + buffers +
                                  R"(], "ops": [)" + ops + R"(], "edges": [)" + edges + "]}");
  return file;
}

FrontRequest front_of(const std::string& model, const std::string& cores = "4") {
  FrontRequest made;
  made.request.model = model;
  made.cores = cores;
  return made;
}

std::string text_of_lines(const Answer& answer) {
  std::string text;
  for (const std::string& line : answer.lines) text += line + "\n";
  return text;
}

TEST(PlanFront, ProgressAscendsToAllPlans) {
  FrontRequest request = front_of(branches_file());
  request.capacities = 3;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> steps;
  const Answer answer =
      plan_front(request, [&](std::uint64_t done, std::uint64_t total) { steps.emplace_back(done, total); });
  const std::size_t points = answer.json["points"].size();
  ASSERT_EQ(steps.size(), 3 + points) << "capacities between the two ends, then the times of the plans";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].first, i + 1);
    EXPECT_EQ(steps[i].second, i < 3 ? 2U * (3 + 2) : 3 + points);
  }
}

TEST(PlanFront, LessMemoryTakesLonger) {
  const Answer answer = plan_front(front_of(branches_file()), {});
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(answer.json["exact"], true);
  std::uint64_t bytes = 0, time = UINT64_MAX;
  std::size_t on_front = 0;
  for (const Json& point : answer.json["points"]) {
    EXPECT_EQ(point["memory_plan"], "holds");
    EXPECT_EQ(point["method"], "exact");
    if (!point["front"]) continue;
    EXPECT_GT(point["arena_bytes"].get<std::uint64_t>(), bytes);
    EXPECT_LT(point["time_ps"].get<std::uint64_t>(), time);
    bytes = point["arena_bytes"];
    time = point["time_ps"];
    ++on_front;
  }
  EXPECT_GE(on_front, 3U);
  EXPECT_EQ(time, 5U + 23 + 30 + 5) << "four cores: all branches at once";
}

TEST(PlanFront, LinesSayWhatTheJsonSays) {
  const std::string file = branches_file();
  FrontRequest request = front_of(file, "2");
  request.directory = (kFrontPlace / "golden").string();
  const Answer answer = plan_front(request, {});
  expect_golden(text_of(answer, kFrontPlace.string() + "/", ""), "app/front/golden/branches.txt");
}

TEST(PlanFront, WhoIsNotOnTheFrontIsDominatedByAPointThatIs) {
  const Answer answer = plan_front(front_of(branches_file()), {});
  const Json& points = answer.json["points"];
  for (const Json& point : points) {
    EXPECT_EQ(point["dominated_by"].is_null(), point["front"] == true) << point["arena_bytes"];
    if (point["dominated_by"].is_null()) continue;
    const Json& better = points.at(point["dominated_by"].get<std::size_t>());
    EXPECT_LE(better["arena_bytes"], point["arena_bytes"]);
    EXPECT_LE(better["time_ps"], point["time_ps"]);
  }
}

TEST(PlanFront, EndsAreThePlansOfBothOrders) {
  const std::string model = branches_file();
  const Answer answer = plan_front(front_of(model), {});
  PlanRequest request;
  request.request.model = model;
  const Json parallel = plan_model(request).json;
  request.order = "serial";
  const Json serial = plan_model(request).json;
  const Json& points = answer.json["points"];
  EXPECT_EQ(points.back()["arena_bytes"], parallel["arena_bytes"]);
  EXPECT_EQ(points.back()["offsets"], parallel["offsets"]);
  EXPECT_TRUE(points.back()["edges"].empty());
  EXPECT_EQ(points.front()["arena_bytes"], serial["arena_bytes"]);
  EXPECT_EQ(points.front()["offsets"], serial["offsets"]);
}

TEST(PlanFront, ThePackageOfAPointHasItsBytesAndItsTime) {
  FrontRequest request = front_of(branches_file());
  request.directory = (kFrontPlace / "packages").string();
  const Answer answer = plan_front(request, {});
  for (const Json& point : answer.json["points"]) {
    BoundRequest bound;
    bound.request.model = point["file"];
    bound.cores = "4";
    bound.method = "exact";
    EXPECT_EQ(bound_model(bound).json["methods"].back()["bound_ps"], point["time_ps"]);
    PlanRequest plan;
    plan.request.model = point["file"];
    EXPECT_EQ(plan_model(plan).json["arena_bytes"], point["arena_bytes"]);
    EXPECT_EQ(plan_model(plan).json["offsets"], point["offsets"]);
  }
}

TEST(PlanFront, ABoundInPlaceOfAnExactTimeIsSaid) {
  FrontRequest request = front_of(branches_file(), "2");
  request.exact.max_states = 1;
  const Answer answer = plan_front(request, {});
  EXPECT_EQ(answer.outcome, verify::Outcome::kUnknown);
  EXPECT_EQ(answer.json["exact"], false);
  for (const Json& point : answer.json["points"]) {
    EXPECT_NE(point["method"], "exact");
    const bool is_least = point["arena_bytes"] == answer.json["points"][0]["arena_bytes"];
    EXPECT_EQ(point["by_bound"], !is_least) << "only the smallest plan is known to be on the front";
  }
  const std::string screen = text_of_lines(answer);
  EXPECT_NE(screen.find("  by bound"), std::string::npos) << screen;
  EXPECT_NE(screen.find(", 1 on the front between memory and time, "), std::string::npos) << screen;
}

TEST(PlanFront, ThePictureHasAPointForEveryPlan) {
  FrontRequest request = front_of(branches_file());
  request.html = (kFrontPlace / "front.html").string();
  const Answer answer = plan_front(request, {});
  EXPECT_EQ(answer.json["html"], request.html);
  const std::string page = read_regular_file(request.html, 1U << 24U);
  std::size_t discs = 0;
  for (std::size_t at = 0; (at = page.find("<circle class=\"exact", at)) != std::string::npos; ++at) ++discs;
  EXPECT_EQ(discs, answer.json["points"].size()) << "all times are exact";
  static_cast<void>(plan_front(request, {}));
  EXPECT_EQ(page, read_regular_file(request.html, 1U << 24U)) << "equal bytes";
  request.exact.max_states = 1;
  request.cores = "2";
  static_cast<void>(plan_front(request, {}));
  EXPECT_EQ(read_regular_file(request.html, 1U << 24U).find("<circle class=\"exact"), std::string::npos);
}

TEST(PlanFront, TheSameQuestionHasTheSameAnswer) {
  const FrontRequest request = front_of(branches_file());
  EXPECT_EQ(plan_front(request, {}).json.dump(), plan_front(request, {}).json.dump());
}

TEST(PlanFront, ACapacityLeavesLargerPlansOut) {
  FrontRequest request = front_of(branches_file());
  const Json all = plan_front(request, {}).json["points"];
  request.capacity_bytes = all.back()["arena_bytes"].get<std::uint64_t>() - 1;
  const Json some = plan_front(request, {}).json["points"];
  EXPECT_EQ(some.size() + 1, all.size());
  request.capacity_bytes = 64;
  EXPECT_THROW(static_cast<void>(plan_front(request, {})), std::invalid_argument);
}

TEST(PlanFront, AModelWithPlacesHasNoFront) {
  EXPECT_THROW(static_cast<void>(plan_front(front_of("bad_overlap"), {})), std::invalid_argument);
}

TEST(CheckPlan, TellsAPlanThatOnlyOneOrderKeeps) {
  models::Model model = models::load_model(branches_file());
  models::plan_memory(model, {.order = models::PlanOrder::kSerial});
  const CheckedPlan serial = check_plan(model, models::lower(model).desc());
  EXPECT_EQ(serial.memory, verify::Outcome::kViolated);
  EXPECT_FALSE(serial.fault.empty());
  models::plan_memory(model);
  const CheckedPlan parallel = check_plan(model, models::lower(model).desc());
  EXPECT_EQ(parallel.memory, verify::Outcome::kHolds);
  EXPECT_EQ(parallel.fault, "");
}

TEST(Dominance, AFasterPlanOfNoMoreBytesTakesAPlanOffTheFront) {
  const auto found = find_dominated({{10, 100, true}, {20, 100, true}, {30, 50, true}, {30, 60, false}});
  EXPECT_FALSE(found[0]);
  ASSERT_TRUE(found[1]);
  EXPECT_EQ(found[1]->by, 0U);
  EXPECT_FALSE(found[1]->is_by_bound);
  EXPECT_FALSE(found[2]);
  ASSERT_TRUE(found[3]);
  EXPECT_EQ(found[3]->by, 2U);
  EXPECT_TRUE(found[3]->is_by_bound) << "its worst case may be below 50";
}

TEST(Dominance, APlanIsKnownToBeOnTheFrontWhereNoBoundMayHideAFasterOne) {
  const std::vector<PlanCost> costs = {
      {10, 100, false}, {20, 90, true}, {30, 80, true}, {5, 200, true}, {5, 300, false}};
  EXPECT_FALSE(is_front_known(costs, 0)) << "a smaller plan has a bound, and so has it";
  EXPECT_FALSE(is_front_known(costs, 1)) << "the worst case of the plan of 10 bytes may be 90 or less";
  EXPECT_TRUE(is_front_known({{10, 100, false}, {20, 90, true}}, 0)) << "none is as small";
  EXPECT_FALSE(is_front_known({{10, 100, false}, {10, 90, true}}, 1));
  EXPECT_TRUE(is_front_known({{10, 100, true}, {20, 90, true}, {30, 10, false}}, 1)) << "a larger one does not count";
}

TEST(Dominance, UnknownTimesDominateNothing) {
  const auto found = find_dominated({{10, UINT64_MAX, false}, {20, 7, true}});
  EXPECT_FALSE(found[0] || found[1]);
}

}  // namespace
}  // namespace detent::app
