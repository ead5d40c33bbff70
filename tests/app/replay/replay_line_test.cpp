#include "app/replay/replay_line.hpp"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <stdexcept>

namespace detent::app {
namespace {

TEST(ReplayLine, JitterRulesMayNameOpsWithSpaces) {
  ReplayLine line;
  line.model = "m";
  line.on = "sim";
  line.jitter = "conv 1*=worst,pareto:0.1:1.5;corr=core:0.5";
  const std::string text = format_replay_line(line);
  EXPECT_EQ(parse_replay_line(text).jitter, line.jitter) << text;
}

TEST(ReplayLine, RoundTripsEveryField) {
  ReplayLine line;
  line.model = "my net%1.json";
  line.on = "sim";
  line.engine.workers = 3;
  line.seeds.schedule = 18446744073709551615ULL;
  line.engine.mode = DETENT_MODE_STATIC;
  line.engine.policy = "given";
  line.split = 4;
  line.seeds.input = 5;
  line.platform = "chips/my chip.toml";
  line.jitter = "uniform:0.2";
  line.npu = false;
  line.overheads = false;
  line.engine.order = {2, 0, 1};
  line.before = {{7, 3}, {2, 9}};
  line.digest = "00ff00ff00ff00ff";
  line.makespan_ps = 77;
  const std::string text = format_replay_line(line);
  const ReplayLine back = parse_replay_line(text);
  EXPECT_EQ(format_replay_line(back), text);
  EXPECT_EQ(back.model, line.model);
  EXPECT_EQ(back.platform, line.platform);
  EXPECT_EQ(back.engine.order, line.engine.order);
  EXPECT_EQ(back.before, line.before);
  EXPECT_EQ(back.seeds.schedule, line.seeds.schedule);
  EXPECT_FALSE(back.npu);
  EXPECT_FALSE(back.overheads);
}

TEST(ReplayLine, RoundTripsFaultsAndHowTheRunEnded) {
  ReplayLine line;
  line.model = "m";
  line.on = "sim";
  line.faults = {
      .failing_ops = {{.op = 1}, {.op = 3, .code = -42}},
      .late_ops = {{2, 1'500'000}, {5, harness::LateOp::kNever}},
      .failing_devices = {{.device = "cpu", .code = 7}, {.device = "npu", .calls = {.first = 3, .onward = true}}},
      .late_devices = {{.device = "npu", .calls = {.first = 2}, .delay_ps = 1'000}, {.device = "x-1"}},
      .answered_twice = {4},
      .cancel_at = {{.moment = harness::CancelAt::Moment::kTime, .time_ps = 5'000}},
      .op_deadline_ps = 7,
      .failing_start = 1};
  line.ended = {.status = "TIMEOUT", .op = 5, .code = 0, .began = {0, 1, 2, 5}, .in_flight = {5}};
  const std::string text = format_replay_line(line);
  EXPECT_EQ(text,
            "detent-replay/1 model=m on=sim workers=0 seed=0 mode=closed-loop policy=id split=1 input_seed=0 platform= "
            "jitter= npu=1 overheads=1 fail_op=1;3=-42 late_op=2=1500ns hang_op=5 fail_device=cpu=7;npu,3+ "
            "late_device=npu,2=1ns hang_device=x-1 answer_twice=4 cancel_at=5ns deadline_op=7ps fail_start=1 "
            "status=TIMEOUT error_op=5 began=0-2,5 in_flight=5");
  const ReplayLine back = parse_replay_line(text);
  EXPECT_EQ(back.faults, line.faults);
  EXPECT_EQ(back.ended, line.ended);
  EXPECT_EQ(format_replay_line(back), text);
}

std::string refusal_of_line(const std::string& words) {
  try {
    parse_replay_line("detent-replay/1 model=m on=sim " + words);
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

TEST(ReplayLine, InvalidValueIsRefusedWithTheValidOnes) {
  EXPECT_EQ(refusal_of_line("npu=7"), "replay line: 'npu=7': must be 0 or 1");
  EXPECT_EQ(refusal_of_line("migrating="), "replay line: 'migrating=': must be 0 or 1");
  EXPECT_EQ(refusal_of_line("split=-1"), "replay line: 'split=-1': needs a whole number from 0 to 4294967295");
  EXPECT_EQ(refusal_of_line("error_code=x"),
            "replay line: 'error_code=x': needs a whole number from -2147483648 to 2147483647");
  EXPECT_EQ(refusal_of_line("order=0,1,"), "replay line: 'order=0,1,': ends with a comma; leave it out");
  EXPECT_EQ(refusal_of_line("before=1<2,"), "replay line: 'before=1<2,': ends with a comma; leave it out");
  EXPECT_EQ(refusal_of_line("ops=1-3,"), "replay line: '1-3,': ends with a comma; leave it out");
}

TEST(ReplayLine, ChosenTimesAreOfPlainSimulatedRuns) {
  EXPECT_EQ(refusal_of_line("times=worst,3:best ties=3"), "");
  for (const char* const words : {"times=worst before=1<2", "ties=3 fail_op=1", "times=worst on=native"}) {
    const std::string head = "detent-replay/1 model=m ";
    const std::string world = std::string(words).find("on=") == std::string::npos ? "on=sim " : "";
    EXPECT_THROW(parse_replay_line(head + world + words), std::invalid_argument) << words;
  }
}

TEST(ReplayLine, InvalidFaultsAreRefused) {
  const std::string head = "detent-replay/1 model=m on=native ";
  for (const char* words :
       {"fail_op=", "fail_op=1;", "fail_op=1;1", "fail_op=1=0", "hang_op=1;late_op=2=5us", "cancel_at=1;2",
        "deadline_op=0", "fail_device=", "fail_device=npu;npu", "fail_device=npu,2;npu,2+", "fail_device=n%20pu",
        "hang_device=npu;late_device=npu=5us", "late_device=npu", "error_code=4294967296", "began=3,1",
        "fail_op=1 before=1<2", "fail_op=1 fail_op=2"}) {
    EXPECT_THROW(parse_replay_line(head + words), std::invalid_argument) << words;
  }
  EXPECT_THROW(parse_replay_line("detent-replay/1 model=m on=explore fail_op=1"), std::invalid_argument);
}

TEST(ReplayLine, RoundTripsAScheduleOfTheEnginesThreads) {
  ReplayLine line;
  line.model = "fork\n%.json";
  line.on = "explore";
  line.engine.workers = 2;
  line.engine.scheduler = DETENT_SCHEDULER_THREAD;
  line.engine.spin_limit = 3;
  line.ops = {0, 1, 2, 3, 7};
  line.threads = {.choices = "t1:0x12.c1#89abcdef01234567",
                  .law = "deadlock",
                  .listing = "00000000000000ab",
                  .spurious = 1,
                  .cancel = true,
                  .runs = 2,
                  .op_deadline_ps = 4,
                  .whole_life = true,
                  .failing_starts = 5,
                  .early_timeouts = 6,
                  .duplicate_answers = 7,
                  .async_answers = false,
                  .failing_ops = {1, 2, 9}};
  const std::string text = format_replay_line(line);
  const ReplayLine back = parse_replay_line(text);
  EXPECT_EQ(format_replay_line(back), text);
  EXPECT_EQ(back.model, line.model);
  EXPECT_EQ(back.engine.scheduler, DETENT_SCHEDULER_THREAD);
  EXPECT_EQ(back.ops, line.ops);
  EXPECT_EQ(back.threads.choices, line.threads.choices);
  EXPECT_EQ(back.threads.failing_ops, line.threads.failing_ops);
  EXPECT_TRUE(back.threads.whole_life && back.threads.cancel && !back.threads.async_answers);
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(ReplayLine, ChoicesAreOfTheExplorer) {
  EXPECT_THROW(parse_replay_line("detent-replay/1 model=x on=native choices=t1:#0"), std::invalid_argument);
  EXPECT_THROW(parse_replay_line("detent-replay/1 model=x on=explore level=threads"), std::invalid_argument);
  EXPECT_THROW(parse_replay_line("detent-replay/1 model=x on=explore level=moon choices=t1:#0"), std::invalid_argument);
  EXPECT_THROW(parse_replay_line("detent-replay/1 model=x ops=3-1"), std::invalid_argument);
  EXPECT_THROW(parse_replay_line("detent-replay/1 model=x ops=1,1"), std::invalid_argument);
  EXPECT_THROW(parse_replay_line("detent-replay/1 model=x ops=0-4294967295"), std::invalid_argument);
}

TEST(ReplayLine, UnknownKeysAndBadNumbersAreRefused) {
  EXPECT_THROW(parse_replay_line(""), std::invalid_argument);
  EXPECT_THROW(parse_replay_line("detent-replay/2 model=x"), std::invalid_argument);
  EXPECT_THROW(parse_replay_line("detent-replay/1 workers=1"), std::invalid_argument);
  EXPECT_THROW(parse_replay_line("detent-replay/1 model=x colour=red"), std::invalid_argument);
  EXPECT_THROW(parse_replay_line("detent-replay/1 model=x workers=-1"), std::invalid_argument);
  EXPECT_THROW(parse_replay_line("detent-replay/1 model=x workers=4294967296"), std::invalid_argument);
  EXPECT_THROW(parse_replay_line("detent-replay/1 model=x workers=1.5"), std::invalid_argument);
  EXPECT_THROW(parse_replay_line("detent-replay/1 model=x order=1,,2"), std::invalid_argument);
  EXPECT_THROW(parse_replay_line("detent-replay/1 model=x before=7"), std::invalid_argument);
  EXPECT_THROW(parse_replay_line("detent-replay/1 model=x before=7<"), std::invalid_argument);
  EXPECT_THROW(parse_replay_line("detent-replay/1 model=x model=y"), std::invalid_argument);
  EXPECT_THROW(parse_replay_line("detent-replay/1 model=x on=moon"), std::invalid_argument);
}

TEST(RunHash, IsOfTheFieldsThatDecideTheRunOnEveryMachine) {
  const ReplayLine line = parse_replay_line(
      "detent-replay/1 model=diamond on=native workers=3 seed=0 mode=closed-loop policy=id split=1 input_seed=0 "
      "digest=b2e7bda8efebeafb");
  const std::string text =
      "model=diamond\non=native\nworkers=3\nseed=0\nmode=closed-loop\npolicy=id\nsplit=1\ninput_seed=0\n";
  EXPECT_EQ(run_hash(line), XXH3_64bits(text.data(), text.size()));
  EXPECT_EQ(run_hash(line), 0x739c49b2dc573f07U);
}

TEST(RunHash, FieldsOfAnotherWorldDoNotCount) {
  ReplayLine line = parse_replay_line("detent-replay/1 model=diamond on=native");
  const std::uint64_t native = run_hash(line);
  line.platform = "am62a";
  line.threads.spurious = 2;
  EXPECT_EQ(run_hash(line), native);
  line.on = "sim";
  const std::uint64_t simulated = run_hash(line);
  EXPECT_NE(simulated, native);
  line.platform = "quad_npu";
  EXPECT_NE(run_hash(line), simulated);
}

TEST(RunHash, StandsBesideTheLineInAnswers) {
  const ReplayLine line = parse_replay_line("detent-replay/1 model=diamond workers=3");
  Json answer = {{"status", "OK"}};
  add_replay(line, answer);
  EXPECT_EQ(answer["replay"], format_replay_line(line));
  EXPECT_EQ(answer["run_hash"], "739c49b2dc573f07") << "what is not said is as it is in a new line";
}

}  // namespace
}  // namespace detent::app
