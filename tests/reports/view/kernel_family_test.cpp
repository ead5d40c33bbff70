#include "reports/view/kernel_family.hpp"

#include <gtest/gtest.h>

#include "reports/view/page_data.hpp"
#include "tests/reports/samples/sample.hpp"

namespace detent::reports {
namespace {

TEST(KernelFamily, NamesOfTvmOnnxAndTheZoo) {
  using F = KernelFamily;
  const std::pair<const char*, F> kNames[] = {{"tvmgen_default_fused_nn_conv2d_add_nn_relu", F::kConvolution},
                                              {"tvmgen_default_fused_nn_contrib_conv2d_NCHWc_add", F::kConvolution},
                                              {"tvmgen_default_fused_nn_depthwise_conv2d", F::kConvolution},
                                              {"tvmgen_default_fused_nn_contrib_dense_pack_add", F::kProduct},
                                              {"tvmgen_default_fused_nn_dense", F::kProduct},
                                              {"matmul_f32", F::kProduct},
                                              {"Gemm_12", F::kProduct},
                                              {"tvmgen_default_fused_nn_softmax", F::kNormalisation},
                                              {"tvmgen_default_fused_nn_max_pool2d", F::kPooling},
                                              {"MaxPool", F::kPooling},
                                              {"tvmgen_default_fused_nn_pad", F::kData},
                                              {"padding", F::kData},
                                              {"tvmgen_default_fused_reshape", F::kData},
                                              {"tvmgen_default_fused_layout_transform", F::kData},
                                              {"convert_layout", F::kData},
                                              {"expand_dims", F::kData},
                                              {"concat", F::kData},
                                              {"tvmgen_default_fused_add", F::kElementwise},
                                              {"tvmgen_default_fused_sigmoid_multiply", F::kElementwise},
                                              {"requantize", F::kElementwise},
                                              {"mix", F::kOther},
                                              {"", F::kOther}};
  for (const auto& [name, family] : kNames) {
    EXPECT_EQ(family_of(name, ""), family) << name << ": " << family_name(family_of(name, ""));
  }
}

TEST(KernelFamily, TheKernelCountsBeforeTheOp) {
  EXPECT_EQ(family_of("add", "conv1"), KernelFamily::kElementwise);
  EXPECT_EQ(family_of("thunk_7", "conv1"), KernelFamily::kConvolution);
}

TEST(KernelFamily, PageColoursOpsByFamilyAndGraphsWithoutFamiliesByOneColour) {
  const Json page = page_data(samples::detector().data);
  EXPECT_EQ(page["ops"]["colour"][0], static_cast<int>(KernelFamily::kConvolution));
  EXPECT_EQ(page["groups"][0]["family"], "convolution");
  const Json large = page_data(samples::large(20, 40).data);
  EXPECT_EQ(large["groups"].size(), 1U);
  EXPECT_EQ(large["groups"][0]["colour"], 0) << "not grey";
  EXPECT_EQ(large["ops"]["colour"][3], 0);
}

}  // namespace
}  // namespace detent::reports
