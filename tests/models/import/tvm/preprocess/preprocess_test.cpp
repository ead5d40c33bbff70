// Text with headers -> text without macros and conditions.
#include "models/import/tvm/preprocess/preprocess.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/models/import/tvm/artifact/fixture.hpp"

namespace detent::models::tvm {
namespace {

/// The words and signs of what comes out, one blank between them.
std::string words(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n';
    if (is_blank && (out.empty() || out.back() == ' ')) continue;
    out += is_blank ? ' ' : c;
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

Preprocessed preprocessed(const std::string& text, const std::vector<std::string>& flags = {}) {
  const IncludePath path({});
  return preprocess(text, "t.c", {}, path, {.flags = flags});
}

std::string expanded(const std::string& text) { return words(preprocessed(text).text); }

std::string fault(const std::string& text) {
  try {
    preprocessed(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Preprocess, MacrosAreExpandedAsTheStandardSays) {
  EXPECT_EQ(expanded("#define A 1\nA AA \"A\" 'A' // A\n"), "1 AA \"A\" 'A'");
  EXPECT_EQ(expanded("#define f(x, y) x + y\nf(1, (2, 3)) f (a,\n b) f\n"), "1 + ( 2 , 3 ) a + b f");
  EXPECT_EQ(expanded("#define f(x) x f\nf(1)(2)(3)\n"), "1 f (2)(3)");
  EXPECT_EQ(expanded("#define g f\n#define f(x) <x>\ng(1)\n"), "< 1 >");
  EXPECT_EQ(expanded("#define A B\n#define B A\nA B\n"), "A B");
  EXPECT_EQ(expanded("#define s(x) #x\ns(  a  \"b\\n\" c )\n"), "\"a \\\"b\\\\n\\\" c\"");
  EXPECT_EQ(expanded("#define c(a, b) a ## b\n#define xy 7\nc(x, y) c(, z) c(1, e5)\n"), "7 z 1e5");
  EXPECT_EQ(expanded("#define c(a, b) a ## b\n#define d(a, b) c(a, b)\n#define x p\nc(x, 1) d(x, 1)\n"), "x1 p1");
  EXPECT_EQ(expanded("#define v(f, ...) f(__VA_ARGS__)\nv(a) v(a, 1, 2)\n"), "a ( ) a ( 1 , 2 )");
  EXPECT_EQ(expanded("#define v(f, ...) g(f, ## __VA_ARGS__)\nv(a) v(a, 1, 2)\n"), "g ( a ) g ( a , 1 , 2 )");
  EXPECT_EQ(expanded("#define v(f, r...) g(f, r)\nv(a, 1, 2)\n"), "g ( a , 1 , 2 )");
  EXPECT_EQ(expanded("#define z() 5\nz() z( )\n#undef z\nz()\n"), "5 5 z()");
  EXPECT_EQ(expanded("#define LONG a \\\n  b \\\n  c\nLONG __LINE__\n"), "a b c 4");
  EXPECT_EQ(expanded("#define NEG -1\n-NEG\n"), "- - 1");
  // C11 6.10.3.5, example 3.
  EXPECT_EQ(expanded("#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n"
                     "#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n"
                     "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\n"),
            "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t (1);");
}

/// What differed from the compilers once.
TEST(Preprocess, MacrosAreExpandedAsCompilersDo) {
  EXPECT_EQ(expanded("#define v(a, ...) g(a, ## __VA_ARGS__)\nv(1) v(1, )\n"), "g ( 1 ) g ( 1 , )");
  EXPECT_EQ(expanded("#define w(...) g(x, ## __VA_ARGS__)\nw() w(1)\n"), "g ( x ) g ( x , 1 )");
  EXPECT_EQ(expanded("#define E\n#define F(x)\n#define S(x) #x\n#define X(x) S(x)\nX(a E b) X(-E-) X(a F(1)b)\n"),
            "\"a b\" \"--\" \"a b\"");
  EXPECT_EQ(expanded("#define W(x) L ## #x\n#define L 1\nW(a) L\"b\" L'c' u8\"d\" L\n"),
            "L\"a\" L\"b\" L'c' u8\"d\" 1");
  EXPECT_EQ(expanded("#define A \"/*\" '\"' /* c */ \"a\\\"//b\" // d\nA\n"), "\"/*\" '\"' \"a\\\"//b\"");
  EXPECT_EQ(expanded("#define A 1 \\  \n 2\nA\n"), "1 2");
  EXPECT_EQ(expanded("#define A 1\n#undef A B\nA\n"), "A");
  EXPECT_EQ(expanded("#define A <:x:>\nA\n"), "<: x :>");
  EXPECT_EQ(expanded("#line 7\n__LINE__\n#line 9 \"o.c\"\n__LINE__ __FILE__\n"), "7 9 \"o.c\"");
  EXPECT_EQ(expanded("+_Pragma(\"x\")+ _Pragma(\"pack(1)\")\n"), "+ + _Pragma ( \"pack(1)\" )");
  EXPECT_EQ(expanded("#define N 2\n#pragma pack(N)\n"), "#pragma pack ( 2 )");
  EXPECT_EQ(expanded("#define S(...) #__VA_ARGS__\n#define X(...) S(__VA_ARGS__)\n#define v(a, rest...) a , ## "
                     "rest\nX(v(1,2)) X(v(1, 2))\n"),
            "\"1 ,2\" \"1 , 2\"");
  EXPECT_EQ(expanded("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)\n"), "2 * 9 * g");
  EXPECT_EQ(expanded("#define f(x) x\nf\n#define y\n(1)\n"), "f (1)");
}

TEST(Preprocess, TextThatLooksLikeALineMarkMovesNoPlace) {
  EXPECT_EQ(fault("#line 4 \"o\" // \n#defifine\n"), "t.c:2: #defifine is not a supported directive");
}

/// Each would be something else, or what it is differs from compiler to compiler.
TEST(Preprocess, UnsupportedDirectivesAreRefused) {
  for (const char* text : {"R\"(a)\"\n",
                           "#define A R\"(a)\"\n",
                           "%:define A\n",
                           "a\\u00c1\n",
                           "a \\ // b\n",
                           "\xEF\xBB\xBF\xEF\xBB\xBF\n",
                           "#define A \\ \"a\"\n",
                           "#define S(x) #x\nS(\\\"\")\n",
                           "#elifdef A\n",
                           "#unknown\n",
                           "#if 0\n#elifdef A\n#endif\n",
                           "#define v(...) __VA_OPT__(x)\n",
                           "#pragma push_macro(\"A\")\n",
                           "_Pragma(\"pop_macro(\\\"A\\\")\")\n",
                           "#pragma scalar_storage_order big-endian\n",
                           "#define f(x) x __LINE__\nf(1\n)\n",
                           "__INCLUDE_LEVEL__\n",
                           "#undef __FILE__\n",
                           "#define H #\nH define A\n",
                           "#if 1 << 64\n#endif\n",
                           "#if 1 >> -1\n#endif\n",
                           "#if 1lul\n#endif\n",
                           "#define D defined\n#if D\n#endif\n",
                           "#if __has_include_next(<a.h>)\n#endif\n",
                           "#undef 1\n",
                           "#include <stdint.h>\n#define S(x) #x\n#define X(x) S(x)\nX(INT8_MAX)\n",
                           "#include <stdint.h>\n#undef INT8_MAX\n",
                           "#define S(x) #x\n#define X(x) S(x)\nX(__SIZE_TYPE__)\n",
                           "#define f(a, a) a\n",
                           "#define f(a b) a\n",
                           "a\rb\n",
                           "a\\\\\n\nb\n",
                           "#if L'a'\n#endif\n"})
    EXPECT_NE(fault(text).find("t.c:"), std::string::npos) << text;
  EXPECT_EQ(expanded("#if 0\n#unknown don't /* x\n'\" /*\n#endif\n#if 0 && (1 << 64)\n#endif\nok\n"), "ok");
  EXPECT_EQ(expanded("#ifndef __has_builtin\n#define __has_builtin(x) 0\n#endif\n#if !__has_builtin(y)\nok\n#endif\n"),
            "ok");
}

TEST(Preprocess, ConditionsAreDecided) {
  const auto holds = [](const std::string& condition) {
    return expanded("#define ONE 1\n#if " + condition + "\nyes\n#else\nno\n#endif\n") == "yes";
  };
  for (const char* yes : {"1",
                          "ONE",
                          "defined ONE",
                          "defined(ONE) && !defined(TWO)",
                          "2 + 3 * 4 == 14",
                          "(1 ? 2 : 0) == 2",
                          "-1 < 0",
                          "-1 > 0u",
                          "0x10 == 16 && 010 == 8 && 0b11 == 3",
                          "1 || 1 / 0",
                          "!(0 && 1 % 0)",
                          "~0 == -1",
                          "1 << 4 == 16",
                          "-8 >> 1 == -4",
                          "'a' == 97",
                          "__GNUC__ >= 4",
                          "__STDC_VERSION__ == 201112L",
                          "10 / 3 == 3 && -7 % 3 == -1",
                          "0xFFFFFFFFFFFFFFFF == -1",
                          "__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__",
                          "!__has_attribute(x)",
                          "(1 | 6) == 7 && (6 & 3) == 2 && (6 ^ 3) == 5",
                          "__has_include(<stdint.h>)",
                          "1 ? 1 : 1 / 0"})
    EXPECT_TRUE(holds(yes)) << yes;
  for (const char* no : {"0", "TWO", "defined TWO", "1 == 2", "__clang__", "__ARM_FEATURE_DSP", "defined(__x86_64__)",
                         "__has_include(\"none.h\")", "1u - 2 < 0"})
    EXPECT_FALSE(holds(no)) << no;
  EXPECT_EQ(expanded("#ifdef A\n1\n#elif 1\n2\n#elif 1\n3\n#else\n4\n#endif\n"), "2");
  EXPECT_EQ(expanded("#ifndef A\n#if 0\ndon't \" /* \n */ #error\n#endif\n1\n#endif\n"), "1");
  EXPECT_EQ(expanded("#if 0\n#if 1\n#else\n#endif\nx\n#else\ny\n#endif\n"), "y");
  EXPECT_EQ(expanded("#include <stdint.h>\n#if INT8_MIN < 0 && UINT32_MAX == 4294967295u\nINT8_MIN\n#endif\n"),
            "#include \"stdint.h\" INT8_MIN");
}

TEST(Preprocess, FlagsDefineAndUndefine) {
  EXPECT_EQ(words(preprocessed("A B f(2) __GNUC__\n", {"-O2", "-DA", "-D", "B=x", "-Df(a)=<a>", "-U__GNUC__"}).text),
            "1 x < 2 > __GNUC__");
}

/// Micro-kernels of a RISC-V target with DSP instructions, whose header says nothing of inline functions.
TEST(Preprocess, MacrosOfMicroKernelsAreThere) {
  EXPECT_EQ(expanded("__STATIC_INLINE int f(void);\n"), "static inline int f(void);");
  EXPECT_EQ(expanded("#ifndef __INLINE\n#define __INLINE __inline\n#endif\n__INLINE\n"), "inline");
}

TEST(Preprocess, FaultsNameFileAndLine) {
  EXPECT_EQ(fault("\n#if 1\n"), "t.c:2: #if without #endif; the file is cut off or damaged");
  EXPECT_EQ(fault("#else\n"), "t.c:1: #else without #if; the file is damaged");
  EXPECT_EQ(fault("#if 1\n#else\n#else\n#endif\n"), "t.c:3: #else after #else; the file is damaged");
  EXPECT_EQ(fault("#define f(x) x\n\nf(1, 2)\n"), "t.c:3: macro f takes 1 arguments, not 2");
  EXPECT_EQ(fault("#define f(x) x\nf(1\n"), "t.c:2: the arguments of a macro never end");
  EXPECT_EQ(fault("#define f(x) x\nf(1\n#define y\n)\n"), "t.c:2: a directive within the arguments of a macro");
  EXPECT_EQ(fault("#if 1 / 0\n#endif\n"), "t.c:1: a condition divides by zero");
  EXPECT_EQ(fault("#if 1 +\n#endif\n"), "t.c:1: a condition that ends too early");
  EXPECT_EQ(fault("#if 1.5\n#endif\n"), "t.c:1: \"1.5\" is not an integer");
  EXPECT_EQ(fault("#define\n"), "t.c:1: #define without a name");
  EXPECT_EQ(fault("#define c(a, b) a ## b\nc(+, 1)\n"), "t.c:2: \"+\" and \"1\" joined by ## are not a token");
  EXPECT_EQ(fault("#error no\n"),
            "t.c:1: #error no; a macro that it asks for can be defined with --cflags \"-O2 -DNAME\"");
  EXPECT_EQ(fault("#include x\n"), "t.c:1: #include without the name of a header");
  std::string bomb = "#define a0 x x\n";
  for (int i = 1; i < 40; ++i)
    bomb += "#define a" + std::to_string(i) + " a" + std::to_string(i - 1) + " a" + std::to_string(i - 1) + "\n";
  EXPECT_EQ(fault(bomb + "a39\n"), "t.c:41: macros expand to more than 2 million tokens");
  EXPECT_NE(fault("#if " + std::string(100'000, '(') + "\n#endif\n").find("nested deeper than"), std::string::npos);
  EXPECT_NE(fault("#if " + std::string(100'000, '!') + "1\n#endif\n").find("nested deeper than"), std::string::npos);
}

class PreprocessHeaders : public ::testing::Test {
 protected:
  void put(const std::string& name, const std::string& text) { write_text(scratch_.root() / name, text); }
  Preprocessed run(const std::string& text) {
    const IncludePath path({(scratch_.root() / "a").string(), (scratch_.root() / "b").string()});
    return preprocess(text, "t.c", {}, path);
  }
  void SetUp() override {
    put("a/x.h", "#ifndef X\n#define X\n#include \"sub/y.h\"\nint x = Y;\n#endif\n");
    put("a/sub/y.h", "#pragma once\n#include \"z.h\"\n#define Y Z\n");
    put("a/sub/z.h", "#define Z 1 // beside y.h\n");
    put("b/z.h", "#define Z 2\n");
    put("b/deep.h", "#include \"deep.h\"\n");
    put("b/w.h", "#ifdef NOBODY\n#include <none.h>\n#endif\nint w = __LINE__;\n\n#include <gone.h>\n");
  }
  Scratch scratch_;
};

TEST_F(PreprocessHeaders, StandWhereTheyAreIncluded) {
  const Preprocessed out = run("#include <x.h>\n#include <x.h>\n#include \"sub/y.h\"\nint end = __LINE__;\n");
  EXPECT_TRUE(out.has_headers);
  EXPECT_EQ(
      words(out.text),
      "#line 1 \"x.h\" // #line 1 \"sub/y.h\" // #line 1 \"sub/z.h\" // #line 2 \"sub/y.h\" // #line 3 \"x.h\" // int "
      "x = 1 ; #line 1 \"t.c\" // int end = 4 ;");
}

TEST_F(PreprocessHeaders, DirectoriesAreSearchedInTheirOrder) {
  EXPECT_NE(words(run("#include <z.h>\nZ\n").text).find("2"), std::string::npos);
  const Preprocessed none = run("#include \"stdint.h\"\n#include <dlpack/dlpack.h>\n#include \"tvm/none.h\"\n");
  EXPECT_FALSE(none.has_headers);
  ASSERT_EQ(none.missing.size(), 1U);
  EXPECT_EQ(none.missing[0].name, "tvm/none.h");
  EXPECT_EQ(none.missing[0].line, 3U);
}

TEST_F(PreprocessHeaders, MissingHeadersAndUndefinedMacrosAreNamedWithTheirPlace) {
  const Preprocessed out = run("\n#include <w.h>\n");
  ASSERT_EQ(out.missing.size(), 1U);
  EXPECT_EQ(out.missing[0].name, "gone.h");
  EXPECT_EQ(out.missing[0].file, (scratch_.root() / "b/w.h").string());
  EXPECT_EQ(out.missing[0].line, 6U);
  EXPECT_EQ(out.undefined, (std::map<std::string, std::string>{{"NOBODY", "w.h:1"}}));
}

TEST_F(PreprocessHeaders, ThatIncludeThemselvesAreRefused) { EXPECT_THROW(run("#include <deep.h>\n"), InputError); }

TEST_F(PreprocessHeaders, OutsideOfTheirDirectoriesAreNotFound) {
  put("secret.h", "int secret;\n");
  for (const std::string& name : {std::string("../secret.h"), std::string("sub/../../secret.h"),
                                  (scratch_.root() / "secret.h").string(), std::string("sub")}) {
    EXPECT_EQ(run("#include \"" + name + "\"\n").missing.size(), 1U) << name;
  }
  EXPECT_EQ(run("#include \"sub/../x.h\"\n").missing.size(), 0U);
}

}  // namespace
}  // namespace detent::models::tvm
