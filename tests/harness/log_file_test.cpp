#include "harness/log_file.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "harness/run_native.hpp"
#include "tests/runtime/desc_builder.hpp"
#include "tests/support/error_text.hpp"

namespace detent::harness {
namespace {

/// A run of the diamond and its log file.
Run logged_diamond(std::uint32_t workers, test::DescBuilder& diamond) {
  const harness::Run run = run_native(diamond.refresh(), {.engine = {.workers = workers}, .keep_log = true});
  EXPECT_EQ(run.result.error.status, DETENT_OK);
  return run;
}

template <typename Number>
std::string with(std::string bytes, std::size_t at, Number value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return bytes;
}

std::string log_refusal(const std::string& bytes) {
  return error_text([&] { static_cast<void>(parse_log(bytes, "a.log")); });
}

TEST(LogFile, TheTraceIsThatOfTheRun) {
  for (const std::uint32_t workers : {0U, 1U, 3U}) {
    test::DescBuilder diamond = test::make_diamond();
    const harness::Run run = logged_diamond(workers, diamond);
    const LogFile log = parse_log(run.log, "a.log");
    EXPECT_EQ(log.model, "handmade");
    EXPECT_EQ(log.workers, workers == 0 ? 1 : workers) << "the caller counts as one";
    EXPECT_EQ(log.ops, (std::vector<std::string>{"split", "left", "right", "join"}));
    EXPECT_EQ(log.classes, std::vector<std::string>{"cpu"});
    EXPECT_EQ(runs_of(log), std::vector<std::uint32_t>{1});
    const LoggedRun logged = logged_run(log, 1);
    EXPECT_TRUE(logged.is_whole);
    EXPECT_EQ(logged.status, DETENT_OK);
    ASSERT_EQ(logged.trace.spans.size(), run.trace.spans.size());
    for (std::size_t i = 0; i < run.trace.spans.size(); ++i) {
      EXPECT_EQ(logged.trace.spans[i].op, run.trace.spans[i].op);
      EXPECT_EQ(logged.trace.spans[i].slot, run.trace.spans[i].slot);
      EXPECT_EQ(logged.trace.spans[i].end_ps - logged.trace.spans[i].begin_ps,
                run.trace.spans[i].end_ps - run.trace.spans[i].begin_ps);
      EXPECT_EQ(logged.trace.spans[i].begin_sequence, run.trace.spans[i].begin_sequence);
    }
  }
}

TEST(LogFile, EveryCutAndEveryChangedHeaderIsRefused) {
  test::DescBuilder diamond = test::make_diamond();
  const std::string bytes = logged_diamond(1, diamond).log;
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_NE(log_refusal(bytes.substr(0, size)), "") << size;
  EXPECT_EQ(log_refusal(""), "a.log: is no log file; write one with detent run --log or a firmware's --log");
  EXPECT_EQ(log_refusal(bytes + "x"),
            "a.log:byte " + std::to_string(bytes.size()) + ": more bytes than the rings take; the file is damaged");
  EXPECT_EQ(log_refusal(with(bytes, 8, std::uint32_t{1})), "a.log:byte 12: version 1; this program reads version 2");
  EXPECT_NE(log_refusal(with(bytes, 12, std::uint32_t{65})), "");
  EXPECT_NE(log_refusal(with(bytes, 16, UINT32_MAX)), "");
  EXPECT_NE(log_refusal(with(bytes, 20, UINT32_MAX)), "") << "ops";
  EXPECT_NE(log_refusal(with(bytes, 20, std::uint32_t{3})), "") << "a name too many";
  EXPECT_NE(log_refusal(with(bytes, 24, UINT32_MAX)), "");
  EXPECT_NE(log_refusal(with(bytes, 28, std::uint32_t{0})), "") << "classes";
  EXPECT_NE(log_refusal(with(bytes, 28, UINT32_MAX)), "");
}

/// What stands at a limit may still be refused for what comes behind it, in other words.
TEST(LogFile, LimitsOfTheHeader) {
  test::DescBuilder diamond = test::make_diamond();
  const std::string bytes = logged_diamond(1, diamond).log;
  EXPECT_EQ(log_refusal(with(bytes, 12, std::uint32_t{DETENT_MAX_WORKERS})), "");
  EXPECT_EQ(log_refusal(with(bytes, 12, std::uint32_t{DETENT_MAX_WORKERS + 1})),
            "a.log:byte 32: more workers or rings than there can be");
  const auto refuses_rings = [&](std::uint32_t rings) {
    return log_refusal(with(bytes, 16, rings)) == "a.log:byte 32: more workers or rings than there can be";
  };
  EXPECT_FALSE(refuses_rings(DETENT_MAX_WORKERS + 2));
  EXPECT_TRUE(refuses_rings(DETENT_MAX_WORKERS + 3));
  const auto refuses_classes = [&](std::uint32_t classes) {
    return log_refusal(with(bytes, 28, classes)) == "a.log:byte 32: more classes than there can be";
  };
  EXPECT_FALSE(refuses_classes(DETENT_MAX_CLASSES));
  EXPECT_TRUE(refuses_classes(DETENT_MAX_CLASSES + 1));
  std::uint32_t names = 0;
  std::memcpy(&names, bytes.data() + 24, 4);
  const auto refuses_ring = [&](std::uint32_t number) {
    return log_refusal(with(bytes, 32 + names, number)).find("a ring that cannot be") != std::string::npos;
  };
  EXPECT_FALSE(refuses_ring(DETENT_MAX_WORKERS + 1));
  EXPECT_TRUE(refuses_ring(DETENT_MAX_WORKERS + 2));
}

TEST(LogFile, RecordsThatCannotBeAreRefused) {
  test::DescBuilder diamond = test::make_diamond();
  const std::string bytes = logged_diamond(1, diamond).log;
  std::uint32_t names = 0;
  std::memcpy(&names, bytes.data() + 24, 4);
  const std::size_t ring = 32 + names, record = ring + 16;
  const std::string place = "a.log:byte " + std::to_string(record) + ": ";
  EXPECT_EQ(log_refusal(with(bytes, record + 24, std::uint16_t{9})),
            place + "event 9 is unknown; the file is damaged or newer");
  EXPECT_NE(log_refusal(with(bytes, record + 24, std::uint16_t{13})), "");
  EXPECT_NE(log_refusal(with(bytes, record + 24, std::uint16_t{0})), "");
  EXPECT_EQ(
      log_refusal(with(with(bytes, record + 24, std::uint16_t{DETENT_EVENT_OP_END}), record + 16, std::uint32_t{4})),
      place + "op 4 of 4; the file is damaged");
  const std::string begins = with(bytes, record + 24, std::uint16_t{DETENT_EVENT_OP_BEGIN});
  EXPECT_EQ(log_refusal(with(with(begins, record + 16, std::uint32_t{0}), record + 20, std::int32_t{1})),
            place + "class 1 of 1; the file is damaged");
  EXPECT_EQ(log_refusal(with(with(begins, record + 16, std::uint32_t{0}), record + 20, std::int32_t{-1})),
            place + "class -1 of 1; the file is damaged");
  EXPECT_EQ(log_refusal(with(bytes, record + 26, std::uint16_t{1})),
            place + "a record of another ring; the file is damaged");
  EXPECT_NE(log_refusal(with(bytes, record, UINT64_MAX)), "") << "the next record is earlier";
  EXPECT_NE(log_refusal(with(bytes, ring, std::uint32_t{66})), "") << "no such ring";
  EXPECT_NE(log_refusal(with(bytes, ring + 4, UINT32_MAX)), "") << "more records than bytes";
}

TEST(LogFile, MissingRecordsAreTold) {
  LogFile log{.model = "m", .workers = 1, .ops = {"a", "b"}};
  const auto record = [](std::uint64_t time_ps, detent_event event, std::uint32_t op) {
    detent_log_record made{};
    made.time_ps = time_ps;
    made.event = static_cast<std::uint16_t>(event);
    made.op = op;
    made.run = 2;
    return made;
  };
  log.rings.push_back({.records = {record(10, DETENT_EVENT_OP_BEGIN, 0), record(15, DETENT_EVENT_OP_END, 0),
                                   record(16, DETENT_EVENT_OP_BEGIN, 1)}});
  log.rings.push_back({.number = 1, .records = {record(20, DETENT_EVENT_OP_END, 7 % 2)}});
  log.rings[1].records[0].event = DETENT_EVENT_PARK;
  const LoggedRun logged = logged_run(log, 2);
  EXPECT_FALSE(logged.is_whole);
  ASSERT_EQ(logged.trace.spans.size(), 2U);
  EXPECT_EQ(logged.trace.spans[1].end_ps, 10U) << "without an end it ends with the run";
  ASSERT_EQ(logged.trace.events.size(), 1U);
  EXPECT_EQ(logged.makespan_ps, 10U);
  EXPECT_TRUE(logged_run(log, 1).trace.spans.empty());
  EXPECT_EQ(logged_run(log, 1).makespan_ps, 0U);
}

TEST(LogFile, EventsHaveTheNamesOfTheFormat) {
  const char* const names[] = {"run_begin", "run_end", "op_begin", "op_end", "ready", "park", "unpark"};
  for (std::uint32_t i = 0; i < 7; ++i) EXPECT_STREQ(event_name(static_cast<detent_event>(i + 1)), names[i]);
  EXPECT_STREQ(event_name(DETENT_EVENT_CLOCK_BACK), "clock_back");
  EXPECT_STREQ(event_name(DETENT_EVENT_FOREIGN_COMPLETION), "foreign_completion");
  EXPECT_STREQ(event_name(DETENT_EVENT_VARIABLE_IGNORED), "variable_ignored");
}

}  // namespace
}  // namespace detent::harness
