// Runs on one thread from their first log record to the last, and every checkpoint on the way. The clock goes on by 10
// ps whenever it is read.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <detent/log.h>

#include "tests/runtime/engine/graph.hpp"
#include "tests/runtime/engine/ports.hpp"

namespace detent::test {
namespace {

/// A port of one thread with such a clock.
class TickingPort {
 public:
  explicit TickingPort(const detent_port& inner) : inner_(inner), outer_(forwarding_port(this)) {
    if (inner_.claim == nullptr) outer_.claim = nullptr;
    if (inner_.release == nullptr) outer_.release = nullptr;
    outer_.now_ps = [](void* self) { return static_cast<TickingPort*>(self)->now_ps_ += 10; };
    outer_.checkpoint = [](void* self, detent_checkpoint kind, std::uint32_t slot, std::uint32_t index) {
      static_cast<TickingPort*>(self)->note(kind, slot, index);
    };
  }
  [[nodiscard]] const detent_port& inner() const { return inner_; }
  detent_port& port() { return outer_; }
  std::string checkpoints;

 private:
  void note(detent_checkpoint kind, std::uint32_t slot, std::uint32_t index) {
    const char* name = "?";
    if (kind == DETENT_CP_LOCK) name = "L";
    if (kind == DETENT_CP_UNLOCK) name = "U";
    if (kind == DETENT_CP_QUEUE) name = "q";
    if (kind == DETENT_CP_DISPATCH) name = "d";
    if (kind == DETENT_CP_OP_BEGIN) name = "b";
    if (kind == DETENT_CP_OP_END) name = "e";
    if (kind == DETENT_CP_LOG) name = "l";
    checkpoints += " " + std::string(slot == DETENT_NONE ? "-" : std::to_string(slot)) + name;
    if (index != DETENT_NONE) checkpoints += std::to_string(index);
  }
  detent_port inner_, outer_;
  std::uint64_t now_ps_ = 0;
};

std::string record_text(const detent_log_record& r) {
  const auto number = [](std::uint32_t value) {
    return value == DETENT_NONE ? std::string("-") : std::to_string(value);
  };
  return " " + std::to_string(r.event) + ":" + number(r.op) + "=" + std::to_string(r.value) + "#" +
         std::to_string(r.sequence) + "@" + std::to_string(r.time_ps);
}

std::string logs_of(const Bound& bound) {
  std::string text;
  for (std::uint32_t ring = 0; const detent_log* log = detent_context_log(bound.context(), ring); ++ring) {
    text +=
        "ring " + std::to_string(ring) + (log->dropped != 0 ? " dropped " + std::to_string(log->dropped) : "") + ":";
    for (std::uint32_t i = 0; i < detent_log_size(log); ++i) text += record_text(*detent_log_at(log, i));
    text += "\n";
  }
  return text;
}

std::string result_text(const detent_result& r) {
  const detent_error& e = r.error;
  std::string text = std::string(detent_status_name(e.status));
  if (e.op != DETENT_NONE) text += " op " + std::to_string(e.op);
  if (e.code != 0) text += " code " + std::to_string(e.code);
  return text + ", " + std::to_string(r.ops_run) + " run, " + std::to_string(r.ops_in_flight) + " in flight, " +
         std::to_string(r.begin_ps) + " to " + std::to_string(r.end_ps) + "\n";
}

struct WholeRun {
  detent_mode mode = DETENT_MODE_CLOSED_LOOP;
  bool later = false;          ///< the delay class is answered later
  std::uint32_t failing = 99;  ///< op
  std::uint64_t deadline_ps = 0;
  std::uint32_t checkpoints = 0;
  std::uint32_t records = 64;
  detent_policy policy = detent_policy_id();
};

std::string run_whole(const WholeRun& how) {
  Graph graph(6, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}});
  graph.class_table = {{"cpu", DETENT_CLASS_WORKERS}, {"delay", DETENT_CLASS_ASYNC}};
  graph.classes = {0, 1, 0, 0, 1, 0};
  graph.mutexes = {{}, {}, {0}, {}, {}, {0}};
  graph.priorities = {0, 0, 0, 0, 0, -5};
  LaterBackend later("delay");
  TickingPort ticking(how.later ? *later.port() : detent_port_single());
  ticking.port().checkpoint_mask = how.checkpoints;
  EngineSetup setup{
      .mode = how.mode, .policy = how.policy, .log_records = how.records, .op_deadline_ps = how.deadline_ps};
  if (how.later) setup.backends = {later.backend()};
  setup.port = &ticking.port();
  Bound bound(graph, setup);
  if (bound.status() != DETENT_OK) return detent_status_name(bound.status());
  if (how.failing < 6) graph.witness().codes[how.failing] = 7;
  std::string text = result_text(bound.run());
  text += logs_of(bound);
  if (how.checkpoints != 0) text += "steps:" + ticking.checkpoints + "\n";
  return text;
}

constexpr std::uint32_t kSteps = DETENT_CP_LOCK | DETENT_CP_UNLOCK | DETENT_CP_QUEUE | DETENT_CP_DISPATCH |
                                 DETENT_CP_OP_BEGIN | DETENT_CP_OP_END | DETENT_CP_LOG;

TEST(WholeRun, EachMode) {
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_SERIAL, .checkpoints = kSteps}),
            "OK, 6 run, 0 in flight, 20 to 150\n"
            "ring 0: 1:-=0#0@10 3:0=0#1@30 4:0=0#0@40 3:1=1#2@50 4:1=0#0@60 3:2=0#3@70 4:2=0#0@80 3:3=0#4@90 "
            "4:3=0#0@100 3:4=1#5@110 4:4=0#0@120 3:5=0#6@130 4:5=0#0@140 2:-=0#0@160\n"
            "ring 1:\n"
            "ring 2:\n"
            "steps: 0l 0d0 0l0 0b0 0e0 0l0 0d1 0l1 0b1 0e1 0l1 0d2 0l2 0b2 0e2 0l2 0d3 0l3 0b3 0e3 0l3 0d4 0l4 0b4 0e4 "
            "0l4 0d5 0l5 0b5 0e5 0l5 0l\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_LAYERED, .checkpoints = kSteps}),
            "OK, 6 run, 0 in flight, 20 to 150\n"
            "ring 0: 1:-=0#0@10 3:0=0#0@30 4:0=0#0@40 3:1=1#0@50 4:1=0#0@60 3:2=0#0@70 4:2=0#0@80 3:3=0#0@90 "
            "4:3=0#0@100 3:5=0#0@110 4:5=0#0@120 3:4=1#0@130 4:4=0#0@140 2:-=0#0@160\n"
            "ring 1:\n"
            "ring 2:\n"
            "steps: 0l 0d0 0l0 0b0 0e0 0l0 0d1 0l1 0b1 0e1 0l1 0d2 0l2 0b2 0e2 0l2 0d3 0l3 0b3 0e3 0l3 0d5 0l5 0b5 0e5 "
            "0l5 0d4 0l4 0b4 0e4 0l4 0l\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_CLOSED_LOOP, .checkpoints = kSteps}),
            "OK, 6 run, 0 in flight, 20 to 190\n"
            "ring 0: 1:-=0#0@10 3:0=0#1@30 4:0=0#0@40 5:1=2#2@50 5:2=3#3@60 3:2=0#5@90 4:2=0#0@100 5:3=2#6@110 "
            "3:3=0#7@120 4:3=0#0@130 5:4=2#8@140 3:5=0#10@170 4:5=0#0@180 2:-=0#0@200\n"
            "ring 1: 3:1=1#4@70 4:1=0#0@80 3:4=1#9@150 4:4=0#0@160\n"
            "ring 2:\n"
            "steps: 0l 0L6 0q0 0U6 0d0 0l0 0b0 0e0 0l0 0L6 0q1 0l1 0q2 0l2 0q1 0d1 0l1 0b1 0e1 0l1 0q2 0U6 0d2 0l2 0b2 "
            "0e2 0l2 0L6 0q3 0l3 0q3 0U6 0d3 0l3 0b3 0e3 0l3 0L6 0q4 0l4 0q4 0d4 0l4 0b4 0e4 0l4 0q5 0U6 0d5 0l5 0b5 "
            "0e5 0l5 0L6 0U6 0l\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_STATIC, .checkpoints = kSteps}),
            "OK, 6 run, 0 in flight, 20 to 150\n"
            "ring 0: 1:-=0#0@10 3:0=0#0@30 4:0=0#0@40 3:1=1#0@50 4:1=0#0@60 3:2=0#0@70 4:2=0#0@80 3:3=0#0@90 "
            "4:3=0#0@100 3:4=1#0@110 4:4=0#0@120 3:5=0#0@130 4:5=0#0@140 2:-=0#0@160\n"
            "ring 1:\n"
            "ring 2:\n"
            "steps: 0l 0d0 0l0 0b0 0e0 0l0 0d1 0l1 0b1 0e1 0l1 0d2 0l2 0b2 0e2 0l2 0d3 0l3 0b3 0e3 0l3 0d4 0l4 0b4 0e4 "
            "0l4 0d5 0l5 0b5 0e5 0l5 0l\n");
}

TEST(WholeRun, ByPriorityWithoutCheckpoints) {
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_SERIAL, .policy = detent_policy_priority()}),
            "OK, 6 run, 0 in flight, 20 to 150\n"
            "ring 0: 1:-=0#0@10 3:5=0#1@30 4:5=0#0@40 3:0=0#2@50 4:0=0#0@60 3:1=1#3@70 4:1=0#0@80 3:2=0#4@90 "
            "4:2=0#0@100 3:3=0#5@110 4:3=0#0@120 3:4=1#6@130 4:4=0#0@140 2:-=0#0@160\n"
            "ring 1:\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_LAYERED, .policy = detent_policy_priority()}),
            "OK, 6 run, 0 in flight, 20 to 150\n"
            "ring 0: 1:-=0#0@10 3:5=0#0@30 4:5=0#0@40 3:0=0#0@50 4:0=0#0@60 3:1=1#0@70 4:1=0#0@80 3:2=0#0@90 "
            "4:2=0#0@100 3:3=0#0@110 4:3=0#0@120 3:4=1#0@130 4:4=0#0@140 2:-=0#0@160\n"
            "ring 1:\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_CLOSED_LOOP, .policy = detent_policy_priority()}),
            "OK, 6 run, 0 in flight, 20 to 190\n"
            "ring 0: 1:-=0#0@10 3:5=0#1@30 4:5=0#0@40 3:0=0#2@50 4:0=0#0@60 5:1=1#3@70 5:2=2#4@80 3:2=0#6@110 "
            "4:2=0#0@120 5:3=1#7@130 3:3=0#8@140 4:3=0#0@150 5:4=1#9@160 2:-=0#0@200\n"
            "ring 1: 3:1=1#5@90 4:1=0#0@100 3:4=1#10@170 4:4=0#0@180\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_STATIC, .policy = detent_policy_priority()}),
            "OK, 6 run, 0 in flight, 20 to 150\n"
            "ring 0: 1:-=0#0@10 3:5=0#0@30 4:5=0#0@40 3:0=0#0@50 4:0=0#0@60 3:1=1#0@70 4:1=0#0@80 3:2=0#0@90 "
            "4:2=0#0@100 3:3=0#0@110 4:3=0#0@120 3:4=1#0@130 4:4=0#0@140 2:-=0#0@160\n"
            "ring 1:\n"
            "ring 2:\n");
}

TEST(WholeRun, AnswersThatComeLater) {
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_SERIAL, .later = true, .checkpoints = kSteps}),
            "OK, 6 run, 0 in flight, 20 to 150\n"
            "ring 0: 1:-=0#0@10 3:0=0#1@30 4:0=0#0@40 3:1=1#2@50 4:1=0#0@60 3:2=0#3@70 4:2=0#0@80 3:3=0#4@90 "
            "4:3=0#0@100 3:4=1#5@110 4:4=0#0@120 3:5=0#6@130 4:5=0#0@140 2:-=0#0@160\n"
            "ring 1:\n"
            "ring 2:\n"
            "steps: 0l 0d0 0l0 0b0 0e0 0l0 0d1 0l1 0b1 0e1 0l1 0d2 0l2 0b2 0e2 0l2 0d3 0l3 0b3 0e3 0l3 0d4 0l4 0b4 0e4 "
            "0l4 0d5 0l5 0b5 0e5 0l5 0l\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_LAYERED, .later = true, .checkpoints = kSteps}),
            "OK, 6 run, 0 in flight, 20 to 150\n"
            "ring 0: 1:-=0#0@10 3:0=0#0@30 4:0=0#0@40 3:1=1#0@50 3:2=0#0@60 4:2=0#0@70 3:3=0#0@90 4:3=0#0@100 "
            "3:5=0#0@110 4:5=0#0@120 3:4=1#0@130 2:-=0#0@160\n"
            "ring 1: 4:1=0#0@80 4:4=0#0@140\n"
            "ring 2:\n"
            "steps: 0l 0d0 0l0 0b0 0e0 0l0 0d1 0l1 0b1 0d2 0l2 0b2 0e2 0l2 -l1 0e1 0d3 0l3 0b3 0e3 0l3 0d5 0l5 0b5 0e5 "
            "0l5 0d4 0l4 0b4 -l4 0e4 0l\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_CLOSED_LOOP, .later = true, .checkpoints = kSteps}),
            "OK, 6 run, 0 in flight, 20 to 190\n"
            "ring 0: 1:-=0#0@10 3:0=0#1@30 4:0=0#0@40 5:1=2#2@50 5:2=3#3@60 3:2=0#5@80 4:2=0#0@90 3:5=0#6@100 "
            "4:5=0#0@110 3:3=0#8@140 4:3=0#0@150 5:4=1#9@160 2:-=0#0@200\n"
            "ring 1: 3:1=1#4@70 4:1=0#0@120 5:3=1#7@130 3:4=1#10@170 4:4=0#0@180\n"
            "ring 2:\n"
            "steps: 0l 0L6 0q0 0U6 0d0 0l0 0b0 0e0 0l0 0L6 0q1 0l1 0q2 0l2 0q1 0d1 0l1 0b1 0q2 0U6 0d2 0l2 0b2 0e2 0l2 "
            "0L6 0q5 0U6 0d5 0l5 0b5 0e5 0l5 0L6 0U6 -L6 -q1 -e1 -l1 -q3 -l3 -q3 -U6 0d3 0l3 0b3 0e3 0l3 0L6 0q4 0l4 "
            "0q4 0d4 0l4 0b4 0U6 -L6 -q4 -e4 -l4 -U6 0l\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_STATIC, .later = true, .checkpoints = kSteps}),
            "OK, 6 run, 0 in flight, 20 to 150\n"
            "ring 0: 1:-=0#0@10 3:0=0#0@30 4:0=0#0@40 3:1=1#0@50 3:2=0#0@60 4:2=0#0@70 3:3=0#0@90 4:3=0#0@100 "
            "3:4=1#0@110 3:5=0#0@120 4:5=0#0@130 2:-=0#0@160\n"
            "ring 1: 4:1=0#0@80 4:4=0#0@140\n"
            "ring 2:\n"
            "steps: 0l 0d0 0l0 0b0 0e0 0l0 0d1 0l1 0b1 0d2 0l2 0b2 0e2 0l2 -l1 0d3 0l3 0b3 0e3 0l3 0d4 0l4 0b4 0d5 0l5 "
            "0b5 0e5 0l5 0e1 -l4 0e4 0l\n");
}

TEST(WholeRun, KernelsThatFail) {
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_SERIAL, .failing = 2}),
            "KERNEL_FAILED op 2 code 7, 2 run, 0 in flight, 20 to 90\n"
            "ring 0: 1:-=0#0@10 3:0=0#1@30 4:0=0#0@40 3:1=1#2@50 4:1=0#0@60 3:2=0#3@70 4:2=7#0@80 2:-=7#0@100\n"
            "ring 1:\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_LAYERED, .failing = 2}),
            "KERNEL_FAILED op 2 code 7, 2 run, 0 in flight, 20 to 90\n"
            "ring 0: 1:-=0#0@10 3:0=0#0@30 4:0=0#0@40 3:1=1#0@50 4:1=0#0@60 3:2=0#0@70 4:2=7#0@80 2:-=7#0@100\n"
            "ring 1:\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_CLOSED_LOOP, .failing = 2}),
            "KERNEL_FAILED op 2 code 7, 2 run, 0 in flight, 20 to 110\n"
            "ring 0: 1:-=0#0@10 3:0=0#1@30 4:0=0#0@40 5:1=2#2@50 5:2=3#3@60 3:2=0#5@90 4:2=7#0@100 2:-=7#0@120\n"
            "ring 1: 3:1=1#4@70 4:1=0#0@80\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_STATIC, .failing = 2}),
            "KERNEL_FAILED op 2 code 7, 2 run, 0 in flight, 20 to 90\n"
            "ring 0: 1:-=0#0@10 3:0=0#0@30 4:0=0#0@40 3:1=1#0@50 4:1=0#0@60 3:2=0#0@70 4:2=7#0@80 2:-=7#0@100\n"
            "ring 1:\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_SERIAL, .failing = 1}),
            "KERNEL_FAILED op 1 code 7, 1 run, 0 in flight, 20 to 70\n"
            "ring 0: 1:-=0#0@10 3:0=0#1@30 4:0=0#0@40 3:1=1#2@50 4:1=7#0@60 2:-=7#0@80\n"
            "ring 1:\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_LAYERED, .failing = 1}),
            "KERNEL_FAILED op 1 code 7, 1 run, 0 in flight, 20 to 70\n"
            "ring 0: 1:-=0#0@10 3:0=0#0@30 4:0=0#0@40 3:1=1#0@50 4:1=7#0@60 2:-=7#0@80\n"
            "ring 1:\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_CLOSED_LOOP, .failing = 1}),
            "KERNEL_FAILED op 1 code 7, 1 run, 0 in flight, 20 to 90\n"
            "ring 0: 1:-=0#0@10 3:0=0#1@30 4:0=0#0@40 5:1=2#2@50 5:2=3#3@60 2:-=7#0@100\n"
            "ring 1: 3:1=1#4@70 4:1=7#0@80\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_STATIC, .failing = 1}),
            "KERNEL_FAILED op 1 code 7, 1 run, 0 in flight, 20 to 70\n"
            "ring 0: 1:-=0#0@10 3:0=0#0@30 4:0=0#0@40 3:1=1#0@50 4:1=7#0@60 2:-=7#0@80\n"
            "ring 1:\n"
            "ring 2:\n");
}

TEST(WholeRun, DeadlinesThatAreMet) {
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_SERIAL, .later = true, .deadline_ps = 10'000}),
            "OK, 6 run, 0 in flight, 20 to 330\n"
            "ring 0: 1:-=0#0@10 3:0=0#1@40 4:0=0#0@50 3:1=1#2@80 4:1=0#0@120 3:2=0#3@150 4:2=0#0@160 3:3=0#4@190 "
            "4:3=0#0@200 3:4=1#5@230 4:4=0#0@270 3:5=0#6@300 4:5=0#0@310 2:-=0#0@340\n"
            "ring 1:\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_LAYERED, .later = true, .deadline_ps = 10'000}),
            "OK, 6 run, 0 in flight, 20 to 350\n"
            "ring 0: 1:-=0#0@10 3:0=0#0@40 4:0=0#0@50 3:1=1#0@90 3:2=0#0@110 4:2=0#0@120 3:3=0#0@200 4:3=0#0@210 "
            "3:5=0#0@240 4:5=0#0@250 3:4=1#0@290 2:-=0#0@360\n"
            "ring 1: 4:1=0#0@180 4:4=0#0@340\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_CLOSED_LOOP, .later = true, .deadline_ps = 10'000}),
            "OK, 6 run, 0 in flight, 20 to 420\n"
            "ring 0: 1:-=0#0@10 3:0=0#1@50 4:0=0#0@60 5:1=2#2@80 5:2=3#3@90 3:2=0#5@140 4:2=0#0@150 3:5=0#6@190 "
            "4:5=0#0@200 3:3=0#8@300 4:3=0#0@310 5:4=1#9@330 2:-=0#0@430\n"
            "ring 1: 3:1=1#4@120 4:1=0#0@250 5:3=1#7@260 3:4=1#10@360 4:4=0#0@390\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_STATIC, .later = true, .deadline_ps = 10'000}),
            "OK, 6 run, 0 in flight, 20 to 330\n"
            "ring 0: 1:-=0#0@10 3:0=0#0@40 4:0=0#0@50 3:1=1#0@80 3:2=0#0@100 4:2=0#0@110 3:3=0#0@180 4:3=0#0@190 "
            "3:4=1#0@220 3:5=0#0@240 4:5=0#0@250 2:-=0#0@340\n"
            "ring 1: 4:1=0#0@150 4:4=0#0@320\n"
            "ring 2:\n");
}

TEST(WholeRun, DeadlinesThatAreTooShort) {
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_SERIAL, .deadline_ps = 9}),
            "TIMEOUT op 0, 0 run, 0 in flight, 20 to 70\n"
            "ring 0: 1:-=0#0@10 3:0=0#1@40 4:0=0#0@50 2:-=6#0@80\n"
            "ring 1:\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_LAYERED, .deadline_ps = 9}),
            "TIMEOUT op 0, 0 run, 0 in flight, 20 to 80\n"
            "ring 0: 1:-=0#0@10 3:0=0#0@40 4:0=0#0@50 2:-=6#0@90\n"
            "ring 1:\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_CLOSED_LOOP, .deadline_ps = 9}),
            "TIMEOUT op 0, 1 run, 0 in flight, 20 to 90\n"
            "ring 0: 1:-=0#0@10 3:0=0#1@50 4:0=0#0@60 2:-=6#0@100\n"
            "ring 1:\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_STATIC, .deadline_ps = 9}),
            "TIMEOUT op 0, 0 run, 0 in flight, 20 to 80\n"
            "ring 0: 1:-=0#0@10 3:0=0#0@40 4:0=0#0@50 2:-=6#0@90\n"
            "ring 1:\n"
            "ring 2:\n");
}

TEST(WholeRun, LogsThatAreTooShort) {
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_SERIAL, .records = 4}),
            "OK, 6 run, 0 in flight, 20 to 150\n"
            "ring 0 dropped 10: 4:4=0#0@120 3:5=0#6@130 4:5=0#0@140 2:-=0#0@160\n"
            "ring 1:\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_CLOSED_LOOP, .records = 4}),
            "OK, 6 run, 0 in flight, 20 to 150\n"
            "ring 0 dropped 6: 4:3=0#0@100 3:5=0#6@130 4:5=0#0@140 2:-=0#0@160\n"
            "ring 1: 3:1=1#2@50 4:1=0#0@60 3:4=1#5@110 4:4=0#0@120\n"
            "ring 2:\n");
  EXPECT_EQ(run_whole({.mode = DETENT_MODE_CLOSED_LOOP, .records = 16}),
            "OK, 6 run, 0 in flight, 20 to 150\n"
            "ring 0: 1:-=0#0@10 3:0=0#1@30 4:0=0#0@40 3:2=0#3@70 4:2=0#0@80 3:3=0#4@90 4:3=0#0@100 3:5=0#6@130 "
            "4:5=0#0@140 2:-=0#0@160\n"
            "ring 1: 3:1=1#2@50 4:1=0#0@60 3:4=1#5@110 4:4=0#0@120\n"
            "ring 2:\n");
}

}  // namespace
}  // namespace detent::test
