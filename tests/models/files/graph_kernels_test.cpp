// Kernels of one's own in op graph files: sources, thunks, refusals with their places, text and back.
#include "models/files/graph_kernels.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "base/io.hpp"
#include "base/temp_directory.hpp"
#include "models/core/thunks.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/package.hpp"
#include "tests/support/error_text.hpp"

namespace detent::models {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRanges =
    R"("reads": [{"region": "x", "offset": 8, "size": 24}], "writes": [{"region": "y", "offset": 0, "size": 24}])";

class GraphKernelFiles : public testing::Test {
 protected:
  GraphKernelFiles() {
    write("mine.c", "#include <detent/kernel.h>\n#include \"lib/sizes.h\"\nint kept;\n");
    write("lib/sizes.h", "  #  include <lib/more.h>\n#include \"../up.h\"\n");
    write("lib/more.h", "int more;\n");
    write("up.h", "#include \"lib/sizes.h\"\n");
    write("lib/own.c", "int own;");
  }

  void write(const std::string& name, const std::string& text) const {
    const fs::path path = place_.path() / "net" / name;
    fs::create_directories(path.parent_path());
    write_file_atomically(path.string(), text);
  }
  [[nodiscard]] fs::path path(const std::string& name) const { return place_.path() / "net" / name; }
  [[nodiscard]] Model parse(const std::string& text) const { return parse_graph(text, path("g.json").string()); }
  /// Of a graph with one op that has these keys.
  static std::string one_op(const std::string& keys, const std::string& ranges = kRanges,
                            const std::string& root = "") {
    return R"({"schema": "detent.graph/1", "name": "g", "regions": [{"name": "x", "size": 64}, {"name": "y", "size": 64}], )" +
           root + R"("ops": [{"id": 0, )" + keys + ", " + ranges + "}], \"edges\": []}";
  }
  [[nodiscard]] std::string refusal(const std::string& keys, const std::string& ranges = kRanges,
                                    const std::string& root = "") const {
    return error_text([&] { static_cast<void>(parse(one_op(keys, ranges, root))); });
  }
  static const SourceFile* source(const Model& model, const std::string& name) {
    for (const SourceFile& file : model.sources) {
      if (file.name == name) return &file;
    }
    return nullptr;
  }

  TempDirectory place_;
};

std::vector<std::string> names_of(const Model& model) {
  std::vector<std::string> names;
  for (const SourceFile& file : model.sources) names.push_back(file.name);
  return names;
}

constexpr const char* kFour = R"({"schema": "detent.graph/1", "regions": [{"name": "x", "size": 64}], "ops": [
  {"id": 0, "kernel": "mine.c:make", "dtype": "f32", "writes": [{"region": "x", "offset": 0, "size": 16}]},
  {"id": 1, "kernel": "mine.c:scale", "params": [0.5, -0.0, 3], "time_ps": 7, "dtype": "f32",
   "reads": [{"region": "x", "offset": 0, "size": 16}], "writes": [{"region": "x", "offset": 16, "size": 16}]},
  {"id": 2, "kernel": "mine.c:scale", "dtype": "f32",
   "reads": [{"region": "x", "offset": 0, "size": 16}], "writes": [{"region": "x", "offset": 0, "size": 16}]},
  {"id": 3, "kernel": "lib/own.c:last", "reads": [{"region": "x", "offset": 3, "size": 5}],
   "writes": [{"region": "x", "offset": 40, "size": 5}]}], "edges": [[0, 1], [1, 2], [2, 3]]})";

TEST_F(GraphKernelFiles, FilesAndWhatTheyIncludeAreSources) {
  const Model model = parse(kFour);
  ASSERT_EQ(names_of(model),
            (std::vector<std::string>{"lib/more.h", "lib/own.c", "lib/sizes.h", "mine.c", "operators.c", "up.h"}));
  EXPECT_TRUE(
      source(model, "mine.c")->text.starts_with("#include <detent/kernel.h>\n#include \"lib/sizes.h\"\nint kept;\n"));
  EXPECT_TRUE(source(model, "mine.c")
                  ->text.ends_with("int32_t make(const detent_kernel_args *args);\n"
                                   "int32_t scale(const detent_kernel_args *args);\n"));
  EXPECT_EQ(source(model, "up.h")->text, "#include \"lib/sizes.h\"\n");
  EXPECT_EQ(model.compile_flags, std::vector<std::string>{"-O2"});
  const auto calls = thunk_calls(model);
  ASSERT_EQ(calls.size(), 3U);
  EXPECT_EQ(calls.at("mine.c:scale").function, "scale");
  EXPECT_EQ(calls.at("lib/own.c:last").kind, ThunkCall::Kind::kKernel);
  EXPECT_EQ(missing_code(model), "");
}

TEST_F(GraphKernelFiles, OpsExecuteThem) {
  const Model model = parse(kFour);
  EXPECT_EQ(model.ops[1].kernel, "mine.c:scale");
  ASSERT_EQ(model.ops[1].config.size(), 3 * sizeof(double));
  double params[3];
  std::memcpy(params, model.ops[1].config.data(), sizeof params);
  EXPECT_EQ(params[0], 0.5);
  EXPECT_TRUE(std::signbit(params[1]));
  EXPECT_EQ(params[2], 3);
  EXPECT_TRUE(model.ops[2].config.empty());
  EXPECT_FALSE(model.ops[1].in_place);
  EXPECT_TRUE(model.ops[2].in_place) << "it writes what it reads";
  EXPECT_EQ(model.ops[0].time_ps, std::nullopt) << "nobody knows";
  EXPECT_EQ(model.ops[1].time_ps, (std::pair<std::uint64_t, std::uint64_t>{7, 7}));
  EXPECT_EQ(model.tensors[model.ops[1].inputs[0]].dtype, DETENT_F32);
  EXPECT_EQ(model.tensors[model.ops[3].inputs[0]].dtype, DETENT_U8);
}

TEST_F(GraphKernelFiles, OrderOfTheFileIsNoDifference) {
  std::string turned = kFour;
  const std::size_t first = turned.find("  {\"id\": 0"), second = turned.find("  {\"id\": 1");
  const std::string op = turned.substr(first, second - first - 2);
  turned.erase(first, second - first);
  turned.insert(turned.find("}], \"edges\"") + 1, ",\n" + op);
  EXPECT_EQ(encode_package(parse(turned)), encode_package(parse(kFour)));
  const Model model = parse(kFour);
  EXPECT_EQ(decode_package(encode_package(model), "g.pkg"), model);
}

TEST_F(GraphKernelFiles, TextAndBack) {
  const Model model = parse(kFour);
  EXPECT_EQ(parse(format_graph(model)), model);
  write("helper.c", "int helper(void) { return 3; }\n");
  const Model more = parse(one_op(R"("kernel": "mine.c:f")", kRanges, R"("sources": ["helper.c"], )"));
  EXPECT_NE(source(more, "helper.c"), nullptr);
  EXPECT_EQ(source(more, "helper.c")->text, "int helper(void) { return 3; }\n") << "no kernel: as it stands";
  EXPECT_EQ(parse(format_graph(more)), more);
}

TEST_F(GraphKernelFiles, BuffersGuardsAndOtherKernelsBesideThem) {
  const Model model = parse(R"({"schema": "detent.graph/2", "regions": [{"name": "x", "size": 64}],
    "buffers": [{"name": "b", "size": 32}, {"name": "in", "size": 8, "role": "input"}], "ops": [
    {"id": 0, "kernel": "mine.c:f", "dtype": "f64", "reads": [{"buffer": "in"}], "writes": [{"buffer": "b"}]},
    {"id": 1, "guard": "op0=yes", "kernel": "mine.c:g", "reads": [{"buffer": "b"}],
     "writes": [{"region": "x", "offset": 0, "size": 16}]},
    {"id": 2, "kernel": "silu", "dtype": "f32", "shape": [4], "reads": [{"region": "x", "offset": 0, "size": 16}],
     "writes": [{"region": "x", "offset": 16, "size": 16}]},
    {"id": 3, "reads": [{"region": "x", "offset": 16, "size": 16}]}], "edges": [[0, 1], [1, 2], [2, 3]]})");
  EXPECT_EQ(model.ops[1].guards.size(), 1U);
  EXPECT_FALSE(model.ops[0].in_place) << "a plan may not let them share bytes";
  EXPECT_EQ(model.ops[2].kernel, "elementwise");
  EXPECT_EQ(model.ops[3].kernel, "mix");
  EXPECT_EQ(missing_code(model), "") << "what is built in is not missing";
}

constexpr const char* kSized = R"({"schema": "detent.graph/1", "buffers": [
  {"name": "in", "size": 16, "role": "input"}, {"name": "kept", "size": 16}, {"name": "count", "size": 8},
  {"name": "out", "size": 8, "role": "output"}], "ops": [
  {"id": 0, "kernel": "mine.c:select", "sized": true, "reads": [{"buffer": "in"}],
   "writes": [{"buffer": "kept"}, {"buffer": "count"}]},
  {"id": 1, "kernel": "mine.c:sum", "sized": false, "reads": [{"buffer": "kept"}, {"buffer": "count"}],
   "writes": [{"buffer": "out"}]}], "edges": [[0, 1]]})";

TEST_F(GraphKernelFiles, ASizedOpSaysHowManyBytesItsFirstWriteHas) {
  const Model model = parse(kSized);
  EXPECT_TRUE(model.ops[0].is_sized);
  EXPECT_FALSE(model.ops[1].is_sized);
  const Tensor& count = model.tensors[model.ops[0].outputs[1]];
  EXPECT_EQ(count.dtype, DETENT_I64);
  EXPECT_EQ(count.dims, std::vector<std::int32_t>{1});
  EXPECT_EQ(model.tensors[model.ops[0].outputs[0]].dims, std::vector<std::int32_t>{16}) << "the bound";
  EXPECT_EQ(parse(format_graph(model)), model);
  EXPECT_EQ(decode_package(encode_package(model), "g.pkg"), model);
}

TEST_F(GraphKernelFiles, AnExtentIsABufferOfEightBytes) {
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = kSized;
    text.replace(text.find(from), from.size(), to);
    return error_text([&] { static_cast<void>(parse(text)); });
  };
  const std::string last = "the last write of a sized op, must be a buffer of 8 bytes, aligned to 8";
  EXPECT_NE(refused(R"({"name": "count", "size": 8})", R"({"name": "count", "size": 16})").find(last),
            std::string::npos);
  EXPECT_NE(refused(R"({"name": "count", "size": 8})", R"({"name": "count", "size": 8, "align": 4})").find(last),
            std::string::npos);
  EXPECT_NE(refused(R"("writes": [{"buffer": "kept"}, {"buffer": "count"}])",
                    R"("writes": [{"buffer": "count"}, {"buffer": "count"}])")
                .find(last),
            std::string::npos);
  EXPECT_NE(refused(R"("writes": [{"buffer": "kept"}, {"buffer": "count"}])", R"("writes": [{"buffer": "kept"}])")
                .find("ops[0].kernel: \"sized\" needs two writes"),
            std::string::npos);
  EXPECT_NE(refused(R"("sized": true)", R"("sized": 1)").find("ops[0].sized"), std::string::npos);
  EXPECT_NE(refused(R"("kernel": "mine.c:select", )", "").find("sized"), std::string::npos)
      << "the key of a C function";
}

TEST_F(GraphKernelFiles, AFileThatIsNotThereIsMissingCode) {
  const Model model = parse(one_op(R"("kernel": "later.c:f")"));
  EXPECT_EQ(missing_code(model),
            "there is no file later.c (for the kernel f, ops[0].kernel) in the folder of the graph; write it there");
  EXPECT_EQ(missing_code(decode_package(encode_package(model), "g.pkg")), missing_code(model));
  const Model helper = parse(one_op(R"("kernel": "mine.c:f")", kRanges, R"("sources": ["gone.c"], )"));
  EXPECT_EQ(missing_code(helper),
            "there is no file gone.c (of \"sources\", sources[0]) in the folder of the graph; write it there");
  const Model nowhere = parse_graph(one_op(R"("kernel": "mine.c:f")"), "/no/such/folder/g.json");
  EXPECT_NE(missing_code(nowhere), "");
}

TEST_F(GraphKernelFiles, RefusalsNameTheirPlace) {
  const auto expect = [&](const std::string& keys, const std::string& wanted) {
    const std::string text = refusal(keys);
    EXPECT_NE(text.find(wanted), std::string::npos) << keys << "\n" << text;
  };
  expect(R"("kernel": "mine.c")", "ops[0].kernel: names no function; write \"mine.c:FUNCTION\"");
  expect(R"("kernel": "mine.c:")", "ops[0].kernel: \"\" is no name of a C function");
  expect(R"("kernel": "mine.c:a b")", "\"a b\" is no name of a C function");
  expect(R"("kernel": "mine.c:9a")", "\"9a\" is no name of a C function");
  expect(R"("kernel": "mine.c:f:g")", "\"f:g\" is no name of a C function");
  expect(R"("kernel": "up.h:f")", "\"up.h\" is no C file; its name ends in .c");
  expect(R"("kernel": "operators.c:f")", "Detent has files called");
  expect(R"("kernel": "runtime/x.c:f")", "Detent has files called");
  expect(R"("kernel": "mine.c:f", "dtype": "f9")", "ops[0].dtype: must be one of u8, i8, i32, f32, bool, f16, i64");
  expect(R"("kernel": "mine.c:f", "params": [])", "ops[0].params: no numbers");
  expect(R"("kernel": "mine.c:f", "params": ["1"])", "ops[0].params[0]");
  expect(R"("kernel": "mine.c:f", "shape": [1])", "ops[0].shape: unknown key");
  expect(R"("kernel": "mine.c:f", "dtype": "f64", "time_ps": [2, 1])", "above the second");
  std::string many = "1";
  for (std::size_t i = 0; i < kMaxGraphParams; ++i) many += ",1";
  expect(R"("kernel": "mine.c:f", "params": [)" + many + "]", "at most 256 numbers are possible");
  const std::string odd = R"("reads": [{"region": "x", "offset": 2, "size": 24}], "writes": [])";
  EXPECT_NE(
      refusal(R"("kernel": "mine.c:f", "dtype": "f32")", odd).find("\"x[2,26)\" may begin within an element of 4"),
      std::string::npos);
  const std::string part = R"("reads": [{"region": "x", "offset": 0, "size": 22}], "writes": [])";
  EXPECT_NE(refusal(R"("kernel": "mine.c:f", "dtype": "f32")", part).find("\"x[0,22)\" holds no whole number"),
            std::string::npos);
  const std::string root = R"("sources": ["mine.c", "mine.c"], )";
  EXPECT_NE(refusal(R"("kernel": "mine.c:f")", kRanges, root).find("sources[1]: \"mine.c\" is named twice"),
            std::string::npos);
}

TEST_F(GraphKernelFiles, OneFunctionNameIsOneFunction) {
  const std::string text = error_text([&] {
    static_cast<void>(parse(R"({"schema": "detent.graph/1", "ops": [{"id": 0, "kernel": "mine.c:f"},
                                {"id": 1, "kernel": "lib/own.c:f"}]})"));
  });
  EXPECT_NE(text.find("ops[1].kernel: \"mine.c\" has a kernel f, too"), std::string::npos) << text;
}

TEST_F(GraphKernelFiles, B62_NothingOutsideOfTheFolderIsRead) {
  write_file_atomically((place_.path() / "secret.c").string(), "secret");
  write_file_atomically((place_.path() / "secret.h").string(), "secret");
  const auto expect = [&](const std::string& file, const std::string& wanted) {
    const std::string text = refusal(R"("kernel": ")" + file + R"(:f")");
    EXPECT_NE(text.find(wanted), std::string::npos) << file << "\n" << text;
  };
  expect("../secret.c", "\"../secret.c\": the name of a source is a plain relative path");
  expect("lib/../../secret.c", "a plain relative path");
  expect("./mine.c", "a plain relative path");
  expect((place_.path() / "secret.c").string(), "a plain relative path");
  expect("file", "is no C file");
  expect(".hidden.c", "no part of the name of a source begins with a dot");
  expect("my file.c", "letters, digits and ._-/ only");
  expect(R"(a\u0000.c)", "ops[0].kernel");
  fs::create_symlink("../secret.c", path("link.c"));
  expect("link.c", "link.c: a link; links are not followed, write the file itself there");
  fs::create_symlink("mine.c", path("near.c"));
  expect("near.c", "near.c: a link");
  ASSERT_EQ(::mkfifo(path("fifo.c").c_str(), 0600), 0);
  expect("fifo.c", "fifo.c: is not a regular file");
  fs::create_directories(path("folder.c"));
  EXPECT_NE(missing_code(parse(one_op(R"("kernel": "folder.c:f")"))), "") << "a folder is no file";
  fs::create_directory_symlink("..", path("out"));
  const Model outside = parse(one_op(R"("kernel": "out/secret.c:f")"));
  EXPECT_NE(missing_code(outside), "") << "the way to it is a link";
  EXPECT_EQ(names_of(outside), std::vector<std::string>{"operators.c"});

  write("mine.c",
        "#include \"../secret.h\"\n#include \"/etc/passwd\"\n#include \"out/secret.h\"\n#include \"\"\n#include <\n");
  EXPECT_EQ(names_of(parse(one_op(R"("kernel": "mine.c:f")"))), (std::vector<std::string>{"mine.c", "operators.c"}));
  fs::create_symlink("../secret.h", path("link.h"));
  write("mine.c", "#include \"link.h\"\n");
  expect("mine.c", "link.h: a link");
}

TEST_F(GraphKernelFiles, B63_FilesAreBounded) {
  write("large.c", "");
  fs::resize_file(path("large.c"), kMaxGraphSourceBytes + 1);
  EXPECT_NE(refusal(R"("kernel": "large.c:f")").find("large.c: 16777217 bytes; a source has at most 16 MiB"),
            std::string::npos);
  std::string includes;
  for (int i = 0; i < 5; ++i) {
    const std::string name = "part" + std::to_string(i) + ".h";
    includes += "#include \"" + name + "\"\n";
    write(name, "");
    fs::resize_file(path(name), kMaxGraphSourceBytes);
  }
  write("mine.c", includes);
  EXPECT_NE(refusal(R"("kernel": "mine.c:f")").find("have more than 64 MiB"), std::string::npos);
}

TEST_F(GraphKernelFiles, WhatCannotBeTakenAlongIsRefused) {
  write("mine.c", "#include \"other.c\"\n");
  write("other.c", "");
  EXPECT_NE(refusal(R"("kernel": "mine.c:f")").find("mine.c: includes \"other.c\", and every .c file is compiled by"),
            std::string::npos);
  write("mine.c", "#include \"my part.h\"\n");
  write("my part.h", "");
  EXPECT_NE(refusal(R"("kernel": "mine.c:f")").find("includes \"my part.h\", and the name of a source has letters"),
            std::string::npos);
}

}  // namespace
}  // namespace detent::models
