// The prepared form of the software NPU: what it holds, who may open it, and what is refused.
#include "runtime/backends/npu_prepared.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <detent/detent.h>
#include <detent/device.h>

#include "runtime/base/fingerprint.h"
#include "tests/runtime/backends/npu_context.hpp"
#include "tests/runtime/desc_builder.hpp"

namespace detent::test {
namespace {

const detent_device_module& module() { return *detent_software_npu(); }

/// Two ops that read one tensor of weights, and a third on the CPU that reads another.
DescBuilder make_weighted(const void* weights = kWeights) {
  DescBuilder b;
  b.kernels = {"increment", "by_scratch"};
  b.classes = {{"cpu", DETENT_CLASS_WORKERS}, {"npu", DETENT_CLASS_WORKERS}};
  const std::uint32_t input = b.add_region("input", DETENT_REGION_INPUT, 64);
  const std::uint32_t constants = b.add_region("weights", DETENT_REGION_WEIGHTS, 64, 64, weights);
  const std::uint32_t work = b.add_region("work", DETENT_REGION_WORKSPACE, 192);
  const std::uint32_t output = b.add_region("output", DETENT_REGION_OUTPUT, 192);
  b.add_tensor({.name = "in", .region = input});
  b.add_tensor({.name = "w", .region = constants});
  for (const std::uint64_t offset : {0U, 64U, 128U}) {
    b.add_tensor({.name = "s", .region = work, .offset_bytes = offset});
  }
  for (const std::uint64_t offset : {0U, 64U, 128U}) {
    b.add_tensor({.name = "y", .region = output, .offset_bytes = offset});
  }
  support::DescTables& tables = b;
  for (const std::uint32_t op : {0U, 1U, 2U}) {
    tables.add_op({.name = "op",
                   .inputs = {op == 0 ? 0 : op + 4},
                   .outputs = {op + 5},
                   .weights = {1},
                   .scratch = {op + 2},
                   .core_class = op == 2 ? 0U : 1U,
                   .kernel = 1,
                   .config = {op}});
    if (op > 0) b.add_edge(op - 1, op);
  }
  b.inputs = {0};
  b.outputs = {7};
  return b;
}

/// The same with a constant of 320 bytes.
DescBuilder make_with_constant(const void* weights, TensorSpec constant) {
  DescBuilder row;
  row.add_region("weights", DETENT_REGION_WEIGHTS, 320, 64, weights);
  constant.region = 0;
  row.add_tensor(constant);
  DescBuilder b = make_weighted(weights);
  b.regions[1].size_bytes = 320;
  b.tensors[1] = row.tensors[0];
  b.tensors[1].region = 1;
  return b;
}

/// What prepare and open are given; the port is not used by prepare.
struct Opened {
  Memory memory = allocate(detent_port_posix_bytes());
  detent_port port{};
  detent_device_config config{};
  Opened() {
    EXPECT_EQ(detent_port_posix(memory.get(), detent_port_posix_bytes(), &port), DETENT_OK);
    config = {&port, 0, &kTable, detent_complete, nullptr, 0};
  }
};

struct Form {
  Memory memory;
  std::uint64_t bytes = 0;
  [[nodiscard]] std::uint8_t* data() const { return static_cast<std::uint8_t*>(memory.get()); }
};

detent_device_identity identity_of(const detent_desc& desc) {
  const Opened opened;
  detent_device_identity identity{};
  EXPECT_EQ(module().identify(&desc, &opened.config, &identity), DETENT_OK);
  return identity;
}

std::string token_of(const detent_desc& desc) {
  const detent_device_identity identity = identity_of(desc);
  return {reinterpret_cast<const char*>(identity.token), DETENT_TOKEN_BYTES};
}

Form prepare(const detent_desc& desc) {
  const Opened opened;
  const std::uint64_t room = identity_of(desc).memory_bytes;
  Form form{allocate(room)};
  EXPECT_EQ(module().prepare(&desc, &opened.config, form.memory.get(), room, &form.bytes), DETENT_OK);
  EXPECT_LE(form.bytes, room);
  return form;
}

detent_status open_with(const detent_desc& desc, const void* form, std::uint64_t bytes) {
  Opened opened;
  opened.config.prepared = form;
  opened.config.prepared_bytes = bytes;
  detent_device_needs needs{};
  EXPECT_EQ(module().measure(&desc, &opened.config, &needs), DETENT_OK);
  const Memory memory = allocate(needs.memory_bytes);
  detent_backend backend{};
  const detent_status status = module().open(memory.get(), needs.memory_bytes, &desc, &opened.config, &backend);
  if (status == DETENT_OK) module().close(memory.get());
  return status;
}

TEST(NpuPrepared, OpsReadConstantsOfTheFormAndCopyNone) {
  DescBuilder b = make_weighted();
  const detent_desc& desc = b.refresh();
  const Form form = prepare(desc);
  Npu plain(desc, 1);
  Npu prepared(desc, 1, DETENT_MODE_CLOSED_LOOP, form.memory.get(), form.bytes);
  for (std::uint32_t run = 0; run < 5; ++run) {
    ASSERT_EQ(plain.run(static_cast<std::uint8_t>(run)).error.status, DETENT_OK);
    ASSERT_EQ(prepared.run(static_cast<std::uint8_t>(run)).error.status, DETENT_OK);
    for (std::size_t at = 0; at < 64; ++at) {
      ASSERT_EQ(prepared.byte(7, at), run + 3U * (kWeights[at] + 1U));
      ASSERT_EQ(prepared.byte(7, at), plain.byte(7, at));
    }
  }
  EXPECT_EQ(plain.counters().ops, 10U);
  EXPECT_EQ(plain.counters().read_bytes, 10U * 128U);
  EXPECT_EQ(prepared.counters().ops, 10U);
  EXPECT_EQ(prepared.counters().read_bytes, 10U * 64U);
}

TEST(NpuPrepared, OneFormServesManyContextsAtOnceAndIsNotWritten) {
  DescBuilder b = make_weighted();
  const detent_desc& desc = b.refresh();
  const Form form = prepare(desc);
  const std::vector<std::uint8_t> before(form.data(), form.data() + form.bytes);
  {
    Npu first(desc, 1, DETENT_MODE_CLOSED_LOOP, form.memory.get(), form.bytes);
    Npu second(desc, 2, DETENT_MODE_LAYERED, form.memory.get(), form.bytes);
    ASSERT_EQ(first.run(1).error.status, DETENT_OK);
    ASSERT_EQ(second.run(1).error.status, DETENT_OK);
    EXPECT_EQ(first.byte(7, 1), second.byte(7, 1));
  }
  EXPECT_TRUE(std::equal(before.begin(), before.end(), form.data()));
}

TEST(NpuPrepared, EqualNetworksGiveEqualBytesAndAConstantIsThereOnce) {
  DescBuilder b = make_weighted();
  alignas(64) std::uint8_t elsewhere[64];
  std::memcpy(elsewhere, kWeights, sizeof elsewhere);
  DescBuilder other = make_weighted(elsewhere);
  const Form form = prepare(b.refresh());
  const Form again = prepare(other.refresh());
  ASSERT_EQ(form.bytes, again.bytes);
  EXPECT_TRUE(std::equal(form.data(), form.data() + form.bytes, again.data()));
  std::uint32_t found = 0;
  for (std::uint64_t at = 0; at + 3 <= form.bytes; ++at) {
    if (std::memcmp(form.data() + at, kWeights, 3) == 0) ++found;
  }
  EXPECT_EQ(found, 1U);
}

TEST(NpuPrepared, TheTokenIsOfSubGraphConstantsAndVersion) {
  DescBuilder b = make_weighted();
  const std::string token = token_of(b.refresh());
  const auto changed = [](const auto& change, const void* weights = kWeights) {
    DescBuilder other = make_weighted(weights);
    change(other);
    return token_of(other.refresh());
  };
  const auto nothing = [](DescBuilder&) {};
  EXPECT_EQ(changed(nothing), token);
  EXPECT_EQ(changed([](DescBuilder& d) { d.config[2] = 9; }), token) << "of the CPU's op";
  EXPECT_EQ(changed([](DescBuilder& d) { d.tensors[0].name = "other"; }), token) << "names are for people";
  EXPECT_NE(changed([](DescBuilder& d) { d.config[1] = 9; }), token);
  EXPECT_NE(changed([](DescBuilder& d) { d.ops[1].kernel = 0; }), token);
  EXPECT_NE(changed([](DescBuilder& d) { d.ops[2].core_class = 1; }), token);
  EXPECT_NE(changed([](DescBuilder& d) { d.ops[0].flags = DETENT_OP_IN_PLACE; }), token);
  EXPECT_NE(changed([](DescBuilder& d) { d.add_edge(0, 2); }), token);
  EXPECT_NE(changed([](DescBuilder& d) { d.tensors[5].dims[0] = 8; }), token);
  EXPECT_NE(changed([](DescBuilder& d) { d.tensors[5].dtype = DETENT_I32; }), token);
  EXPECT_NE(changed([](DescBuilder& d) { std::swap(d.tensors[2].offset_bytes, d.tensors[3].offset_bytes); }), token);
  for (std::size_t at = 0; at < 64; ++at) {
    alignas(64) std::uint8_t weights[64];
    std::memcpy(weights, kWeights, sizeof weights);
    weights[at] ^= 1;
    EXPECT_NE(changed(nothing, weights), token) << "byte " << at;
  }
}

TEST(NpuPrepared, AFormOfAnotherNetworkIsStale) {
  DescBuilder b = make_weighted();
  const Form form = prepare(b.refresh());
  EXPECT_EQ(open_with(b.desc, form.memory.get(), form.bytes), DETENT_OK);
  b.config[1] = 9;
  EXPECT_EQ(open_with(b.refresh(), form.memory.get(), form.bytes), DETENT_STALE);
  EXPECT_EQ(open_with(b.desc, nullptr, 0), DETENT_OK) << "without it";
}

TEST(NpuPrepared, B04B07B08EveryDamageIsSeen) {
  DescBuilder b = make_weighted();
  const detent_desc& desc = b.refresh();
  const Form form = prepare(desc);
  for (std::uint64_t at = 0; at < form.bytes; ++at) {
    form.data()[at] ^= 0x40;
    ASSERT_EQ(open_with(desc, form.memory.get(), form.bytes), DETENT_STALE) << "byte " << at;
    form.data()[at] ^= 0x40;
  }
  for (std::uint64_t bytes = 0; bytes < form.bytes; ++bytes) {
    const Memory cut = allocate(std::max<std::uint64_t>(bytes, 1));
    std::memcpy(cut.get(), form.data(), bytes);
    ASSERT_EQ(open_with(desc, cut.get(), bytes), DETENT_STALE) << bytes << " bytes";
  }
  const Memory longer = allocate(form.bytes + 128);
  std::memset(longer.get(), 0, form.bytes + 128);
  std::memcpy(longer.get(), form.data(), form.bytes);
  EXPECT_EQ(open_with(desc, longer.get(), form.bytes + 128), DETENT_STALE) << "B05";
  std::memmove(static_cast<std::uint8_t*>(longer.get()) + 8, form.data(), form.bytes);
  EXPECT_EQ(open_with(desc, static_cast<std::uint8_t*>(longer.get()) + 8, form.bytes), DETENT_ALIGNMENT) << "B13";
}

/// Whoever forges a form makes its fingerprint, too.
TEST(NpuPrepared, B11PlacesOutsideOfTheFormAreRefused) {
  alignas(64) const std::uint8_t weights[320] = {5, 6, 7};
  DescBuilder b = make_with_constant(weights, {.block_bytes = 320});
  const detent_desc& desc = b.refresh();
  const Form form = prepare(desc);
  const std::uint64_t good = form.bytes - 384;  // its only constant
  const auto with_place = [&](std::uint64_t place) {
    std::memcpy(form.data() + sizeof(npu::FormHeader) + 8, &place, sizeof place);
    Fingerprint print;
    print.add_bytes(form.data() + sizeof(npu::FormHeader), form.bytes - sizeof(npu::FormHeader));
    print.get(form.data() + offsetof(npu::FormHeader, contents));
    return open_with(desc, form.memory.get(), form.bytes);
  };
  EXPECT_EQ(with_place(good), DETENT_OK);
  for (const std::uint64_t place :
       {std::uint64_t{0}, std::uint64_t{1}, good - 128, good + 1, good + 65, form.bytes, form.bytes + 128,
        std::uint64_t{1} << 63, UINT64_MAX - 127, UINT64_MAX - 63, UINT64_MAX}) {
    EXPECT_EQ(with_place(place), DETENT_STALE) << place;
  }
  EXPECT_EQ(with_place(good), DETENT_OK);
}

TEST(NpuPrepared, MemoryThatIsTooSmallIsRefusedAndNotWritten) {
  DescBuilder b = make_weighted();
  const detent_desc& desc = b.refresh();
  const Opened opened;
  const std::uint64_t room = identity_of(desc).memory_bytes;
  const Memory memory = allocate(room + 256);
  auto* const bytes = static_cast<std::uint8_t*>(memory.get());
  std::memset(bytes, 0xA5, room + 256);
  const auto is_untouched = [&](std::uint64_t from) {
    return std::all_of(bytes + from, bytes + room + 256, [](std::uint8_t byte) { return byte == 0xA5; });
  };
  std::uint64_t form_bytes = 77;
  for (std::uint64_t less = 0; less < room; ++less) {
    ASSERT_EQ(module().prepare(&desc, &opened.config, bytes, less, &form_bytes), DETENT_NO_SPACE);
  }
  EXPECT_EQ(module().prepare(&desc, &opened.config, bytes + 8, room, &form_bytes), DETENT_ALIGNMENT);
  EXPECT_EQ(module().prepare(&desc, &opened.config, nullptr, room, &form_bytes), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(module().prepare(&desc, &opened.config, bytes, room, nullptr), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(module().prepare(nullptr, &opened.config, bytes, room, &form_bytes), DETENT_INVALID_ARGUMENT);
  EXPECT_TRUE(is_untouched(0));
  EXPECT_EQ(form_bytes, 77U);
  ASSERT_EQ(module().prepare(&desc, &opened.config, bytes, room, &form_bytes), DETENT_OK);
  EXPECT_TRUE(is_untouched(room));
  detent_device_identity identity{};
  EXPECT_EQ(module().identify(nullptr, &opened.config, &identity), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(module().identify(&desc, nullptr, &identity), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(module().identify(&desc, &opened.config, nullptr), DETENT_INVALID_ARGUMENT);
}

TEST(NpuPrepared, GapsBetweenBlocksOfAConstantAreNotCopied) {
  alignas(64) std::uint8_t weights[320];
  std::memset(weights, 7, sizeof weights);
  DescBuilder b = make_with_constant(weights, {.stride_bytes = 128, .block_count = 3});
  const detent_desc& desc = b.refresh();
  const Form form = prepare(desc);
  const std::string token = token_of(desc);
  weights[64] = 8;
  EXPECT_EQ(token_of(desc), token) << "no op reads it";
  EXPECT_EQ(open_with(desc, form.memory.get(), form.bytes), DETENT_OK);
  const auto sevens = std::count(form.data() + form.bytes - 384, form.data() + form.bytes, 7);
  EXPECT_EQ(sevens, 192);
  weights[128] = 8;
  EXPECT_NE(token_of(desc), token);
}

}  // namespace
}  // namespace detent::test
