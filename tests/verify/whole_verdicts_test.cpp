// Verdicts from the first word to the last: summaries, the witnesses with their ops and schedules, and their number.
#include <gtest/gtest.h>

#include <utility>

#include "tests/verify/static/reuse_plans.hpp"
#include "tests/verify/timing/list_schedule.hpp"
#include "tests/verify/verdict_text.hpp"
#include "verify/runs/access_audit.hpp"
#include "verify/runs/determinism.hpp"
#include "verify/runs/fault_response.hpp"
#include "verify/runs/trace_rules.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/static/memory_plan.hpp"
#include "verify/static/structure.hpp"
#include "verify/timing/response.hpp"

namespace detent::verify {
namespace {

using namespace testing;

GraphSpec four_in_a_diamond() {
  GraphSpec spec = make_ops(4);
  spec.edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  return spec;
}

TEST(WholeVerdicts, StructureHolds) {
  EXPECT_EQ(text_of(check_structure(DescTables(four_in_a_diamond()).desc)),
            "structure holds: 4 ops, 4 edges: a DAG in which every op becomes ready\n");
}

TEST(WholeVerdicts, StructureOfTablesThatAreWrongEverywhere) {
  DescTables tables(four_in_a_diamond());
  detent_op& op = tables.ops[0];
  op.id = 7;
  op.inputs = {1, 0};
  op.outputs = {0, 1};
  op.weights = {0, UINT32_MAX};
  op.scratch = {UINT32_MAX, 1};
  op.mutexes = {0, 1};
  op.config_offset = 8;
  op.kernel = tables.desc.kernel_count;
  tables.ops[1].core_class = tables.desc.class_count;
  tables.ops[2].entry_count = 3;
  EXPECT_EQ(text_of(check_structure(tables.desc)),
            "structure violated: 4 ops, 4 edges: 10 faults\n"
            "- B26: op 0 (op0) has id 7; ids must be dense and unique [0]\n"
            "- B09: op 0 (op0): its inputs lie outside their table [0]\n"
            "- B09: op 0 (op0): its outputs lie outside their table [0]\n"
            "- B09: op 0 (op0): its weights lie outside their table [0]\n"
            "- B09: op 0 (op0): its scratch lie outside their table [0]\n"
            "- B09: op 0 (op0): its mutexes lie outside their table [0]\n"
            "- B09: op 0 (op0): its config lies outside the config bytes, or is not aligned to 8 [0]\n"
            "- B29: op 0 (op0) names a kernel or a core class that does not exist [0]\n"
            "- B29: op 1 (op1) names a kernel or a core class that does not exist [1]\n"
            "- B24: op 2 (op2) waits for 3 predecessors but has 1 [2]\n");
}

TEST(WholeVerdicts, StructureOfWrongReferencesAndEdges) {
  GraphSpec spec = four_in_a_diamond();
  spec.ops[0].writes = {{0, 0, 8}, {0, 8, 8}};
  spec.mutex_count = 1;
  spec.ops[0].mutexes = {0};
  spec.edges = {{0, 1}, {0, 1}, {1, 2}, {2, 1}, {3, 3}, {3, 0}};
  DescTables tables(spec);
  tables.tensor_refs[1] = 2;
  tables.mutex_refs[0] = 1;
  tables.successors.back() = 4;
  const std::vector<std::uint32_t> ids = {1, 2};
  tables.desc.inputs = tables.desc.outputs = ids.data();
  tables.desc.input_count = tables.desc.output_count = 2;
  EXPECT_EQ(text_of(check_structure(tables.desc)),
            "structure violated: 4 ops, 6 edges: 8 faults\n"
            "- B09: tensor reference 1 names tensor 2, which does not exist\n"
            "- B09: mutex reference 0 names a mutex that does not exist\n"
            "- B09: model input 1 is tensor 2, which does not exist\n"
            "- B09: model output 1 is tensor 2, which does not exist\n"
            "- B23: duplicate edge from op 0 (op0) to op 1 (op1) [0 1]\n"
            "- B22: op 3 (op3) has successor 4, which does not exist [3]\n"
            "- B24: op 3 (op3) waits for 1 predecessor but has 0 [3]\n"
            "- B20: cycle: op 1 (op1) -> op 2 (op2) -> op 1 (op1) [1 2]\n");
  DescTables beyond(spec);
  beyond.ops[3].successors = {5, 2};
  EXPECT_EQ(text_of(check_structure(beyond.desc)),
            "structure violated: 4 ops, 6 edges: 1 fault\n"
            "- B09: op 3 (op3): its successors lie outside their table [3]\n");
}

TEST(WholeVerdicts, StructureNamesTheFirst32OpsOfACycle) {
  for (const std::uint32_t count : {32U, 33U}) {
    GraphSpec spec = make_ops(count);
    for (OpSpec& op : spec.ops) op.name.clear();
    for (std::uint32_t op = 0; op < count; ++op) spec.edges.emplace_back(op, (op + 1) % count);
    std::string cycle = "- B20: cycle: ";
    for (std::uint32_t op = 0; op < 32; ++op) cycle += "op " + std::to_string(op) + " -> ";
    if (count == 33) cycle += "... 1 more ... -> ";
    const std::string text = text_of(check_structure(DescTables(spec).desc));
    EXPECT_NE(text.find(cycle + "op 0 [0 1 2 "), std::string::npos) << text;
  }
}

TEST(WholeVerdicts, MemoryPlanOfRegions) {
  ReusePlan plan;
  plan.regions[0].size_bytes = DETENT_MAX_BYTES + 1;
  plan.regions.push_back({"", DETENT_REGION_WEIGHTS, 0, 48, nullptr});
  plan.regions.push_back({"w", DETENT_REGION_WEIGHTS, DETENT_MAX_BYTES, 64, ""});
  plan.refresh();
  EXPECT_EQ(text_of(check_memory_plan(plan.desc)),
            "memory_plan violated: 3 tensors in 3 regions: 4 faults\n"
            "- B40: r0 is larger than 2^40 bytes\n"
            "- B47: region 1 has no bytes\n"
            "- B48: region 1: its alignment is not a power of two\n"
            "- B46: region 1 holds weights but has no bytes to read\n");
}

TEST(WholeVerdicts, MemoryPlanOfBytes) {
  ReusePlan plan;
  plan.tensors[0].block_count = 2;
  plan.tensors[0].offset_bytes = 65;
  plan.tensors[0].align_bytes = 1;
  plan.tensors[1].block_bytes = 0;
  plan.tensors[1].align_bytes = 128;
  plan.tensors[2].offset_bytes = UINT64_MAX - 63;
  plan.tensors[2].align_bytes = 3;
  EXPECT_EQ(text_of(check_memory_plan(plan.desc)),
            "memory_plan violated: 3 tensors in 1 region: 7 faults\n"
            "- B32: tensor 0 (op0.w0): its extent is not what its blocks span\n"
            "- B40: tensor 0 (op0.w0) at offset 65, 64 bytes, does not fit in r0 of 128 bytes\n"
            "- B47: tensor 1 (op1.w0) has no bytes\n"
            "- B48: tensor 1 (op1.w0) is not aligned to 128 bytes\n"
            "- B41: tensor 2 (op2.w0): offset + size wraps\n"
            "- B40: tensor 2 (op2.w0) at offset 18446744073709551552, 64 bytes, does not fit in r0 of 128 bytes\n"
            "- B48: tensor 2 (op2.w0): its alignment is not a power of two\n");
  ReusePlan last_fit;
  last_fit.tensors[1].offset_bytes = 65;
  last_fit.tensors[1].size_bytes = last_fit.tensors[1].block_bytes = 63;
  EXPECT_EQ(text_of(check_memory_plan(last_fit.desc)),
            "memory_plan violated: 3 tensors in 1 region: 1 fault\n"
            "- B48: tensor 1 (op1.w0) is not aligned to 64 bytes\n");
  last_fit.tensors[1].region = 1;
  EXPECT_EQ(text_of(check_memory_plan(last_fit.desc)),
            "memory_plan violated: 3 tensors in 1 region: 1 fault\n"
            "- B09: tensor 1 (op1.w0) lies in a region that does not exist\n");
}

TEST(WholeVerdicts, MemoryPlanOfViews) {
  ReusePlan plan;
  plan.tensors[1].alias_of = 2;
  plan.tensors[2].alias_of = 1;
  plan.tensors[2].dtype = DETENT_F32;
  plan.tensors[0].alias_of = 3;
  EXPECT_EQ(text_of(check_memory_plan(plan.desc)),
            "memory_plan violated: 3 tensors in 1 region: 6 faults\n"
            "- B09: tensor 0 (op0.w0) is a view of tensor 3, which does not exist\n"
            "- B44: tensor 1 (op1.w0) is a view of tensor 2 (op2.w0) of another type\n"
            "- B43: tensor 1 (op1.w0) is a view of tensor 2 (op2.w0), but does not lie inside it\n"
            "- B44: tensor 2 (op2.w0) is a view of tensor 1 (op1.w0) of another type\n"
            "- B43: tensor 2 (op2.w0) is a view of tensor 1 (op1.w0), but does not lie inside it\n"
            "- B43: tensor 1 (op1.w0) is, through other views, a view of itself\n");
  ReusePlan inside;
  inside.tensors.push_back(inside.tensors[1]);
  inside.tensors[3].alias_of = 1;
  inside.tensors[3].size_bytes = inside.tensors[3].block_bytes = 32;
  inside.tensors[3].align_bytes = 32;
  inside.refresh();
  for (const std::uint64_t offset : {32U, 64U, 96U}) {
    inside.tensors[3].offset_bytes = offset;
    const bool fits = offset >= 64;
    EXPECT_EQ(text_of(check_memory_plan(inside.desc)).find("does not lie inside it") == std::string::npos, fits)
        << offset;
  }
}

TEST(WholeVerdicts, MemoryPlanOfOpsThatWrite) {
  ReusePlan plan;
  plan.regions[0].kind = DETENT_REGION_INPUT;
  plan.tensors[2].offset_bytes = 64;
  EXPECT_EQ(
      text_of(check_memory_plan(plan.desc)),
      "memory_plan violated: 3 tensors in 1 region: 5 faults\n"
      "- B46: op 0 (op0) writes tensor 0 (op0.w0), which lies in read-only r0 [0]\n"
      "- B46: op 1 (op1) writes tensor 1 (op1.w0), which lies in read-only r0 [1]\n"
      "- B46: op 2 (op2) writes tensor 2 (op2.w0), which lies in read-only r0 [2]\n"
      "- B45: op 2 (op2) writes tensor 2 (op2.w0) over its input tensor 1 (op1.w0) but is not declared in place [2]\n"
      "- B42: tensor 1 (op1.w0) and tensor 2 (op2.w0) are both inputs and share bytes [64, 128) of r0 {0 1 2}\n");
}

TEST(WholeVerdicts, MemoryPlanOfLifetimes) {
  ReusePlan plan;
  plan.live(0, {0, 3});
  plan.live(1, {2, 1});
  plan.live(2, {DETENT_NONE, 2});
  EXPECT_EQ(text_of(check_memory_plan(plan.desc)),
            "memory_plan violated: 3 tensors in 1 region: 5 faults\n"
            "- B49: tensor 0 (op0.w0): its lifetime does not begin and end at ops\n"
            "- B49: tensor 2 (op2.w0): its lifetime does not begin and end at ops\n"
            "- B49: tensor 1 (op1.w0): its lifetime ends before it begins\n"
            "- B49: op 1 (op1) uses tensor 1 (op1.w0) before its lifetime, which it claims to begin at op 2 (op2) [1]\n"
            "- B49: op 2 (op2) uses tensor 1 (op1.w0) after its lifetime, which it claims to end at op 1 (op1) [2]\n");
  ReusePlan whole;
  whole.live(0, {0, 2});
  EXPECT_EQ(text_of(check_memory_plan(whole.desc)),
            "memory_plan violated: 3 tensors in 1 region: 1 fault\n"
            "- B42: tensor 0 (op0.w0) and tensor 2 (op2.w0) both live at op 2 (op2) and share bytes [0, 64) of r0 [2] "
            "{0 1 2}\n");
}

TEST(WholeVerdicts, B42_MemoryPlanOfTwoInputsAndOfTwoOutputs) {
  for (const bool input : {true, false}) {
    ReusePlan plan;
    plan.tensors[1].offset_bytes = 0;
    const std::vector<std::uint32_t> both = {0, 1};
    (input ? plan.desc.inputs : plan.desc.outputs) = both.data();
    (input ? plan.desc.input_count : plan.desc.output_count) = 2;
    for (detent_op& op : plan.ops) op.inputs.count = op.outputs.count = 0;
    for (std::uint32_t t = 0; t < 3; ++t) plan.live(t, {DETENT_NONE, DETENT_NONE});
    const std::string both_are = input ? "inputs" : "outputs";
    EXPECT_EQ(text_of(check_memory_plan(plan.desc)),
              "memory_plan violated: 3 tensors in 1 region: 1 fault\n"
              "- B42: tensor 0 (op0.w0) and tensor 1 (op1.w0) are both " +
                  both_are + " and share bytes [0, 64) of r0 {0 1 2}\n");
  }
}

TEST(WholeVerdicts, MemoryPlanWithoutAnOrder) {
  GraphSpec spec = ReusePlan::spec();
  spec.edges.push_back({2, 0});
  DescTables tables(spec);
  for (detent_tensor& tensor : tables.tensors) tensor.flags = 0;
  tables.ops[1].flags = DETENT_OP_IN_PLACE;
  EXPECT_EQ(text_of(check_memory_plan(tables.desc)),
            "memory_plan unknown: whether tensors that share a byte live at once is not known: test: the op graph has "
            "a cycle; `detent verify` prints the structure verdict with the ops concerned\n");
}

/// Ops 0 and 1 write one range, op 2 reads it; op 3 shares a mutex with op 0 and writes there, too.
GraphSpec races_and_a_mutex() {
  GraphSpec spec = make_ops(4);
  spec.mutex_count = 1;
  spec.ops[0].writes = {{0, 0, 16}};
  spec.ops[1].writes = {{0, 8, 16}};
  spec.ops[2].reads = {{0, 8, 8}};
  spec.ops[3].writes = {{0, 0, 8}};
  spec.ops[0].mutexes = spec.ops[3].mutexes = {0};
  spec.edges = {{0, 2}};
  return spec;
}

TEST(WholeVerdicts, RacesAndWhatTheyDoToTheResult) {
  GraphSpec spec = races_and_a_mutex();
  const DescTables tables(spec);
  EXPECT_EQ(text_of(check_buffer_races(tables.desc)),
            "buffer_races violated: 5 unordered and 4 conflicting pairs of ops: 2 racing pairs, 2 hazards\n"
            "- waw: op 0 (op0) writes and op 1 (op1) writes bytes [8, 16) of r0 (tensor 0 (op0.w0), tensor 1 "
            "(op1.w0)), and no path orders them [0 1] {1 0 2 3}\n"
            "- raw: op 1 (op1) writes and op 2 (op2) reads bytes [8, 16) of r0 (tensor 1 (op1.w0), tensor 2 (op2.r0)), "
            "and no path orders them [1 2] {0 2 1 3}\n");
  EXPECT_EQ(text_of(judge_determinism(tables.desc, find_races(tables.desc))),
            "determinism violated: 2 racing pairs: the result depends on the schedule\n"
            "- waw: op 0 (op0) writes and op 1 (op1) writes bytes [8, 16) of r0 (tensor 0 (op0.w0), tensor 1 "
            "(op1.w0)), and no path orders them [0 1]\n");
  spec.edges = {{0, 1}, {1, 2}};
  const DescTables ordered(spec);
  EXPECT_EQ(text_of(check_buffer_races(ordered.desc)),
            "buffer_races holds: 3 unordered and 4 conflicting pairs of ops: no pair is both, so on no schedule do two "
            "ops meet on a byte that one writes (1 pair kept apart by a mutex)\n");
  EXPECT_EQ(
      text_of(judge_determinism(ordered.desc, find_races(ordered.desc))),
      "determinism violated: 1 pair shares a mutex but no order and no commute group: whichever runs first decides\n"
      "- waw: op 0 (op0) writes and op 3 (op3) writes bytes [0, 8) of r0 (tensor 0 (op0.w0), tensor 3 (op3.w0)), and "
      "no path orders them; a mutex keeps them apart but not in order [0 3]\n");
  spec.edges.emplace_back(2, 3);
  const DescTables chain(spec);
  EXPECT_EQ(text_of(check_buffer_races(chain.desc)),
            "buffer_races holds: 0 unordered and 4 conflicting pairs of ops: no pair is both, so on no schedule do two "
            "ops meet on a byte that one writes\n");
  EXPECT_EQ(text_of(judge_determinism(chain.desc, find_races(chain.desc))),
            "determinism holds: every schedule orders all conflicting ops alike (commuting pairs as declared)\n");
  spec.edges.emplace_back(3, 0);
  EXPECT_EQ(text_of(check_buffer_races(DescTables(spec).desc)),
            "buffer_races unknown: not checked: test: the op graph has a cycle; `detent verify` prints the structure "
            "verdict with the ops concerned\n");
}

TEST(WholeVerdicts, OneRace) {
  GraphSpec spec = make_ops(2);
  for (OpSpec& op : spec.ops) op.writes = {{0, 0, 8}};
  const DescTables tables(spec);
  EXPECT_EQ(text_of(check_buffer_races(tables.desc)),
            "buffer_races violated: 1 unordered and 1 conflicting pair of ops: 1 racing pair, 1 hazard\n"
            "- waw: op 0 (op0) writes and op 1 (op1) writes bytes [0, 8) of r0 (tensor 0 (op0.w0), tensor 1 (op1.w0)), "
            "and no path orders them [0 1] {1 0}\n");
  EXPECT_EQ(text_of(judge_determinism(tables.desc, find_races(tables.desc))),
            "determinism violated: 1 racing pair: the result depends on the schedule\n"
            "- waw: op 0 (op0) writes and op 1 (op1) writes bytes [0, 8) of r0 (tensor 0 (op0.w0), tensor 1 (op1.w0)), "
            "and no path orders them [0 1]\n");
}

TEST(WholeVerdicts, RacesListNoMoreThanAHundredWitnesses) {
  GraphSpec spec = make_ops(20);
  for (OpSpec& op : spec.ops) op.writes = {{0, 0, 8}};
  const Verdict verdict = check_buffer_races(DescTables(spec).desc);
  EXPECT_EQ(verdict.witnesses.size(), 100U);
  EXPECT_EQ(verdict.summary, "190 unordered and 190 conflicting pairs of ops: 190 racing pairs, 190 hazards");
}

TEST(WholeVerdicts, MutexesWithoutAnOrderListSixteenWitnesses) {
  GraphSpec spec = make_ops(20);
  spec.mutex_count = 1;
  for (OpSpec& op : spec.ops) op.writes = {{0, 0, 8}};
  for (OpSpec& op : spec.ops) op.mutexes = {0};
  const DescTables tables(spec);
  EXPECT_EQ(judge_determinism(tables.desc, find_races(tables.desc)).witnesses.size(), 16U);
}

TEST(WholeVerdicts, DigestsOfRuns) {
  EXPECT_EQ(text_of(compare_digests(7, {})), "determinism unknown: no run to compare\n");
  EXPECT_EQ(text_of(compare_digests(7, {{"a", 7}, {"b", 7}})),
            "determinism holds: digest 0000000000000007: equal in all 2 runs\n");
  EXPECT_EQ(text_of(compare_digests(7, {{"a", 7}, {"b", 8}, {"c", 9}})),
            "determinism violated: digest 0000000000000007: 2 of 3 runs differ\n"
            "- b: digest 0000000000000008, reference 0000000000000007\n"
            "- c: digest 0000000000000009, reference 0000000000000007\n");
  EXPECT_EQ(compare_digests(7, std::vector<DigestRun>(17, {"a", 8})).witnesses.size(), 16U);
}

TEST(WholeVerdicts, NativeRunsOfOneWorker) {
  GraphSpec spec = reuse_after_one_reader();
  spec.ops[2].writes = {{0, 128, 64}};
  DeterminismOptions options{
      .worker_counts = {0, 1}, .random_seeds = 0, .permuted_orders = 3, .seeds = {.schedule = 4}};
  EXPECT_EQ(text_of(check_determinism(DescTables(spec).desc, options).verdict),
            "determinism violated: serial digest 9d30dfe5dc4d3b57: 2 of 8 native runs differ\n"
            "- closed-loop, 1 worker, policy given seed 4: digest 5efa13a24a40447a, serial 9d30dfe5dc4d3b57; the first "
            "op whose output differs is op 2 (op2) [2] {0 1 3 2}\n"
            "- closed-loop, 1 worker, policy given seed 5: digest 5efa13a24a40447a, serial 9d30dfe5dc4d3b57; the first "
            "op whose output differs is op 2 (op2) [2] {0 1 3 2}\n");
  spec.edges.emplace_back(2, 3);
  const DescTables ordered(spec);
  EXPECT_EQ(text_of(check_determinism(ordered.desc, options).verdict),
            "determinism holds: serial digest 9d30dfe5dc4d3b57: equal in all 8 native runs over modes, worker counts, "
            "policies and permuted orders\n");
  options.max_runs = 0;
  EXPECT_EQ(text_of(check_determinism(ordered.desc, options).verdict),
            "determinism unknown: no run was asked for besides the serial one\n");
  DescTables broken(spec);
  broken.ops[0].entry_count = 3;
  EXPECT_EQ(text_of(check_determinism(broken.desc, options).verdict),
            "determinism unknown: the serial run failed: B25 NO_ENTRY: no op can start; leave at least one op without "
            "predecessors\n");
}

TEST(WholeVerdicts, EveryRunThatIsMade) {
  const DescTables tables(four_in_a_diamond());
  std::string runs;
  for (const auto& run : plan_determinism_runs(tables.desc, {.worker_counts = {0, 1, 2},
                                                            .random_seeds = 3,
                                                            .permuted_orders = 2,
                                                            .seeds = {.input = 6, .schedule = 5}})) {
    runs += describe_options(run) + " {" + list_text(run.engine.order) + "}\n";
    EXPECT_EQ(run.seeds.input, 6U);
    EXPECT_FALSE(run.trace);
  }
  EXPECT_EQ(runs,
            "closed-loop, 2 workers, policy id {}\n"
            "closed-loop, 1 worker, policy given seed 5 {0 1 2 3}\n"
            "closed-loop, 1 worker, policy random seed 5 {}\n"
            "closed-loop, 1 worker, policy priority {}\n"
            "closed-loop, 2 workers, scheduler thread, policy id {}\n"
            "closed-loop, 2 workers, policy given seed 6 {0 2 1 3}\n"
            "closed-loop, 2 workers, policy random seed 6 {}\n"
            "closed-loop, 2 workers, policy priority {}\n"
            "layered, 2 workers, policy id {}\n"
            "closed-loop, 1 worker, policy random seed 7 {}\n"
            "closed-loop, 1 worker, policy critical-path {}\n"
            "static, 2 workers, policy id {}\n"
            "closed-loop, 2 workers, policy critical-path {}\n"
            "closed-loop, 1 worker, policy id {}\n"
            "layered, 1 worker, policy id {}\n"
            "static, 1 worker, policy id {}\n");
  EXPECT_TRUE(plan_determinism_runs(tables.desc, {.worker_counts = {0}}).empty());
}

TEST(WholeVerdicts, Traces) {
  GraphSpec spec = four_in_a_diamond();
  spec.mutex_count = 2;
  spec.ops[0].mutexes = {1};
  spec.ops[2].mutexes = {1};
  const DescTables tables(spec);
  harness::Trace trace;
  trace.spans = {{0, 0, 0, 10, 1}, {1, 0, 10, 20, 2}, {2, 1, 10, 15, 3}, {3, 1, 20, 30, 4}};
  EXPECT_EQ(text_of(check_trace(tables.desc, trace, 2, 30)),
            "trace_rules holds: 4 spans of 4 ops: each op once, after its predecessors, alone on its slot\n");
  trace.dropped = 3;
  EXPECT_EQ(text_of(check_trace(tables.desc, trace, 2, 30)),
            "trace_rules unknown: 4 spans of 4 ops: incomplete, 3 log records were dropped\n");
  trace.dropped = 0;
  trace.spans = {{0, 0, 0, 12, 1}, {9, 0, 0, 1, 2}, {2, 1, 10, 31, 3}, {2, 2, 11, 10, 4}, {3, 1, 30, 30, 5}};
  EXPECT_EQ(text_of(check_trace(tables.desc, trace, 2, 30)),
            "trace_rules violated: 5 spans of 4 ops: 9 rules broken\n"
            "- a span of op 9, which does not exist\n"
            "- op 2 (op2) ran in [10, 31] ps, outside the run of 30 ps [2]\n"
            "- op 2 (op2) ran more than once [2]\n"
            "- op 2 (op2) ran in [11, 10] ps, outside the run of 30 ps [2]\n"
            "- op 1 (op1) did not run [1]\n"
            "- op 2 (op2) began at 11 ps, before its predecessor op 0 (op0) ended at 12 ps [0 2]\n"
            "- op 2 (op2) ran on slot 2 of 2 [2]\n"
            "- op 2 (op2) in [10, 31] ps and op 3 (op3) in [30, 30] ps overlap on slot 1 [2 3]\n"
            "- op 0 (op0) in [0, 12] ps and op 2 (op2) in [11, 10] ps overlap on mutex m1 [0 2]\n");
  DescTables nameless(spec);
  nameless.desc.mutex_names = nullptr;
  trace.spans = {{0, 0, 0, 10, 1}, {1, 0, 10, 20, 2}, {2, 1, 9, 15, 3}, {3, 1, 20, 30, 4}};
  EXPECT_EQ(text_of(check_trace(nameless.desc, trace, 2, 30)),
            "trace_rules violated: 4 spans of 4 ops: 2 rules broken\n"
            "- op 2 (op2) began at 9 ps, before its predecessor op 0 (op0) ended at 10 ps [0 2]\n"
            "- op 0 (op0) in [0, 10] ps and op 2 (op2) in [9, 15] ps overlap on mutex 1 [0 2]\n");
  trace.spans.assign(30, {9, 0, 0, 1, 2});
  EXPECT_EQ(check_trace(tables.desc, trace, 2, 30).witnesses.size(), 16U);
}

harness::OpAccess seen(std::vector<harness::RegionAccess> regions) {
  return {.method = harness::AccessMethod::kInstrumented, .regions = std::move(regions), .strays = {}};
}

TEST(WholeVerdicts, AccessesOfEveryKind) {
  GraphSpec spec = make_ops(3);
  spec.regions = workspaces({256, 256});
  spec.ops[0].reads = {{0, 0, 16}};
  spec.ops[0].writes = {{0, 16, 16}};
  spec.ops[0].scratch_ranges = {{0, 32, 16}};
  spec.ops[1].reads = {{0, 16, 16}};
  spec.ops[1].writes = {{1, 0, 16}};
  const DescTables tables(spec);
  harness::AccessReport report;
  report.ops = {seen({{.region = 0,
                       .reads = {{0, 8}, {20, 24}, {40, 44}, {100, 104}, {108, 110}},
                       .writes = {{4, 8}, {16, 30}, {60, 62}},
                       .early_reads = {{20, 24}, {40, 44}}}}),
                seen({{.region = 0, .reads = {{16, 32}}, .writes = {}, .early_reads = {}},
                      {.region = 1, .reads = {}, .writes = {{0, 16}}, .early_reads = {}}}),
                {}};
  report.ops[1].strays = {{0, -4, 2, false}, {1, 256, 260, true}};
  const AccessAudit audit = audit_accesses(tables.desc, report);
  EXPECT_EQ(
      text_of(audit.verdict),
      "access_audit violated: 3 ops observed, 8 findings, 20 bytes declared but never touched\n"
      "- op 0 (op0) reads undeclared bytes [100, 104) of r0; 6 bytes in all [0]\n"
      "- op 0 (op0) reads before writing output bytes [20, 24) of r0 (tensor 1 (op0.w0), tensor 3 (op1.r0) lie there) "
      "[0]\n"
      "- op 0 (op0) reads before writing scratch bytes [40, 44) of r0 (tensor 2 (op0.s0) lies there) [0]\n"
      "- op 0 (op0) writes undeclared bytes [60, 62) of r0 [0]\n"
      "- op 0 (op0) writes read-only bytes [4, 8) of r0 (tensor 0 (op0.r0) lies there) [0]\n"
      "- op 0 (op0) never writes output bytes [30, 32) of r0 (tensor 1 (op0.w0), tensor 3 (op1.r0) lie there) [0]\n"
      "- op 1 (op1) reads outside the region bytes [-4, 2) of r0 [1]\n"
      "- op 1 (op1) writes outside the region bytes [256, 260) of r1 [1]\n");
  ASSERT_EQ(audit.slack.size(), 1U);
  EXPECT_EQ(audit.slack[0].op, 0U);
  EXPECT_EQ(audit.slack[0].read_bytes, 8U);
  EXPECT_EQ(audit.slack[0].scratch_bytes, 12U);
  EXPECT_EQ(audit.observed_ops, 3U) << "op 2 has no tensors";
}

TEST(WholeVerdicts, AccessesThatWereNotSeen) {
  GraphSpec spec = make_ops(2);
  spec.ops[0].writes = {{0, 0, 16}};
  spec.ops[1].reads = {{0, 0, 16}};
  spec.edges = {{0, 1}};
  const DescTables tables(spec);
  const harness::RegionAccess whole{.region = 0, .reads = {}, .writes = {{0, 16}}, .early_reads = {}};
  harness::AccessReport report;
  report.ops = {seen({whole}), {}};
  EXPECT_EQ(text_of(audit_accesses(tables.desc, report).verdict),
            "access_audit unknown: 1 op observed, 0 findings; 1 of 2 ops were not observed\n");
  report.ops[1] = seen({});
  report.ops[1].method = harness::AccessMethod::kPerturbed;
  EXPECT_EQ(text_of(audit_accesses(tables.desc, report).verdict), "access_audit holds: 2 ops observed, 0 findings\n");
  report.unobserved_functions = {"qsort", "sin"};
  EXPECT_EQ(text_of(audit_accesses(tables.desc, report).verdict),
            "access_audit unknown: 2 ops observed, 0 findings; kernels may call qsort (and 1 more), whose accesses are "
            "not seen\n");
  report.error = {DETENT_KERNEL_FAILED, 0, DETENT_NONE, DETENT_NONE, DETENT_NONE, DETENT_NONE, 3};
  EXPECT_EQ(text_of(audit_accesses(tables.desc, report).verdict),
            "access_audit unknown: 1 op observed, 0 findings; F01 KERNEL_FAILED: a kernel returned an error (op 0 "
            "\"op0\", code 3); look up the kernel's code; detent_reset makes the context usable again\n");
}

TEST(WholeVerdicts, ManyFindingsListEightTensorsAndAHundredWitnesses) {
  GraphSpec spec = make_ops(101);
  for (OpSpec& op : spec.ops) op.writes = {{0, 0, 16}};
  const DescTables tables(spec);
  harness::AccessReport report;
  report.ops.assign(101, seen({}));
  const AccessAudit audit = audit_accesses(tables.desc, report);
  EXPECT_EQ(audit.findings.size(), 101U);
  EXPECT_EQ(audit.findings[0].tensors.size(), 8U);
  EXPECT_EQ(audit.verdict.witnesses.size(), 100U);
}

TEST(WholeVerdicts, FaultResponses) {
  using harness::FaultEvent;
  using Event = FaultEvent::Kind;
  const DescTables tables(four_in_a_diamond());
  harness::FaultRecord record;
  record.error = {DETENT_KERNEL_FAILED, 1, DETENT_NONE, DETENT_NONE, DETENT_NONE, DETENT_NONE, 42};
  record.events = {{Event::kBegin, 0, 0, 0}, {Event::kEnd, 0, 0, 5}, {Event::kBegin, 1, 0, 5}, {Event::kEnd, 1, 42, 9}};
  record.again = harness::RunAgain{.status = DETENT_OK, .ops_ended = 4, .digest = 7};
  const harness::Faults failing{.failing_ops = {{.op = 1, .code = 42}}};
  EXPECT_EQ(text_of(check_fault_response(tables.desc, failing, record, 7)),
            "fault_response holds: KERNEL_FAILED: 2 of 4 ops began, 0 in flight when the run returned\n");
  record.error.code = 41;
  record.accepted_second = 2;
  record.said_in_flight = 1;
  record.again->digest = 9;
  record.again->ops_ended = 3;
  record.events.push_back({Event::kBegin, 2, 0, 9});
  EXPECT_EQ(text_of(check_fault_response(tables.desc, failing, record, 7)),
            "fault_response violated: KERNEL_FAILED: 3 of 4 ops began, 1 in flight when the run returned\n"
            "- op 2 (op2) began although the run had been stopped [2]\n"
            "- the status names op 1 (op1) and code 41, and no such code was returned [1]\n"
            "- the result reports 1 op in flight, and 1 were [2]\n"
            "- op 2 (op2) was in flight when the run returned KERNEL_FAILED [2]\n"
            "- a second answer was accepted, 2 times\n"
            "- after the reset 3 of 4 ops ran once\n"
            "- after the reset the digest was 0000000000000009 instead of 0000000000000007\n");
  record.error = {DETENT_WORKER_FAILED, DETENT_NONE, DETENT_NONE, DETENT_NONE, DETENT_NONE, DETENT_NONE, 0};
  record.again.reset();
  EXPECT_EQ(text_of(check_fault_response(tables.desc, {.failing_start = 1}, record, 7)),
            "fault_response violated: WORKER_FAILED: 3 of 4 ops began, 1 in flight when the run returned\n"
            "- op 2 (op2) began although the run had been stopped [2]\n"
            "- ops ran although a worker could not start\n"
            "- the result reports 1 op in flight, and 1 were [2]\n"
            "- op 2 (op2) was in flight when the run returned WORKER_FAILED [2]\n"
            "- a second answer was accepted, 2 times\n"
            "- the context was not run again\n");
  record = {};
  for (std::uint32_t op = 0; op < 4; ++op) {
    record.events.push_back({Event::kBegin, op, 0, 0});
    record.events.push_back({Event::kEnd, op, 0, 0});
  }
  record.again = harness::RunAgain{.status = DETENT_OK, .ops_ended = 4, .digest = 7};
  EXPECT_EQ(text_of(check_fault_response(tables.desc, {.failing_ops = {{.op = 1, .calls = {.first = 2}}}}, record, 7)),
            "fault_response unknown: OK: 4 of 4 ops began, 0 in flight when the run returned\n"
            "- no fault happened: their ops or devices were not called, or not often enough\n");
  record.events.pop_back();
  EXPECT_EQ(text_of(check_fault_response(tables.desc, {}, record, 7)),
            "fault_response violated: OK: 4 of 4 ops began, 1 in flight when the run returned\n"
            "- the status is OK, and op 3 (op3) has not ended [3]\n"
            "- the result reports 0 ops in flight, and 1 were [3]\n"
            "- op 3 (op3) was in flight when the run returned OK [3]\n");
}

TimingProblem two_classes() {
  TimingProblem problem = make_problem({10, 20, 30}, {{0, 1}}, 2);
  problem.cores = {2, 1};
  problem.ops[2].core_class = 1;
  return problem;
}

std::string bounds_text(const TimingProblem& problem) {
  std::string text;
  for (const Bound& bound : {critical_path(problem), work_per_core(problem), serial_bound(problem),
                             graham_bound(problem), long_paths_bound(problem), typed_bound(problem)}) {
    text += bound.name + (bound.is_upper ? " <= " : " >= ") +
            (bound.bound_ps == kUnknownPs ? "?" : std::to_string(bound.bound_ps)) + (bound.exact ? " exact" : "") +
            ": " + bound.assumptions + "\n";
  }
  return text;
}

TEST(WholeVerdicts, BoundsAndWhatTheyAssume) {
  TimingProblem problem = two_classes();
  EXPECT_EQ(
      bounds_text(problem),
      "critical_path >= 30: all ops take their worst time\n"
      "work_per_core >= 30: all ops take their worst time\n"
      "serial <= 60: an op runs whenever the run is unfinished; op times at most their worst, overheads included\n"
      "graham <= ?: does not apply: ops with time on several classes, or on delays\n"
      "he2022 <= ?: does not apply: ops with time on several classes, or on delays\n"
      "typed <= 60: each op bound to one class of cores; non-preemptive and work-conserving: a free core takes a ready "
      "op at once, whatever the priorities; op times at most their worst, overheads included\n");
  problem.ops[2].core_class = 0;
  problem.exclusive = {{0, 2}, {1}};
  EXPECT_EQ(
      bounds_text(problem),
      "critical_path >= 30: all ops take their worst time\n"
      "work_per_core >= 30: all ops take their worst time\n"
      "serial <= 60: an op runs whenever the run is unfinished; op times at most their worst, overheads included\n"
      "graham <= 60: identical cores; non-preemptive and work-conserving: a free core takes a ready op at once, "
      "whatever the priorities; op times at most their worst, overheads included; the work of ops that share a mutex "
      "is added\n"
      "he2022 <= ?: does not apply: ops share a mutex, and may wait for it beside idle cores\n"
      "typed <= 60: each op bound to one class of cores; non-preemptive and work-conserving: a free core takes a ready "
      "op at once, whatever the priorities; op times at most their worst, overheads included; the work of ops that "
      "share a mutex is added\n");
  problem.queue_depth = {2, 1};
  EXPECT_EQ(
      bounds_text(problem),
      "critical_path >= 30: all ops take their worst time\n"
      "work_per_core >= 30: all ops take their worst time\n"
      "serial <= 60: an op runs whenever the run is unfinished; op times at most their worst, overheads included\n"
      "graham <= ?: does not apply: several cores queue ops, so that one may wait behind a busy core beside an idle "
      "one\n"
      "he2022 <= ?: does not apply: several cores queue ops, so that one may wait behind a busy core beside an idle "
      "one\n"
      "typed <= 60: each op bound to one class of cores; non-preemptive and work-conserving: a free core takes a ready "
      "op at once, whatever the priorities; op times at most their worst, overheads included; the work of ops that "
      "share a mutex is added; an op joins the core with the shortest queue, and waits there beside idle ones\n");
}

TEST(WholeVerdicts, SimulatedTimesAgainstBounds) {
  const std::vector<Bound> bounds = all_bounds(two_classes());
  EXPECT_EQ(text_of(check_bound(60, bounds)),
            "bound holds: simulated maximum 60 ps (an optimistic estimate) <= typed bound 60 ps\n");
  EXPECT_EQ(text_of(check_bound(61, bounds)),
            "bound violated: simulated maximum 61 ps (an optimistic estimate) exceeds the serial bound 60 ps\n"
            "- simulated maximum 61 ps (an optimistic estimate) exceeds the serial bound 60 ps; assumptions: an op "
            "runs whenever the run is unfinished; op times at most their worst, overheads included\n"
            "- simulated maximum 61 ps (an optimistic estimate) exceeds the typed bound 60 ps; assumptions: each op "
            "bound to one class of cores; non-preemptive and work-conserving: a free core takes a ready op at once, "
            "whatever the priorities; op times at most their worst, overheads included\n");
  EXPECT_EQ(text_of(check_bound(1, {})), "bound unknown: no upper bound is known\n");
  EXPECT_EQ(text_of(check_responses({"a"}, {}, {{0, 1, 2}})), "responses unknown: no simulated run to compare with\n");
  EXPECT_EQ(text_of(check_responses({"a"}, {{1, 2, 3, 4}}, {{0, 1, 2}})),
            "responses holds: every op ended within its response in every simulated run\n");
}

}  // namespace
}  // namespace detent::verify
