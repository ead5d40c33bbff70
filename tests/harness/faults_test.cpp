// Faults as text: one spelling per value, and nothing else is accepted.
#include "harness/faults/faults.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "tests/golden.hpp"

namespace detent::harness {
namespace {

Faults parsed(const std::vector<FaultWord>& words) {
  Faults faults;
  for (const FaultWord& word : words) add_fault(faults, word);
  return faults;
}

std::string refusal(const std::vector<FaultWord>& words) {
  try {
    parsed(words);
  } catch (const std::invalid_argument& bad) {
    return bad.what();
  }
  return "accepted";
}

TEST(Faults, EveryKindIsWrittenAndReadBack) {
  const Faults faults{
      .failing_ops = {{.op = 1},
                      {.op = 3, .calls = {.first = 2}, .code = -7},
                      {.op = 4, .calls = {.first = 5, .onward = true}}},
      .late_ops = {{2, 1'500'000}, {5, LateOp::kNever}},
      .failing_devices = {{.device = "cpu", .code = 8}, {.device = "npu", .calls = {.first = 3, .onward = true}}},
      .late_devices = {{.device = "npu", .calls = {.first = 1}, .delay_ps = 2'000},
                       {.device = "npu", .calls = {.first = 2, .onward = true}},
                       {.device = "x_y-0"}},
      .answered_twice = {0, 4},
      .cancel_at = {{.moment = CancelAt::Moment::kOpEnd, .op = 6}},
      .op_deadline_ps = 2'000'000'000,
      .failing_start = 2};
  EXPECT_EQ(format_faults(faults),
            "--fail-op 1 --fail-op 3,2=-7 --fail-op 4,5+ --late-op 2=1500ns --hang-op 5 --fail-device cpu=8 "
            "--fail-device npu,3+ --late-device npu,1=2ns --hang-device npu,2+ --hang-device x_y-0 --answer-twice 0 "
            "--answer-twice 4 --cancel-at 6:end --deadline-op 2ms --fail-start 2");
  EXPECT_EQ(parsed(fault_words(faults)), faults);
  for (const FaultWord& word : fault_words(faults)) {
    EXPECT_NE(std::find(fault_keys().begin(), fault_keys().end(), word.key), fault_keys().end()) << word.key;
  }
}

TEST(Faults, MomentsOfCancellation) {
  EXPECT_EQ(parsed({{"cancel_at", "4"}}).cancel_at, (CancelAt{.moment = CancelAt::Moment::kOpBegin, .op = 4}));
  EXPECT_EQ(parsed({{"cancel_at", "4:begin"}}).cancel_at, (CancelAt{.moment = CancelAt::Moment::kOpBegin, .op = 4}));
  EXPECT_EQ(parsed({{"cancel_at", "5us"}}).cancel_at,
            (CancelAt{.moment = CancelAt::Moment::kTime, .time_ps = 5'000'000}));
}

TEST(Faults, TimesAreExact) {
  EXPECT_EQ(parse_time_ps("900"), 900U);
  EXPECT_EQ(parse_time_ps("1.5us"), 1'500'000U);
  EXPECT_EQ(parse_time_ps("0.000000000001s"), 1U);
  EXPECT_EQ(parse_time_ps("1e3"), 1'000U);
  EXPECT_EQ(parse_time_ps("5 ms"), 5'000'000'000U);
  EXPECT_EQ(parse_time_ps("18446744073709551615ps"), UINT64_MAX);
  EXPECT_EQ(format_time_ps(1), "1ps");
  EXPECT_EQ(format_time_ps(1'500'000), "1500ns");
  EXPECT_EQ(format_time_ps(3'000'000'000'000), "3s");
  for (const char* wrong : {"", "ms", "-1ms", "1.ms", ".5ms", "1.0005ns", "1.5", "5min", "0x10", "1,5ms",
                            "18446744073709551616", "18446745s"}) {
    EXPECT_THROW(parse_time_ps(wrong), std::invalid_argument) << wrong;
  }
}

TEST(Faults, InvalidFaultsAreRefused) {
  for (const FaultWord& wrong :
       std::vector<FaultWord>{{"fail_op", ""},           {"fail_op", "x"},           {"fail_op", "-1"},
                              {"fail_op", "1=0"},        {"fail_op", "1="},          {"fail_op", "1=2147483648"},
                              {"fail_op", "1,0"},        {"fail_op", "1,"},          {"fail_op", "4294967295"},
                              {"late_op", "1"},          {"late_op", "1=0ps"},       {"late_op", "1=soon"},
                              {"hang_op", "1=5us"},      {"hang_op", "1,2"},         {"fail_device", ""},
                              {"fail_device", ",1"},     {"fail_device", "npu,"},    {"fail_device", "npu,0+"},
                              {"late_device", "npu"},    {"hang_device", "npu=1us"}, {"answer_twice", "all"},
                              {"cancel_at", "1:middle"}, {"cancel_at", "soon"},      {"deadline_op", "0"},
                              {"fail_start", "0"},       {"fail_start", "65"},       {"explode", "1"}}) {
    EXPECT_NE(refusal({wrong}), "accepted") << wrong.key << "=" << wrong.value;
  }
  EXPECT_NE(refusal({{"fail_op", "1"}, {"fail_op", "1=3"}}), "accepted");
  EXPECT_NE(refusal({{"late_op", "1=5us"}, {"hang_op", "1"}}), "accepted");
  EXPECT_NE(refusal({{"fail_op", "1,2"}, {"fail_op", "1,2+"}}), "accepted");
  EXPECT_NE(refusal({{"fail_device", "npu,2"}, {"fail_device", "npu,2+=3"}}), "accepted");
  EXPECT_NE(refusal({{"late_device", "npu,2=5us"}, {"hang_device", "npu,2"}}), "accepted");
  EXPECT_EQ(refusal({{"fail_device", "npu,2"}, {"fail_device", "npu"}, {"hang_device", "npu,2"}}), "accepted");
  EXPECT_NE(refusal({{"cancel_at", "1"}, {"cancel_at", "2"}}), "accepted");
  EXPECT_NE(refusal({{"deadline_op", "1us"}, {"deadline_op", "2us"}}), "accepted");
}

TEST(Faults, DeadlineAloneInjectsNoFault) {
  EXPECT_TRUE(Faults{}.empty());
  const Faults demand{.op_deadline_ps = 5};
  EXPECT_FALSE(demand.empty());
  EXPECT_FALSE(demand.injects());
  EXPECT_TRUE((Faults{.failing_start = 1}).injects());
}

/// What is said of each word, or the faults as they are written again.
TEST(Faults, EverySpellingHasItsAnswer) {
  std::string text;
  const auto add = [&](const std::vector<FaultWord>& words) {
    for (const FaultWord& word : words) text += word.key + " " + word.value + "; ";
    const std::string said = refusal(words);
    text += "-> " + (said == "accepted" ? format_faults(parsed(words)) : said) + "\n";
  };
  for (const char* value : {"",
                            "0",
                            "7",
                            "007",
                            "x",
                            "-1",
                            "+1",
                            "1 ",
                            "16777215",
                            "16777216",
                            "4294967295",
                            "4294967296",
                            "1=0",
                            "1=",
                            "1=1",
                            "1=2",
                            "1=-1",
                            "1=2147483647",
                            "1=2147483648",
                            "1=-2147483648",
                            "1,0",
                            "1,",
                            "1,1",
                            "1,2=3",
                            "1,4294967295",
                            "1,4294967296",
                            ",1",
                            "=1",
                            "1=2=3",
                            "1,2,3",
                            "1,2+",
                            "1,2+=3",
                            "1,0+",
                            "1,+",
                            "1,2++",
                            "1+"})
    add({{"fail_op", value}});
  for (const char* value : {"",
                            "npu",
                            "NPU_2-b",
                            "7",
                            "npu=1",
                            "npu=-3",
                            "npu=0",
                            "npu=",
                            "npu,1",
                            "npu,1=9",
                            "npu,2+",
                            "npu,2+=9",
                            "npu,4294967295+",
                            "npu,4294967296",
                            "npu,0",
                            "npu,",
                            "npu,+",
                            "npu,1,2",
                            "npu+",
                            "n pu",
                            "npu;cpu",
                            ",1",
                            "=1",
                            "n\xc3\xbc"})
    add({{"fail_device", value}});
  for (const char* value : {"", "npu", "npu=", "npu=2ms", "npu,3=2ms", "npu,3+=1500", "npu=0", "npu,0=1", ",1=5ps",
                            "npu,3=18446744073709551615"})
    add({{"late_device", value}});
  for (const char* value : {"", "npu", "npu,3", "npu,3+", "npu=2ms", "npu,0"}) add({{"hang_device", value}});
  for (const char* value : {"1", "1=", "=5ps", "1=0", "1=0ps", "1=1", "1=1ps", "1=999", "1=1000", "1=1us", "1=1500us",
                            "1=18446744073709551614", "1=18446744073709551615", "x=1", "1=1s", "1=1.000000000001s",
                            "1=0.0001ns", "1=0.001ns", "1=1.ns"})
    add({{"late_op", value}});
  for (const char* value : {"", "3", "3=1", "x"}) add({{"hang_op", value}}), add({{"answer_twice", value}});
  for (const char* value : {"", "3", "3:", "3:begin", "3:end", "3:ends", ":end", "5us", "0ps", "s", "3s", "x:begin"})
    add({{"cancel_at", value}});
  for (const char* value : {"", "0", "1", "1ps", "2ms", "x"}) add({{"deadline_op", value}});
  for (const char* value : {"", "0", "1", "64", "65", "x", "1x"}) add({{"fail_start", value}});
  add({{"fail", "1"}});
  add({{"fail_op", "2"}, {"fail_op", "1"}, {"fail_op", "1,2"}, {"fail_op", "1,1"}});
  add({{"fail_op", "1,2"}, {"fail_op", "1,2=3"}});
  add({{"late_op", "2=1"}, {"late_op", "1=1"}, {"hang_op", "0"}, {"hang_op", "3"}});
  add({{"late_op", "2=1"}, {"late_op", "2=2"}});
  add({{"fail_op", "1,2"}, {"fail_op", "1,2+"}});
  add({{"fail_device", "npu,2"}, {"fail_device", "cpu"}, {"fail_device", "npu"}, {"fail_device", "npu,1+"}});
  add({{"fail_device", "npu,2"}, {"fail_device", "npu,2+"}});
  add({{"late_device", "npu,2=1"}, {"hang_device", "npu"}, {"hang_device", "cpu,3"}, {"late_device", "npu,1=5"}});
  add({{"late_device", "npu,2=1"}, {"hang_device", "npu,2+"}});
  add({{"answer_twice", "2"}, {"answer_twice", "1"}, {"answer_twice", "2"}});
  add({{"cancel_at", "2"}, {"cancel_at", "5us"}});
  add({{"deadline_op", "2"}, {"deadline_op", "2"}});
  add({{"fail_start", "2"}, {"fail_start", "1"}});
  for (const std::uint64_t time_ps : {std::uint64_t{0}, std::uint64_t{999}, std::uint64_t{1000}, std::uint64_t{1001},
                                      std::uint64_t{1'000'000'000'000}, UINT64_MAX})
    text += format_time_ps(time_ps) + "\n";
  expect_golden(text, "harness/golden/faults.txt");
}

TEST(Faults, OpsThatTheModelHasAndMomentsThatItsWorldHas) {
  detent_desc desc{};
  desc.op_count = 4;
  const detent_class classes[] = {{"cpu", DETENT_CLASS_WORKERS}, {"two words", DETENT_CLASS_WORKERS}};
  desc.classes = classes;
  desc.class_count = 2;
  const auto said = [&](const Faults& faults, bool simulated) -> std::string {
    try {
      check_faults(faults, desc, simulated);
    } catch (const std::invalid_argument& bad) {
      return bad.what();
    }
    return "";
  };
  const std::string range = ": the model has ops 0 to 3; a network may have more after --split";
  EXPECT_EQ(said({.failing_ops = {{.op = 3}}, .late_ops = {{3, 1}}, .answered_twice = {3}}, false), "");
  EXPECT_EQ(said({.failing_ops = {{.op = 4}}}, false), "fail op 4" + range);
  EXPECT_EQ(said({.late_ops = {{4, 1}}}, true), "late op 4" + range);
  EXPECT_EQ(said({.answered_twice = {4}}, true), "answer twice op 4" + range);
  EXPECT_EQ(said({.cancel_at = CancelAt{.moment = CancelAt::Moment::kOpBegin, .op = 4}}, true),
            "cancel at op 4" + range);
  EXPECT_EQ(said({.cancel_at = CancelAt{.moment = CancelAt::Moment::kOpEnd, .op = 3}}, false), "");
  EXPECT_EQ(said({.cancel_at = CancelAt{.moment = CancelAt::Moment::kTime, .time_ps = 5000}}, true), "");
  EXPECT_EQ(said({.cancel_at = CancelAt{.moment = CancelAt::Moment::kTime, .time_ps = 5000}}, false),
            "cancel at 5ns: only simulated time has such moments; name an op, such as 3:begin or 3:end");
  EXPECT_EQ(said({.late_ops = {{1, LateOp::kNever}}}, true),
            "op 1 hangs: without a deadline or a watchdog the run never ends; add --deadline-op TIME, or "
            "watchdog to the [[fallbacks]] of --set");
  EXPECT_EQ(said({.late_ops = {{1, LateOp::kNever}}, .op_deadline_ps = 1}, true), "");
  EXPECT_EQ(said({.failing_devices = {{.device = "cpu"}}, .late_devices = {{.device = "cpu", .delay_ps = 1}}}, false),
            "");
  const std::string has = ": the model has the classes cpu, two words";
  EXPECT_EQ(said({.failing_devices = {{.device = "npu"}}}, false), "device npu" + has);
  EXPECT_EQ(said({.late_devices = {{.device = "npu", .delay_ps = 1}}}, true), "device npu" + has);
  EXPECT_EQ(said({.failing_devices = {{.device = "two words"}}}, true),
            "device \"two words\": faults name classes of letters, digits, '_' and '-' only; rename the class");
  EXPECT_EQ(said({.late_devices = {{.device = "cpu"}}}, true),
            "device cpu hangs: without a deadline or a watchdog the run never ends; add --deadline-op TIME, or "
            "watchdog to the [[fallbacks]] of --set");
  EXPECT_EQ(said({.late_devices = {{.device = "cpu"}}, .op_deadline_ps = 1}, true), "");
}

}  // namespace
}  // namespace detent::harness
