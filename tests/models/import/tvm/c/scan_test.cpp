// The guard in front of the compiler: every cap to the last token, what is blanked, where places map to.
#include "models/import/tvm/c/scan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/input_error.hpp"
#include "models/import/tvm/clang/source.hpp"

namespace detent::models::tvm {
namespace {

std::string times(const std::string& piece, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

/// What is said of a text; "" when it passes.
std::string refusal(const std::string& text, const ScanLimits& limits) {
  try {
    scan_c(text, "t.c", limits);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// The most of 1 to 2000 with which `text` passes, and what is said of one more. Passing must be monotone.
template <typename F>
std::pair<std::size_t, std::string> most(F text, const ScanLimits& limits = {}) {
  std::size_t passes = 0, fails = 2001;
  while (passes + 1 < fails) {
    const std::size_t middle = (passes + fails) / 2;
    (refusal(text(middle), limits).empty() ? passes : fails) = middle;
  }
  return {passes, refusal(text(fails), limits)};
}

using Most = std::pair<std::size_t, std::string>;

TEST(CScan, CapsHoldToTheLastToken) {
  const auto body = [](const std::string& code) { return "int f(int a) { " + code + "}"; };
  EXPECT_EQ(most([](std::size_t n) { return times("x", n); }, {.max_bytes = 10}),
            (Most{10, "t.c: larger than 1 GiB; no generated file is"}));
  EXPECT_EQ(most([](std::size_t n) { return times("(", n) + times(")", n); }, {.max_depth = 7}),
            (Most{7, "t.c:1: nested deeper than 7 brackets; no generator writes that"}));
  EXPECT_EQ(
      most([](std::size_t n) { return "int x[] = " + times("{", n) + "1" + times("}", n) + ";"; }, {.max_depth = 7}),
      (Most{7, "t.c:1: nested deeper than 7 brackets; no generator writes that"}));
  EXPECT_EQ(most([](std::size_t n) { return times("#if A\n", n) + times("#endif\n", n); }, {.max_depth = 7}),
            (Most{7, "t.c:8: conditions nested deeper than any generator writes"}));
  EXPECT_EQ(most([](std::size_t n) { return times("x ", n); }, {.max_tokens = 20}),
            (Most{20, "t.c:1: more code than the importer reads; no generated file has as much"}));
  EXPECT_EQ(most([](std::size_t n) { return times("x;", n); }, {.max_tokens = 20}).first, 10U);
  EXPECT_EQ(most([](std::size_t n) { return times("1 ", n); }, {.max_tokens = 20}).first, 20U);
  EXPECT_EQ(most([](std::size_t n) { return times("\"a\" ", n); }, {.max_tokens = 20}).first, 20U);
  EXPECT_EQ(most([](std::size_t n) { return times("() ", n); }, {.max_tokens = 20}).first, 10U);
  EXPECT_EQ(most([](std::size_t n) { return times("#undef A\n", n); }, {.max_tokens = 20}).first, 6U);
  EXPECT_EQ(most([](std::size_t n) { return times("#define A\n", n); }, {.max_tokens = 20}).first, 6U);
  EXPECT_EQ(most([](std::size_t n) { return times("#if A\n#endif\n", n); }, {.max_tokens = 20}).first, 2U);
  EXPECT_EQ(most([&](std::size_t n) { return body(times("a ", n) + ";"); }, {.max_statement_tokens = 12}),
            (Most{11, "t.c:1: a statement longer than any generator writes"}));
  EXPECT_EQ(most([&](std::size_t n) { return body(times("a; ", n)); }, {.max_statement_tokens = 12}).first, 2000U);
  EXPECT_EQ(most([&](std::size_t n) { return body("a = " + times("-", n) + "a;"); }, {.max_prefix_run = 5}),
            (Most{5, "t.c:1: more operators in a row than any generator writes"}));
  EXPECT_EQ(most([&](std::size_t n) { return body(times("return ", n) + "a;"); }, {.max_prefix_run = 5}),
            (Most{5, "t.c:1: more operators in a row than any generator writes"}));
  EXPECT_EQ(most([&](std::size_t n) { return body("a = " + times("- a ", n) + ";"); }, {.max_prefix_run = 2}).first,
            2000U);
  for (const char* operand : {"1", "'c'", "\"s\"", "(1)"}) {
    const std::string term = std::string("- ") + operand + " ";
    const auto sum = [&](std::size_t n) { return body("a = " + times(term, n) + ";"); };
    EXPECT_EQ(most(sum, {.max_prefix_run = 2}).first, 2000U) << operand;
  }
  EXPECT_EQ(most([&](std::size_t n) { return body(times("if (a) ", n) + "a = 1;"); }, {.max_prefix_run = 5}),
            (Most{5, "t.c:1: statements nested deeper than any generator writes"}));
  EXPECT_EQ(most([&](std::size_t n) { return body(times("if (a) a = 1; ", n)); }, {.max_prefix_run = 2}).first, 2000U);
  EXPECT_EQ(most([&](std::size_t n) { return body("a = " + times("(int)", n) + "a;"); }, {.max_casts = 5}),
            (Most{5, "t.c:1: more casts in a statement than any generator writes"}));
  EXPECT_EQ(most([&](std::size_t n) { return body("a = " + times("(int*)", n) + "a;"); }, {.max_casts = 5}).first, 5U);
  EXPECT_EQ(most([&](std::size_t n) { return body("a = " + times("(1) +", n) + "a;"); }, {.max_casts = 5}).first,
            2000U);
  EXPECT_EQ(most([&](std::size_t n) { return body("a = " + times("f(a) +", n) + "a;"); }, {.max_casts = 5}).first,
            1637U);
  EXPECT_EQ(
      most([&](std::size_t n) { return body("if (a) { } " + times("else if (a) { } ", n)); }, {.max_else_ifs = 5}),
      (Most{5, "t.c:1: a chain of else-if longer than any generator writes"}));
  EXPECT_EQ(
      most([&](std::size_t n) { return times(body("if (a) { } else if (a) { } "), n); }, {.max_else_ifs = 2}).first,
      2000U);
  for (const char* word : {"typedef", "typeof", "__typeof__", "__auto_type"}) {
    EXPECT_EQ(most([&](std::size_t n) { return times(std::string(word) + " int; ", n); }, {.max_type_names = 5}),
              (Most{5, "t.c:1: more types of its own than any generator writes"}))
        << word;
  }
}

TEST(CScan, DeclaringANameAgainCostsMoreEachTime) {
  const ScanLimits limits{.max_redeclarations = 15};
  const std::string said = "t.c:1: the same names declared more often than any generator does";
  // The k-th costs k - 1: 0 + 1 + 2 + 3 + 4 + 5 = 15.
  EXPECT_EQ(most([](std::size_t n) { return times("int x;", n); }, limits), (Most{6, said}));
  EXPECT_EQ(most([](std::size_t n) { return times("int x, ", n) + "y;"; }, limits), (Most{6, said}));
  EXPECT_EQ(most([](std::size_t n) { return times("int f(void) { }", n); }, limits), (Most{6, said}));
  EXPECT_EQ(most([](std::size_t n) { return "int f(void) { " + times("int x = 1; ", n) + "}"; }, limits),
            (Most{6, said}));
  EXPECT_EQ(most([](std::size_t n) { return "int f(void) { " + times("int* x[2]; ", n) + "}"; }, limits),
            (Most{6, said}));
  // Names of other functions, uses and the compiler's own names cost nothing.
  std::string functions;
  for (int i = 0; i < 50; ++i) functions += "int f" + std::to_string(i) + "(int a) { int x; return x + x + x; }\n";
  EXPECT_EQ(refusal(functions, limits), "");
  EXPECT_EQ(refusal("int f(int a) { " + times("a = a; ", 50) + "}", limits), "");
  EXPECT_EQ(refusal(times("int __x;", 50), limits), "");
}

TEST(CScan, MacrosCountAsWhatTheyExpandTo) {
  const ScanLimits limits{.max_statement_tokens = 30};
  const std::string said = "t.c:2: a statement longer than any generator writes";
  // #define is 3 tokens of the first statement; a use counts itself and the five of its body.
  EXPECT_EQ(most([](std::size_t n) { return "#define A 1 + 2 + 3\n;" + times("A ", n); }, limits), (Most{5, said}));
  EXPECT_EQ(most([](std::size_t n) { return "#define A\n;" + times("A ", n); }, limits), (Most{30, said}));
  EXPECT_EQ(most([](std::size_t n) { return "#define A 1 + 2\n#define B A A\n;" + times("B ", n); }, limits).first, 3U);
  // F(x): its name, three tokens of its body, and what stands in the brackets three times, brackets too.
  EXPECT_EQ(most([](std::size_t n) { return "#define F(x) x x x\n;F(" + times("1 ", n) + ")"; }, limits),
            (Most{6, said}));
  // A call within a call: what stands innermost is repeated as often as both say together, in bodies too.
  EXPECT_EQ(most([](std::size_t n) { return "#define F(x) x x\n;F(F(" + times("1 ", n) + "))"; }, limits),
            (Most{2, said}));
  EXPECT_EQ(most([](std::size_t n) { return "#define F(x) x x\n#define G(x) F(F(x))\n;G(" + times("1 ", n) + ")"; },
                 ScanLimits{.max_statement_tokens = 60})
                .first,
            7U);  // 1 and 22 of its body, then '(', 4 a token, ')'
  EXPECT_EQ(refusal("#define F(x) x\nint a = F(F);", limits),
            "t.c:2: the name of a macro within a macro call; write it out");
  EXPECT_EQ(refusal("#define F(x) x\nint a = F(1) + F(2);", limits), "");
  EXPECT_EQ(refusal("#define F(x) x\nint F;", limits), "");
}

std::string code_of(const std::string& text) { return scan_c(text, "t.c").code; }

TEST(CScan, CodeForTheCompilerHasNoIncludesAndNoPragmas) {
  EXPECT_EQ(code_of("int a;"), "int a;\n");
  EXPECT_EQ(code_of("#include <x.h>\nint a;\n#pragma once\n"), "\nint a;\n\n\n");
  EXPECT_EQ(code_of("\xEF\xBB\xBFint a;"), "int a;\n");
  EXPECT_EQ(code_of("#define A 1\n#undef A\n#define B a##b\n"), "#define A 1\n#undef A\n\n\n");
  EXPECT_EQ(code_of("#define C _Pragma(1)\n#define D __has_x\n#define E %:a\n#define\n"), "\n\n\n\n\n");
  EXPECT_EQ(code_of("int a = 1 \\\n+ 2;"), "int a = 1  \n+ 2;\n");
  EXPECT_EQ(code_of("_Pragma(\"x\") __has_include(1)"), "xPragma(\"x\") x_has_include(1)\n");
  EXPECT_EQ(code_of("u8R\"(a)\" R\"x\" Rx"), "u8x\"(a)\" x\"x\" Rx\n");
  EXPECT_EQ(code_of("%:include <x.h>\nint a %: b;"), "\nint a %: b;\n");
  EXPECT_EQ(code_of("#if __has_include(\"x\")\na\n#endif"), "#if 0\na\n#endif\n");
  EXPECT_EQ(code_of("#if A\n#elif __has_x\na\n#endif"), "#if A\n#elif 0\na\n#endif\n");
  EXPECT_EQ(code_of("#if 0\na\n#elif __has_x\nb\n#endif"), "#if 0\nb\n#endif\n");
  EXPECT_EQ(code_of("#if 0\n#if 1\n#else\n#endif\na\n#else\nb\n#endif"), "\nb\n\n");
  EXPECT_EQ(code_of("#if 0 // no\n/* #endif */ it's\n # endif\nb"), "\nb\n");
  const std::string longest(1024 - 1, 'A');
  EXPECT_EQ(code_of("#if " + longest + "A\n#endif"), "#if " + longest + "A\n#endif\n");
  EXPECT_EQ(code_of("#if " + longest + "AA\n#endif"), "#if 0\n#endif\n");
}

TEST(CScan, LongInitialisersAreBlankedAndCounted) {
  const auto list = [](std::size_t bytes) { return "{" + std::string(bytes - 4, ' ') + "1,}"; };
  EXPECT_EQ(code_of("int a[] = " + list(512) + ";"), "int a[] = " + list(512) + ";\n");
  EXPECT_EQ(code_of("int a[] = " + list(513) + ";"), "int a[] = {[0]=0};\n");
  EXPECT_EQ(code_of("int a[7] = " + list(513) + ";"), "int a[7] = {};\n");
  EXPECT_EQ(code_of("int a = 1 == " + list(513) + ";"), "int a = 1 == " + list(513) + ";\n");
  const std::string local = "int f() { int a[] = ";
  EXPECT_EQ(code_of(local + list(8192) + "; }"), local + list(8192) + "; }\n");
  EXPECT_EQ(code_of(local + list(8193) + "; }"), local + "{[0]=0}; }\n");
  const std::string pad(600, ' ');
  EXPECT_EQ(code_of("int a[ ]\n= {" + pad + "1, 2, 3};"), "int a[ ]\n= {[2]=0};\n");
  EXPECT_EQ(code_of("int a[] = {" + pad + "1, 2, 3,};"), "int a[] = {[2]=0};\n");
  EXPECT_EQ(code_of("int a[] = {" + pad + "{1, 2}, {3}};"), "int a[] = {[1]=0};\n");
  EXPECT_EQ(code_of("int a[] = {" + pad + "\"a,b\", /* , */ 'c', // ,\n\"}\"};"), "int a[] = {[2]=0};\n");
  EXPECT_EQ(code_of("int a[] = {" + pad + "};"), "int a[] = {};\n");
  const auto text = [](std::size_t bytes) { return "\"" + std::string(bytes - 2, 'x') + "\""; };
  EXPECT_EQ(code_of("char a[9] = " + text(512) + ";"), "char a[9] = " + text(512) + ";\n");
  EXPECT_EQ(code_of("char a[9] = " + text(513) + ";"), "char a[9] = \"\";\n");
  EXPECT_EQ(code_of("char a[9] = " + text(300) + " " + text(300) + ";"), "char a[9] = \"\";\n");
}

TEST(CScan, PlacesAreThoseOfTheOriginal) {
  const std::string text = "#include <x.h>\nint a[] = {" + std::string(600, ' ') + "1};\nint b;";
  const ScannedText scanned = scan_c(text, "t.c");
  for (const char* word : {"int a", "int b", "};", "] = {"}) {
    const std::size_t place = scanned.code.find(word);
    EXPECT_EQ(scanned.original(place), text.find(word)) << word;
    EXPECT_EQ(text.substr(scanned.original(place, place + 2).begin, 2), std::string(word).substr(0, 2)) << word;
  }
  EXPECT_EQ(scanned.original(5, 5).begin, scanned.original(5));
  EXPECT_EQ(scanned.original(5, 5).end, scanned.original(5));
  EXPECT_EQ(scanned.original(scanned.code.size() - 1), text.size());
}

/// The most levels of 590 to 605 with which the only function is not damaged.
template <typename F>
std::size_t deepest(F text) {
  std::size_t passes = 590, fails = 606;
  while (passes + 1 < fails) {
    const std::size_t middle = (passes + fails) / 2;
    (parse_c(text(middle), "t.c").functions.at(0).damaged ? fails : passes) = middle;
  }
  return passes;
}

TEST(CScan, TreesMayBeSixHundredLevelsDeep) {
  // Every sixtieth branch has braces: the guard allows no longer run without.
  const auto branches = [](const std::string& innermost) {
    return [=](std::size_t n) {
      std::string text, closing;
      for (std::size_t i = 1; i <= n; ++i) {
        text += "if (a) ";
        if (i % 60 == 0 || i == n) text += "{ ", closing += "}";
      }
      return "void f(int a) { " + text + innermost + closing + "}";
    };
  };
  const std::size_t empty = deepest(branches("{ }"));
  EXPECT_EQ(empty, 599U);
  EXPECT_EQ(deepest(branches("a;")), empty - 1);
  EXPECT_EQ(deepest([](std::size_t n) { return "int f(int a) { return " + times("a+", n) + "a; }"; }), 598U);
}

}  // namespace
}  // namespace detent::models::tvm
