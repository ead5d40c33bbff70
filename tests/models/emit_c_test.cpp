// Emission: C text of names, tables and weights; the set of files; the digest of the example program.
#include "models/emit_c/emit_c.hpp"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "base/input_error.hpp"
#include "models/devices/fallbacks.hpp"
#include "models/emit_c/kernel_files.hpp"
#include "models/lower/lower.hpp"
#include "models/zoo/zoo.hpp"
#include "runtime/sources_text.h"

extern "C" {
#include "models/emit_c/digest.h"
}

namespace detent::models {
namespace {

/// What a C compiler makes of the string literals in `text`, octal escapes only.
std::string literal_bytes(const std::string& text) {
  std::string out;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      inside = !inside;
    } else if (inside && text[i] == '\\') {
      unsigned value = 0;
      for (int digits = 0; digits < 3 && text[i + 1] >= '0' && text[i + 1] <= '7'; ++digits, ++i) {
        value = value * 8 + static_cast<unsigned>(text[i + 1] - '0');
      }
      out += static_cast<char>(value);
    }
  }
  return out;
}

const EmittedFile* find(const std::vector<EmittedFile>& files, const std::string& path) {
  const auto file = std::ranges::find(files, path, &EmittedFile::path);
  return file == files.end() ? nullptr : &*file;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

/// A planned zoo model with its tables.
struct Zoo {
  explicit Zoo(const std::string& spec) : model(prepared(spec)), lowered(lower(model)) {}
  static Model prepared(const std::string& spec) {
    Model model = make_zoo_model(spec);
    prepare_model(model, {});
    return model;
  }
  Model model;
  LoweredModel lowered;
};

EmitOptions options() {
  EmitOptions out;
  out.arena_bytes = 4096;
  out.arena_workers = 4;
  out.port_bytes = 32768;
  return out;
}

TEST(EmitText, EscapesWhatAStringLiteralCannotHold) {
  EXPECT_EQ(c_escaped("plain name, <x>"), "plain name, <x>");
  EXPECT_EQ(c_escaped("say \"hi\"\\"), "say \\\"hi\\\"\\\\");
  EXPECT_EQ(c_escaped("what?\?/"), "what\\?\\?/");
  EXPECT_EQ(c_escaped("a\nb\x7f"), "a\\012b\\177");
  EXPECT_EQ(c_escaped("\xc3\xa9"
                      "1"),
            "\\303\\2511")
      << "three digits: the next one is not taken in";
}

TEST(EmitText, B14_CommentsCannotBeLeftOrNested) {
  for (const char* name : {"*/ int evil; /*", "/*/", "**//", "a/", "*", "//", "/* */"}) {
    const std::string text = "/* " + c_comment(name) + " */";
    EXPECT_EQ(text.find("*/"), text.size() - 2) << name << " -> " << text;
    EXPECT_EQ(text.find("/*", 1), text.npos) << name << " -> " << text;
  }
}

TEST(EmitText, OnlySignsOfCommentsAreSetApartInComments) {
  EXPECT_EQ(c_comment("conv/bn*relu"), "conv/bn*relu");
  EXPECT_EQ(c_comment("*/ /* // **"), "* / / * / / ** ");
}

TEST(EmitText, B14_LongNamesAreCutInCommentsOnly) {
  const std::string name(4096, 'n');
  EXPECT_EQ(c_comment(name), std::string(80, 'n') + "...");
  EXPECT_EQ(c_escaped(name), name);
}

TEST(EmitWeights, LiteralsHoldTheExactBytes) {
  std::vector<std::uint8_t> bytes(1000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 7);
  const detent_region region{"weights */", DETENT_REGION_WEIGHTS, bytes.size(), 64, bytes.data()};
  detent_tensor tensor{};
  tensor.name = "w\"\\1";
  tensor.offset_bytes = 77;
  tensor.size_bytes = 100;
  tensor.alias_of = DETENT_NONE;
  detent_desc desc{};
  desc.regions = &region;
  desc.region_count = 1;
  desc.tensors = &tensor;
  desc.tensor_count = 1;
  const std::string text = emit_weights(desc, 0);
  const std::string array = "_Alignas(64) const uint8_t detent_weights_0[1000] =\n";
  ASSERT_TRUE(contains(text, array));
  std::string literals = text.substr(text.find(array) + array.size());
  const std::string mark = "/* tensor 0 \"w\\\"\\\\1\" at 77, 100 bytes */\n";
  ASSERT_TRUE(contains(literals, mark)) << literals;
  literals.erase(literals.find(mark), mark.size());
  EXPECT_EQ(literal_bytes(literals), std::string(bytes.begin(), bytes.end()));
}

TEST(EmitWeights, TensorsAreMarkedByWhereTheyBeginWhateverTheirIds) {
  const std::vector<std::uint8_t> bytes{1, 2, 3, 4, 5, 6};
  const detent_region region{"w", DETENT_REGION_WEIGHTS, bytes.size(), 1, bytes.data()};
  std::vector<detent_tensor> tensors(3);
  const std::uint64_t offsets[] = {4, 0, 2};
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    tensors[i].name = "t";
    tensors[i].offset_bytes = offsets[i];
    tensors[i].size_bytes = 2;
    tensors[i].alias_of = DETENT_NONE;
  }
  detent_desc desc{};
  desc.regions = &region;
  desc.region_count = 1;
  desc.tensors = tensors.data();
  desc.tensor_count = 3;
  const std::string text = emit_weights(desc, 0);
  EXPECT_NE(text.find("/* tensor 1 \"t\" at 0, 2 bytes */\n\"\\1\\2\"\n"
                      "/* tensor 2 \"t\" at 2, 2 bytes */\n\"\\3\\4\"\n"
                      "/* tensor 0 \"t\" at 4, 2 bytes */\n\"\\5\\6\""),
            std::string::npos)
      << text;
}

TEST(EmitTables, NameEveryOpTensorAndSuccessor) {
  const Zoo zoo("diamond");
  const std::string text = emit_desc_tables(zoo.lowered.desc());
  EXPECT_TRUE(contains(text, "const detent_desc detent_model_desc = {\n    .name = \"diamond\""));
  EXPECT_TRUE(contains(text, "/* 0: mix on cpu, reads 0 \"x\", writes 1 \"fork\", then 1 2 */"));
  EXPECT_TRUE(contains(text, "/* 3: mix on cpu, reads 2 \"branch0\" 3 \"branch1\", writes 4 \"join\", after 1 2 */"));
  EXPECT_TRUE(contains(text, "    /* 0 \"fork\" */ 1u, 2u,\n"));
  EXPECT_TRUE(contains(text, ".entry_count = 2u"));
  EXPECT_TRUE(contains(text, "/* 2: workspace [256, 512) */"));
}

TEST(EmitTables, StaticSchedulesListEachWorkersOps) {
  const Zoo zoo("diamond");
  const detent_slice lists[] = {{0, 3}, {3, 1}};
  const std::uint32_t ops[] = {0, 1, 3, 2};
  const detent_static_schedule schedule{2, lists, ops};
  detent_desc desc = zoo.lowered.desc();
  desc.schedules = &schedule;
  desc.schedule_count = 1;
  const std::string text = emit_desc_tables(desc);
  EXPECT_TRUE(contains(text, "    /* worker 0, 3 ops */ 0u, 1u, 3u,\n    /* worker 1, 1 ops */ 2u,\n"));
  EXPECT_TRUE(contains(text, "{.worker_count = 2u, .lists = lists_0, .list_ops = list_ops_0}"));
}

TEST(EmitTables, B14_OddNamesStayInsideTheirLiterals) {
  Model model = Zoo::prepared("diamond");
  model.name = "*/\"; @WEIGHTS@";
  model.ops[0].name = "a\"b\\";
  model.tensors[1].name = "*/ #error";
  const LoweredModel lowered = lower(model);
  const std::string text = emit_desc_tables(lowered.desc());
  EXPECT_TRUE(contains(text, ".name = \"a\\\"b\\\\\""));
  EXPECT_TRUE(contains(text, "writes 1 \"* / #error\""));
  EXPECT_TRUE(std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= 0x20 && c < 0x7f); }));
  const std::vector<EmittedFile> files = emit_c(lowered.desc(), options());
  EXPECT_TRUE(contains(find(files, "desc.h")->text, "/* The network \"* /\\\"; @WEIGHTS@\""));
}

TEST(Emit, EveryFlagOfAnOpIsInTheTables) {
  Model model = make_zoo_model("fallback:16");
  std::vector<FallbackOn> wanted(model.ops.size());
  const auto plain = std::ranges::find_if(model.ops, [](const Op& op) { return op.name == "stem"; });
  wanted[static_cast<std::size_t>(plain - model.ops.begin())] = {.core_class = "cpu"};
  add_fallbacks(model, wanted);
  const LoweredModel lowered = lower(model);
  const std::string text = emit_desc_tables(lowered.desc());
  for (const char* flags : {"0 | DETENT_OP_FALLIBLE,", "0 | DETENT_OP_GUARDED | DETENT_OP_IF_FALSE,",
                            "0 | DETENT_OP_GUARDED | DETENT_OP_REPLACES,"}) {
    EXPECT_TRUE(contains(text, flags)) << flags;
  }
  std::vector<detent_op> ops(lowered.desc().ops, lowered.desc().ops + lowered.desc().op_count);
  ops[0].flags = 1U << 20U;
  detent_desc unknown = lowered.desc();
  unknown.ops = ops.data();
  EXPECT_THROW(static_cast<void>(emit_desc_tables(unknown)), std::logic_error);
}

TEST(Emit, FilesAreSortedUniqueAndDeterministic) {
  const Zoo zoo("branchnet");
  const std::vector<EmittedFile> files = emit_c(zoo.lowered.desc(), options());
  const std::vector<EmittedFile> again = emit_c(Zoo("branchnet").lowered.desc(), options());
  std::set<std::string> paths;
  ASSERT_EQ(files.size(), again.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_TRUE(paths.insert(files[i].path).second) << files[i].path;
    EXPECT_EQ(files[i].path, again[i].path);
    EXPECT_EQ(files[i].text, again[i].text) << files[i].path;
  }
  EXPECT_TRUE(std::ranges::is_sorted(files, {}, &EmittedFile::path));
  for (const char* path :
       {"Makefile", "README.md", "desc.c", "desc.h", "main.c", "model.c", "model.h", "digest.c", "fill.c",
        "runtime/ports/posix.cpp", "runtime/ports/single.cpp", "runtime/kernels/conv2d.cpp"}) {
    EXPECT_TRUE(paths.contains(path)) << path;
  }
}

std::set<std::string> kernel_paths(const std::string& spec) {
  std::set<std::string> paths;
  for (const EmittedFile& file : emit_c(Zoo(spec).lowered.desc(), options())) {
    if (file.path.starts_with("runtime/kernels/")) paths.insert(file.path.substr(16));
  }
  return paths;
}

TEST(EmitKernels, OnlyThoseOfTheNetworkGoAlong) {
  // An op graph: one kernel, none of the code that is compiled for each instruction set but the table.
  EXPECT_EQ(kernel_paths("diamond"), (std::set<std::string>{"builtin.cpp", "isa/run.h", "isa/table.cpp", "isa/vec.h",
                                                            "isa/vec_gnu.h", "isa/vec_shape.h", "isa/vec_standard.h",
                                                            "kernels.h", "list.h", "mix.cpp", "variants.h"}));
  const Zoo zoo("diamond");
  const std::vector<EmittedFile> files = emit_c(zoo.lowered.desc(), options());
  EXPECT_TRUE(
      contains(find(files, "runtime/kernels/list.h")->text, "#define DETENT_PLAIN_KERNEL_LIST(X) \\\n  X(mix)\n"));
  EXPECT_TRUE(contains(find(files, "runtime/kernels/list.h")->text, "#define DETENT_VECTOR_KERNEL_LIST(X)\n"));
  EXPECT_TRUE(contains(find(files, "runtime/kernels/list.h")->text, "#define DETENT_PRODUCT_I8_KERNEL_LIST(X)\n"));
  EXPECT_TRUE(contains(find(files, "CMakeLists.txt")->text, "if(OFF AND CMAKE_SYSTEM_PROCESSOR"));
  const std::vector<EmittedFile> quantised = emit_c(Zoo("branchnet_int8").lowered.desc(), options());
  EXPECT_TRUE(contains(find(quantised, "runtime/kernels/list.h")->text,
                       "#define DETENT_PRODUCT_I8_KERNEL_LIST(X) \\\n  X(conv2d_i8) \\\n  X(gemm_i8)\n"));
  const std::set<std::string> convolutions = kernel_paths("resnet18");
  for (const char* used : {"conv2d.cpp", "check.cpp", "check.h", "isa/conv2d.cpp", "isa/conv_tile.h", "isa/pool.cpp"})
    EXPECT_TRUE(convolutions.contains(used)) << used;
  EXPECT_FALSE(convolutions.contains("mix.cpp"));
}

/// A network of every built-in kernel takes every file of them; none is forgotten.
TEST(EmitKernels, AllOfThemAreAllFiles) {
  std::uint32_t count = 0;
  const detent_source_file* sources = detent_runtime_sources(&count);
  std::set<std::string> expected;
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string path = sources[i].path;
    if (path.starts_with("runtime/kernels/")) expected.insert(path);
    if (path != "runtime/kernels/list.h") continue;
    std::istringstream text(std::string(sources[i].text, sources[i].size));
    for (std::string line; std::getline(text, line);)
      if (line.starts_with("  X(")) names.push_back(line.substr(4, line.find(')') - 4));
  }
  ASSERT_GE(names.size(), 14U);
  std::vector<const char*> kernels;
  for (const std::string& name : names) kernels.push_back(name.c_str());
  detent_desc desc{};
  desc.kernels = kernels.data();
  desc.kernel_count = static_cast<std::uint32_t>(kernels.size());
  std::set<std::string> paths;
  for (const EmittedFile& file : kernel_files(desc)) paths.insert(file.path);
  EXPECT_EQ(paths, expected);
  desc.kernel_count = 0;
  EXPECT_TRUE(kernel_files(desc).empty());
}

TEST(Emit, WorkersByDefaultAndTheRoomForTheLogStandInTheHeader) {
  const Zoo zoo("diamond");
  const std::string by_cores = find(emit_c(zoo.lowered.desc(), options()), "desc.h")->text;
  EXPECT_FALSE(contains(by_cores, "DETENT_MODEL_WORKERS"));
  EmitOptions two = options();
  two.default_workers = 2;
  two.log_records = 64;
  two.log_bytes = 12345;
  const std::vector<EmittedFile> files = emit_c(zoo.lowered.desc(), two);
  EXPECT_TRUE(contains(find(files, "desc.h")->text, "#define DETENT_MODEL_WORKERS 2u\n"));
  EXPECT_TRUE(contains(find(files, "desc.h")->text, "#define DETENT_MODEL_LOG_RECORDS 64u\n"));
  EXPECT_TRUE(contains(find(files, "desc.h")->text, "#define DETENT_MODEL_LOG_BYTES 12345u\n"));
  EXPECT_TRUE(contains(find(files, "README.md")->text, "By default 2 workers run;"));
}

TEST(Emit, FlagsOfTheOperatorsAsAListOfCMake) {
  const Zoo zoo("diamond");
  EmitOptions own = options();
  own.sources = {{"net.c", "int a;\n"}};
  own.compile_flags = {"-DA=a;b", "-DB=\"$x\\y\"", "-DC=$<1:2>"};
  const std::string text = find(emit_c(zoo.lowered.desc(), own), "CMakeLists.txt")->text;
  EXPECT_TRUE(contains(text, R"("-DA=a\\;b;-DB=\"\$x\\y\";-DC=$<1:\$><1:2>;-fno-strict-aliasing;-Wno-unused")"))
      << text;
  EXPECT_FALSE(contains(text, "FATAL_ERROR \"a flag"));
  own.compile_flags = {"-DA=\\"};
  EXPECT_TRUE(contains(find(emit_c(zoo.lowered.desc(), own), "CMakeLists.txt")->text, "FATAL_ERROR \"a flag"));
}

TEST(Emit, NoPlaceholderOfATemplateIsLeft) {
  const Zoo zoo("diamond");
  for (const EmittedFile& file : emit_c(zoo.lowered.desc(), options())) {
    if (file.path.starts_with("runtime/")) continue;
    for (const char* mark : {"_SOURCES@", "@NAME", "@ARENA", "@BACKENDS", "@MODULE", "@PORT_BYTES", "@FIGURES", "@HAS_",
                             "@OPERATOR", "@REFUSED", "@DEFAULT", "@LOG_", "@WORKERS", "@BARE"}) {
      EXPECT_FALSE(contains(file.text, mark)) << file.path;
    }
  }
}

TEST(Emit, OwnKernelsReplaceTheBuiltInOnes) {
  const Zoo zoo("diamond");
  EmitOptions own = options();
  own.builtin_kernels = false;
  own.sources = {{"net/ops.c", "int a;\n"}, {"net/ops.h", "extern int a;\n"}};
  own.compile_flags = {"-O2", "-DNAME=it's #1 $x"};
  const std::vector<EmittedFile> files = emit_c(zoo.lowered.desc(), own);
  ASSERT_NE(find(files, "operators/net/ops.h"), nullptr);
  EXPECT_EQ(find(files, "runtime/kernels/mix.cpp"), nullptr);
  const std::string& makefile = find(files, "Makefile")->text;
  EXPECT_TRUE(contains(makefile, "OPERATORS := \\\n  operators/net/ops.c\n"));
  EXPECT_TRUE(contains(makefile, "OPERATOR_FLAGS := -O2 '-DNAME=it'\\''s \\#1 $$x'\n"));
  const std::string& model = find(files, "model.c")->text;
  EXPECT_TRUE(contains(model, "detent_cpu_backend(\"*\", detent_module_kernels())"));
  EXPECT_FALSE(contains(model, "detent_builtin_kernels"));
}

TEST(Emit, B62_SourcesOutsideOfOperatorsAreRefused) {
  const Zoo zoo("diamond");
  for (const char* name : {"../evil.c", "/etc/evil.c", "a/../../evil.c", "a b.c", "x;y.c", "$(x).c", ""}) {
    EmitOptions bad = options();
    bad.sources = {{name, ""}};
    EXPECT_THROW(emit_c(zoo.lowered.desc(), bad), InputError) << name;
  }
  EmitOptions bad = options();
  bad.compile_flags = {"-O2\n\trm -rf x"};
  EXPECT_THROW(emit_c(zoo.lowered.desc(), bad), InputError);
}

TEST(RuntimeSources, EmbeddedSourcesAreTheFilesOfTheTree) {
  std::uint32_t count = 0;
  const detent_source_file* files = detent_runtime_sources(&count);
  ASSERT_GT(count, 50U);
  std::set<std::string> embedded;
  for (std::uint32_t i = 0; i < count; ++i) {
    embedded.insert(files[i].path);
    std::ifstream file(std::filesystem::path(DETENT_SOURCE_DIR) / files[i].path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), std::string(files[i].text, files[i].size)) << files[i].path;
  }
  EXPECT_TRUE(embedded.contains("runtime/include/detent/desc.h"));
  EXPECT_TRUE(embedded.contains("runtime/engine/closed_loop.cpp"));
  EXPECT_FALSE(embedded.contains("runtime/sources_text.h"));
}

/// The digest that emitted programs print, in pieces of different lengths.
std::uint64_t emitted_digest(const std::vector<std::uint8_t>& bytes, std::size_t length) {
  digest_state state;
  digest_begin(&state);
  std::size_t piece = 1;
  for (std::size_t at = 0; at < length; at += piece, piece = piece * 5 % 301) {
    digest_add(&state, bytes.data() + at, std::min(piece, length - at));
  }
  return digest_end(&state);
}

TEST(EmittedDigest, IsXxh3ForEveryLength) {
  std::vector<std::uint8_t> bytes(5000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * i >> 3);
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    ASSERT_EQ(emitted_digest(bytes, length), XXH3_64bits(bytes.data(), length)) << length;
  }
}

}  // namespace
}  // namespace detent::models
