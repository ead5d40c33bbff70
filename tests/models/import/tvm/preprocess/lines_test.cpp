// Texts of one line each -> what comes out of the preprocessor to the byte, or the refusal, against a golden file.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "models/import/tvm/preprocess/preprocess.hpp"
#include "tests/models/import/tvm/line_cases.hpp"

namespace detent::models::tvm {
namespace {

/// Headers that the cases include: in a/, and in b/ behind it.
void put_headers(const fs::path& root) {
  write_text(root / "a/guarded.h", "#ifndef GUARDED\n#define GUARDED\nguarded A\n#endif\n");
  write_text(root / "a/guarded_later.h", "before\n#ifndef LATER\n#define LATER\nlater\n#endif\n");
  write_text(root / "a/guarded_until.h", "#ifndef UNTIL\n#define UNTIL\nuntil\n#endif\nbehind\n");
  write_text(root / "a/guarded_else.h", "#ifndef ELSE\n#define ELSE\nfirst\n#else\nagain\n#endif\n");
  write_text(root / "a/once.h", "#pragma once\nonce\n");
  write_text(root / "a/both.h", "both of a\n");
  write_text(root / "b/both.h", "both of b\n");
  write_text(root / "a/sub/outer.h", "#include \"inner.h\"\n#include <both.h>\n__FILE__ __LINE__\n");
  write_text(root / "a/sub/inner.h", "inner __FILE__ __LINE__\n");
  write_text(root / "a/open.h", "#if 1\nopen\n");
  write_text(root / "a/asks.h", "#ifdef ASKED\n#elif ASKED_TOO > 1\n#endif\n");
  write_text(root / "a/defines.h", "#define FROM_HEADER 4 \\\n + 1\n");
}

/// "[-DA -UB] text": with flags.
std::string preprocessed_case(std::string text, const IncludePath& path) {
  PreprocessOptions options;
  if (text.starts_with('[')) {
    const std::size_t end = text.find("] ");
    std::istringstream flags(text.substr(1, end - 1));
    for (std::string flag; flags >> flag;) options.flags.push_back(flag);
    text.erase(0, end + 2);
  }
  const Preprocessed out = preprocess(text, "dir/t.c", {}, path, options);
  std::string result = out.text + (out.has_headers ? " | headers" : "");
  for (const MissingHeader& one : out.missing)
    result += " | missing " + one.name + " " + one.file + ":" + std::to_string(one.line);
  for (const auto& [name, place] : out.undefined) result += " | asks " + name + " " + place;
  return result;
}

TEST(PreprocessLines, AreWhatTheGoldenFileSays) {
  const Scratch scratch;
  put_headers(scratch.root());
  const std::string root = scratch.root().string();
  const IncludePath path({root + "/a", root + "/b"});
  expect_lines("preprocess_lines", [&](const std::string& text) {
    try {
      std::string result = preprocessed_case(text, path);
      for (std::size_t at = result.find(root); at != std::string::npos; at = result.find(root))
        result.erase(at, root.size());
      return result;
    } catch (const InputError& error) {
      std::string said = error.what();
      for (std::size_t at = said.find(root); at != std::string::npos; at = said.find(root)) said.erase(at, root.size());
      return "refused: " + said;
    }
  });
}

/// The most headers in headers, and the most headers at all, to the last one.
TEST(PreprocessLines, HeadersAreCountedToTheLastOne) {
  const Scratch scratch;
  write_text(scratch.root() / "h.h", "#include \"g.h\"\nh\n");
  write_text(scratch.root() / "g.h", "#ifdef DEEP\n#include \"f.h\"\n#endif\n");
  write_text(scratch.root() / "f.h", "f\n");
  const IncludePath path({scratch.root().string()});
  const auto said = [&](const std::string& text, const PreprocessOptions& options) {
    try {
      return std::to_string(preprocess(text, "t.c", {}, path, options).text.size());
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  const std::string two = "#include \"h.h\"\n", twice = two + two;
  EXPECT_EQ(said(two, {.flags = {}, .max_depth = 2}).find("t.c"), std::string::npos);
  EXPECT_NE(said(two, {.flags = {}, .max_depth = 1}).find("h.h:1: headers that include each other deeper than 100"),
            std::string::npos);
  EXPECT_NE(said(twice, {.flags = {"-DDEEP"}, .max_depth = 2}).find("g.h:2: headers that include each other"),
            std::string::npos);
  EXPECT_EQ(said(twice, {.flags = {"-DDEEP"}, .max_depth = 3}).find("t.c"), std::string::npos);
  EXPECT_EQ(said(twice, {.flags = {}, .max_headers = 4}).find("t.c"), std::string::npos);
  EXPECT_NE(said(twice, {.flags = {}, .max_headers = 3}).find("h.h:1: includes more than 20,000 headers"),
            std::string::npos);
  EXPECT_EQ(said("int a;\n", {.flags = {}, .max_bytes = 7}), "7");
  EXPECT_EQ(said("int a;\n", {.flags = {}, .max_bytes = 6}), "t.c:1: with its headers larger than 1 GiB");
}

TEST(PreprocessLines, IncludeLinesAreFoundWhateverTheConditions) {
  const auto found = [](const std::string& text) {
    std::string said;
    for (const IncludeLine& line : include_lines(text))
      said += (line.quoted ? "\"" : "<") + line.name + " " + std::to_string(line.line) + ";";
    return said;
  };
  EXPECT_EQ(found("#include <a.h>\n#if 0\n  #  include \"b/c.h\" // x\n#endif\n"), "<a.h 1;\"b/c.h 3;");
  EXPECT_EQ(found("#include<a.h>"), "<a.h 1;");
  EXPECT_EQ(found("include <a.h>\n"), "");
  EXPECT_EQ(found("x #include <a.h>\n"), "");
  EXPECT_EQ(found("#define include <a.h>\n"), "");
  EXPECT_EQ(found("\n\t#\tinclude\t<a.h>\n"), "<a.h 2;");
  EXPECT_EQ(found("#include A\n\"a.h\"\n"), "");
  EXPECT_EQ(found("#include <a.h\n>\n"), "");
  EXPECT_EQ(found("#include \"a.h\n\"\n"), "");
  EXPECT_EQ(found("#include <>\n"), "< 1;");
  EXPECT_EQ(found("#include"), "");
  EXPECT_EQ(found("#include_next <a.h>\n"), "<a.h 1;");
  std::string many;
  for (int i = 0; i < 10'001; ++i) many += "#include <a>\n";
  EXPECT_EQ(include_lines(many).size(), 10'000U);
  EXPECT_EQ(include_lines(many).back().line, 10'000U);
}

TEST(PreprocessLines, HeadersThatAreGivenAreThoseOfNoPackage) {
  const Scratch scratch;
  for (const char* name : {"own.h", "stdint.h", "arm_acle.h", "sub/own_too.h"}) write_text(scratch.root() / name, "");
  const IncludePath path({scratch.root().string()}), nowhere({});
  const auto given = [&](const std::string& text) { return includes_given(text, {}, path); };
  EXPECT_TRUE(given("#include <stdint.h>\n#include \"own.h\"\n"));
  EXPECT_TRUE(given("#include <sub/own_too.h>\n"));
  EXPECT_TRUE(given("#include <arm_acle.h>\n"));
  EXPECT_FALSE(given("#include <stdint.h>\n"));
  EXPECT_FALSE(given("#include <own_too.h>\n"));
  EXPECT_FALSE(given("int a;\n"));
  EXPECT_FALSE(includes_given("#include \"own.h\"\n", {}, nowhere));
}

}  // namespace
}  // namespace detent::models::tvm
