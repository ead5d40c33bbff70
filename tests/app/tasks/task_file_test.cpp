#include "app/tasks/task_file.hpp"

#include <gtest/gtest.h>

#include "base/input_error.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

const std::string kTaskSetHead = "schema = \"detent.task_set/1\"\n";
const std::string kOneTask = "[[tasks]]\nname = \"a\"\nmodel = \"diamond\"\n";

std::string task_set_refusal(const std::string& text) {
  return refusal_of([&] { return parse_task_set(text, "set.toml"); });
}

TEST(TaskFile, EveryKeyIsRead) {
  const TaskSet set = parse_task_set(
      kTaskSetHead + kOneTask +
          "costs = \"c.toml\"\nperiod = \"10ms\"\ndeadline = \"8ms\"\npriority = -3\noffset = \"1ms\"\njitter = "
          "\"5us\"\ncontexts = 2\n" +
          "[[tasks]]\nname = \"b\"\nmodel = \"net.json\"\n" +
          "[[chains]]\nname = \"c\"\ntasks = [\"b\", \"a\", \"b\"]\nlatency = \"1s\"\n[[chains]]\nname = \"d\"\ntasks "
          "= "
          "[\"a\"]\n",
      "set.toml");
  ASSERT_EQ(set.tasks.size(), 2U);
  const TaskRow& a = set.tasks[0];
  EXPECT_EQ(a.name, "a");
  EXPECT_EQ(a.model, "diamond");
  EXPECT_EQ(a.costs, "c.toml");
  EXPECT_EQ(a.period_ps, 10'000'000'000U);
  EXPECT_EQ(a.deadline_ps, 8'000'000'000U);
  EXPECT_EQ(a.priority, -3);
  EXPECT_EQ(a.offset_ps, 1'000'000'000U);
  EXPECT_EQ(a.jitter_ps, 5'000'000U);
  EXPECT_EQ(a.contexts, 2U);
  const TaskRow& b = set.tasks[1];
  EXPECT_FALSE(b.period_ps || b.deadline_ps);
  EXPECT_EQ(b.contexts, 1U);
  EXPECT_EQ(b.priority, 0);
  ASSERT_EQ(set.chains.size(), 2U);
  EXPECT_EQ(set.chains[0].tasks, (std::vector<std::size_t>{1, 0, 1}));
  EXPECT_EQ(set.chains[0].latency_ps, 1'000'000'000'000U);
  EXPECT_FALSE(set.chains[1].latency_ps.has_value());
}

TEST(TaskFile, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_NE(task_set_refusal("[[tasks]]\n").find("schema"), std::string::npos);
  EXPECT_NE(task_set_refusal(kTaskSetHead).find("missing key 'tasks'"), std::string::npos)
      << task_set_refusal(kTaskSetHead);
  EXPECT_NE(task_set_refusal(kTaskSetHead + "tasks = []\n").find("set.toml:2: 'tasks' must be a list of tables"),
            std::string::npos);
  EXPECT_NE(task_set_refusal(kTaskSetHead + kOneTask + "perod = \"1ms\"\n").find("did you mean period?"),
            std::string::npos);
  EXPECT_NE(task_set_refusal(kTaskSetHead + kOneTask + "period = \"0\"\n").find("set.toml:5: 'tasks.period' is 0"),
            std::string::npos);
  EXPECT_NE(task_set_refusal(kTaskSetHead + kOneTask + "period = \"soon\"\n").find("must be a time such as 5ms"),
            std::string::npos);
  EXPECT_NE(task_set_refusal(kTaskSetHead + kOneTask + "period = \"3000000s\"\n").find("above 2^61 ps"),
            std::string::npos);
  EXPECT_NE(task_set_refusal(kTaskSetHead + kOneTask + "priority = 1.5\n").find("lower goes first"), std::string::npos);
  EXPECT_NE(task_set_refusal(kTaskSetHead + kOneTask + "priority = 1000001\n").find("lower goes first"),
            std::string::npos);
  EXPECT_EQ(task_set_refusal(kTaskSetHead + kOneTask + "priority = -1000000\n"), "");
  EXPECT_NE(task_set_refusal(kTaskSetHead + kOneTask + "contexts = 0\n").find("tasks.contexts"), std::string::npos);
  EXPECT_NE(task_set_refusal(kTaskSetHead + kOneTask + "contexts = 17\n").find("tasks.contexts"), std::string::npos);
  EXPECT_NE(task_set_refusal(kTaskSetHead + kOneTask + kOneTask).find("set.toml:6: another has this name"),
            std::string::npos)
      << task_set_refusal(kTaskSetHead + kOneTask + kOneTask);
  EXPECT_NE(task_set_refusal(kTaskSetHead + "[[tasks]]\nname = \"\"\nmodel = \"x\"\n"), "");
  EXPECT_NE(task_set_refusal(kTaskSetHead + "[[tasks]]\nname = \"a\"\nmodel = \"\"\n")
                .find("give a file or a built-in model"),
            std::string::npos);
  const std::string chain = kTaskSetHead + kOneTask + "[[chains]]\nname = \"c\"\n";
  EXPECT_NE(task_set_refusal(chain + "tasks = [\"aa\"]\n").find("set.toml:7: no task has this name; did you mean a?"),
            std::string::npos)
      << task_set_refusal(chain + "tasks = [\"aa\"]\n");
  EXPECT_NE(task_set_refusal(chain + "tasks = []\n").find("1 to 64 names"), std::string::npos);
  EXPECT_NE(task_set_refusal(chain + "tasks = [1]\n").find("in quotes"), std::string::npos);
  EXPECT_NE(task_set_refusal(chain + "tasks = [\"a\"]\nlatency = \"0\"\n").find("is 0"), std::string::npos);
}

TEST(TaskFile, WhatStandsAtALimitIsRead) {
  const auto links = [](std::size_t count) {
    std::string text = kTaskSetHead + kOneTask + "[[chains]]\nname = \"c\"\ntasks = [";
    for (std::size_t i = 0; i < count; ++i) text += i == 0 ? "\"a\"" : ", \"a\"";
    return text + "]\n";
  };
  EXPECT_EQ(parse_task_set(links(64), "set.toml").chains[0].tasks.size(), 64U);
  EXPECT_NE(task_set_refusal(links(65)).find("1 to 64 names"), std::string::npos);
  const auto chains = [](std::size_t count) {
    std::string text = kTaskSetHead + kOneTask;
    for (std::size_t i = 0; i < count; ++i)
      text += "[[chains]]\nname = \"c" + std::to_string(i) + "\"\ntasks = [\"a\"]\n";
    return text;
  };
  EXPECT_EQ(parse_task_set(chains(1000), "set.toml").chains.size(), 1000U);
  EXPECT_NE(task_set_refusal(chains(1001)).find("more than 1000 chains"), std::string::npos);
  const auto with = [](const std::string& row) { return kTaskSetHead + kOneTask + row + "\n"; };
  for (const std::int32_t most : {1'000'000, -1'000'000}) {
    const std::string text = std::to_string(most);
    EXPECT_EQ(parse_task_set(with("priority = " + text), "set.toml").tasks[0].priority, most);
    EXPECT_NE(task_set_refusal(with("priority = " + std::to_string(most + (most > 0 ? 1 : -1)))), "");
  }
  EXPECT_EQ(parse_task_set(with("period = \"2305843009213693952ps\""), "set.toml").tasks[0].period_ps,
            std::uint64_t{1} << 61U);
  EXPECT_NE(task_set_refusal(with("period = \"2305843009213693953ps\"")).find("is above 2^61 ps (26 days)"),
            std::string::npos);
}

TEST(TaskFile, MoreContextsThanAPoolTakesAreRefused) {
  std::string text = kTaskSetHead;
  for (int i = 0; i < 2; ++i) {
    text += "[[tasks]]\nname = \"" + std::to_string(i) +
            "\"\nmodel = \"diamond\"\ncontexts = " + std::to_string(8 + i) + "\n";
  }
  EXPECT_NE(task_set_refusal(text).find("set.toml:6: more than 16 contexts"), std::string::npos)
      << task_set_refusal(text);
}

TEST(TaskFile, AFileOfAnotherKindIsNamed) {
  const TemporaryDirectory place;
  const std::string graph = place.write("graph.json", R"({"schema": "detent.graph/1", "ops": [{"id": 0}]})");
  EXPECT_THROW(static_cast<void>(read_task_set(graph)), InputError);
  EXPECT_EQ(read_task_set(place.write("set.toml", kTaskSetHead + kOneTask)).tasks.size(), 1U);
}

}  // namespace
}  // namespace detent::app
