// Quantised networks.
#include "models/builder/quantised.hpp"

#include <string>
#include <vector>

#include "base/input_error.hpp"
#include "models/builder/layers.hpp"
#include "models/zoo/entries.hpp"

namespace detent::models::zoo_entries {

// branchnet (classifiers.cpp) in int8: the image becomes I8 on the CPU and the logits F32 there; in between everything
// is I8, convolutions and the matrix product on the NPU, the rest on the CPU.
Model branchnet_int8(const ZooParameters& parameters) {
  if (parameters[0] == 0 || parameters[0] > 64) {
    throw InputError("branchnet_int8", "branches", "must lie between 1 and 64");
  }
  constexpr double kImageDeviation = 0.577;  // of numbers spread evenly over [-1, 1)
  constexpr double kGreatestPart = 8.7;      // six deviations of a part behind the pool: the parts share one scale
  Builder b("branchnet_int8");
  const auto npu = [&](Quantised y) {
    b.last_op().core_class = "npu";
    return y;
  };
  const Quantised image = quantise(b, "image.i8", b.input("image", {1, 3, 64, 64}), 1.0, kImageDeviation);
  const Quantised stem =
      npu(conv(b, "stem", image, {.out_channels = 32, .kernel = 3, .stride = 2, .activation = DETENT_ACT_SILU}));
  std::vector<Quantised> parts;
  for (std::uint64_t i = 0; i < parameters[0]; ++i) {
    const std::string name = "branch" + std::to_string(i);
    Quantised x = stem;
    if (i % 3 == 1) x = max_pool(b, name + ".pool", x, {.kernel = 3, .stride = 1, .pad = 1});
    x = npu(conv(b, name + ".reduce", x, {.out_channels = 32, .activation = DETENT_ACT_SILU}));
    if (i % 3 != 1) {
      x = conv(b, name + ".depthwise", x,
               {.out_channels = 32, .kernel = 5, .groups = 32, .activation = DETENT_ACT_RELU});
    }
    if (i % 3 == 2) x = add(b, name + ".skip", x, stem, DETENT_ACT_RELU);
    parts.push_back(npu(
        conv(b, name + ".mix", x, {.out_channels = 16, .kernel = 3, .activation = DETENT_ACT_SILU}, kGreatestPart)));
  }
  const Quantised all = concat(b, "concat", parts);
  const Quantised head = npu(conv(b, "head", all, {.out_channels = 64, .stride = 2, .activation = DETENT_ACT_SILU}));
  const Quantised logits = npu(gemm(b, "fc", global_avg_pool(b, "avgpool", head), 10));
  b.output(softmax(b, "softmax", dequantise(b, "logits", logits)));
  return b.finish();
}

}  // namespace detent::models::zoo_entries
