// Lists that end on the screen after so many rows: as many are shown whole, one more is counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/bound/bound_model.hpp"
#include "app/bound/sensitivity.hpp"
#include "app/model/memory_problem.hpp"
#include "app/replay/fault_tally.hpp"
#include "app/runs/simulated_run.hpp"
#include "app/static/verify_model.hpp"
#include "tests/app/answers.hpp"
#include "tests/app/bound/exact_request.hpp"

namespace detent::app::shown_rows {
namespace {

std::ptrdiff_t count_with(const Lines& lines, const std::string& part) {
  return std::ranges::count_if(lines, [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

bool has_line(const Lines& lines, const std::string& text) { return std::ranges::count(lines, text) != 0; }

/// Ops one after the other: t0 (1 ns), t1 (2 ns) and so on.
std::string chain_of(std::size_t ops, const std::string& further = "") {
  std::string text = R"({"schema": "detent.graph/2", "name": "chain", "ops": [)", edges;
  for (std::size_t op = 0; op < ops; ++op) {
    const std::string time = std::to_string((op + 1) * 1000);
    text += (op == 0 ? "" : ",\n") + std::string(R"({"name": "t)") + std::to_string(op) + R"(", "id": )" +
            std::to_string(op) + R"(, "time_ps": [)" + time + ", " + time + "]" + further + "}";
    if (op > 0) edges += (op == 1 ? "[" : ", [") + std::to_string(op - 1) + ", " + std::to_string(op) + "]";
  }
  return text + R"(], "edges": [)" + edges + "]}";
}

Lines bound_lines(const std::string& text, bool budget = false) {
  const TemporaryDirectory directory;
  BoundRequest request = exact_request(directory.write("model.json", text), "1");
  request.budget = budget;
  return bound_model(request).lines;
}

TEST(ShownRows, RunThatAttainsTheWorstCaseEndsAfter24Ops) {
  EXPECT_EQ(count_with(bound_lines(chain_of(24)), " after them; --json FILE lists all"), 0);
  const Lines lines = bound_lines(chain_of(25));
  EXPECT_EQ(lines.back(), "and 1 op after them; --json FILE lists all");
  EXPECT_TRUE(lines[lines.size() - 2].starts_with("t23 ")) << lines[lines.size() - 2];
  EXPECT_TRUE(has_line(bound_lines(chain_of(27)), "and 3 ops after them; --json FILE lists all"));
}

TEST(ShownRows, ResponsesAreThoseOfTheLast12Ops) {
  EXPECT_EQ(count_with(bound_lines(chain_of(12)), " before them; --json FILE lists all"), 0);
  EXPECT_TRUE(has_line(bound_lines(chain_of(13)), "and 1 op before them; --json FILE lists all"));
}

/// A table of ops, the longest first, and one row for those that are left.
TEST(ShownRows, BudgetEndsAfter12OpsAndSumsUpTheOthers) {
  EXPECT_EQ(count_with(bound_lines(chain_of(12), true), " more "), 0);
  const Lines lines = bound_lines(chain_of(14), true);
  const auto rest =
      std::ranges::find_if(lines, [](const std::string& line) { return line.find("2 more ") != std::string::npos; });
  ASSERT_NE(rest, lines.end());
  EXPECT_NE(rest->find(" 3.00 ns"), std::string::npos) << *rest << ": t0 and t1 take 1 ns and 2 ns";
}

/// Decisions that do not depend on each other: each op of two branches takes another time.
std::string decisions(std::size_t count) {
  std::string text =
      R"({"schema": "detent.graph/2", "name": "ways", "regions": [{"name": "r", "size": 1024}], "ops": [)";
  std::string edges;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string value = "c" + std::to_string(i), id = std::to_string(3 * i);
    const std::string range =
        R"([{"region": "r", "offset": )" + std::to_string(8 * i) + R"(, "size": 8, "value": ")" + value + R"("}])";
    text += (i == 0 ? "" : ",\n") + std::string(R"({"id": )") + id + R"(, "name": "d)" + id +
            R"(", "time_ps": [1000, 1000], "writes": )" + range + "}";
    for (std::size_t side = 0; side < 2; ++side) {
      const std::string own = std::to_string(3 * i + 1 + side);
      const std::string time = std::to_string((side + 1) * 1000 << i);
      text += R"(, {"id": )" + own + R"(, "name": "b)" + own + R"(", "guard": ")" + value +
              (side == 0 ? "=then" : "=else") + R"(", "time_ps": [)" + time + ", " + time + R"(], "reads": )" + range +
              "}";
      edges += (edges.empty() ? "[" : ", [") + id + ", " + own + "]";
    }
  }
  return text + R"(], "edges": [)" + edges + "]}";
}

TEST(ShownRows, EightCombinationsOfOutcomesAreShownTheLongestFirst) {
  const Lines eight = bound_lines(decisions(3));
  EXPECT_EQ(count_with(eight, " at most where "), 8);
  EXPECT_EQ(count_with(eight, "that take no longer"), 0);
  const Lines sixteen = bound_lines(decisions(4));
  EXPECT_EQ(count_with(sixteen, " at most where "), 8);
  EXPECT_TRUE(has_line(sixteen, "and 8 combinations that take no longer; --json FILE lists all"));
  const auto first = std::ranges::find_if(
      sixteen, [](const std::string& line) { return line.find(" at most where ") != std::string::npos; });
  EXPECT_NE(first->find("34.0 ns  at most where"), std::string::npos)
      << *first << ": 4 ns of decisions, 2 + 4 + 8 + 16";
}

Sensitivity groups(std::size_t count, bool guess) {
  Sensitivity made{.groups = {}, .all = count, .limit = "a limit"};
  for (std::size_t i = 0; i < count; ++i) {
    made.groups.push_back(
        {.ops = {0}, .name = "k" + std::to_string(i), .core = "cpu", .is_guess = guess, .moves_ps = 10 - i});
  }
  return made;
}

TEST(ShownRows, FiveTimesToMeasureFirst) {
  EXPECT_EQ(measure_first_lines(groups(5, true), true).size(), 6U) << "and the limit";
  const Lines lines = measure_first_lines(groups(6, true), true);
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_TRUE(lines[0].starts_with("measure first: k0 on cpu (1 op): ")) << lines[0];
  EXPECT_TRUE(lines[4].starts_with("  then k4 on cpu (1 op): ")) << lines[4];
  EXPECT_EQ(lines[5], "  of a limit");
  EXPECT_TRUE(measure_first_lines(groups(2, false), true)[0].starts_with("moves it most: k0: "));
  EXPECT_EQ(measure_first_lines(groups(6, true), false).size(), 1U);
  EXPECT_TRUE(measure_first_lines(groups(6, false), false).empty()) << "no guess";
  Sensitivity still = groups(3, true);
  still.groups[1].moves_ps = 0;
  EXPECT_EQ(measure_first_lines(still, true).size(), 2U) << "what does not move the bound ends the list";
  still.groups[0].moves_ps.reset();
  EXPECT_EQ(measure_first_lines(still, true), Lines{"  of a limit"});
}

Answer placed(std::size_t buffers, std::uint64_t capacity_bytes) {
  const TemporaryDirectory directory;
  std::string text = "id,lower,upper,size,hint\n";
  for (std::size_t i = 0; i < buffers; ++i) text += "b" + std::to_string(i) + ",0,5," + std::to_string(i + 1) + ",0\n";
  MemoryProblemRequest wanted;
  wanted.request.reproducible = true;
  wanted.file = directory.write("p.csv", text);
  wanted.capacity_bytes = capacity_bytes;
  return place_problem(wanted, {});
}

/// All buffers live at once, so that any placement is as high as their sum.
TEST(ShownRows, EightBuffersOfAProblem) {
  const Answer eight = placed(8, 0);
  EXPECT_EQ(eight.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(eight.json["height_bytes"], 36);
  EXPECT_EQ(eight.json["lower_bound_bytes"], 36);
  EXPECT_EQ(eight.json["placed"], true);
  EXPECT_EQ(eight.json["proven"], true);
  EXPECT_EQ(eight.json["capacity_bytes"], 0);
  EXPECT_EQ(eight.json["unused_columns"], Json::array({"hint"}));
  EXPECT_EQ(eight.json["offsets"].size(), 8U);
  EXPECT_LE(eight.json["nodes"], eight.json["max_nodes"]);
  EXPECT_TRUE(has_line(eight.lines, "  column hint is without effect"));
  EXPECT_EQ(count_with(eight.lines, " more; "), 0);
  EXPECT_EQ(count_with(eight.lines, "  capacity "), 0);
  const Answer nine = placed(9, 45);
  EXPECT_EQ(nine.outcome, verify::Outcome::kHolds) << "as high as the capacity";
  EXPECT_EQ(nine.lines.back(), "and 1 more; --json FILE lists them");
  EXPECT_TRUE(has_line(nine.lines, "  capacity     45 bytes (45 B)"));
  EXPECT_TRUE(has_line(nine.lines, "  lower bound  45 bytes live at one time; the height is 0.0 % above"));
  const Answer high = placed(9, 44);
  EXPECT_EQ(high.outcome, verify::Outcome::kViolated);
  EXPECT_EQ(high.json["placed"], false);
  EXPECT_EQ(high.json["proven"], true);
}

TEST(ShownRows, SixteenCoresOfASimulation) {
  const auto lines_of = [](const std::string& cores) {
    SimulateRequest request;
    request.request.model = "diamond";
    request.simulation.cores = cores;
    request.simulation.runs = 2;
    const SimulationStart start = start_simulation(request, {});
    return simulate(request, start.loaded, start.platform, nullptr, {}).lines;
  };
  EXPECT_EQ(count_with(lines_of("16"), " more; --json FILE lists them"), 0);
  EXPECT_TRUE(has_line(lines_of("17"), "and 1 more; --json FILE lists them"));
}

TEST(ShownRows, SixteenCallsOfADevice) {
  const TemporaryDirectory directory;
  const LoadedModel loaded = load(directory.write("chain.json", chain_of(18)), {});
  const harness::Faults faults{
      .late_devices = {{.device = "cpu", .calls = {.first = 2, .onward = true}, .delay_ps = 9}}};
  const auto line_of = [&](std::size_t calls) {
    harness::FaultRecord record;
    for (std::uint32_t op = 0; op < calls; ++op) {
      record.events.push_back({.op = op, .device_call = op + 2, .is_device_fault = true});
    }
    FaultTally tally(loaded.desc(), faults, std::nullopt);
    tally.add(0, record);
    const Lines lines = tally.lines();
    return *std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("devices "); });
  };
  EXPECT_TRUE(line_of(16).ends_with(", call 16 is op 14, call 17 is op 15")) << line_of(16);
  EXPECT_TRUE(line_of(17).ends_with(", call 17 is op 15, and 1 more")) << line_of(17);
}

TEST(ShownRows, ThreeOpsOfUnknownFootprint) {
  const auto summary_of = [](std::size_t ops) {
    const TemporaryDirectory directory;
    VerifyRequest request;
    request.request.model = directory.write("model.json", chain_of(ops, R"(, "footprint": "unknown")"));
    std::string found;
    const Answer answer = verify_model(request, {});
    for (const Json& verdict : answer.json["verdicts"]) found += verdict.dump() + "\n";
    return found;
  };
  EXPECT_NE(summary_of(3).find("op 0 (t0), op 1 (t1), op 2 (t2) may touch"), std::string::npos) << summary_of(3);
  EXPECT_NE(summary_of(4).find("op 2 (t2) and 1 more may touch"), std::string::npos) << summary_of(4);
}

}  // namespace
}  // namespace detent::app::shown_rows
