// Footprints of operators as TVM writes them, against sets worked out by hand.
#include "models/import/tvm/footprint/footprint.hpp"

#include <gtest/gtest.h>

#include "tests/models/import/tvm/footprint/text.hpp"

namespace detent::models::tvm {
namespace {

TEST(Footprint, DenseNestIsOneInterval) {
  const FunctionFootprint f = of_body(R"(
  for (int32_t y = 0; y < 32; ++y) {
    for (int32_t x = 0; x < 32; ++x) {
      for (int32_t c = 0; c < 3; ++c) {
        out[(((y * 96) + (x * 3)) + c)] = p0[(((c * 1024) + (y * 32)) + x)];
      }
    }
  })");
  expect_exact(f.params[0], bytes({{0, 12288}}), {});
  expect_exact(f.params[1], {}, bytes({{0, 12288}}));
  EXPECT_EQ(f.param_names, (std::vector<std::string>{"p0", "out", "pool"}));
  EXPECT_EQ(f.param_elements[0], "float");
}

TEST(Footprint, StridedReadKeepsItsGaps) {
  const FunctionFootprint f = of_body("for (int32_t i = 0; i < 3; ++i) { out[i] = p0[(i * 4) + 1]; }");
  expect_exact(f.params[0], bytes({{4, 8}, {20, 24}, {36, 40}}), {});
  expect_exact(f.params[1], {}, bytes({{0, 12}}));
}

TEST(Footprint, OneTripMoreIsSeen) {
  const auto body = [](const std::string& bound) {
    return "for (int32_t i = 0; i < " + bound + "; ++i) { out[i * 2] = p0[i]; }";
  };
  const FunctionFootprint ten = of_body(body("10"));
  const FunctionFootprint eleven = of_body(body("11"));
  EXPECT_EQ(eleven.params[0].reads.difference(ten.params[0].reads), bytes({{40, 44}}));
  EXPECT_EQ(eleven.params[1].writes.difference(ten.params[1].writes), bytes({{80, 84}}));
}

TEST(Footprint, ALoopThatTestsForEqualityTooRunsOnceMore) {
  const FunctionFootprint up = of_body("for (int32_t i = 0; i <= 9; ++i) { out[i] = p0[i]; }");
  expect_exact(up.params[0], bytes({{0, 40}}), {});
  const FunctionFootprint down = of_body("for (int32_t i = 9; i >= 2; --i) { out[i] = p0[i]; }");
  expect_exact(down.params[1], {}, bytes({{8, 40}}));
}

TEST(Footprint, PaddingReadsOnlyInside) {
  const FunctionFootprint f = of_body(R"(
  void* data_pad_let = (&(pool[336000]));
  for (int32_t i0 = 0; i0 < 34; ++i0) {
    for (int32_t i3 = 0; i3 < 34; ++i3) {
      for (int32_t i4 = 0; i4 < 3; ++i4) {
        int32_t cse_var_1 = (i3 * 3);
        ((float*)data_pad_let)[(((i0 * 102) + cse_var_1) + i4)] = (((((1 <= i0) && (i0 < 33)) && (1 <= i3)) && (i3 < 33)) ? p0[((((i0 * 96) + cse_var_1) + i4) - 99)] : 0.000000e+00f);
      }
    }
  })");
  expect_exact(f.params[0], bytes({{0, 12288}}), {});
  ASSERT_EQ(f.pool_uses.size(), 1U);
  expect_exact(f.pool_uses[0].access, {}, bytes({{0, 34 * 34 * 12}}));
  EXPECT_EQ(f.pool_uses[0].name, "data_pad_let");
  EXPECT_EQ(f.pool_uses[0].param, 2U);
  EXPECT_EQ(f.pool_uses[0].offset_bytes, 336000U);
  EXPECT_EQ(f.pool_uses[0].element, "float");
}

TEST(Footprint, PoolUseHasItsLine) {
  const std::string text =
      "int32_t f(float* p0, uint8_t* pool) {\n  void* x_let = (&(pool[48]));\n  ((float*)x_let)[1] = p0[0];\n  return "
      "0;\n}\n";
  const FunctionFootprint f = footprint_of(text);
  ASSERT_EQ(f.pool_uses.size(), 1U);
  const PoolUse& use = f.pool_uses[0];
  EXPECT_EQ(text.substr(use.literal.begin, use.literal.end - use.literal.begin), "48");
  EXPECT_EQ(text.substr(use.declaration.begin, use.declaration.end - use.declaration.begin),
            "void* x_let = (&(pool[48]));");
  expect_exact(use.access, {}, bytes({{4, 8}}));
}

TEST(Footprint, FusedLoopWithQuotientAndRemainder) {
  // 17 rows of 4 blocks: reads the interior of a padded image, 16 rows of 16 columns of 4 floats per block
  const FunctionFootprint f = of_body(R"(
  for (int32_t fused = 0; fused < 68; ++fused) {
    for (int32_t i3 = 0; i3 < 17; ++i3) {
      for (int32_t i4 = 0; i4 < 4; ++i4) {
        int32_t cse_var_2 = (fused % 17);
        out[(((fused * 68) + (i3 * 4)) + i4)] = (((1 <= cse_var_2) && (1 <= i3)) ? p0[((((((fused / 17) * 1024) + (cse_var_2 * 64)) + (i3 * 4)) + i4) - 68)] : 0.000000e+00f);
      }
    }
  })");
  expect_exact(f.params[0], bytes({{0, 4 * 1024 * 4}}), {});
  expect_exact(f.params[1], {}, bytes({{0, 68 * 68 * 4}}));
}

TEST(Footprint, ShiftAndMaskOfAFusedLoop) {
  const FunctionFootprint f = of_body(R"(
  for (int32_t i = 0; i < 16; ++i) {
    out[((i >> 2) * 100) + (i & 3)] = p0[(i & 1) * 8];
  })");
  expect_exact(f.params[0], bytes({{0, 4}, {32, 36}}), {});
  expect_exact(f.params[1], {}, bytes({{0, 16}, {400, 416}, {800, 816}, {1200, 1216}}));
}

TEST(Footprint, DivisionOfNegativeNumbersTruncates) {
  const FunctionFootprint f =
      of_body("for (int32_t i = 0; i < 6; ++i) { out[((i - 3) / 2) + 1] = p0[((i - 3) % 2) + 1]; }");
  expect_exact(f.params[1], {}, bytes({{0, 12}}));  // -1, -1, 0, 0, 0, 1
  expect_exact(f.params[0], bytes({{0, 12}}), {});  // -1, 0, -1, 0, 1, 0
}

TEST(Footprint, PoolingWindowOverTheEdge) {
  const FunctionFootprint f = of_body(R"(
  for (int32_t y = 0; y < 4; ++y) {
    for (int32_t rv = 0; rv < 25; ++rv) {
      int32_t row = ((rv / 5) + y);
      float v_ = ((2 <= row) && (row < 6)) ? p0[((row * 10) + (rv % 5)) - 20] : 0.0f;
      out[y] = v_;
    }
  })");
  expect_exact(f.params[0], bytes({{0, 20}, {40, 60}, {80, 100}, {120, 140}}), {});
}

TEST(Footprint, LoopBoundDependsOnOuterLoop) {
  const FunctionFootprint f = of_body(R"(
  for (int32_t i = 0; i < 4; ++i) {
    for (int32_t k = i; k < (2 * i); ++k) { out[(i * 10) + k] = 1.0f; }
  })");
  expect_exact(f.params[1], {}, bytes({{44, 48}, {88, 96}, {132, 144}}));
}

TEST(Footprint, LoopsThatNeverRunAndCodeAfterReturn) {
  const FunctionFootprint f = of_body(R"(
  for (int32_t i = 0; i < 0; ++i) { out[i] = 1.0f; }
  if (1 > 2) { out[5] = 1.0f; }
  if (p0 == NULL) { out[6] = 1.0f; return -1; }
  out[7] = 1.0f;
  return 0;
  out[8] = 1.0f;)");
  expect_exact(f.params[1], {}, bytes({{28, 32}}));
}

TEST(Footprint, PointersThatStep) {
  const FunctionFootprint f = of_body(R"(
  float* to = out + 2;
  for (int32_t i = 0; i < 3; ++i) {
    for (int32_t j = 0; j < 2; ++j) { *to++ = p0[i]; }
    to += 3;
  }
  *to = 9.0f;
  int32_t n = 3;
  while (n > 0) { out[n + 100] = 1.0f; n--; })");
  expect_exact(f.params[1], {}, bytes({{8, 16}, {28, 36}, {48, 56}, {68, 72}, {404, 416}}));
}

TEST(Footprint, NumbersBeforePointersStepOverTheirElements) {
  const FunctionFootprint f =
      of_body("out[0] = *(2 + p0); (5 + pool)[1] = 1; *(3L + (double*)out) = 1.0; 7[pool] = 1;");
  expect_exact(f.params[0], bytes({{8, 12}}), {});
  expect_exact(f.params[1], {}, bytes({{0, 4}, {24, 32}}));
  expect_exact(f.params[2], {}, bytes({{6, 8}}));
}

// A cast to the variable's own type or a wider one loses nothing; one to a narrower type may.
TEST(Footprint, VariablesThatStepThroughCasts) {
  const auto stepped = [](const std::string& step) {
    return of_body("int32_t k = 0; for (int32_t i = 0; i < 3; ++i) { out[k] = 1.0f; k = " + step + "; }").params[1];
  };
  expect_exact(stepped("(int32_t)(k + 2)"), {}, bytes({{0, 4}, {8, 12}, {16, 20}}));
  expect_exact(stepped("(int32_t)((int64_t)k + 2)"), {}, bytes({{0, 4}, {8, 12}, {16, 20}}));
  EXPECT_FALSE(stepped("(int8_t)(k + 2)").writes_exact);
}

TEST(Footprint, HelperIsAnalysedInPlace) {
  const FunctionFootprint f = footprint_of(R"(
static inline int32_t body(float* a, float* b, int32_t stride) {
  int32_t code = 0;
  if (4 < 2) { code = -3; goto out; }
  for (int32_t i = 0; i < 2; i++) { b[i] = a[i * stride]; }
out:
  return code;
}
int32_t f(float* p0, float* out) {
  for (int32_t i = 0; i < 2; ++i) { body((&(p0[(i * 100)])), out + i * 10, 7); }
  return 0;
})");
  EXPECT_TRUE(f.understood) << f.why;
  expect_exact(f.params[0], bytes({{0, 4}, {28, 32}, {400, 404}, {428, 432}}), {});
  expect_exact(f.params[1], {}, bytes({{0, 8}, {40, 48}}));
}

TEST(Footprint, ResizeComputesItsIndexInFloat) {
  const FunctionFootprint f = of_body(R"(
  for (int32_t i = 0; i < 6; ++i) {
    int32_t v_ = ((int32_t)floorf((((float)i) + 0.5f) * 0.5f - 0.5f));
    out[i] = p0[((0) > (v_) ? (0) : (v_)) * 2];
  })");
  expect_exact(f.params[0], bytes({{0, 4}, {8, 12}, {16, 20}}), {});  // -1 0 0 1 1 2
}

TEST(Footprint, ExtensionMarkLeavesTheValueAsItIs) {
  const FunctionFootprint f = of_body("out[8 + (int32_t)floorf(__extension__ 2.0f)] = p0[__extension__ 3];");
  EXPECT_TRUE(f.understood) << f.why;
  expect_exact(f.params[0], bytes({{12, 16}}), {});
  expect_exact(f.params[1], {}, bytes({{40, 44}}));
}

TEST(Footprint, PartsOfComplexNumbersAreNotUnderstood) {
  EXPECT_FALSE(of_body("out[8 + (int32_t)floorf(__real__ 2.0f)] = p0[0];").understood);
  EXPECT_FALSE(of_body("out[8 + (int32_t)floorf(__imag__ 2.0f)] = p0[0];").understood);
}

TEST(Footprint, MemoryFunctionsAndWideAccesses) {
  const FunctionFootprint f = of_body(R"(
  for (int32_t i = 0; i < 2; ++i) { memcpy((&(out[(i * 10)])), p0 + i, 3 * sizeof(float)); }
  memset(pool + 7, 0, 5);
  *(float4*)(out + 40) = *(float4*)(p0 + 8);)");
  expect_exact(f.params[0], bytes({{0, 16}, {32, 48}}), {});
  expect_exact(f.params[1], {}, bytes({{0, 12}, {40, 52}, {160, 176}}));
  expect_exact(f.params[2], {}, bytes({{7, 12}}));
}

TEST(Footprint, PackedArgumentsAreNumbered) {
  const FunctionFootprint f = footprint_of(R"(
int32_t f(void* args, int32_t* arg_type_ids, int32_t num_args, void* out_ret_value, int32_t* out_ret_tcode, void* resource_handle) {
  void* p0 = (((TVMValue*)args)[0].v_handle);
  void* T_add = (((TVMValue*)args)[1].v_handle);
  void* pool_var = (((TVMValue*)args)[2].v_handle);
  void* p0_1 = (((DLTensor*)p0)[0].data);
  void* p0_strides = (((DLTensor*)p0)[0].strides);
  void* T_add_1 = (((DLTensor*)T_add)[0].data);
  void* pool_var_1 = (((DLTensor*)pool_var)[0].data);
  if (!(p0_strides == NULL)) {
  }
  void* scratch_let = (&(((uint8_t*)pool_var_1)[128]));
  for (int32_t i = 0; i < 5; ++i) {
    ((float*)scratch_let)[i] = ((float*)p0_1)[(i + 1)];
    ((float*)T_add_1)[i] = ((float*)scratch_let)[i];
  }
  return 0;
})",
                                           {.packed = true});
  ASSERT_EQ(f.params.size(), 3U);
  EXPECT_EQ(f.param_names, (std::vector<std::string>{"p0", "T_add", "pool_var"}));
  EXPECT_EQ(f.param_elements[0], "float");
  expect_exact(f.params[0], bytes({{4, 24}}), {});
  expect_exact(f.params[1], {}, bytes({{0, 20}}));
  ASSERT_EQ(f.pool_uses.size(), 1U);
  EXPECT_EQ(f.pool_uses[0].param, 2U);
  EXPECT_EQ(f.pool_uses[0].offset_bytes, 128U);
  expect_exact(f.pool_uses[0].access, {}, bytes({{0, 20}}));  // what it reads it has written itself
}

/// A read of bytes that the call has surely written itself is none of what it was given.
TEST(Footprint, OnlyWhatIsSurelyWrittenBeforeIsNotRead) {
  const auto reads = [](const std::string& body) { return of_body(body).params[1].reads; };
  const ByteSet none, first = bytes({{0, 4}}), four = bytes({{0, 16}});
  EXPECT_EQ(reads("out[0] = 1.0f; p0[0] = out[0];"), none);
  EXPECT_EQ(reads("p0[0] = out[0]; out[0] = 1.0f;"), first) << "before";
  EXPECT_EQ(reads("out[1] = 1.0f; p0[0] = out[0];"), first) << "beside";
  EXPECT_EQ(reads("((int16_t*)out)[0] = 1; p0[0] = out[0];"), bytes({{2, 4}})) << "less";
  EXPECT_EQ(reads("((double*)out)[0] = 1.0; p0[0] = out[0];"), none) << "more";
  EXPECT_EQ(reads("if (pool[0]) { out[0] = 1.0f; } p0[0] = out[0];"), first) << "perhaps";
  EXPECT_EQ(reads("if (pool[0]) { out[0] = 1.0f; p0[0] = out[0]; }"), none);
  EXPECT_EQ(reads("out[0] = 1.0f; if (pool[0]) { p0[0] = out[0]; }"), none);
  EXPECT_EQ(reads("if (pool[0]) { out[0] = 1.0f; } else { p0[0] = out[0]; }"), first) << "on the other side";
  EXPECT_EQ(reads("for (int32_t i = 0; i < 4; ++i) { out[i] = 1.0f; p0[i] = out[i]; }"), none);
  EXPECT_EQ(reads("for (int32_t i = 0; i < 4; ++i) { p0[i] = out[i]; out[i] = 1.0f; }"), four) << "in each trip before";
  EXPECT_EQ(reads("for (int32_t i = 0; i < 4; ++i) { out[i + 1] = 1.0f; p0[i] = out[i]; }").difference(four), none);
  EXPECT_EQ(first.difference(reads("for (int32_t i = 0; i < 4; ++i) { out[i + 1] = 1.0f; p0[i] = out[i]; }")), none)
      << "the first trip reads what nobody has written";
}

TEST(Footprint, PrivateMemoryIsCounted) {
  const FunctionFootprint f = of_body(R"(
  void* data_pad = TVMBackendAllocWorkspace(1, 0, (uint64_t)13872, 2, 32);
  if (data_pad == NULL) {
    return -1;
  }
  for (int32_t i = 0; i < 4; ++i) {
    float local[16];
    local[i] = ((float*)data_pad)[i];
    out[i] = local[0] * 2.0f + expf(p0[i]);
  }
  if (TVMBackendFreeWorkspace(1, 0, data_pad) != 0) {
    return -1;
  })");
  EXPECT_EQ(f.stack_bytes, 64U);
  EXPECT_EQ(f.workspace_bytes, 13872U);
  EXPECT_EQ(f.flops, 12U);
  expect_exact(f.params[0], bytes({{0, 16}}), {});
  expect_exact(f.params[1], {}, bytes({{0, 16}}));
}

}  // namespace
}  // namespace detent::models::tvm
