#include "models/files/graph_file.hpp"

#include <gtest/gtest.h>

#include "models/core/op_graph.hpp"
#include "models/lower/lower.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/support/error_text.hpp"

namespace detent::models {
namespace {

constexpr const char* kTwoReaders = R"({"schema": "detent.graph/1", "name": "two_readers",
 "regions": [{"name": "ws", "size": 256}],
 "ops": [
   {"id": 0, "name": "produce", "core": "cpu", "time_ps": [900, 1000],
    "reads": [], "writes": [{"region": "ws", "offset": 0, "size": 64}]},
   {"id": 1, "name": "consume", "core": "npu", "time_ps": 500, "priority": -3, "workers": [3, 0], "release_ps": [10, 20],
    "mutex": ["bus", "dma"], "commutes": "sum",
    "reads": [{"region": "ws", "offset": 0, "size": 64}], "writes": [{"region": "ws", "offset": 64, "size": 192}]},
   {"id": 2, "mutex": "bus"}],
 "edges": [[0, 1], [0, 2, 5, 7]]})";

Model parse(const std::string& text) { return parse_graph(text, "g.json"); }

/// A graph of `ops` and `edges` over one region "ws" of 256 bytes.
std::string graph(const std::string& ops, const std::string& edges = "") {
  return R"({"schema": "detent.graph/1", "name": "g", "regions": [{"name": "ws", "size": 256}], "ops": [)" + ops +
         R"(], "edges": [)" + edges + "]}";
}

std::string plain_ops(int count) {
  std::string ops;
  for (int i = 0; i < count; ++i) ops += (i == 0 ? "" : ", ") + ("{\"id\": " + std::to_string(i)) + "}";
  return ops;
}

std::string op_with(const std::string& field) { return graph("{\"id\": 0, " + field + "}"); }

std::string read_of(const std::string& range) { return op_with("\"reads\": [" + range + "]"); }

void expect_refused(const std::string& text, std::initializer_list<const char*> parts) {
  expect_error([&] { return parse(text); }, parts);
}

std::string demanding(const std::string& keys) {
  return R"({"schema": "detent.graph/1", )" + keys + R"(, "ops": [{"id": 0}]})";
}

TEST(GraphFile, ADeadlineIsATimeWithAUnitOrPicoseconds) {
  EXPECT_FALSE(parse(op_with("\"time_ps\": 1")).demands.deadline_ps.has_value());
  EXPECT_EQ(parse(demanding(R"("deadline": "5ms")")).demands.deadline_ps, 5'000'000'000U);
  EXPECT_EQ(parse(demanding(R"("deadline": 1500)")).demands.deadline_ps, 1'500U);
  for (const char* text : {"7s", "5ms", "250us", "3ns", "1501ps"}) {
    const Model model = parse(demanding("\"deadline\": \"" + std::string(text) + "\""));
    EXPECT_NE(format_graph(model).find("\"deadline\": \"" + std::string(text) + "\""), std::string::npos);
    EXPECT_EQ(parse(format_graph(model)), model);
    EXPECT_EQ(to_op_graph(model).demands, model.demands);
  }
  const Model both = parse(demanding(R"("deadline": "5ms", "period": "10ms")"));
  EXPECT_EQ(both.demands.period_ps, 10'000'000'000U);
  EXPECT_EQ(parse(format_graph(both)), both);
  expect_refused(demanding(R"("period": 0)"), {"period", "a time of 0"});
  expect_refused(demanding(R"("deadline": "soon")"), {"g.json", "deadline", "\"soon\" must be a time such as 5ms"});
  expect_refused(demanding(R"("deadline": 0)"), {"deadline", "a time of 0"});
  expect_refused(demanding(R"("deadline": "0ms")"), {"deadline", "a time of 0"});
  expect_refused(demanding(R"("deadline": "8000000s")"), {"deadline", "above the most"});
  expect_refused(demanding(R"("deadline": [5])"), {"deadline"});
}

TEST(GraphFile, TimesAreTextsWithAUnitOrPicoseconds) {
  const Model m = parse(graph(R"({"id": 0, "time_ps": "1.5us"}, {"id": 1, "time_ps": ["9us", 10000000]},
      {"id": 2, "time_ps": 7, "release_ps": ["1ns", "2 ns"]})",
                              R"([0, 1, "250ns", "1us"], [1, 2, 3, "4ps"])"));
  EXPECT_EQ(m.ops[0].time_ps, std::pair(1'500'000UL, 1'500'000UL));
  EXPECT_EQ(m.ops[1].time_ps, std::pair(9'000'000UL, 10'000'000UL));
  EXPECT_EQ(m.ops[2].release_ps, std::pair(1'000UL, 2'000UL));
  EXPECT_EQ(m.edges[0], (Edge{0, 1, 250'000, 1'000'000}));
  EXPECT_EQ(m.edges[1], (Edge{1, 2, 3, 4}));
  EXPECT_EQ(parse(format_graph(m)), m) << "written in picoseconds";
  expect_refused(op_with(R"("time_ps": "5")"), {"ops[0].time_ps", "write 5, a number of picoseconds, or a text with"});
  expect_refused(op_with(R"("time_ps": "5m")"), {"ops[0].time_ps", "\"5m\" must be a time such as 5ms"});
  expect_refused(op_with(R"("time_ps": "0.5ps")"), {"ops[0].time_ps", "is not a whole number of picoseconds"});
  expect_refused(op_with(R"("time_ps": 1.5)"), {"ops[0].time_ps", "is not a whole number of picoseconds"});
  expect_refused(op_with(R"("time_ps": ["3us", "2us"])"), {"the first time, 3000000, is above the second, 2000000"});
  expect_refused(op_with(R"("time_ps": "8000000s")"), {"ops[0].time_ps", "above the most"});
  expect_refused(op_with(R"("release_ps": [0, "long"])"), {"ops[0].release_ps[1]", "\"long\" must be a time"});
  expect_refused(graph(plain_ops(2), R"([0, 1, "2us", "1us"])"), {"the least delay is above the greatest"});
  expect_refused(graph(plain_ops(2), R"(["0s", 1])"), {"edges[0][0]"});
}

TEST(GraphFile, EveryFieldOfTheFormat) {
  const Model m = parse(kTwoReaders);
  EXPECT_EQ(m.name, "two_readers");
  ASSERT_EQ(m.regions.size(), 1U);
  EXPECT_EQ(m.regions[0].kind, DETENT_REGION_WORKSPACE);
  EXPECT_EQ(m.regions[0].size_bytes, 256U);
  ASSERT_EQ(m.ops.size(), 3U);
  EXPECT_EQ(m.ops[0].kernel, "mix");
  EXPECT_EQ(m.ops[0].time_ps, (std::pair<std::uint64_t, std::uint64_t>{900, 1000}));
  EXPECT_EQ(m.ops[1].time_ps, (std::pair<std::uint64_t, std::uint64_t>{500, 500}));
  EXPECT_EQ(m.ops[1].core_class, "npu");
  EXPECT_EQ(m.ops[1].priority, -3);
  EXPECT_EQ(m.ops[1].workers, 9U);
  EXPECT_EQ(m.ops[1].release_ps, (std::pair<std::uint64_t, std::uint64_t>{10, 20}));
  EXPECT_EQ(m.ops[1].mutexes, (std::vector<std::string>{"bus", "dma"}));
  EXPECT_EQ(m.ops[1].commutes, "sum");
  EXPECT_EQ(m.ops[2].name, "op2");
  EXPECT_EQ(m.ops[2].core_class, "cpu");
  EXPECT_EQ(m.ops[2].mutexes, std::vector<std::string>{"bus"});
  EXPECT_EQ(m.ops[2].time_ps, (std::pair<std::uint64_t, std::uint64_t>{0, 0}));
  ASSERT_EQ(m.edges.size(), 2U);
  EXPECT_EQ(m.edges[0], (Edge{0, 1, 0, 0}));
  EXPECT_EQ(m.edges[1], (Edge{0, 2, 5, 7}));
}

TEST(GraphFile, EqualRangesAreOneTensor) {
  const Model m = parse(kTwoReaders);
  ASSERT_EQ(m.tensors.size(), 2U);
  EXPECT_EQ(m.ops[0].outputs, m.ops[1].inputs);
  EXPECT_EQ(m.tensors[1].role, TensorRole::kRange);
  EXPECT_EQ(m.tensors[1].offset_bytes, 64U);
  EXPECT_EQ(m.tensors[1].size_bytes, 192U);
  EXPECT_EQ(m.tensors[1].name, "ws[64,256)");
}

TEST(GraphFile, LoweredGraphHasDelaysForTransfersAndReleases) {
  const LoweredModel low = lower(parse(kTwoReaders));
  EXPECT_EQ(low.desc().op_count, 5U);
  EXPECT_EQ(low.desc().tensors[0].flags, static_cast<std::uint32_t>(DETENT_TENSOR_RANGE));
  EXPECT_EQ(low.desc().ops[1].config_size, 8U);
}

TEST(GraphFile, TextAndModelRoundTrip) {
  const Model m = parse(kTwoReaders);
  const std::string text = format_graph(m);
  EXPECT_EQ(parse(text), m);
  EXPECT_EQ(format_graph(parse(text)), text);
}

TEST(GraphFile, OrderOfOpsInTheFileDoesNotMatter) {
  const std::string a = R"({"id": 0, "writes": [{"region": "ws", "offset": 0, "size": 8}]})";
  const std::string b = R"({"id": 1, "writes": [{"region": "ws", "offset": 8, "size": 8}]})";
  EXPECT_EQ(parse(graph(a + "," + b, "[0,1]")), parse(graph(b + "," + a, "[0,1]")));
}

TEST(GraphFile, RegionsAndEdgesMayBeLeftOut) {
  const Model m = parse(R"({"schema": "detent.graph/1", "ops": [{"id": 0}]})");
  EXPECT_EQ(m.ops.size(), 1U);
  EXPECT_EQ(m.name, "graph");
}

TEST(GraphFile, SizesUpTo2To40) {
  const std::string text =
      R"({"schema": "detent.graph/1", "regions": [{"name": "ws", "size": 1099511627776}], "ops": [{"id": 0,
          "reads": [{"region": "ws", "offset": 1099511627775, "size": 1}]}]})";
  EXPECT_EQ(parse(text).tensors[0].offset_bytes, (std::uint64_t{1} << 40U) - 1);
}

TEST(GraphFile, B02_WrongSchema) {
  expect_refused(R"({"schema": "detent.plan_case/1", "ops": []})", {"detent.graph/1"});
  expect_refused(R"({"ops": []})", {"\"schema\" is missing"});
  expect_refused("[]", {"expected an object"});
}

TEST(GraphFile, B03_OtherVersion) { expect_refused(R"({"schema": "detent.graph/3", "ops": []})", {"schema"}); }

TEST(GraphFile, B04_TruncatedAtEveryByte) {
  const std::string text = kTwoReaders;
  for (std::size_t length = 0; length < text.size(); ++length) {
    ASSERT_NE(error_text([&] { return parse(text.substr(0, length)); }), "") << length;
  }
}

TEST(GraphFile, EveryChangedByteIsRefusedOrReadAsAnotherGraph) {
  const std::string text = kTwoReaders;
  std::size_t refused = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const unsigned mask : {1U, 0x10U, 0x80U, 0xFFU}) {
      std::string changed = text;
      changed[i] = static_cast<char>(static_cast<unsigned char>(changed[i]) ^ mask);
      // Whatever is accepted lowers without a fault; anything but InputError would end the test.
      refused += error_text([&] { return lower(parse(changed)).desc().op_count; }).empty() ? 0U : 1U;
    }
  }
  EXPECT_GT(refused, 2 * text.size());
}

TEST(GraphFile, B05_TrailingGarbage) { expect_refused(std::string(kTwoReaders) + " x", {"g.json:10:"}); }

TEST(GraphFile, B14_Names) {
  for (const char* bad : {"a\\u0000b", "a\\nb", "", "\\u0085", "\\u007f"}) {
    expect_refused(op_with("\"name\": \"" + std::string(bad) + "\""), {"ops[0].name: a name"});
  }
  expect_refused(op_with("\"name\": \"" + std::string(5000, 'n') + "\""), {"ops[0].name", "4096"});
  expect_refused(op_with("\"core\": \"\\t\""), {"ops[0].core"});
  const Model m = parse(op_with(R"("name": "a,b <c> \"d\" \\ ä 日本")"));
  EXPECT_EQ(m.ops[0].name, "a,b <c> \"d\" \\ ä 日本");
  EXPECT_EQ(parse(format_graph(m)), m);
}

TEST(GraphFile, B16_DuplicateKeys) { expect_refused(op_with(R"("name": "a", "name": "b")"), {"ops[0]", "duplicate"}); }

TEST(GraphFile, B17_Numbers) {
  for (const char* number : {"-1", "18446744073709551616", "1e400", "NaN", "1.5"}) {
    EXPECT_NE(error_text([&] { return parse(op_with(std::string("\"time_ps\": ") + number)); }), "") << number;
    EXPECT_NE(error_text([&] { return parse(graph(std::string("{\"id\": ") + number + "}")); }), "") << number;
  }
  expect_refused(op_with("\"priority\": 2147483648"), {"ops[0].priority"});
  for (const char* workers : {"3", "[]", "[32]", "[-1]", "[1, 1]"}) {
    expect_refused(op_with("\"workers\": " + std::string(workers)), {"ops[0].workers"});
  }
  expect_refused(op_with("\"time_ps\": [1, -1]"), {"ops[0].time_ps[1]"});
}

TEST(GraphFile, B20_CycleIsWalked) {
  expect_refused(graph(plain_ops(5), "[0,1], [1,3], [3,2], [2,1], [3,4]"), {"edges: ", "cycle: 1 -> 3 -> 2 -> 1"});
  expect_refused(graph(plain_ops(2), "[0,1], [1,0]"), {"0 -> 1 -> 0"});
}

TEST(GraphFile, B20_CycleOfAHundredThousandOps) {
  std::string edges = "[99999,0]";
  for (int i = 1; i < 100'000; ++i) edges += ",[" + std::to_string(i - 1) + "," + std::to_string(i) + "]";
  expect_refused(graph(plain_ops(100'000), edges), {"(100000 ops) -> 0"});
}

TEST(GraphFile, B21_SelfEdge) { expect_refused(graph(plain_ops(2), "[0,1], [1,1]"), {"edges[1]", "own successor"}); }

TEST(GraphFile, B22_EdgeOutOfRange) {
  expect_refused(graph(plain_ops(2), "[0,2]"), {"edges[0][1]: op 2 does not exist"});
  expect_refused(graph(plain_ops(2), "[4294967296,0]"), {"edges[0][0]"});
}

TEST(GraphFile, B23_DuplicateEdge) {
  expect_refused(graph(plain_ops(3), "[0,1], [0,2], [0,1,4,5]"), {"edges[2]", "0 -> 1", "edges[0]"});
}

TEST(GraphFile, B25_NoOps) { expect_refused(graph(""), {"ops", "at least one op"}); }

TEST(GraphFile, B26_IdsThatAreDuplicateOrNotDense) {
  expect_refused(graph(R"({"id": 0}, {"id": 0})"), {"ops[1].id: duplicate id 0"});
  expect_refused(graph(R"({"id": 0}, {"id": 2})"), {"ops[1].id", "dense"});
  expect_refused(graph(R"({"id": 1})"), {"ops[0].id"});
  expect_refused(graph(R"({"name": "x"})"), {"ops[0]: key \"id\" is missing"});
}

TEST(GraphFile, B28_MoreRangesThanOneOpMayHave) {
  std::string ranges = R"({"region": "ws", "offset": 0, "size": 1})";
  std::string list = ranges;
  for (unsigned i = 0; i < DETENT_MAX_OP_TENSORS; ++i) list += "," + ranges;
  expect_refused(read_of(list), {"ops[0].reads", "4097 ranges"});
}

TEST(GraphFile, B40_RangesOutsideTheirRegion) {
  expect_refused(read_of(R"({"region": "ws", "offset": 250, "size": 7})"), {"ops[0].reads[0]", "[250,257)", "256"});
  expect_refused(read_of(R"({"region": "other", "offset": 0, "size": 7})"), {"ops[0].reads[0].region"});
  EXPECT_EQ(parse(read_of(R"({"region": "ws", "offset": 249, "size": 7})")).tensors.size(), 1U);
}

TEST(GraphFile, B41_OffsetPlusSizeWraps) {
  expect_refused(read_of(R"({"region": "ws", "offset": 18446744073709551615, "size": 2})"), {"ops[0].reads[0].offset"});
  expect_refused(read_of(R"({"region": "ws", "offset": 2, "size": 18446744073709551615})"), {"ops[0].reads[0].size"});
}

TEST(GraphFile, B47_SizeZero) {
  expect_refused(read_of(R"({"region": "ws", "offset": 0, "size": 0})"), {"ops[0].reads[0].size: a size of 0"});
  expect_refused(R"({"schema": "detent.graph/1", "regions": [{"name": "ws", "size": 0}], "ops": [{"id": 0}]})",
                 {"regions[0].size"});
}

TEST(GraphFile, B72_UnknownKeysAtEveryLevel) {
  expect_refused(op_with("\"times_ps\": 1"), {"ops[0].times_ps: unknown key"});
  expect_refused(read_of(R"({"region": "ws", "offset": 0, "size": 1, "kind": 0})"), {"ops[0].reads[0]", "kind"});
  expect_refused(R"({"schema": "detent.graph/1", "ops": [{"id": 0}], "edge": []})", {"edge: unknown key"});
}

TEST(GraphFile, InvalidTimesAndTooLongSumsAreRefused) {
  expect_refused(op_with("\"time_ps\": [5, 4]"), {"ops[0].time_ps", "above"});
  expect_refused(op_with("\"time_ps\": [5]"), {"ops[0].time_ps", "two times"});
  expect_refused(op_with("\"time_ps\": [1, 2, 3]"), {"ops[0].time_ps"});
  expect_refused(op_with("\"release_ps\": 7"), {"ops[0].release_ps", "expected a list"});
  expect_refused(graph(plain_ops(2), "[0,1,5,4]"), {"edges[0]", "delay"});
  expect_refused(graph(plain_ops(2), "[0,1,5]"), {"edges[0]"});
  expect_refused(graph(plain_ops(2), "[0]"), {"edges[0]"});
  const std::string half = "4611686018427387904";
  expect_refused(graph("{\"id\": 0, \"time_ps\": " + half + "}, {\"id\": 1, \"time_ps\": 1}"), {"ops[1]", "add up"});
}

TEST(GraphFile, B09_MoreRegionsOrClassesThanADescHolds) {
  std::string regions, ops;
  for (unsigned i = 0; i <= DETENT_MAX_REGIONS; ++i) {
    regions += (i == 0 ? "" : ", ") + ("{\"name\": \"r" + std::to_string(i)) + "\", \"size\": 1}";
  }
  for (unsigned i = 0; i < DETENT_MAX_CLASSES - 1; ++i) {
    ops += (i == 0 ? "" : ", ") + ("{\"id\": " + std::to_string(i)) + ", \"core\": \"c" + std::to_string(i) + "\"}";
  }
  expect_refused("{\"schema\": \"detent.graph/1\", \"regions\": [" + regions + "], \"ops\": [{\"id\": 0}]}",
                 {"regions", "regions; at most"});
  expect_refused(graph(ops), {"ops[14].core", "14 classes"});
}

TEST(GraphFile, ReservedClassAndRepeatedRegion) {
  expect_refused(op_with("\"core\": \"delay\""), {"ops[0].core"});
  expect_refused(R"({"schema": "detent.graph/1", "regions": [{"name": "a", "size": 1}, {"name": "a", "size": 2}],
                     "ops": [{"id": 0}]})",
                 {"regions[1].name", "exists already"});
}

TEST(OpGraph, RangesAreTheTensorsThatTheFileReaderMakes) {
  Model model = make_zoo_model("branchnet:2");
  prepare_model(model, {});
  const Model graph = to_op_graph(model);
  const Model read = parse(format_graph(graph));
  ASSERT_EQ(graph.tensors.size(), read.tensors.size());
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    EXPECT_EQ(graph.tensors[i].name, read.tensors[i].name);
    EXPECT_EQ(graph.tensors[i].size_bytes, read.tensors[i].size_bytes);
    EXPECT_EQ(graph.tensors[i].block_bytes, read.tensors[i].block_bytes);
    EXPECT_EQ(graph.tensors[i].align_bytes, read.tensors[i].align_bytes);
    EXPECT_EQ(graph.tensors[i].offset_bytes, read.tensors[i].offset_bytes);
  }
}

TEST(GraphWriter, RefusesModelsThatAreNotGraphs) {
  Model m = parse(kTwoReaders);
  m.tensors[0].role = TensorRole::kActivation;
  expect_error([&] { return format_graph(m); }, {"ws[0,64)", "not a byte range"});
  m = parse(kTwoReaders);
  m.regions[0].kind = DETENT_REGION_INPUT;
  expect_error([&] { return format_graph(m); }, {"not a workspace"});
}

}  // namespace
}  // namespace detent::models
