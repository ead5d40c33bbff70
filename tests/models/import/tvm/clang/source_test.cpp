// C text -> tree: what is kept of the code, where things stand, and what the guard in front of the parser refuses.
#include "models/import/tvm/clang/source.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/input_error.hpp"
#include "models/import/tvm/artifact/values.hpp"

namespace detent::models::tvm {
namespace {

std::string source(const CUnit& unit, const SourceRange& range) {
  return unit.text.substr(range.begin, range.end - range.begin);
}

/// The statements of the only defined function.
const Stmt& body_stmt(const CUnit& unit, std::size_t index) {
  for (const Function& function : unit.functions) {
    if (function.body != kNoNode) return unit.stmt(unit.stmt(function.body).body.at(index));
  }
  throw std::runtime_error("no function");
}

const Expr& expr_of(const CUnit& unit, std::size_t index) { return unit.expr(body_stmt(unit, index).expr); }

std::string error_of(const std::string& text) {
  try {
    parse_c(text, "lib1.c");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string repeated(const std::string& piece, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

TEST(CSource, OperatorBecomesAFunctionWithParametersAndPlaces) {
  const std::string text =
      "// tvm target: c\n#include \"tvm/runtime/c_runtime_api.h\"\n#ifdef __cplusplus\nextern \"C\"\n#endif\n"
      "TVM_DLL int32_t tvmgen_default_fused_add(float* p0, uint8_t* global_workspace_1_var) {\n"
      "  void* acc_let = (&(global_workspace_1_var[1600]));\n  return 0;\n}\n";
  const CUnit unit = parse_c(text, "lib1.c");
  EXPECT_TRUE(unit.errors.empty());
  ASSERT_EQ(unit.functions.size(), 1U);
  const Function& function = unit.functions[0];
  EXPECT_EQ(function.name, "tvmgen_default_fused_add");
  EXPECT_EQ(function.line, 6U);
  EXPECT_FALSE(function.damaged);
  EXPECT_FALSE(function.is_static);
  ASSERT_EQ(function.params.size(), 2U);
  EXPECT_EQ(function.params[0].name, "p0");
  EXPECT_EQ(function.params[0].type.scalar, CType::Scalar::kFloat);
  EXPECT_EQ(function.params[0].type.scalar_bytes, 4U);
  EXPECT_EQ(function.params[0].type.pointers, 1U);
  EXPECT_EQ(function.params[1].type.scalar, CType::Scalar::kUInt);
  EXPECT_EQ(source(unit, function.range).substr(0, 7), "TVM_DLL");
  EXPECT_EQ(source(unit, function.body_range).front(), '{');
  EXPECT_EQ(source(unit, function.body_range).back(), '}');
  const Stmt& let = body_stmt(unit, 0);
  EXPECT_EQ(let.kind, StmtKind::kDeclare);
  EXPECT_EQ(source(unit, let.range), "void* acc_let = (&(global_workspace_1_var[1600]));");
  EXPECT_EQ(source(unit, let.variable.range), "void* acc_let = (&(global_workspace_1_var[1600]))");
  const Expr& address = unit.expr(let.variable.init);
  EXPECT_EQ(address.kind, ExprKind::kUnary);
  EXPECT_EQ(address.unary, UnaryOperator::kAddressOf);
  const Expr& element = unit.expr(address.args[0]);
  EXPECT_EQ(element.kind, ExprKind::kIndex);
  EXPECT_EQ(unit.expr(element.args[1]).value, 1600);
  EXPECT_EQ(source(unit, unit.expr(element.args[1]).range), "1600");
}

TEST(CSource, LoopsBranchesAndOperators) {
  const CUnit unit = parse_c(
      "int f(float* a, int n) {\n"
      "  for (int32_t i = 0; i < 16; ++i) { a[i] = (i >> 2) % 3 ? expf(a[i]) : -1.5f; }\n"
      "  if (n == 0) return -1; else n += 2;\n"
      "  while (n) --n;\n  do { n++; } while (n < 3);\n  return n;\n}\n",
      "f.c");
  ASSERT_TRUE(unit.errors.empty());
  const Stmt& loop = body_stmt(unit, 0);
  ASSERT_EQ(loop.kind, StmtKind::kFor);
  EXPECT_EQ(unit.stmt(loop.init).variable.name, "i");
  EXPECT_TRUE(unit.expr(loop.expr).is(BinaryOperator::kLess));
  EXPECT_TRUE(unit.expr(loop.step).is(UnaryOperator::kPreIncrement));
  ASSERT_EQ(loop.body.size(), 1U);
  const Expr& assign = unit.expr(unit.stmt(loop.body[0]).expr);
  EXPECT_TRUE(assign.is_plain_assignment());
  const Expr& select = unit.expr(assign.args[1]);
  ASSERT_EQ(select.kind, ExprKind::kSelect);
  EXPECT_TRUE(unit.expr(select.args[0]).is(BinaryOperator::kRemainder));
  EXPECT_EQ(unit.expr(select.args[1]).kind, ExprKind::kCall);
  EXPECT_EQ(unit.expr(unit.expr(select.args[1]).args[0]).text, "expf");
  EXPECT_TRUE(unit.expr(select.args[2]).is(UnaryOperator::kMinus));
  EXPECT_EQ(unit.expr(unit.expr(select.args[2]).args[0]).number, 1.5);
  const Stmt& branch = body_stmt(unit, 1);
  ASSERT_EQ(branch.kind, StmtKind::kIf);
  EXPECT_EQ(unit.stmt(branch.body[0]).kind, StmtKind::kReturn);
  EXPECT_EQ(source(unit, unit.stmt(branch.body[0]).range), "return -1;");
  const Expr& compound = unit.expr(unit.stmt(branch.else_body[0]).expr);
  EXPECT_EQ(compound.kind, ExprKind::kAssign);
  EXPECT_EQ(compound.binary, BinaryOperator::kAdd);
  EXPECT_EQ(body_stmt(unit, 2).kind, StmtKind::kWhile);
  EXPECT_EQ(body_stmt(unit, 3).kind, StmtKind::kWhile);
  EXPECT_TRUE(unit.expr(body_stmt(unit, 3).expr).is(BinaryOperator::kLess));
}

TEST(CSource, ForWithoutAllOfItsParts) {
  const CUnit unit = parse_c(
      "void f(int i) { for (;;) { } for (; i < 3;) ++i; for (i = 0; ; ++i) ; for (int a = 0, b = 1; a < b;) ; }",
      "f.c");
  ASSERT_TRUE(unit.errors.empty());
  EXPECT_EQ(body_stmt(unit, 0).expr, kNoNode);
  EXPECT_NE(body_stmt(unit, 1).expr, kNoNode);
  EXPECT_EQ(body_stmt(unit, 1).init, kNoNode);
  EXPECT_EQ(body_stmt(unit, 1).body.size(), 1U);
  EXPECT_NE(body_stmt(unit, 2).init, kNoNode);
  EXPECT_EQ(body_stmt(unit, 2).expr, kNoNode);
  EXPECT_NE(body_stmt(unit, 2).step, kNoNode);
  EXPECT_TRUE(body_stmt(unit, 2).body.empty());
  EXPECT_EQ(unit.stmt(body_stmt(unit, 3).init).body.size(), 2U);
}

TEST(CSource, ParenthesesAreGoneAndSoAreImplicitCastsThatKeepTheType) {
  const CUnit unit = parse_c("void f(int8_t* p, int32_t* q) { q[0] = ((int32_t)((p[(1)]))) + p[2]; }", "f.c");
  const Expr& sum = unit.expr(expr_of(unit, 0).args[1]);
  EXPECT_TRUE(sum.is(BinaryOperator::kAdd));
  EXPECT_EQ(unit.expr(sum.args[0]).kind, ExprKind::kCast);
  EXPECT_EQ(unit.expr(unit.expr(sum.args[0]).args[0]).kind, ExprKind::kIndex);
  EXPECT_EQ(unit.expr(sum.args[1]).kind, ExprKind::kCast);  // int8_t is promoted
  EXPECT_EQ(unit.expr(sum.args[1]).type.scalar_bytes, 4U);
  EXPECT_EQ(unit.expr(unit.expr(sum.args[1]).args[0]).kind, ExprKind::kIndex);
}

TEST(CSource, LiteralsHaveTheTypeThatAnImplicitCastGivesThemIfItHoldsThem) {
  const CUnit unit = parse_c(
      "void f(int64_t* p, int8_t* q) { p[0] = 0u; p[1] = 7u; p[2] = 18446744073709551615u; q[0] = 127; q[1] = 200; }",
      "f.c");
  const std::vector<std::pair<ExprKind, unsigned>> expected = {
      {ExprKind::kInt, 8U}, {ExprKind::kInt, 8U}, {ExprKind::kCast, 8U}, {ExprKind::kInt, 1U}, {ExprKind::kCast, 1U}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Expr& value = unit.expr(expr_of(unit, i).args[1]);
    EXPECT_EQ(value.kind, expected[i].first) << i;
    EXPECT_EQ(value.type.scalar_bytes, expected[i].second) << i;
  }
}

TEST(CSource, NamesOfThePreludeAreKnown) {
  const CUnit unit = parse_c(
      "int f(void* args, int32_t* ids) {\n  void* p = (((TVMValue*)args)[0].v_handle);\n"
      "  void* d = (((DLTensor*)p)[0].data);\n  (((DLTensor*)p)[0].device.device_type) = (DLDeviceType)1;\n"
      "  if (d == NULL) { return -1; }\n  bool b = true;\n"
      "  void* w = TVMBackendAllocWorkspace(1, 0, (uint64_t)131072, 0, 8);\n"
      "  cmsis_nn_context context= {w,108};\n  *(float4*)(w) = *(float4*)(d);\n  return kTvmErrorNoError + "
      "sizeof(int);\n}\n",
      "f.c");
  EXPECT_TRUE(unit.errors.empty()) << unit.errors[0].text;
  EXPECT_FALSE(unit.functions[0].damaged);
  EXPECT_EQ(unit.functions.size(), 1U);  // none of the prelude's
  EXPECT_TRUE(unit.records.empty());
  const Stmt& context = body_stmt(unit, 6);
  const Expr& list = unit.expr(context.variable.init);
  EXPECT_EQ(list.kind, ExprKind::kInitList);
  EXPECT_EQ(unit.expr(list.args[1]).value, 108);
  const Expr& returned = unit.expr(body_stmt(unit, 8).expr);
  EXPECT_EQ(returned.kind, ExprKind::kCast);  // size_t to int
  const Expr& sum = unit.expr(returned.args[0]);
  EXPECT_EQ(unit.expr(sum.args[0]).kind, ExprKind::kInt);  // enumerator
  EXPECT_EQ(unit.expr(sum.args[1]).value, 4);              // sizeof
}

TEST(CSource, NameOfThePreludeMayBeDefinedAgainAndItsMisuseIsAnError) {
  const CUnit again = parse_c("typedef int int32_t;\n#define NULL 0\nfloat expf(float x);\n", "f.c");
  EXPECT_TRUE(again.errors.empty()) << again.errors[0].text;
  const CUnit stray = parse_c("int a;\nNULL\nint b;\n", "f.c");
  ASSERT_FALSE(stray.errors.empty());
  EXPECT_EQ(stray.errors[0].line, 2U);
}

TEST(CSource, UnknownTypesDamageOnlyTheirFunction) {
  const CUnit unit = parse_c(
      "int a(int x) { return x; }\nint b(int x) { vendor_t y = vendor_make(x); return y.z; }\nint c(int x) { return x "
      "+ 1; }\n",
      "f.c");
  ASSERT_EQ(unit.functions.size(), 3U);
  EXPECT_FALSE(unit.functions[0].damaged);
  EXPECT_TRUE(unit.functions[1].damaged);
  EXPECT_FALSE(unit.functions[2].damaged);
  ASSERT_FALSE(unit.errors.empty());
  EXPECT_EQ(unit.errors[0].line, 2U);
}

TEST(CSource, UndeclaredFunctionsAreNamedAndHarmless) {
  const CUnit unit = parse_c("int a(int x) { return vendor_make(x); }\n", "f.c");
  EXPECT_FALSE(unit.functions[0].damaged);
  ASSERT_EQ(unit.errors.size(), 1U);
  EXPECT_NE(unit.errors[0].text.find("vendor_make"), std::string::npos);
  EXPECT_EQ(expr_of(unit, 0).kind, ExprKind::kCall);
}

TEST(CSource, DeclarationsAndTheDefinitionAreBothListed) {
  const CUnit unit = parse_c(
      "int f(float*, float*);\nint g(void) { return f(0, 0); }\nint f(float* p0, float* T_add) { return 0; }\n", "f.c");
  ASSERT_EQ(unit.functions.size(), 3U);
  EXPECT_EQ(unit.functions[0].body, kNoNode);
  ASSERT_NE(unit.find("f"), nullptr);
  EXPECT_EQ(unit.find("f")->params[1].name, "T_add");
}

TEST(CSource, PooledStructOfTheGlue) {
  std::string values;
  for (int i = 0; i < 300; ++i) values += "0x1.efp-4, ";
  const std::string text =
      "__attribute__((section(\".rodata.tvm\"), ))\nstatic struct global_const_workspace {\n"
      "  float a_let[300] __attribute__((aligned(16))); // 1200 bytes, aligned offset: 0\n"
      "  int8_t b_let[3] __attribute__((packed, aligned(16)));\n} global_const_workspace = {\n  .a_let = {\n    " +
      values +
      "\n  },\n  .b_let = {\n    +0x01, -0x02, +0x03\n  },\n};// of total size 1203 bytes\n"
      "__attribute__((section(\".bss.noinit.tvm\"), aligned(16)))\nstatic uint8_t global_workspace[2704];\n"
      "int after(void) { return 0; }\n;";
  const CUnit unit = parse_c(text, "lib0.c");
  EXPECT_TRUE(unit.errors.empty());
  ASSERT_EQ(unit.records.size(), 1U);
  EXPECT_EQ(unit.records[0].fields[1].name, "b_let");
  EXPECT_EQ(unit.records[0].field_offsets[1], 1200U);
  EXPECT_EQ(unit.records[0].size_bytes, 1216U);
  ASSERT_EQ(unit.globals.size(), 2U);
  EXPECT_EQ(source(unit, unit.globals[0].initialiser).front(), '{');
  EXPECT_EQ(source(unit, unit.globals[0].initialiser).back(), '}');
  EXPECT_NE(source(unit, unit.globals[0].initialiser).find(".b_let"), std::string::npos);
  EXPECT_EQ(unit.globals[1].variable.type.extents, std::vector<std::uint64_t>{2704});
  EXPECT_EQ(unit.functions[0].line, 15U);  // places behind what was blanked are those of the file
  EXPECT_EQ(source(unit, unit.functions[0].range), "int after(void) { return 0; }");
}

TEST(CSource, BlankedArrayWithoutExtentKeepsItsLength) {
  const CUnit unit = parse_c(
      "static const float w[] = {" + repeated("0x1p-3, ", 400) + "};\nint8_t s[] = \"" + repeated("\\x41", 300) + "\";",
      "w.c");
  ASSERT_EQ(unit.globals.size(), 2U);
  EXPECT_EQ(unit.globals[0].variable.type.extents, std::vector<std::uint64_t>{400});
  std::string bytes;
  CType type;
  type.scalar = CType::Scalar::kInt;
  type.scalar_bytes = 1;
  type.extents = {300};
  read_initialiser(unit, unit.globals[1].initialiser, type, bytes);
  EXPECT_EQ(bytes, repeated("A", 300));
}

TEST(CSource, IntegerMacrosOfTheHeader) {
  const CUnit unit = parse_c(
      "#ifndef G\n#define G\n#define TVMGEN_DEFAULT_DATA_SIZE 12288\n#define HEX (0x10UL) // sixteen\n#define NEG "
      "-5\n#define TEXT \"x\"\n#endif\n",
      "h.h");
  ASSERT_EQ(unit.macros.size(), 3U);
  EXPECT_EQ(unit.macros[0].name, "TVMGEN_DEFAULT_DATA_SIZE");
  EXPECT_EQ(unit.macros[0].value, 12288);
  EXPECT_EQ(unit.macros[1].value, 16);
  EXPECT_EQ(unit.macros[2].value, -5);
}

TEST(CSource, FunctionsMadeByMacros) {
  const CUnit unit = parse_c(
      "#define BINARY(name, op, n) \\\n  void name(float* a, float* b, float* out) { \\\n"
      "    for (int64_t i = 0; i < n; ++i) { out[i] = a[i] op b[i]; } \\\n  }\nBINARY(ccompiler_0, +, 10);\n",
      "f.c");
  ASSERT_EQ(unit.functions.size(), 1U);
  EXPECT_EQ(unit.functions[0].name, "ccompiler_0");
  EXPECT_FALSE(unit.functions[0].damaged);
  EXPECT_EQ(body_stmt(unit, 0).kind, StmtKind::kFor);
}

TEST(CSource, ConditionsMayOpenABraceInEachBranch) {
  const CUnit unit = parse_c(
      "#ifdef A\nint f(int x) {\n#else\nint f(void) {\n#endif\n  return 1;\n}\n#if 0\nit's no code {\n#endif\n", "f.c");
  ASSERT_EQ(unit.functions.size(), 1U);
  EXPECT_TRUE(unit.functions[0].params.empty());
}

TEST(CSource, NothingIsIncludedFromDisk) {
  const std::string directives[] = {"#include \"/etc/passwd\"\n",
                                    "#include </etc/passwd>\n",
                                    "#import \"/etc/passwd\"\n",
                                    "%:include \"/etc/passwd\"\n",
                                    "#in\\\nclude \"/etc/passwd\"\n",
                                    "#if __has_include(\"/etc/passwd\")\nint leaked;\n#endif\n",
                                    "int x[] = {\n#embed \"/etc/passwd\"\n};\n"};
  for (const std::string& directive : directives) {
    const CUnit unit = parse_c(directive + "int f(void) { return 0; }\n", "f.c");
    ASSERT_EQ(unit.functions.size(), 1U) << directive;
    EXPECT_FALSE(unit.functions[0].damaged);
    EXPECT_LE(unit.globals.size(), 1U);
    for (const Global& global : unit.globals) EXPECT_NE(global.variable.name, "leaked");
  }
}

TEST(CSource, PragmasCannotCommandTheParser) {
  const std::string texts[] = {
      "#pragma clang __debug crash\nint f(void) { return 0; }\n",
      "int f(void) { _Pragma(\"clang __debug parser_crash\") return 0; }\n",
      "#define P(a, b) a##b\nint f(void) { P(_Pra, gma)(\"clang __debug overflow_stack\") return 0; }\n",
      "int f(void) { _Pra\\\ngma(\"clang __debug crash\") return 0; }\n",
      "#define P _Pra\\\ngma(\"clang __debug crash\")\nint f(void) { P return 0; }\n"};
  for (const std::string& text : texts) EXPECT_EQ(parse_c(text, "f.c").functions.size(), 1U) << text;
}

TEST(CSource, B01_EmptyTextIsAnEmptyUnit) {
  EXPECT_TRUE(parse_c("", "f.c").functions.empty());
  EXPECT_TRUE(parse_c("\xEF\xBB\xBF\n", "f.c").functions.empty());
}

TEST(CSource, B04_CutOffAnywhereIsAnErrorOrDamage) {
  const std::string text =
      "#ifdef __cplusplus\nextern \"C\"\n#endif\nstatic const float w[2] = {0x1p-1f, 2.0f}; /* weights */\n"
      "int f(float* p) {\n  const char* s = \"a\\\"b\";\n  for (int i = 0; i < 2; ++i) { p[i] = w[i] + '\\''; } // "
      "sum\n  return 0;\n}\n";
  for (std::size_t length = 0; length < text.size(); ++length) {
    try {
      const CUnit unit = parse_c(text.substr(0, length), "lib1.c");
      EXPECT_EQ(unit.find("f"), length < text.size() - 1 ? nullptr : unit.find("f"));
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("lib1.c:", 0), 0U) << error.what();
    }
  }
}

/// A byte exchanged is refused with its place, or damages the function, or gives another function. Nothing of that is
/// seen only where the end of a line becomes another blank (a vertical tab) outside the macro.
TEST(CSource, EveryByteExchangedIsRefusedOrSeenInTheTree) {
  const std::string text =
      "#define N 4\nint f(float* p) {\n  for (int i = 0; i < N; ++i) { p[i] = \"ab\"[i & 1] / 2; }\n  return 0;\n}\n";
  const auto seen = [](const std::string& source_text) {
    const CUnit unit = parse_c(source_text, "f.c");
    std::string tree = std::to_string(unit.errors.size()) + " errors";
    for (const Function& function : unit.functions) {
      tree +=
          "; " + function.name + (function.damaged ? " damaged" : "") + " " + std::to_string(function.params.size());
    }
    for (const Macro& macro : unit.macros) tree += " " + macro.name;
    for (const Stmt& stmt : unit.stmts) tree += " " + std::to_string(static_cast<int>(stmt.kind)) + stmt.variable.name;
    for (const Expr& expr : unit.exprs) {
      tree += " " + std::to_string(static_cast<int>(expr.kind)) + ":" + expr.text + std::string(spelling(expr.unary)) +
              std::string(spelling(expr.binary)) + ":" + std::to_string(expr.value);
    }
    return tree;
  };
  const std::string whole = seen(text);
  ASSERT_EQ(whole.rfind("0 errors; f 1 ", 0), 0U) << whole;
  std::string silent;
  std::size_t refused = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const int mask : {0x01, 0x80}) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ mask);
      try {
        if (seen(changed) == whole) silent += text[i];
      } catch (const InputError& error) {
        ++refused;
        EXPECT_EQ(std::string(error.what()).rfind("f.c:", 0), 0U) << error.what();
      }
    }
  }
  EXPECT_GT(refused, 0U);
  EXPECT_EQ(silent, "\n\n\n\n");
}

TEST(CSource, TextThatIsNotCIsRefusedWithItsLine) {
  EXPECT_EQ(error_of(std::string("int a;\nint \0b;", 13)), "lib1.c:2: NUL byte; this is not C source");
  EXPECT_NE(error_of("int a;\n\nint f() { /* never").find("lib1.c:3: a comment"), std::string::npos);
  EXPECT_NE(error_of("int f() {\n return \"a;\n}").find("lib1.c:2: a string"), std::string::npos);
  EXPECT_NE(error_of("int f() {\n (1;\n}").find("lib1.c:3: '}'"), std::string::npos);
  EXPECT_NE(error_of("int f() {\n\n").find("lib1.c:1: '{'"), std::string::npos);
  EXPECT_NE(error_of("int x[2] = {1,\n").find("lib1.c:1: '{'"), std::string::npos);
  EXPECT_NE(error_of("#if X\nint a;\n").find("lib1.c:1: #if"), std::string::npos);
  EXPECT_NE(error_of("int a;\n#endif\n").find("lib1.c:2: #endif"), std::string::npos);
}

TEST(CSource, B15_TextThatWouldExhaustTheParserIsRefused) {
  const std::string open = "int f(int a) { return ", close = "; }";
  const std::string texts[] = {
      open + repeated("(", 100000) + "a" + repeated(")", 100000) + close,
      "int f(int a) " + repeated("{", 100000) + repeated("}", 100000),
      "int x = " + repeated("{", 100000) + repeated("}", 100000) + ";",
      open + repeated("- ", 100000) + "a" + close,
      open + repeated("(int)", 100000) + "a" + close,
      open + repeated("-(int)", 100000) + "a" + close,
      open + repeated("a?", 50000) + "a" + repeated(":a", 50000) + close,
      open + repeated("a?a:", 50000) + "a" + close,
      open + repeated("a+", 100000) + "a" + close,
      open + repeated("sizeof ", 10000) + "a" + close,
      "int f(int a) { " + repeated("if (a) ", 10000) + "a = 1; }",
      "int f(int a) { if (a) { } " + repeated("else if (a) { } ", 10000) + "}",
      "int " + repeated("*", 10000) + "x;",
      repeated("x;\n", 100000),
      repeated("int f(int);\n", 100000),
      "int f(void) { " + repeated("int x; ", 100000) + "}",
      repeated("typedef int t;\n", 10000),
      "#define F(x) x x x x\nint f(int a) { return " + repeated("F(", 30) + "a" + repeated(")", 30) + "; }",
  };
  for (const std::string& text : texts) {
    const std::string error = error_of(text);
    EXPECT_EQ(error.rfind("lib1.c:", 0), 0U) << text.substr(0, 60) << " -> " << error;
  }
}

TEST(CSource, B15_MacrosThatMultiplyAreNotExpanded) {
  std::string up, down;
  for (int i = 0; i < 60; ++i) {
    const std::string a = "A" + std::to_string(i), b = "A" + std::to_string(i + 1);
    up += "#define " + a + " " + b + " " + b + "\n";
    down += "#define " + b + " " + a + " " + a + "\n";
  }
  EXPECT_EQ(parse_c(up + "int f(int A60) { return A0; }", "f.c").functions.size(), 1U);
  EXPECT_EQ(parse_c(down + "int f(int A0) { return A60; }", "f.c").functions.size(), 1U);
}

TEST(CSource, TextJustBelowTheLimitsIsParsed) {
  EXPECT_EQ(error_of("int f(int a) { return " + repeated("(", 240) + "a" + repeated(")", 240) + "; }"), "");
  EXPECT_EQ(error_of("int f(int a) { return " + repeated("(int)", 590) + "a; }"), "");
  EXPECT_EQ(error_of("int f(int a) { return " + repeated("a+", 4000) + "a; }"), "");
  EXPECT_EQ(error_of("int f(int a) { return " + repeated("a?a:", 1900) + "a; }"), "");
  EXPECT_EQ(error_of("int f(int a) { return " + repeated("a,", 4000) + "a; }"), "");
}

TEST(CSource, VeryDeepExpressionsEndInAnUnknownNode) {
  const CUnit unit = parse_c("int f(int a) { return " + repeated("a+", 3000) + "a; }", "f.c");
  EXPECT_TRUE(unit.functions[0].damaged);
  EXPECT_TRUE(
      std::any_of(unit.exprs.begin(), unit.exprs.end(), [](const Expr& e) { return e.kind == ExprKind::kUnknown; }));
}

TEST(CSource, SameTextSameTree) {
  const std::string text = "int f(float* p) { for (int i = 0; i < 4; ++i) p[i] = 2.5f * i; return g(p); }";
  const CUnit a = parse_c(text, "f.c"), b = parse_c(text, "f.c");
  ASSERT_EQ(a.exprs.size(), b.exprs.size());
  for (std::size_t i = 0; i < a.exprs.size(); ++i) {
    EXPECT_EQ(a.exprs[i].kind, b.exprs[i].kind);
    EXPECT_EQ(a.exprs[i].args, b.exprs[i].args);
    EXPECT_EQ(a.exprs[i].range.begin, b.exprs[i].range.begin);
  }
}

}  // namespace
}  // namespace detent::models::tvm
