// Laws of answers and readings, told by hand of what an engine might have said.
#include "verify/explore/threads/laws.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/verify/random_graph.hpp"
#include "verify/explore/threads/search/dpor.hpp"

namespace detent::verify::explore {
namespace {

/// One op, and an execution of one thread that tells the laws something.
struct Told {
  verify::testing::DescTables tables{verify::testing::make_ops(1)};
  ThreadOptions options;
  VirtualThreads threads;
  EngineLaws laws{tables.desc, options, threads};
  std::function<void(EngineLaws&)> tell;

  static void main(void* arg) {
    Told& self = *static_cast<Told*>(arg);
    self.laws.begin_execution();
    self.tell(self.laws);
  }
};

/// "law: text" of what fails; "" nothing does.
std::string failure_of(const std::function<void(EngineLaws&)>& tell) {
  Told told;
  told.tell = tell;
  DporSearch search;
  History history(2);
  told.threads.run(search, Told::main, &told, &history);
  const Execution& execution = told.threads.execution();
  return execution.has_failed() ? execution.law() + ": " + execution.text() : "";
}

TEST(EngineLaws, TheFirstAnswerIsAcceptedAndNoOther) {
  EXPECT_EQ(failure_of([](EngineLaws& laws) {
              laws.end_answer(0, 0, DETENT_OK);
              laws.end_answer(0, 1, DETENT_FOREIGN_COMPLETION);
              EXPECT_EQ(laws.points().refused_answers, 1U);
            }),
            "");
  EXPECT_EQ(failure_of([](EngineLaws& laws) { laws.end_answer(0, 0, DETENT_FOREIGN_COMPLETION); }),
            "answers: the answer for op 0 (op0) is refused: FOREIGN_COMPLETION");
  EXPECT_EQ(failure_of([](EngineLaws& laws) { laws.end_answer(0, 1, DETENT_OK); }),
            "answers: a second answer for op 0 (op0) is accepted");
}

TEST(EngineLaws, EachOpHasAStateToRead) {
  EXPECT_EQ(failure_of([&](EngineLaws& laws) { laws.check_op_state(0, DETENT_BUSY, {}); }),
            "op_states: op 0 (op0) has no state: BUSY");
}

}  // namespace
}  // namespace detent::verify::explore
