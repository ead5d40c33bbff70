// detent-failure/1: written and read, byte for byte, and every way to damage one.
#include "app/replay/failure_file.hpp"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/explore/threads.hpp"
#include "app/replay/failure_identity.hpp"
#include "app/replay/failure_line.hpp"
#include "harness/run.hpp"
#include "verify/explore/ops/explore.hpp"

namespace detent::app {
namespace {

namespace explore = verify::explore;

/// The failure of a zoo model whose reuse race needs one constraint.
FailureRecord sample_record() {
  const LoadedModel loaded = load("bad_reuse_war", {});
  const explore::OpSpace space(loaded.desc());
  const explore::OpExploreReport report = explore::explore_ops(space, {});
  ReplayLine line;
  line.model = "bad_reuse_war";
  return make_failure_record(loaded, *report.failure, failure_line(line, space, *report.failure));
}

FailureRecord sample_of_threads() {
  const LoadedModel loaded = load("diamond", {});
  ThreadExploreRequest wanted;
  wanted.line.model = "diamond";
  const std::string choices = "t1:0x2.1x1#00000000000000ff";
  explore::ThreadFailure failure{.law = "deadlock", .text = "line 1\nline 2 with 100%", .choices = choices};
  failure.constraints = {"slot 0 stops before it reads role; slot 1 goes on"};
  return make_failure_record(loaded, failure, thread_line(wanted.program(), choices, "deadlock", "steps"));
}

std::string refusal(const std::string& text) {
  try {
    parse_failure("f.txt", text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

/// The text with its last row made to fit again.
std::string with_checksum(std::string text) {
  text.erase(text.rfind("checksum "));
  char sum[20];
  std::snprintf(sum, sizeof sum, "%016llx", static_cast<unsigned long long>(XXH3_64bits(text.data(), text.size())));
  return text + "checksum " + sum + "\n";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return with_checksum(text.replace(at, from.size(), to));
}

TEST(FailureFile, RoundTripsOpsByteForByte) {
  const FailureRecord record = sample_record();
  const std::string text = format_failure(record);
  EXPECT_EQ(text, format_failure(sample_record())) << "the same search gives the same file";
  const FailureRecord back = parse_failure("f.txt", text);
  EXPECT_EQ(format_failure(back), text);
  EXPECT_EQ(back.model_hash, record.model_hash);
  EXPECT_EQ(back.line.before, record.line.before);
  EXPECT_EQ(back.schedule, record.schedule);
  ASSERT_TRUE(back.pair.has_value());
  EXPECT_EQ(back.pair->kind, "war");
  EXPECT_EQ(back.engine_hash, engine_hash());
}

TEST(FailureFile, RoundTripsASchedule0fTheEnginesThreads) {
  const FailureRecord record = sample_of_threads();
  const std::string text = format_failure(record);
  const FailureRecord back = parse_failure("f.txt", text);
  EXPECT_EQ(format_failure(back), text);
  EXPECT_EQ(back.text, record.text) << "a newline in it is one again";
  EXPECT_EQ(back.stops, record.stops);
  EXPECT_EQ(back.line.threads.choices, record.line.threads.choices);
  EXPECT_EQ(runnable_line(back).threads.law, "deadlock");
}

TEST(FailureFile, RunsTheWholeScheduleWhereTheLineIsCutShort) {
  FailureRecord record = sample_record();
  record.line.digest.clear();
  const ReplayLine line = runnable_line(parse_failure("f.txt", format_failure(record)));
  EXPECT_EQ(line.engine.order, record.schedule);
  EXPECT_EQ(line.digest, record.digest);
  EXPECT_EQ(line.engine.policy, "given");
}

TEST(FailureFile, B01_Empty) {
  EXPECT_EQ(refusal(""),
            "f.txt:1: a failure file starts with detent-failure/1; write it again with detent explore --failure FILE");
}

TEST(FailureFile, B02_WrongMagic) {
  EXPECT_EQ(refusal("{\"schema\": 1}\n"),
            "f.txt:1: a failure file starts with detent-failure/1; write it again with detent explore --failure FILE");
  EXPECT_EQ(refusal("\n"),
            "f.txt:1: a failure file starts with detent-failure/1; write it again with detent explore --failure FILE");
}

TEST(FailureFile, B03_OtherVersion) {
  std::string text = format_failure(sample_record());
  text.replace(text.find("/1"), 2, "/2");
  EXPECT_EQ(refusal(with_checksum(text)),
            "f.txt:1: version 'detent-failure/2', this program reads detent-failure/1; write it again with detent "
            "explore --failure FILE");
}

TEST(FailureFile, B04_TruncatedAtEveryByte) {
  for (const std::string& text : {format_failure(sample_record()), format_failure(sample_of_threads())}) {
    for (std::size_t size = 0; size < text.size(); ++size) {
      EXPECT_NE(refusal(text.substr(0, size)).find("f.txt:"), std::string::npos) << size;
    }
  }
}

TEST(FailureFile, B05_TrailingBytes) {
  const std::string text = format_failure(sample_record());
  EXPECT_EQ(refusal(text + "x"), "f.txt:22: the file is cut short; write it again with detent explore --failure FILE");
  EXPECT_EQ(refusal(text + "x\n"),
            "f.txt:22: the last row must be a checksum: the file was cut short or extended; write it again with detent "
            "explore --failure FILE");
  EXPECT_EQ(refusal(text + text),
            "f.txt:42: the checksum does not match the bytes before it: changed or damaged; write it again with detent "
            "explore --failure FILE");
}

TEST(FailureFile, B06_AboveTheCap) {
  EXPECT_EQ(refusal(std::string(kMaxFailureBytes + 1, 'x')),
            "f.txt:1: more than 134217728 bytes; write it again with detent explore --failure FILE");
}

TEST(FailureFile, B07_EveryChangedByteIsNoticed) {
  const std::string text = format_failure(sample_record());
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_NE(refusal(changed), "") << i;
  }
}

TEST(FailureFile, B16_DuplicateRowIsRefused) {
  const std::string text = format_failure(sample_record());
  EXPECT_EQ(refusal(replaced(text, "level ops\n", "level ops\nlevel ops\n")),
            "f.txt:7: expected a row \"law ...\"; write it again with detent explore --failure FILE");
}

TEST(FailureFile, B17_InvalidNumbersAreRefused) {
  const std::string text = format_failure(sample_record());
  for (const char* number : {"-1", "4294967296", "1e4", "nan", "1.5", ""}) {
    EXPECT_EQ(refusal(replaced(text, "pair 1 3", std::string("pair 1 ") + number)),
              *number == '\0' ? "f.txt:11: expected two op ids; write it again with detent explore --failure FILE"
                              : "f.txt:11: '" + std::string(number) +
                                    "' is not a number; write it again with detent explore --failure FILE")
        << number;
  }
  EXPECT_EQ(refusal(replaced(text, "bytes 4096 ", "bytes 18446744073709551616 ")),
            "f.txt:14: '18446744073709551616' is not a number; write it again with detent explore --failure FILE");
  EXPECT_EQ(refusal(replaced(text, "bytes 4096 ", "bytes 0 0 ")),
            "f.txt:14: expected an offset and a size; write it again with detent explore --failure FILE");
  EXPECT_EQ(refusal(replaced(text, "schedule 0", "schedule x")),
            "f.txt:17: 'x' is not a number; write it again with detent explore --failure FILE");
}

TEST(FailureFile, B72_RowsThatContradictTheReplayLine) {
  const std::string text = format_failure(sample_record());
  EXPECT_EQ(refusal(replaced(text, "constraint 3 < 1", "constraint 1 < 3")),
            "f.txt:16: the row is not what its replay line says; write it again with detent explore --failure FILE");
  EXPECT_EQ(refusal(replaced(text, "workers 2", "workers 3")),
            "f.txt:9: the row is not what its replay line says; write it again with detent explore --failure FILE");
  EXPECT_EQ(refusal(replaced(text, "level ops", "level threads")),
            "f.txt:11: expected a row \"choices ...\"; write it again with detent explore --failure FILE");
  EXPECT_EQ(refusal(replaced(text, "replay detent-replay/1", "replay detent-replay/1 colour=red")),
            "f.txt:21: replay line: 'colour=red': is not a key of a replay line; write it again with detent explore "
            "--failure FILE");
}

TEST(FailureFile, TheModelsHashFollowsItsTables) {
  const LoadedModel loaded = load("branchnet", {});
  const std::string hash = desc_hash(loaded.desc());
  EXPECT_EQ(hash, desc_hash(load("branchnet", {}).desc())) << "addresses do not count";
  EXPECT_NE(hash, desc_hash(load("branchnet", {.split = 2}).desc()));
  EXPECT_NE(hash, desc_hash(load("branchnet", {.weights = false}).desc())) << "weights count";
  std::vector<detent_op> ops(loaded.desc().ops, loaded.desc().ops + loaded.desc().op_count);
  ops[1].priority ^= 1;
  detent_desc changed = loaded.desc();
  changed.ops = ops.data();
  EXPECT_NE(hash, desc_hash(changed));
  const std::vector<detent_tensor> tensors = [&] {
    std::vector<detent_tensor> list(changed.tensors, changed.tensors + changed.tensor_count);
    list.back().offset_bytes ^= 64;
    return list;
  }();
  changed = loaded.desc();
  changed.tensors = tensors.data();
  EXPECT_NE(hash, desc_hash(changed));
  const detent_slice list{0, changed.op_count};
  std::vector<std::uint32_t> order(changed.op_count);
  const detent_static_schedule schedule{1, &list, order.data()};
  changed = loaded.desc();
  changed.schedules = &schedule;
  changed.schedule_count = 1;
  const std::string with_lists = desc_hash(changed);
  EXPECT_NE(hash, with_lists);
  order[0] = 1;
  EXPECT_NE(with_lists, desc_hash(changed));
}

/// A Desc's tables as copies whose rows can be changed; no lists of static schedules, no data of regions.
struct ChangeableTables {
  explicit ChangeableTables(const detent_desc& from)
      : desc(from),
        regions(from.regions, from.regions + from.region_count),
        tensors(from.tensors, from.tensors + from.tensor_count),
        ops(from.ops, from.ops + from.op_count),
        classes(from.classes, from.classes + from.class_count),
        costs(from.op_count) {
    for (detent_region& region : regions) region.data = nullptr;
    desc.regions = regions.data();
    desc.tensors = tensors.data();
    desc.ops = ops.data();
    desc.classes = classes.data();
    desc.costs = costs.data();
    desc.mutex_refs = &kFirstMutex;
  }
  ChangeableTables(const ChangeableTables&) = delete;
  ChangeableTables& operator=(const ChangeableTables&) = delete;

  static constexpr std::uint32_t kFirstMutex = 0;
  detent_desc desc;
  std::vector<detent_region> regions;
  std::vector<detent_tensor> tensors;
  std::vector<detent_op> ops;
  std::vector<detent_class> classes;
  std::vector<detent_op_cost> costs;
};

TEST(FailureFile, TheModelsHashFollowsEachFieldOfItsTables) {
  using Tables = ChangeableTables;
  const std::vector<void (*)(Tables&)> changes = {
      [](Tables& t) { t.regions[0].name = "x"; },
      [](Tables& t) { t.regions[0].kind = DETENT_REGION_OUTPUT; },
      [](Tables& t) { ++t.regions[0].size_bytes; },
      [](Tables& t) { ++t.regions[0].align_bytes; },
      [](Tables& t) { t.tensors[1].name = "x"; },
      [](Tables& t) { ++t.tensors[1].region; },
      [](Tables& t) { ++t.tensors[1].flags; },
      [](Tables& t) { ++t.tensors[1].offset_bytes; },
      [](Tables& t) { ++t.tensors[1].size_bytes; },
      [](Tables& t) { ++t.tensors[1].block_bytes; },
      [](Tables& t) { ++t.tensors[1].stride_bytes; },
      [](Tables& t) { ++t.tensors[1].block_count; },
      [](Tables& t) { ++t.tensors[1].align_bytes; },
      [](Tables& t) { ++t.tensors[1].alias_of; },
      [](Tables& t) { ++t.tensors[1].live_begin; },
      [](Tables& t) { ++t.tensors[1].live_end; },
      [](Tables& t) { ++t.tensors[1].dtype; },
      [](Tables& t) { ++t.tensors[1].layout; },
      [](Tables& t) { ++t.tensors[1].dims[0]; },
      [](Tables& t) { --t.tensors[1].rank; },
      [](Tables& t) { t.ops[1].name = "x"; },
      [](Tables& t) { ++t.ops[1].core_class; },
      [](Tables& t) { ++t.ops[1].flags; },
      [](Tables& t) { ++t.ops[1].entry_count; },
      [](Tables& t) { ++t.ops[1].commute_group; },
      [](Tables& t) { ++t.ops[1].priority; },
      [](Tables& t) { ++t.ops[1].workers; },
      [](Tables& t) { ++t.ops[1].config_size; },
      [](Tables& t) { t.ops[1].kernel = t.desc.kernel_count - 1 - t.ops[1].kernel; },
      [](Tables& t) {
        t.ops[1].inputs = {0, t.ops[1].inputs.count + 1};
      },
      [](Tables& t) {
        t.ops[1].outputs = {0, t.ops[1].outputs.count + 1};
      },
      [](Tables& t) {
        t.ops[1].weights = {0, t.ops[1].weights.count + 1};
      },
      [](Tables& t) {
        t.ops[1].scratch = {0, t.ops[1].scratch.count + 1};
      },
      [](Tables& t) {
        t.ops[1].successors = {0, t.ops[1].successors.count + 1};
      },
      [](Tables& t) {
        t.ops[1].mutexes = {0, t.ops[1].mutexes.count + 1};
      },
      [](Tables& t) { ++t.costs[1].best_ps; },
      [](Tables& t) { ++t.costs[1].worst_ps; },
      [](Tables& t) { ++t.costs[1].flops; },
      [](Tables& t) { ++t.costs[1].read_bytes; },
      [](Tables& t) { ++t.costs[1].write_bytes; },
      [](Tables& t) { t.classes[0].name = "x"; },
      [](Tables& t) { t.classes[0].kind = DETENT_CLASS_ASYNC; },
      [](Tables& t) { t.desc.input_count = 0; },
      [](Tables& t) { t.desc.output_count = 0; },
      [](Tables& t) { --t.desc.region_count; },
      [](Tables& t) { --t.desc.tensor_count; },
      [](Tables& t) { --t.desc.op_count; },
      [](Tables& t) { t.desc.costs = nullptr; },
  };
  const LoadedModel loaded = load("branchnet", {});
  std::set<std::string> hashes = {desc_hash(Tables(loaded.desc()).desc)};
  ASSERT_GE(loaded.desc().kernel_count, 2U);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Tables changed(loaded.desc());
    changes[i](changed);
    EXPECT_TRUE(hashes.insert(desc_hash(changed.desc)).second) << "change " << i;
  }
}

}  // namespace
}  // namespace detent::app
