#include "models/files/package.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <xxhash.h>

#include <filesystem>

#include "base/io.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/package_layout.hpp"
#include "tests/support/error_text.hpp"

namespace detent::models {
namespace {

using package::Section;

/// A model that uses every field of the format.
Model every_field() {
  Model m;
  m.name = "every_field";
  m.weight_seed = 0x123456789ABCDEF0;
  m.regions = {{"ws", DETENT_REGION_WORKSPACE, 4096, 64}, {"w", DETENT_REGION_WEIGHTS, 1U << 20U, 128}};
  Tensor a;
  a.name = "x, <1>";
  a.role = TensorRole::kInput;
  a.layout = DETENT_LAYOUT_C16;
  a.dims = {1, 3, 8, 8};
  a.size_bytes = 1024;
  a.block_bytes = 256;
  a.stride_bytes = 384;
  a.block_count = 3;
  a.region = 0;
  a.offset_bytes = 64;
  Tensor view = a;
  view.name = "";
  view.alias_of = 0;
  view.alias_offset_bytes = 32;
  view.region = kNone;
  Tensor seeded;
  seeded.name = "weight";
  seeded.role = TensorRole::kWeight;
  seeded.init = {.kind = WeightInit::Kind::kHeNormal,
                 .stream = 77,
                 .scale = 0.25F,
                 .bytes = {},
                 .unpadded_dims = {3, 2, 1, 1},
                 .groups = 4};
  Tensor given = seeded;
  given.dtype = DETENT_BF16;
  given.init = {.kind = WeightInit::Kind::kBytes,
                .stream = 0,
                .scale = 1.0F,
                .bytes = {1, 2, 3},
                .unpadded_dims = {},
                .groups = 1};
  m.tensors = {a, view, seeded, given};
  Op op;
  op.name = "conv";
  op.kernel = "conv2d_f32";
  op.core_class = "npu";
  op.inputs = {0};
  op.outputs = {1};
  op.weights = {2, 3};
  op.scratch = {0};
  op.config = {9, 8, 7};
  op.time_ps = {1, 2};
  op.release_ps = {3, 4};
  op.priority = -5;
  op.workers = 0x80000001;
  op.mutexes = {"bus", "dma"};
  op.commutes = "sum";
  op.in_place = true;
  op.footprint = Footprint::kSuperset;
  op.flops = 1U << 30U;
  Op bare;
  bare.name = "bare";
  bare.time_ps = {0, 0};
  m.ops = {op, bare, bare};
  m.ops[2].time_ps.reset();
  m.edges = {{0, 1, 5, 6}, {1, 0, 0, 0}};
  m.inputs = {0};
  m.outputs = {1, 0};
  m.sources = {{"operators.c", "int x;\n"}, {"tvm/runtime/api.h", ""}};
  m.compile_flags = {"-O2"};
  m.schedules = {{{{1, 0}, {2}}}, {{{0, 1, 2}}}, {{{}, {}, {2, 1, 0}}}};
  m.demands.deadline_ps = 5'000'000;
  m.demands.period_ps = 8'000'000;
  return m;
}

Model decode(std::string_view bytes) { return decode_package(bytes, "m.pkg"); }

void expect_package_refused(const std::string& bytes, std::initializer_list<const char*> parts) {
  expect_error([&] { return decode(bytes); }, parts);
}

std::uint64_t get_u64(const std::string& bytes, std::size_t at) {
  std::uint64_t value = 0;
  for (std::size_t i = 8; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

template <typename T>
void put_at(std::string& bytes, std::size_t at, T value) {
  for (std::size_t i = 0; i < sizeof value; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i) & 0xFFU);
}

std::size_t entry_of(Section section) {
  return package::kHeaderBytes + static_cast<std::size_t>(section) * package::kSectionEntryBytes;
}

std::size_t begin_of(const std::string& bytes, Section section) { return get_u64(bytes, entry_of(section) + 16); }

/// Make all checksums right again, as an attacker would.
/// Bytes before the first section: header and section table.
constexpr std::size_t kHeaderAndTable = package::kHeaderBytes + package::kSections.size() * package::kSectionEntryBytes;

void seal(std::string& bytes) {
  const std::size_t table_end = package::kHeaderBytes + package::kSections.size() * package::kSectionEntryBytes;
  for (std::size_t i = 0; i < package::kSections.size(); ++i) {
    const std::size_t entry = package::kHeaderBytes + i * package::kSectionEntryBytes;
    const std::uint64_t offset = get_u64(bytes, entry + 16);
    const std::uint64_t size = get_u64(bytes, entry + 8) * package::kSections[i].record_bytes;
    if (offset > bytes.size() || size > bytes.size() - offset) continue;
    put_at(bytes, entry + 24, XXH3_64bits(bytes.data() + offset, size));
  }
  const std::string summed = bytes.substr(0, 24) + bytes.substr(32, table_end - 32);
  put_at(bytes, 24, XXH3_64bits(summed.data(), summed.size()));
}

template <typename T>
std::string sealed_with(Section section, std::size_t at, T value) {
  std::string bytes = encode_package(every_field());
  put_at(bytes, begin_of(bytes, section) + at, value);
  seal(bytes);
  return bytes;
}

TEST(Package, RoundTripKeepsEveryField) {
  const Model m = every_field();
  EXPECT_EQ(decode(encode_package(m)), m);
}

TEST(Package, SameModelSameBytes) { EXPECT_EQ(encode_package(every_field()), encode_package(every_field())); }

TEST(Package, TheEmptyModelAndAGraphRoundTrip) {
  EXPECT_EQ(decode(encode_package(Model{})), Model{});
  const Model graph =
      parse_graph(R"({"schema": "detent.graph/1", "regions": [{"name": "ws", "size": 16}], "ops": [{"id": 0,
    "mutex": "m", "reads": [{"region": "ws", "offset": 1, "size": 2}]}, {"id": 1}], "edges": [[0, 1, 2, 3]]})",
                  "g");
  EXPECT_EQ(decode(encode_package(graph)), graph);
}

TEST(Package, TimesThatAreDemandedHaveASectionOfTheirOwn) {
  Model m = every_field();
  const std::string with = encode_package(m);
  m.demands.deadline_ps.reset();
  EXPECT_EQ(decode(encode_package(m)), m) << "a period alone";
  m.demands.period_ps.reset();
  const std::string without = encode_package(m);
  EXPECT_EQ(decode(without), m);
  EXPECT_EQ(with[12], 13);
  EXPECT_EQ(without[12], 12);
  for (std::optional<std::uint64_t>* time : {&m.demands.deadline_ps, &m.demands.period_ps}) {
    *time = 0;
    EXPECT_NE(error_text([&] { return decode(encode_package(m)); }).find("a time of 0"), std::string::npos);
    *time = 5;
    EXPECT_EQ(decode(encode_package(m)), m);
    time->reset();
  }
  const std::uint64_t most_ps = std::uint64_t{1} << 62U;
  EXPECT_FALSE(decode(sealed_with(Section::kDemands, 0, std::uint64_t{0})).demands.deadline_ps.has_value());
  expect_package_refused(sealed_with(Section::kDemands, 0, most_ps + 1), {"demands[0]: a deadline of"});
  expect_package_refused(sealed_with(Section::kDemands, 8, most_ps + 1), {"demands[0]: a period of"});
  EXPECT_EQ(decode(sealed_with(Section::kDemands, 0, most_ps)).demands.deadline_ps, most_ps);
  std::string neither = sealed_with(Section::kDemands, 0, std::uint64_t{0});
  put_at(neither, neither.size() - 8, std::uint64_t{0});
  seal(neither);
  expect_package_refused(neither, {"m.pkg:demands: neither a deadline nor a period"});
  std::string two = with + std::string(16, '\1');
  put_at(two, entry_of(Section::kDemands) + 8, std::uint64_t{2});
  put_at(two, 16, std::uint64_t{two.size()});
  seal(two);
  expect_package_refused(two, {"m.pkg:demands: there must be one record"});
  std::string none = with.substr(0, with.size() - 16);
  put_at(none, entry_of(Section::kDemands) + 8, std::uint64_t{0});
  put_at(none, 16, std::uint64_t{none.size()});
  seal(none);
  expect_package_refused(none, {"m.pkg:demands: there must be one record"});
}

TEST(Package, FilesRoundTrip) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("detent_" + std::to_string(::getpid()) + ".pkg")).string();
  write_package(every_field(), path);
  EXPECT_EQ(read_package(path), every_field());
  std::filesystem::remove(path);
}

TEST(Package, RecordSizesAreThoseOfTheDocument) {
  const std::string bytes = encode_package(every_field());
  EXPECT_EQ(get_u64(bytes, entry_of(Section::kTensors) + 8), 4U);
  EXPECT_EQ(get_u64(bytes, entry_of(Section::kOps) + 8), 3U);
  EXPECT_EQ(get_u64(bytes, entry_of(Section::kEdges) + 8), 2U);
  EXPECT_EQ(get_u64(bytes, entry_of(Section::kModel) + 8), 1U);
  EXPECT_EQ(get_u64(bytes, 16), bytes.size());
}

TEST(Package, B01_Empty) { expect_package_refused("", {"m.pkg", "empty"}); }

TEST(Package, B02_WrongMagic) {
  expect_package_refused(std::string(4096, 'x'), {"m.pkg:magic"});
  expect_package_refused("{\"schema\"", {"m.pkg:magic"});
}

TEST(Package, B03_OtherVersion) {
  std::string bytes = encode_package(every_field());
  put_at(bytes, 8, std::uint32_t{1});
  expect_package_refused(bytes, {"m.pkg:version: version 1"});
}

TEST(Package, B04_TruncatedAtEveryByte) {
  const std::string bytes = encode_package(every_field());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    ASSERT_NE(error_text([&] { return decode(std::string_view(bytes).substr(0, length)); }), "") << length;
  }
}

TEST(Package, B04_TruncatedAtEveryByteWithAHeaderThatFits) {
  const std::string whole = encode_package(every_field());
  for (std::size_t length = kHeaderAndTable; length < whole.size(); ++length) {
    std::string bytes = whole.substr(0, length);
    put_at(bytes, 16, std::uint64_t{length});
    seal(bytes);
    ASSERT_NE(error_text([&] { return decode(bytes); }), "") << length;
  }
}

TEST(Package, B05_TrailingGarbage) {
  std::string bytes = encode_package(every_field()) + "x";
  expect_package_refused(bytes, {"m.pkg:file_bytes"});
  put_at(bytes, 16, std::uint64_t{bytes.size()});
  seal(bytes);
  expect_package_refused(bytes, {"m.pkg:file: 1 bytes after the last section"});
}

TEST(Package, B06_SectionsLargerThanTheFile) {
  std::string bytes = encode_package(every_field());
  put_at(bytes, entry_of(Section::kEdges) + 8, std::uint64_t{100'000});
  seal(bytes);
  expect_package_refused(bytes, {"m.pkg:edges", "end past the end of the file"});
}

TEST(Package, B07_EveryChangedByteIsNoticed) {
  const std::string bytes = encode_package(every_field());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const unsigned mask : {1U, 0x80U, 0xFFU}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(static_cast<unsigned char>(changed[i]) ^ mask);
      ASSERT_NE(error_text([&] { return decode(changed); }), "") << "byte " << i;
    }
  }
}

TEST(Package, EveryChangedByteUnderRightChecksumsIsRefusedOrAnotherModel) {
  const std::string bytes = encode_package(every_field());
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const unsigned mask : {1U, 0x80U, 0xFFU}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(static_cast<unsigned char>(changed[i]) ^ mask);
      seal(changed);
      std::string again;
      const std::string error = error_text([&] { return again = encode_package(decode(changed)); });
      accepted += error.empty() ? 1U : 0U;
    }
  }
  EXPECT_GT(accepted, 0U);
}

TEST(Package, B08_ByteSwapped) {
  std::string bytes = encode_package(every_field());
  for (const std::size_t word : {2U, 4U, 8U}) {
    std::string swapped = bytes;
    for (std::size_t at = 0; at + word <= bytes.size(); at += word) {
      std::reverse(swapped.begin() + static_cast<std::ptrdiff_t>(at),
                   swapped.begin() + static_cast<std::ptrdiff_t>(at + word));
    }
    EXPECT_TRUE(is_package(swapped));
    expect_package_refused(swapped, {"m.pkg:magic", "byte-swapped"});
  }
}

TEST(Package, B09_CountsOf2To32Minus1) {
  expect_package_refused(sealed_with(Section::kModel, 16, UINT32_MAX), {"m.pkg:model[0]", "4294967295 elements"});
  expect_package_refused(sealed_with(Section::kOps, 16, UINT32_MAX), {"m.pkg:ops[0]", "at most 4096"});
  expect_package_refused(sealed_with(Section::kOps, 32, UINT32_MAX), {"m.pkg:ops[0]"});
  expect_package_refused(sealed_with(Section::kOps, 36, UINT32_MAX), {"m.pkg:ops[0]", "configs"});
  expect_package_refused(sealed_with(Section::kNames, 0, UINT32_MAX), {"m.pkg:names[0]"});
  std::string bytes = encode_package(every_field());
  for (std::size_t i = 0; i < package::kSections.size(); ++i) {
    std::string changed = bytes;
    put_at(changed, package::kHeaderBytes + i * package::kSectionEntryBytes + 8, std::uint64_t{UINT32_MAX});
    seal(changed);
    EXPECT_NE(error_text([&] { return decode(changed); }), "") << i;
  }
}

TEST(Package, B10_CountTimesElementOverflows) {
  std::string bytes = encode_package(every_field());
  // 88 * count wraps to a small number in 64 bits.
  put_at(bytes, entry_of(Section::kOps) + 8, UINT64_MAX / 88 + 2);
  seal(bytes);
  expect_package_refused(bytes, {"m.pkg:ops", "end past the end of the file"});
  expect_package_refused(sealed_with(Section::kTensors, 80, UINT64_MAX), {"m.pkg:tensors[0]", "weights"});
}

TEST(Package, B11_OffsetPlusLengthWraps) {
  std::string bytes = encode_package(every_field());
  put_at(bytes, entry_of(Section::kOps) + 16, UINT64_MAX - 7);
  seal(bytes);
  expect_package_refused(bytes, {"m.pkg:ops"});
}

TEST(Package, B12_SectionsOverlap) {
  std::string bytes = encode_package(every_field());
  put_at(bytes, entry_of(Section::kOps) + 16, std::uint64_t{begin_of(bytes, Section::kTensors)});
  seal(bytes);
  expect_package_refused(bytes, {"m.pkg:ops: overlaps"});
  bytes = encode_package(every_field());
  put_at(bytes, entry_of(Section::kNameText) + 16, std::uint64_t{0});
  seal(bytes);
  expect_package_refused(bytes, {"m.pkg:name_text: overlaps"});
}

TEST(Package, B13_SectionsMisaligned) {
  std::string bytes = encode_package(every_field());
  put_at(bytes, entry_of(Section::kOps) + 16, std::uint64_t{begin_of(bytes, Section::kOps) + 4});
  seal(bytes);
  expect_package_refused(bytes, {"m.pkg:ops", "misaligned"});
}

TEST(Package, B14_Names) {
  for (const char bad : {'\0', '\n', '\x7F', '\xFF'}) {
    expect_package_refused(sealed_with(Section::kNameText, 3, static_cast<std::uint8_t>(bad)),
                           {"m.pkg:names[0]: a name"});
  }
  Model m = every_field();
  m.ops[0].name = std::string(1U << 20U, 'n');
  expect_error([&] { return encode_package(m); }, {"ops", "4096"});
}

TEST(Package, B14_NamesSharedByManyRecordsDoNotFillMemory) {
  Model m;
  Op op;
  op.name = std::string(kMaxNameBytes, 'n');
  op.mutexes.assign(20'000, op.name);
  m.ops.push_back(op);
  const std::string bytes = encode_package(m);
  EXPECT_LT(bytes.size(), 100'000U);
  expect_package_refused(bytes, {"m.pkg:ops[0]", "too many bytes"});
}

TEST(Package, B17_EnumerationsFlagsAndReservedFields) {
  expect_package_refused(sealed_with(Section::kRegions, 4, std::uint32_t{4}), {"m.pkg:regions[0]", "enumeration"});
  expect_package_refused(sealed_with(Section::kTensors, 4, std::uint8_t{6}), {"m.pkg:tensors[0]", "enumeration"});
  expect_package_refused(sealed_with(Section::kTensors, 5, std::uint8_t{9}), {"m.pkg:tensors[0]", "enumeration"});
  expect_package_refused(sealed_with(Section::kTensors, 7, std::uint8_t{7}), {"m.pkg:tensors[0]", "at most 6"});
  expect_package_refused(sealed_with(Section::kOps, 44, std::uint32_t{16384}), {"m.pkg:ops[0]", "flags"});
  expect_package_refused(sealed_with(Section::kOps, 44, std::uint32_t{384}), {"m.pkg:ops[0]", "kind of guard 3"});
  Model guarded = every_field();
  guarded.ops[0].guarded = Guarded::kIfTrue;  // by an F32
  EXPECT_THROW(static_cast<void>(encode_package(guarded)), InputError);
  expect_package_refused(sealed_with(Section::kOps, 44, std::uint32_t{40}), {"m.pkg:ops[0]", "kind of footprint 5"});
  expect_package_refused(sealed_with(Section::kOps, 48, std::uint64_t{9}), {"m.pkg:ops[0]", "least time"});
  expect_package_refused(sealed_with(Section::kRegions, 20, std::uint32_t{2}), {"m.pkg:regions[0]", "flags 2"});
  Model watched = every_field();
  watched.ops[0].is_fallible = true;
  watched.ops[0].watchdog_ps = 1;
  EXPECT_THROW(static_cast<void>(encode_package(watched)), InputError);  // its last output is no BOOL
  watched = every_field();
  watched.ops[0].watchdog_ps = 1;
  EXPECT_THROW(static_cast<void>(encode_package(watched)), InputError);
}

TEST(Package, B22_SchedulesHaveEveryOpOnceAndOneListPerWorker) {
  for (const std::uint32_t words : {1U, 2U, 5U, 9U}) {
    expect_package_refused(sealed_with(Section::kModel, 28, words), {"m.pkg:model[0]", "end within a list"});
  }
  // Words of the first schedule, behind an input, two outputs and a flag: 2 lists, 2 ops, 1, 0, 1 op, 2.
  constexpr std::size_t kFirst = 4 * sizeof(std::uint32_t);
  const auto with = [](std::size_t word, std::uint32_t value) {
    return sealed_with(Section::kRefs, kFirst + word * sizeof(std::uint32_t), value);
  };
  expect_package_refused(with(0, 65), {"m.pkg:model[0]", "a count of 65"});
  expect_package_refused(with(1, 4'000'001), {"m.pkg:model[0]", "a count of 4000001"});
  expect_package_refused(with(1, 4'000'000), {"m.pkg:model[0]", "end within a list"});
  expect_package_refused(with(2, 3), {"m.pkg:schedules[0]", "op 3 does not exist"});
  expect_package_refused(with(2, 2), {"m.pkg:schedules[0]", "op 2 is listed twice"});
  Model m = every_field();
  m.schedules = {{{{0, 1}}}};
  expect_error([&] { return encode_package(m); }, {"every_field:schedules[0]", "2 of 3 ops are listed"});
  m.schedules = {{}};
  expect_error([&] { return encode_package(m); }, {"every_field:schedules[0]", "0 lists"});
  m.schedules = {{{{0, 1, 2}}}, {{{2, 1, 0}}}};
  expect_error([&] { return encode_package(m); }, {"every_field:schedules[1]", "a second schedule of 1 worker"});
}

TEST(Package, B22_IndicesOutOfTheirTables) {
  expect_package_refused(sealed_with(Section::kEdges, 4, std::uint32_t{3}), {"m.pkg:edges[0]", "op 3 does not exist"});
  expect_package_refused(sealed_with(Section::kTensors, 44, std::uint32_t{2}), {"m.pkg:tensors[0].region"});
  expect_package_refused(sealed_with(Section::kTensors, 40, std::uint32_t{4}), {"m.pkg:tensors[0].alias_of"});
  expect_package_refused(sealed_with(Section::kOps, 4, std::uint32_t{500}),
                         {"m.pkg:ops[0]", "name 500 does not exist"});
  // The first name behind the last one.
  const std::string message = [] {
    try {
      static_cast<void>(decode_package(sealed_with(Section::kOps, 4, std::uint32_t{500}), "m.pkg"));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  }();
  const std::string count = message.substr(message.rfind(' ') + 1);
  expect_package_refused(sealed_with(Section::kOps, 4, static_cast<std::uint32_t>(std::stoul(count))),
                         {"m.pkg:ops[0]", ("name " + count + " does not exist; there are " + count).c_str()});
  expect_package_refused(sealed_with(Section::kRefs, 0, std::uint32_t{4}),
                         {"m.pkg:inputs[0]: tensor 4 does not exist"});
}

TEST(Package, B62_SourcesHavePlainRelativeNames) {
  for (const char* name :
       {"", "/etc/passwd", "../a.c", "a/../b.c", "a//b.c", "./a.c", "a b.c", "-o", "a/-o.c", "a\\b"}) {
    Model m = every_field();
    m.sources[0].name = name;
    EXPECT_NE(error_text([&] { encode_package(m); }), "") << name;
  }
  Model twice = every_field();
  twice.sources[1].name = twice.sources[0].name;
  EXPECT_NE(error_text([&] { encode_package(twice); }), "");
  Model flag = every_field();
  flag.compile_flags = {"evil.c"};
  EXPECT_NE(error_text([&] { encode_package(flag); }), "");
}

TEST(Package, RefsThatNoRecordUsesAreRefused) {
  expect_package_refused(sealed_with(Section::kModel, 16, std::uint32_t{0}), {"m.pkg:"});
}

TEST(Package, IsPackageLooksAtTheMagicOnly) {
  EXPECT_TRUE(is_package(encode_package(every_field())));
  EXPECT_FALSE(is_package("{\"schema\": 1}"));
  EXPECT_FALSE(is_package("DETENT"));
  EXPECT_FALSE(is_package(""));
}

}  // namespace
}  // namespace detent::models
