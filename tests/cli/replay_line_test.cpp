#include "cli/replay_line.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace detent::cli {
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
  line.workers = 3;
  line.seed = 18446744073709551615ULL;
  line.mode = "static";
  line.policy = "given";
  line.split = 4;
  line.input_seed = 5;
  line.platform = "chips/my chip.toml";
  line.jitter = "uniform:0.2";
  line.npu = false;
  line.overheads = false;
  line.order = {2, 0, 1};
  line.before = {{7, 3}, {2, 9}};
  line.digest = "00ff00ff00ff00ff";
  line.makespan_ps = 77;
  const std::string text = format_replay_line(line);
  const ReplayLine back = parse_replay_line(text);
  EXPECT_EQ(format_replay_line(back), text);
  EXPECT_EQ(back.model, line.model);
  EXPECT_EQ(back.platform, line.platform);
  EXPECT_EQ(back.order, line.order);
  EXPECT_EQ(back.before, line.before);
  EXPECT_EQ(back.seed, line.seed);
  EXPECT_FALSE(back.npu);
  EXPECT_FALSE(back.overheads);
}

TEST(ReplayLine, RoundTripsAScheduleOfTheEnginesThreads) {
  ReplayLine line;
  line.model = "fork\n%.json";
  line.on = "explore";
  line.workers = 2;
  line.scheduler = "thread";
  line.ops = {0, 1, 2, 3, 7};
  line.engine = {.choices = "t1:0x12.c1#89abcdef01234567",
                 .law = "deadlock",
                 .listing = "00000000000000ab",
                 .spurious = 1,
                 .cancel = true,
                 .runs = 2,
                 .spin_limit = 3,
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
  EXPECT_EQ(back.scheduler, "thread");
  EXPECT_EQ(back.ops, line.ops);
  EXPECT_EQ(back.engine.choices, line.engine.choices);
  EXPECT_EQ(back.engine.failing_ops, line.engine.failing_ops);
  EXPECT_TRUE(back.engine.whole_life && back.engine.cancel && !back.engine.async_answers);
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

TEST(ReplayLine, RefusesWhatItDoesNotKnow) {
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

}  // namespace
}  // namespace detent::cli
