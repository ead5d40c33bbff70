// Targets of a compiler: what types are there, and what of an artifact depends on it.
#include "models/import/tvm/clang/target.hpp"

#include <gtest/gtest.h>

#include "base/input_error.hpp"
#include "models/import/tvm/footprint/footprint.hpp"
#include "tests/models/import/tvm/import_text.hpp"

namespace detent::models::tvm {
namespace {

const CTarget kArm{.triple = "armv7m-none-eabi", .flags = {}};

bool says(const CTarget& target, const std::string& fact) {
  return types_of(target).condition.find(fact) != std::string::npos;
}

TEST(CTarget, TypesAreThoseOfTheCompiler) {
  const CTarget amd{.triple = "x86_64-unknown-none-elf", .flags = {}};
  const CTarget arm64{.triple = "aarch64-unknown-none-elf", .flags = {}};
  EXPECT_TRUE(says(amd, "sizeof(long) == 8"));
  EXPECT_TRUE(says(amd, "sizeof(void *) == 8"));
  EXPECT_TRUE(says(amd, "(int)(char)-1 == -1"));
  EXPECT_TRUE(says(kArm, "sizeof(long) == 4"));
  EXPECT_TRUE(says(kArm, "sizeof(void *) == 4"));
  EXPECT_TRUE(says(arm64, "(int)(char)-1 == 255"));
  EXPECT_TRUE(says({.triple = kArm.triple, .flags = {"-fshort-enums"}}, "sizeof(enum detent_tvm_small) == 1"));
  EXPECT_TRUE(says({.triple = "i686-unknown-none-elf", .flags = {}}, "_Alignof(long long) == 4"));
  EXPECT_EQ(types_of({.triple = kArm.triple, .flags = {"-fshort-enums"}}).target, "armv7m-none-eabi -fshort-enums");
}

TEST(CTarget, B19_UnknownTargetsAreRefused) {
  for (const char* triple : {"nonsense", "", "xtensa-none-elf", "--help", "a b"}) {
    EXPECT_THROW(types_of({.triple = triple, .flags = {}}), InputError) << triple;
  }
}

TEST(CTarget, FlagsThatChangeTheMeaningAreKept) {
  EXPECT_EQ(meaning_flags(
                {"-O2", "-D", "-funsigned-char", "-DX=1", "-UY", "-fpack-struct=2", "-fshort-enums", "-march=native"}),
            (std::vector<std::string>{"-funsigned-char", "-DX=1", "-UY", "-fpack-struct=2", "-fshort-enums"}));
}

TEST(CTarget, AssertionHoldsWhereOneOfThemDoes) {
  EXPECT_EQ(type_assertion({}), "");
  const std::string text = type_assertion({types_of(host_target()), types_of(kArm)});
  const std::string arm = types_of(kArm).condition;
  EXPECT_NE(text.find("(" + types_of(host_target()).condition + ") ||\n    (" + arm + "),\n"), std::string::npos);
  EXPECT_NE(text.find(host_target().triple + ", armv7m-none-eabi"), std::string::npos);
}

std::uint64_t written_bytes(const std::string& body, const CTarget& target) {
  const CUnit unit =
      parse_c("int32_t f(char* p0, float** p1, float* q) {\n" + body + "\n  return 0;\n}\n", "f.c", target);
  const FunctionFootprint footprint = analyse_function(unit, *unit.find("f"));
  EXPECT_TRUE(footprint.understood) << footprint.why;
  return footprint.params[2].writes.size_bytes();
}

TEST(CTarget, FootprintsFollowIt) {
  const CTarget unsigned_char{.triple = host_target().triple, .flags = {"-funsigned-char"}};
  const CTarget signed_char{.triple = host_target().triple, .flags = {"-fsigned-char"}};
  EXPECT_EQ(written_bytes("for (int i = 0; i < sizeof(long); ++i) q[i] = 1;", host_target()), 32U);
  EXPECT_EQ(written_bytes("for (int i = 0; i < sizeof(long); ++i) q[i] = 1;", kArm), 16U);
  EXPECT_EQ(written_bytes("for (int i = 0; i < sizeof p1[0]; ++i) q[i] = 1;", kArm), 16U);
  EXPECT_EQ(written_bytes("for (int i = 0; i < sizeof(size_t); ++i) q[i] = 1;", kArm), 16U);
  EXPECT_EQ(written_bytes("for (int i = 0; i < sizeof(int64_t); ++i) q[i] = 1;", kArm), 32U);
  const std::string sign = "char c = (char)200; if (c < 0) q[0] = 1; else { q[0] = 1; q[1] = 1; }";
  EXPECT_EQ(written_bytes(sign, signed_char), 4U);
  EXPECT_EQ(written_bytes(sign, unsigned_char), 8U);
  const std::string wraps = "if (4294967295ul + 3 > 100) q[0] = 1; else { q[0] = 1; q[1] = 1; }";
  EXPECT_EQ(written_bytes(wraps, host_target()), 4U);
  EXPECT_EQ(written_bytes(wraps, kArm), 8U);
}

TEST(CTarget, MacrosOfTheFlagsAreDefined) {
  const CUnit unit = parse_c("int32_t f(float* p0, float* q) { q[0] = p0[N]; return 0; }", "f.c",
                             {.triple = host_target().triple, .flags = {"-DN=4"}});
  const FunctionFootprint footprint = analyse_function(unit, *unit.find("f"));
  EXPECT_TRUE(footprint.understood) << footprint.why;
  EXPECT_EQ(footprint.params[0].reads, ByteSet({16, 20}));
}

Import import_for(const std::string& text, const CTarget& target, bool packed = false) {
  Artifact artifact = artifact_of(text);
  artifact.packed = packed;
  artifact.operators = parse_c(text, "ops.c", target);
  artifact.types = {types_of(target)};
  return import_of(std::move(artifact));
}

/// One call with n(p0), described as TVM does it.
std::string packed_text(const std::string& bound) {
  return "int32_t tvmgen_default_f(void* args, int32_t* ids, int32_t num, void* ret, int32_t* code, void* handle) {\n"
         "  void* p0 = (((DLTensor*)(((TVMValue*)args)[0].v_handle))[0].data);\n"
         "  void* p1 = (((DLTensor*)(((TVMValue*)args)[1].v_handle))[0].data);\n"
         "  for (int32_t i = 0; i < " +
         bound +
         "; ++i) ((float*)p1)[i] = ((float*)p0)[i];\n  return 0;\n}\n"
         "int32_t tvmgen_default___tvm_main__(void* args, int32_t* ids, int32_t num, void* ret, int32_t* code, void* "
         "h) {\n"
         "  TVMValue stack_value[2];\n  int32_t stack_tcode[2];\n  DLTensor stack_array[2];\n  int64_t "
         "stack_shape[2];\n"
         "  void* x = (((TVMValue*)args)[0].v_handle);\n  void* y = (((TVMValue*)args)[1].v_handle);\n"
         "  void* x_buffer_var = (((DLTensor*)x)[0].data);\n  void* y_buffer_var = (((DLTensor*)y)[0].data);\n"
         "  ((int64_t*)stack_shape)[0] = (int64_t)8;\n  (((DLTensor*)stack_array)[0].data) = x_buffer_var;\n"
         "  (((DLTensor*)stack_array)[0].shape) = (&(((int64_t*)stack_shape)[0]));\n  uint64_t v_ = (uint64_t)0;\n"
         "  (((DLTensor*)stack_array)[0].strides) = (int64_t*)(*(void* *)(&(v_)));\n"
         "  (((DLTensor*)stack_array)[0].ndim) = (uint32_t)1;\n  (((DLTensor*)stack_array)[0].dtype.code) = "
         "(uint8_t)2;\n"
         "  (((DLTensor*)stack_array)[0].dtype.bits) = (uint8_t)32;\n"
         "  (((DLTensor*)stack_array)[0].byte_offset) = (uint64_t)0;\n"
         "  (((TVMValue*)stack_value)[0].v_handle) = (((DLTensor*)stack_array) + 0);\n"
         "  ((int64_t*)stack_shape)[1] = (int64_t)8;\n  (((DLTensor*)stack_array)[1].data) = y_buffer_var;\n"
         "  (((DLTensor*)stack_array)[1].shape) = (&(((int64_t*)stack_shape)[1]));\n"
         "  (((DLTensor*)stack_array)[1].ndim) = (uint32_t)1;\n  (((DLTensor*)stack_array)[1].dtype.code) = "
         "(uint8_t)2;\n"
         "  (((DLTensor*)stack_array)[1].dtype.bits) = (uint8_t)32;\n"
         "  (((TVMValue*)stack_value)[1].v_handle) = (((DLTensor*)stack_array) + 1);\n"
         "  TVMValue ret_val;\n  int ret_code;\n"
         "  if (tvmgen_default_f((TVMValue*)stack_value, (int*)stack_tcode, 2, &ret_val, &ret_code, NULL) != 0) return "
         "-1;\n"
         "  return 0;\n}\n";
}

TEST(CTarget, PackedCallsAreReadWithItsPointers) {
  for (const char* triple : {"armv7m-none-eabi", "i686-unknown-none-elf", "riscv64-unknown-none-elf"}) {
    const CTarget target{.triple = triple, .flags = {}};
    const Import here = import_for(packed_text("8"), host_target(), true);
    const Import there = import_for(packed_text("8"), target, true);
    ASSERT_EQ(there.program.calls.size(), 1U) << triple;
    ASSERT_EQ(there.program.calls[0].arguments.size(), 2U);
    EXPECT_EQ(there.program.calls[0].arguments[0].shape, std::vector<std::int64_t>{8});
    EXPECT_EQ(there.program.calls[0].arguments[0].dtype, "float32");
    EXPECT_EQ(first_difference(here, there), "") << triple;
  }
  const std::string difference = first_difference(import_for(packed_text("sizeof(long)"), host_target(), true),
                                                  import_for(packed_text("sizeof(long)"), kArm, true));
  EXPECT_TRUE(difference.starts_with("tvmgen_default_f (line ") && difference.ends_with(") touches other bytes"))
      << difference;
}

TEST(CTarget, PackagesRefuseCompilersWithOtherTypes) {
  const Model model = imported_model(import_for(copy_operator("f", 8) +
                                                    "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* "
                                                    "output_buffer_var, uint8_t* global_workspace_1_var) {\n"
                                                    "  if (tvmgen_default_f(x_buffer_var, output_buffer_var, "
                                                    "global_workspace_1_var) != 0 ) return -1;\n  return 0;\n}\n",
                                                kArm));
  bool is_asserted = false;
  for (const SourceFile& file : model.sources) {
    is_asserted = is_asserted || file.text.find("_Static_assert((" + types_of(kArm).condition) != std::string::npos;
  }
  EXPECT_TRUE(is_asserted);
}

}  // namespace
}  // namespace detent::models::tvm
