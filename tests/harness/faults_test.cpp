// Faults as text: one spelling per value, and nothing else is accepted.
#include "harness/faults.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

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
  const Faults faults{.failing_ops = {{.op = 1}, {.op = 3, .call = 2, .code = -7}},
                      .late_ops = {{2, 1'500'000}, {5, LateOp::kNever}},
                      .answered_twice = {0, 4},
                      .cancel_at = {{.moment = CancelAt::Moment::kOpEnd, .op = 6}},
                      .op_deadline_ps = 2'000'000'000,
                      .failing_start = 2};
  EXPECT_EQ(format_faults(faults),
            "--fail-op 1 --fail-op 3,2=-7 --late-op 2=1500ns --hang-op 5 --answer-twice 0 --answer-twice 4 "
            "--cancel-at 6:end --deadline-op 2ms --fail-start 2");
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
  EXPECT_EQ(parse_time_ps("18446744073709551615ps"), UINT64_MAX);
  EXPECT_EQ(format_time_ps(1), "1ps");
  EXPECT_EQ(format_time_ps(1'500'000), "1500ns");
  EXPECT_EQ(format_time_ps(3'000'000'000'000), "3s");
  for (const char* wrong : {"", "ms", "-1ms", "1.ms", ".5ms", "1.0005ns", "1.5", "1e3", "5 ms", "5min", "0x10", "1,5ms",
                            "18446744073709551616", "18446745s"}) {
    EXPECT_THROW(parse_time_ps(wrong), std::invalid_argument) << wrong;
  }
}

TEST(Faults, WhatIsNoFaultIsRefused) {
  for (const FaultWord& wrong :
       std::vector<FaultWord>{{"fail_op", ""},       {"fail_op", "x"},        {"fail_op", "-1"},
                              {"fail_op", "1=0"},    {"fail_op", "1="},       {"fail_op", "1=2147483648"},
                              {"fail_op", "1,0"},    {"fail_op", "1,"},       {"fail_op", "4294967295"},
                              {"late_op", "1"},      {"late_op", "1=0ps"},    {"late_op", "1=soon"},
                              {"hang_op", "1=5us"},  {"answer_twice", "all"}, {"cancel_at", "1:middle"},
                              {"cancel_at", "soon"}, {"deadline_op", "0"},    {"fail_start", "0"},
                              {"fail_start", "65"},  {"explode", "1"}}) {
    EXPECT_NE(refusal({wrong}), "accepted") << wrong.key << "=" << wrong.value;
  }
  EXPECT_NE(refusal({{"fail_op", "1"}, {"fail_op", "1=3"}}), "accepted");
  EXPECT_NE(refusal({{"late_op", "1=5us"}, {"hang_op", "1"}}), "accepted");
  EXPECT_NE(refusal({{"cancel_at", "1"}, {"cancel_at", "2"}}), "accepted");
  EXPECT_NE(refusal({{"deadline_op", "1us"}, {"deadline_op", "2us"}}), "accepted");
}

TEST(Faults, ADeadlineAloneMakesNothingGoWrong) {
  EXPECT_TRUE(Faults{}.empty());
  const Faults demand{.op_deadline_ps = 5};
  EXPECT_FALSE(demand.empty());
  EXPECT_FALSE(demand.injects());
  EXPECT_TRUE((Faults{.failing_start = 1}).injects());
}

}  // namespace
}  // namespace detent::harness
