// A law that does not hold is found, made small, and repeated by the command that it prints.
#include "properties/law.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "harness/run_native.hpp"
#include "models/files/graph_file.hpp"
#include "properties/sim/random_chip.hpp"
#include "properties/sim/simulated.hpp"
#include "tests/e2e/program.hpp"
#include "verify/explore/ops/runner.hpp"
#include "verify/explore/threads/threads.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::laws {
namespace {

/// What RapidCheck says about a law that is wrong, and the model of its smallest counterexample.
struct Refuted {
  std::string text;    ///< of the failure
  std::string replay;  ///< its replay line, without "replay: detent "
  models::Model model;
};

Refuted refute(const GraphOptions& options, std::type_identity_t<Repeat<GraphCase>> repeat,
               const std::function<void(const GraphCase&)>& wrong_law) {
  rc::detail::TestParams params;
  params.seed = 1;
  const rc::detail::TestResult result = rc::detail::checkTestable(
      [&] { law_of(graphs(options), repeat, wrong_law); }, rc::detail::TestMetadata{"wrong law", "wrong law"}, params);
  if (!result.is<rc::detail::FailureResult>()) {
    ADD_FAILURE() << "not found";
    return {};
  }
  Refuted refuted;
  refuted.text = result.get<rc::detail::FailureResult>().description;
  const std::string mark = "replay: detent ";
  const std::size_t at = refuted.text.find(mark);
  EXPECT_NE(at, std::string::npos) << refuted.text;
  refuted.replay = refuted.text.substr(at + mark.size());
  EXPECT_EQ(refuted.replay.find('\n'), std::string::npos) << "one line";
  refuted.model = models::read_graph(failure_path("json"));
  return refuted;
}

/// The program says the same as the law.
void expect_repeated(const Refuted& refuted) {
  const e2e::Answer answer = e2e::run_detent(refuted.replay);
  EXPECT_EQ(answer.exit_code, 1) << refuted.replay << "\n" << answer.output << answer.error;
}

TEST(Law, ARaceShrinksToTwoOpsOfOneByte) {
  const Refuted refuted =
      refute({.graph = {.most_ops = 20, .mutexes = true, .delays = true}}, verify_command, [](const GraphCase& g) {
        const models::LoweredModel model = lowered(g);
        RC_ASSERT(verify::find_races(model.desc()).races.count == 0U);
      });
  EXPECT_EQ(refuted.model.ops.size(), 2U);
  EXPECT_TRUE(refuted.model.edges.empty());
  ASSERT_EQ(refuted.model.tensors.size(), 1U);
  EXPECT_EQ(refuted.model.tensors[0].size_bytes, 1U);
  expect_repeated(refuted);
}

TEST(Law, AnOrderThatChangesTheResultIsReplayedNatively) {
  const Refuted refuted = refute({.graph = {.most_ops = 15}}, native_order_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    verify::explore::OpRunner runner(model.desc(), {});
    RC_ASSERT(runner.run(order_of(model.desc(), g.schedule)).digest == serial_digest(model.desc()));
  });
  EXPECT_LE(refuted.model.ops.size(), 3U);
  EXPECT_NE(refuted.replay.find("policy=given order=1,0"), std::string::npos) << refuted.replay;
  expect_repeated(refuted);
}

TEST(Law, AnOrderThatChangesTheResultIsReplayedInSimulation) {
  const Refuted refuted = refute({.graph = {.most_ops = 15}}, simulated_order_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const sim::SimResult result = simulated_in_order(g, model);
    RC_ASSERT(result.digests == std::vector<std::uint64_t>{serial_digest(model.desc())});
  });
  EXPECT_LE(refuted.model.ops.size(), 3U);
  expect_repeated(refuted);
}

TEST(Law, AMakespanIsRepeatedWithItsMachine) {
  const Refuted refuted = refute({.graph = {.most_ops = 15, .npu = true}}, bare_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    RC_ASSERT(simulated_bare(g, model).max_ps <= 50U);
  });
  EXPECT_LE(refuted.model.ops.size(), 2U);
  const e2e::Answer answer = e2e::run_detent(refuted.replay + " --json - --quiet");
  EXPECT_EQ(answer.exit_code, 0) << answer.error;
  EXPECT_GT(e2e::parse(answer)["makespan_ps"]["max"].get<std::uint64_t>(), 50U);
}

TEST(Law, AFailureOfTheEnginesThreadsIsRepeatedAtThatLevel) {
  const Refuted refuted =
      refute({.graph = {.most_ops = 6}, .most_workers = 3}, threads_command, [](const GraphCase& g) {
        const models::LoweredModel model = lowered(g);
        verify::explore::ThreadOptions options;
        options.engine.workers = g.workers;
        options.engine.mode = g.mode;
        options.engine.scheduler = g.scheduler;
        options.seeds.schedule = g.seed;
        options.search = verify::explore::Search::kRotate;
        options.seeds.input = 0;
        options.max_executions = 200;
        options.minimise = false;
        RC_ASSERT(!verify::explore::explore_threads(model.desc(), options).failure.has_value());
      });
  EXPECT_LE(refuted.model.ops.size(), 3U);
  expect_repeated(refuted);
}

/// What the program says of the runs that the command makes.
struct Told {
  std::string status;
  std::vector<std::uint32_t> began, in_flight;
  bool operator==(const Told&) const = default;
};

Told told_of(const harness::FaultRecord& record) {
  return {detent_status_name(record.error.status), record.began(), record.in_flight()};
}

/// A law that says that nothing ever goes wrong: its line makes the same run, op for op.
void expect_exact(std::type_identity_t<Repeat<GraphCase>> repeat, const GraphOptions& options,
                  const std::function<harness::FaultRecord(const GraphCase&, const detent_desc&)>& run) {
  Told last;
  const Refuted refuted = refute(options, repeat, [&](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const harness::FaultRecord record = run(g, model.desc());
    if (record.error.status != DETENT_OK) last = told_of(record);
    RC_ASSERT(record.error.status == DETENT_OK);
  });
  const e2e::Answer answer = e2e::run_detent(refuted.replay + " --json - --quiet");
  EXPECT_EQ(answer.exit_code, 0) << refuted.replay << "\n" << answer.output << answer.error;
  const nlohmann::json json = e2e::parse(answer);
  const Told told{json["status"].get<std::string>(), json["began"].get<std::vector<std::uint32_t>>(),
                  json["in_flight"].get<std::vector<std::uint32_t>>()};
  EXPECT_EQ(told, last) << refuted.replay;
  const auto line = json["replay"].get<std::string>();
  EXPECT_EQ(e2e::run_detent("replay '" + line + "'").exit_code, 0) << line;
}

TEST(Law, FaultsOfANativeRunAreRepeatedExactly) {
  const GraphOptions options{.graph = {.most_ops = 10}, .most_workers = 1, .race_free = true, .faults = true};
  expect_exact(native_fault_command, options, [](const GraphCase& g, const detent_desc& desc) {
    harness::NativeOptions native{
        .engine = {.workers = g.workers, .mode = g.mode, .scheduler = g.scheduler, .policy = g.policy}};
    native.seeds.schedule = g.seed;
    native.faults = g.faults;
    const harness::Run run = harness::run_native(desc, native);
    return run.faults.value_or(harness::FaultRecord{});
  });
}

TEST(Law, FaultsOfASimulatedRunAreRepeatedExactly) {
  const GraphOptions options{.graph = {.most_ops = 10}, .race_free = true, .faults = true, .moments = true};
  for (const bool on_chip : {false, true}) {
    expect_exact(on_chip ? chip_fault_command : bare_fault_command, options,
                 [on_chip](const GraphCase& g, const detent_desc& desc) {
                   harness::FaultRecord first;  // that did not end well
                   sim::SimOptions words = options_of(g);
                   words.faults = g.faults;
                   words.on_faults = [&](std::uint64_t, const harness::FaultRecord& record) {
                     if (first.error.status == DETENT_OK) first = record;
                   };
                   const sim::Platform platform = on_chip ? sim::find_platform("quad_npu") : bare_platform(g);
                   RC_ASSERT(!sim::simulate(desc, platform, words).failure.has_value());
                   return first;
                 });
  }
}

TEST(Law, EveryCommandIsOneThatTheProgramTakes) {
  const GraphCase g =
      graphs({.graph = {.most_ops = 8, .mutexes = true, .delays = true}, .race_free = true, .faults = true})(
          rc::Random(3))
          .value();
  const std::string file = save_case(g, failure_path("json"));
  const auto ordered_chip_command = [](const GraphCase& any, const std::string& path) {
    GraphCase in_order = any;
    while (!follows_order(in_order)) ++in_order.seed;
    return random_chip_command(in_order, path);
  };
  for (const Repeat<GraphCase> repeat : std::initializer_list<Repeat<GraphCase>>{
           verify_command,       bound_command,         explore_command,        threads_command,
           failing_op_command,   failing_start_command, second_answers_command, fault_set_command,
           bare_command,         chip_command,          random_chip_command,    ordered_chip_command,
           native_fault_command, bare_fault_command,    chip_fault_command,     native_order_line,
           simulated_order_line, native_line,           native_digest_line,     native_threads_line}) {
    const std::string command = repeat(g, file).substr(std::string("detent ").size());
    const e2e::Answer answer = e2e::run_detent(command);
    const bool answered = answer.exit_code == 0 || answer.exit_code == 3;  // holds; unknown: a sample
    EXPECT_TRUE(answered) << command << "\n" << answer.output << answer.error;
  }
}

TEST(Law, ExceptionIsAFailureWithALine) {
  const Refuted refuted = refute({}, verify_command, [](const GraphCase& g) {
    if (g.graph.ops.size() > 2) throw std::runtime_error("three ops");
  });
  EXPECT_NE(refuted.text.find("threw: three ops"), std::string::npos);
  EXPECT_EQ(refuted.model.ops.size(), 3U);
}

TEST(Law, DiscardedValuesLeaveNoLine) {
  const auto result =
      rc::detail::checkTestable([] { law_of(graphs(), verify_command, [](const GraphCase&) { RC_DISCARD("no"); }); },
                                rc::detail::TestMetadata{"discarded", "discarded"});
  ASSERT_TRUE(result.is<rc::detail::GaveUpResult>());
  EXPECT_EQ(result.get<rc::detail::GaveUpResult>().description.find("replay:"), std::string::npos);
}

TEST(Law, ValuesOtherThanModelsAreRepeatedByTheirSeed) {
  rc::detail::TestParams params;
  params.seed = 1;
  const auto result = rc::detail::checkTestable(
      [] { law_of_values(rc::gen::inRange(0, 100), [](int value) { RC_ASSERT(value < 5); }); },
      rc::detail::TestMetadata{"wrong", "wrong"}, params);
  ASSERT_TRUE(result.is<rc::detail::FailureResult>());
  const std::string& text = result.get<rc::detail::FailureResult>().description;
  EXPECT_TRUE(std::regex_search(text, std::regex("replay: RC_PARAMS='[^']*' .*law_tests --gtest_filter="
                                                 "Law.ValuesOtherThanModelsAreRepeatedByTheirSeed$")))
      << text;
}

/// Sources of all laws: each law goes through law_of or law_of_values, and there are as many as the documents say.
TEST(Laws, EachPrintsALineThatRepeatsIt) {
  std::size_t laws = 0;
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(DETENT_SOURCE_DIR "/properties")) {
    const std::string path = entry.path().string();
    if (path.size() < 8 || path.substr(path.size() - 8) != "_law.cpp") continue;
    const std::string text = e2e::read_file(path);
    const std::string mark = "RC_GTEST_PROP(";
    for (std::size_t at = text.find(mark); at != std::string::npos;) {
      const std::size_t next = text.find(mark, at + 1);
      const std::string law = text.substr(at, next - at);
      EXPECT_TRUE(law.find("law_of(") != std::string::npos || law.find("law_of_values(") != std::string::npos)
          << path << ": " << law.substr(0, law.find('\n'));
      EXPECT_TRUE(names.insert(law.substr(0, law.find(", ("))).second) << "files of failures would be mixed: " << law;
      ++laws;
      at = next;
    }
  }
  const std::string tour = e2e::read_file(DETENT_SOURCE_DIR "/docs/TOUR.md");
  EXPECT_NE(tour.find(std::to_string(laws) + " laws over random models"), std::string::npos) << laws;
  const std::string verification = e2e::read_file(DETENT_SOURCE_DIR "/docs/VERIFICATION.md");
  EXPECT_NE(verification.find(std::to_string(laws) + " properties over random values"), std::string::npos) << laws;
}

}  // namespace
}  // namespace detent::laws
