#include "bench/networks/int8_ends.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/zoo/zoo.hpp"

namespace detent::bench {
namespace {

std::vector<std::string> ends_of(const std::string& spec) {
  models::Model model = models::build_zoo_model(spec);
  if (!end_at_integers(model)) return {};
  std::vector<std::string> names;
  for (const std::uint32_t output : model.outputs) {
    const models::Tensor& tensor = model.tensors[output];
    EXPECT_EQ(tensor.dtype, DETENT_I8) << tensor.name;
    EXPECT_EQ(tensor.role, models::TensorRole::kOutput) << tensor.name;
    names.push_back(tensor.name);
  }
  std::size_t outputs = 0;
  for (const models::Tensor& tensor : model.tensors) outputs += tensor.role == models::TensorRole::kOutput ? 1 : 0;
  EXPECT_EQ(outputs, model.outputs.size());
  return names;
}

TEST(Int8Ends, AreWhatBecomesF32) {
  EXPECT_EQ(ends_of("resnet18_int8:64"), std::vector<std::string>{"fc"});
  EXPECT_EQ(ends_of("yolov8n_int8:64"),
            (std::vector<std::string>{"detect.p3.box.2", "detect.p3.cls.2", "detect.p4.box.2", "detect.p4.cls.2",
                                      "detect.p5.box.2", "detect.p5.cls.2"}));
}

TEST(Int8Ends, NetworksOfFloatsHaveNone) {
  models::Model model = models::build_zoo_model("resnet18:64");
  const std::vector<std::uint32_t> outputs = model.outputs;
  EXPECT_FALSE(end_at_integers(model));
  EXPECT_EQ(model.outputs, outputs);
}

}  // namespace
}  // namespace detent::bench
