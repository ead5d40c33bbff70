#include "models/lower/lower.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/input_error.hpp"
#include "models/lower/op_names.hpp"

namespace detent::models {
namespace {

Tensor range(std::uint64_t offset, std::uint64_t size) {
  Tensor t;
  t.role = TensorRole::kRange;
  t.dtype = DETENT_U8;
  t.region = 0;
  t.offset_bytes = offset;
  t.size_bytes = t.block_bytes = size;
  t.align_bytes = 1;
  return t;
}

Tensor activation(std::uint64_t offset, std::uint64_t size) {
  Tensor t = range(offset, size);
  t.role = TensorRole::kActivation;
  return t;
}

Op op(const std::string& name, std::vector<std::uint32_t> reads, std::vector<std::uint32_t> writes) {
  Op o;
  o.name = name;
  o.kernel = "mix";
  o.inputs = std::move(reads);
  o.outputs = std::move(writes);
  o.config.assign(8, 7);
  return o;
}

/// a -> b -> d, a -> c -> d over two base tensors and a view.
Model diamond() {
  Model m;
  m.name = "diamond";
  m.regions.push_back({.name = "ws", .size_bytes = 256});
  m.tensors = {activation(0, 64), activation(64, 128), activation(0, 32), activation(192, 64)};
  m.tensors[2].alias_of = 1;
  m.tensors[2].alias_offset_bytes = 16;
  m.ops = {op("a", {}, {0}), op("b", {0}, {1}), op("c", {0}, {3}), op("d", {2, 3}, {})};
  m.edges = {{2, 3, 0, 0}, {0, 2, 0, 0}, {0, 1, 0, 0}, {1, 3, 0, 0}};
  return m;
}

std::vector<std::uint32_t> successors(const detent_desc& d, std::uint32_t op_id) {
  const detent_slice s = d.ops[op_id].successors;
  return {d.successors + s.first, d.successors + s.first + s.count};
}

TEST(Lower, SuccessorsAscendAndEntryCountsMatch) {
  const LoweredModel low = lower(diamond());
  const detent_desc& d = low.desc();
  ASSERT_EQ(d.op_count, 4U);
  EXPECT_EQ(successors(d, 0), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(successors(d, 1), (std::vector<std::uint32_t>{3}));
  EXPECT_EQ(d.ops[0].entry_count, 0U);
  EXPECT_EQ(d.ops[3].entry_count, 2U);
  EXPECT_STREQ(d.ops[2].name, "c");
  EXPECT_STREQ(d.kernels[d.ops[2].kernel], "mix");
  EXPECT_EQ(d.ops[3].config_offset % 8, 0U);
}

TEST(Lower, ViewsGetTheirBasesPlaceAndNoLifetime) {
  const LoweredModel low = lower(diamond());
  const detent_tensor& view = low.desc().tensors[2];
  EXPECT_EQ(view.offset_bytes, 80U);
  EXPECT_EQ(view.alias_of, 1U);
  EXPECT_EQ(view.live_begin, DETENT_NONE);
}

TEST(Lower, LifetimesCoverUsesThroughViews) {
  const LoweredModel low = lower(diamond());
  const detent_tensor* t = low.desc().tensors;
  EXPECT_EQ(t[0].live_begin, 0U);
  EXPECT_EQ(t[0].live_end, 2U);
  EXPECT_EQ(t[1].live_begin, 1U);
  EXPECT_EQ(t[1].live_end, 3U);
}

TEST(Lower, InputsLiveFromTheStartAndOutputsToTheEnd) {
  Model m = diamond();
  m.inputs = {3};
  m.outputs = {0};
  const LoweredModel low = lower(m);
  EXPECT_EQ(low.desc().tensors[3].live_begin, 0U);
  EXPECT_EQ(low.desc().tensors[0].live_end, 3U);
}

TEST(Lower, LifetimesFollowTheSerialOrderWhateverTheIds) {
  Model m = diamond();
  m.edges[0] = {3, 2, 0, 0};
  const LoweredModel low = lower(m);
  std::vector<std::uint32_t> waiting, position(4);
  for (const detent_op& op : std::span(low.desc().ops, 4)) waiting.push_back(op.entry_count);
  for (std::uint32_t at = 0; at < 4; ++at) {
    const auto next = static_cast<std::uint32_t>(std::find(waiting.begin(), waiting.end(), 0U) - waiting.begin());
    ASSERT_LT(next, 4U);
    waiting[next] = DETENT_NONE;
    position[next] = at;
    for (const std::uint32_t to : successors(low.desc(), next)) --waiting[to];
  }
  const detent_tensor& first = low.desc().tensors[0];
  ASSERT_LT(first.live_begin, 4U);
  ASSERT_LT(first.live_end, 4U);
  for (std::uint32_t op = 0; op < 4; ++op) {
    const auto names = [&](const std::vector<std::uint32_t>& refs) {
      return std::find(refs.begin(), refs.end(), 0U) != refs.end();
    };
    if (!names(m.ops[op].inputs) && !names(m.ops[op].outputs)) continue;
    EXPECT_LE(position[first.live_begin], position[op]);
    EXPECT_GE(position[first.live_end], position[op]);
  }
}

TEST(Lower, NoLifetimeIsClaimedInACycle) {
  Model m = diamond();
  m.edges.push_back({3, 0, 0, 0});
  EXPECT_EQ(lower(m).desc().tensors[0].live_begin, DETENT_NONE);
}

TEST(Lower, RangesKeepTheirFlagAndCarryNoLifetime) {
  Model m = diamond();
  m.tensors[0] = range(0, 64);
  const LoweredModel low = lower(m);
  EXPECT_EQ(low.desc().tensors[0].flags, static_cast<std::uint32_t>(DETENT_TENSOR_RANGE));
  EXPECT_EQ(low.desc().tensors[0].live_begin, DETENT_NONE);
}

TEST(Lower, TransferDelaysAndReleasesBecomePseudoOpsAfterAllRealOps) {
  Model m = diamond();
  m.edges[2].min_ps = 5;
  m.edges[2].max_ps = 9;
  m.ops[2].release_ps = {100, 200};
  m.ops[1].core_class = "npu";
  const LoweredModel low = lower(m);
  const detent_desc& d = low.desc();
  ASSERT_EQ(d.op_count, 6U);
  EXPECT_STREQ(d.ops[4].name, "delay 0->1");
  EXPECT_STREQ(d.ops[5].name, "release 2");
  EXPECT_EQ(successors(d, 0), (std::vector<std::uint32_t>{2, 4}));
  EXPECT_EQ(successors(d, 4), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(successors(d, 5), (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(d.ops[4].flags, static_cast<std::uint32_t>(DETENT_OP_DELAY));
  EXPECT_EQ(d.ops[2].entry_count, 2U);
  EXPECT_EQ(d.costs[4].best_ps, 5U);
  EXPECT_EQ(d.costs[5].worst_ps, 200U);
  ASSERT_EQ(d.class_count, 3U);
  EXPECT_STREQ(d.classes[0].name, "cpu");
  EXPECT_STREQ(d.classes[1].name, "npu");
  EXPECT_STREQ(d.classes[2].name, "delay");
  EXPECT_EQ(d.classes[2].kind, DETENT_CLASS_ASYNC);
  EXPECT_STREQ(d.kernels[d.ops[5].kernel], "delay");
}

TEST(Lower, CpuIsClassZeroEvenWhereNoOpUsesIt) {
  Model m = diamond();
  for (Op& o : m.ops) o.core_class = "npu";
  const LoweredModel low = lower(m);
  EXPECT_STREQ(low.desc().classes[0].name, "cpu");
  EXPECT_EQ(low.desc().ops[0].core_class, 1U);
}

TEST(Lower, CostsAreTheGivenTimesOrUnknownWithWork) {
  Model m = diamond();
  m.ops[1].time_ps = {3, 4};
  m.ops[3].flops = 77;
  const LoweredModel low = lower(m);
  EXPECT_EQ(low.desc().costs[1].best_ps, 3U);
  EXPECT_EQ(low.desc().costs[1].worst_ps, 4U);
  EXPECT_EQ(low.desc().costs[3].best_ps, UINT64_MAX);
  EXPECT_EQ(low.desc().costs[3].flops, 77U);
  EXPECT_EQ(low.desc().costs[3].read_bytes, 96U);
  EXPECT_EQ(low.desc().costs[1].write_bytes, 128U);
}

TEST(Lower, MutexesAreNumberedSortedAndUnique) {
  Model m = diamond();
  m.ops[1].mutexes = {"dma", "bus"};
  m.ops[2].mutexes = {"bus", "dma", "bus"};
  m.ops[1].commutes = m.ops[2].commutes = "sum";
  const LoweredModel low = lower(m);
  const detent_desc& d = low.desc();
  ASSERT_EQ(d.mutex_count, 2U);
  EXPECT_STREQ(d.mutex_names[0], "dma");
  EXPECT_EQ(d.ops[2].mutexes.count, 2U);
  EXPECT_EQ(d.mutex_refs[d.ops[2].mutexes.first], 0U);
  EXPECT_EQ(d.ops[1].commute_group, 0U);
  EXPECT_EQ(d.ops[2].commute_group, 0U);
  EXPECT_EQ(d.ops[0].commute_group, DETENT_NONE);
}

TEST(Lower, GivenWeightBytesReachTheirRegion) {
  Model m = diamond();
  m.regions.push_back({.name = "weights", .kind = DETENT_REGION_WEIGHTS, .size_bytes = 128});
  Tensor w = activation(64, 4);
  w.role = TensorRole::kWeight;
  w.region = 1;
  w.init.kind = WeightInit::Kind::kBytes;
  w.init.bytes = {1, 2, 3, 4};
  m.tensors.push_back(w);
  m.ops[3].weights = {4};
  const LoweredModel low = lower(m);
  const auto* data = static_cast<const std::uint8_t*>(low.desc().regions[1].data);
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 64, 0U);
  EXPECT_EQ(data[66], 3);
  EXPECT_EQ(low.desc().regions[0].data, nullptr);
  const LoweredModel bare = lower(m, {.weights = false});
  EXPECT_EQ(static_cast<const std::uint8_t*>(bare.desc().regions[1].data)[66], 0);
}

TEST(Lower, B61_WeightBytesThatDoNotFillTheirExtent) {
  Model m = diamond();
  m.regions.push_back({.name = "weights", .kind = DETENT_REGION_WEIGHTS, .size_bytes = 128});
  Tensor w = activation(0, 8);
  w.role = TensorRole::kWeight;
  w.region = 1;
  w.init.kind = WeightInit::Kind::kBytes;
  w.init.bytes = {1};
  m.tensors.push_back(w);
  EXPECT_THROW(lower(m), InputError);
}

TEST(Lower, FaultsOfTheGraphAreKept) {
  Model m = diamond();
  m.edges.push_back({3, 0, 0, 0});
  m.edges.push_back({0, 1, 0, 0});
  const LoweredModel low = lower(m);
  EXPECT_EQ(successors(low.desc(), 3), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(successors(low.desc(), 0), (std::vector<std::uint32_t>{1, 1, 2}));
  EXPECT_EQ(low.desc().ops[1].entry_count, 2U);
}

TEST(Lower, B43_AliasCyclesEndAndStayVisible) {
  Model m = diamond();
  m.tensors[1].alias_of = 2;
  const LoweredModel low = lower(m);
  EXPECT_EQ(low.desc().tensors[1].alias_of, 2U);
  EXPECT_EQ(low.desc().tensors[2].alias_of, 1U);
}

TEST(Lower, B41_WrappingViewOffsetsStayOutsideTheirRegion) {
  Model m = diamond();
  m.tensors[2].alias_offset_bytes = UINT64_MAX - 8;
  const LoweredModel low = lower(m);
  EXPECT_GT(low.desc().tensors[2].offset_bytes, 256U);
}

TEST(Lower, B22_EdgesAndTensorsThatDoNotExist) {
  Model m = diamond();
  m.edges.push_back({0, 4, 0, 0});
  EXPECT_THROW(lower(m), InputError);
  m = diamond();
  m.ops[0].scratch = {9};
  EXPECT_THROW(lower(m), InputError);
}

TEST(Lower, TensorsWithoutAPlaceAreNamed) {
  Model m = diamond();
  m.tensors[3].region = kNone;
  m.tensors[3].name = "lost";
  try {
    lower(m);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "diamond:tensors[3]: \"lost\" has no offset in memory; plan the model before lowering it");
  }
}

TEST(NamePool, NamesStayWhereTheyArePutWhateverTheirLengths) {
  constexpr std::size_t kBlock = 65536;
  NamePool pool;
  std::vector<std::pair<std::string, const char*>> added;
  const auto add = [&](std::size_t length) {
    const std::string name(length, static_cast<char>('a' + added.size() % 26));
    added.emplace_back(name, pool.add(name));
  };
  add(kBlock - 3);
  add(0);
  add(0);  // fills the block to its last byte
  add(0);
  add(kBlock - 2);
  add(kBlock);  // longer than a block
  add(40000);
  add(40000);  // no room for both in one block
  for (std::size_t i = 0; i < 200; ++i) add(i * 7);
  for (const auto& [name, at] : added) EXPECT_EQ(name, at) << name.size();
  const auto follows = [&](std::size_t i) {
    return added[i].second == added[i - 1].second + added[i - 1].first.size() + 1;
  };
  EXPECT_TRUE(follows(1) && follows(2)) << "one block";
  EXPECT_TRUE(!follows(7) && follows(8) && follows(9)) << "a new block begins where a name does not fit";
}

TEST(NameTable, NamesAreNumberedAsTheyAppear) {
  NameTable table;
  std::vector<std::uint32_t> ids;
  for (const char* name : {"b", "b", "a", "", "b", "a", "c"}) ids.push_back(table.id(name));
  EXPECT_EQ(ids, (std::vector<std::uint32_t>{0, 0, 1, 2, 0, 1, 3}));
  EXPECT_EQ(table.names(), (std::vector<std::string>{"b", "a", "", "c"}));
}

}  // namespace
}  // namespace detent::models
