#include "app/replay/fault_options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "app/replay/replay_worlds.hpp"
#include "app/runs/native_run.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

using verify::Outcome;
using Words = std::vector<std::pair<std::string, std::string>>;  ///< key and value of options

RunRequest faulty_run_of(const Words& words, std::uint32_t workers = 1) {
  RunRequest made;
  made.request = {.model = "diamond", .reproducible = true};
  made.schedule.engine.workers = workers;
  for (const auto& [key, value] : words) {
    const auto place = std::ranges::find(harness::fault_keys(), key) - harness::fault_keys().begin();
    made.faults.values.at(static_cast<std::size_t>(place)).push_back(value);
  }
  return made;
}

std::string refusal_of_words(const Words& words) {
  return refusal_of([&] { return run_once(faulty_run_of(words)).outcome; });
}

TEST(FaultOptionsOfRuns, EachFaultIsAnsweredWithItsStatusAndRepeatedByItsLine) {
  const std::pair<Words, const char*> rows[] = {
      {{{"fail_op", "1=42"}}, "KERNEL_FAILED"},
      {{{"late_op", "1=2ms"}}, "OK"},
      {{{"late_op", "1=2ms"}, {"deadline_op", "5us"}}, "TIMEOUT"},
      {{{"hang_op", "2"}, {"deadline_op", "5us"}}, "TIMEOUT"},
      {{{"fail_device", "cpu"}}, "KERNEL_FAILED"},
      {{{"fail_device", "cpu,2+=7"}}, "KERNEL_FAILED"},
      {{{"late_device", "cpu,3=2ms"}}, "OK"},
      {{{"late_device", "cpu,3=2ms"}, {"deadline_op", "5us"}}, "TIMEOUT"},
      {{{"hang_device", "cpu,4"}, {"deadline_op", "5us"}}, "TIMEOUT"},
      {{{"answer_twice", "1"}}, "OK"},
      {{{"cancel_at", "1"}}, "CANCELLED"},
      {{{"cancel_at", "1:end"}}, "CANCELLED"},
  };
  for (const auto& [words, status] : rows) {
    const Answer answer = run_once(faulty_run_of(words));
    const std::string what = words.front().first + "=" + words.front().second;
    EXPECT_EQ(answer.outcome, Outcome::kHolds) << what;
    EXPECT_EQ(answer.json["status"], status) << what;
    EXPECT_EQ(answer.json["again"]["status"], "OK") << what;
    const ReplayLine line = parse_replay_line(answer.json["replay"].get<std::string>());
    const LoadedModel loaded = load_for(line, {});
    EXPECT_EQ(difference_to(line, replay_in_world(line, loaded, {}, {})), "") << what;
    expect_same_answer(answer, run_once(faulty_run_of(words)));
  }
}

TEST(FaultOptionsOfRuns, WorkerThatCannotStartIsAnsweredOnAnyNumberOfWorkers) {
  for (const std::uint32_t workers : {2U, 3U}) {
    const Answer answer = run_once(faulty_run_of({{"fail_start", "1"}}, workers));
    EXPECT_EQ(answer.json["status"], "WORKER_FAILED") << workers;
    EXPECT_EQ(answer.outcome, Outcome::kHolds) << workers;
  }
}

TEST(FaultOptionsOfRuns, InvalidValuesAreRefusedWithTheirOptionAndARemedy) {
  const std::pair<Words, const char*> rows[] = {
      {{{"fail_op", "x"}}, "--fail-op 'x': must begin with the id of an op"},
      {{{"fail_op", "1=0"}}, "--fail-op '1=0': the number after '='"},
      {{{"late_op", "1"}}, "--late-op '1': must be OP=TIME"},
      {{{"fail_device", "npu+"}}, "--fail-device 'npu+': must begin with the name of a class of cores"},
      {{{"late_device", "cpu,1"}}, "--late-device 'cpu,1': must be CLASS=TIME"},
      {{{"hang_device", "cpu,0"}}, "--hang-device 'cpu,0': what stands after ','"},
      {{{"fail_device", "npu"}}, "device npu: the model has the classes cpu"},
      {{{"hang_device", "cpu"}}, "device cpu hangs: without a deadline or a watchdog the run never ends"},
      {{{"cancel_at", ""}}, "--cancel-at"},
      {{{"deadline_op", "0us"}}, "--deadline-op"},
      {{{"fail_start", "0"}}, "--fail-start"},
  };
  for (const auto& [words, place] : rows) {
    EXPECT_NE(refusal_of_words(words).find(place), std::string::npos) << place << ": " << refusal_of_words(words);
  }
  EXPECT_NE(refusal_of_words({{"hang_op", "1"}}), "") << "an op that never ends needs a deadline";
  EXPECT_NE(refusal_of_words({{"fail_op", "9"}}), "") << "there are four ops";
}

TEST(FaultOptions, CallsAreToldInTheAnswer) {
  const harness::Faults faults{.failing_ops = {{.op = 3, .calls = {.first = 2, .onward = true}, .code = 9}},
                               .failing_devices = {{.device = "npu"}},
                               .late_devices = {{.device = "cpu", .calls = {.first = 4}, .delay_ps = 5},
                                                {.device = "npu", .calls = {.first = 1, .onward = true}}}};
  EXPECT_EQ(faults_json(faults).dump(), R"({"fail_op":[{"op":3,"call":2,"onward":true,"code":9}],)"
                                        R"("fail_device":[{"device":"npu","call":0,"onward":false,"code":1}],)"
                                        R"("late_device":[{"device":"cpu","call":4,"onward":false,"delay_ps":5}],)"
                                        R"("hang_device":[{"device":"npu","call":1,"onward":true}]})");
}

/// Both convolutions of the zoo model are on its NPU, which dies before or between them; the cores compute the same.
TEST(FaultOptionsOfRuns, ModelWithFallbacksSurvivesItsDevice) {
  const auto fallback_with = [](const char* device) {
    RunRequest request = faulty_run_of({{"fail_device", device}});
    request.request.model = "fallback";
    return run_once(request);
  };
  for (const char* const device : {"npu", "npu,1", "npu,2+"}) {
    const Answer answer = fallback_with(device);
    EXPECT_EQ(answer.outcome, Outcome::kHolds) << device;
    EXPECT_EQ(answer.json["status"], "OK") << device;
    EXPECT_EQ(answer.json["digest"], answer.json["digest_without_faults"]) << device;
  }
  EXPECT_EQ(fallback_with("npu").json["device_faults"].size(), 2U);
  EXPECT_EQ(fallback_with("npu,2+").json["device_faults"].size(), 1U);
  EXPECT_EQ(fallback_with("npu,3+").outcome, Outcome::kUnknown) << "called twice only";
}

TEST(FaultOptions, EachKeyIsAnOptionWithItsText) {
  for (const bool simulated : {false, true}) {
    const std::vector<FaultOption> options = fault_options(simulated);
    ASSERT_EQ(options.size(), harness::fault_keys().size());
    for (std::size_t i = 0; i < options.size(); ++i) {
      EXPECT_EQ(options[i].name, harness::fault_option(harness::fault_keys()[i]));
      EXPECT_TRUE(options[i].text.starts_with("F")) << options[i].text;
      EXPECT_FALSE(options[i].type.empty());
    }
  }
}

TEST(FaultOptions, OnlySimulatedRunsAreCancelledAtATime) {
  const std::vector<FaultOption> native = fault_options(false), simulated = fault_options(true);
  for (std::size_t i = 0; i < native.size(); ++i) {
    EXPECT_EQ(native[i].text == simulated[i].text, native[i].name != "--cancel-at") << native[i].name;
  }
  const auto cancel = std::ranges::find(simulated, "--cancel-at", &FaultOption::name);
  EXPECT_TRUE(cancel->text.ends_with("or at a time with its unit; --cancel-at 4:end, --cancel-at 15us"));
}

}  // namespace
}  // namespace detent::app
