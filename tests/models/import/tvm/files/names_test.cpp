// Names by the rules of the generators: which parameter is what.
#include "models/import/tvm/files/names.hpp"

#include <gtest/gtest.h>

namespace detent::models::tvm {
namespace {

TEST(Names, PoolsAreNumberedVariables) {
  EXPECT_EQ(pool_of_parameter("global_workspace_1_var"), "global_workspace");
  EXPECT_EQ(pool_of_parameter("sram_12_var"), "sram");
  EXPECT_EQ(pool_of_parameter("a_0_var"), "a");
  EXPECT_EQ(pool_of_parameter("global_workspace_1_buffer_var"), std::nullopt);
  EXPECT_EQ(pool_of_parameter("global_workspace_1_let"), std::nullopt);
  EXPECT_EQ(pool_of_parameter("global_workspace_x_var"), std::nullopt);
  EXPECT_EQ(pool_of_parameter("global_workspace_1x_var"), std::nullopt);
  EXPECT_EQ(pool_of_parameter("global_workspace__var"), std::nullopt);
  EXPECT_EQ(pool_of_parameter("_1_var"), std::nullopt);
  EXPECT_EQ(pool_of_parameter("workspace_var"), std::nullopt);
  EXPECT_EQ(pool_of_parameter("1_var"), std::nullopt);
  EXPECT_EQ(pool_of_parameter("_var"), std::nullopt);
}

TEST(Names, InputsAndOutputsOfOperators) {
  for (const char* name :
       {"p0", "p12", "p0_1", "p3_10_2", "placeholder", "placeholder1", "placeholder1_2", "placeholder_3", "input_",
        "input_x", "filter_1", "multiplier_0", "bias_0", "shift_0", "FunctionVar_0_1", "tvm_var_extract_const_0"}) {
    EXPECT_TRUE(is_input_name(name)) << name;
    EXPECT_FALSE(is_output_name(name)) << name;
  }
  for (const char* name :
       {"p", "p_0", "p0x", "p0_", "p0__1", "px", "pad", "T_add", "placeholders", "input", "filter", "", "FunctionVar"})
    EXPECT_FALSE(is_input_name(name)) << name;
  for (const char* name : {"output", "output_", "output_0", "out_0", "out_12"}) {
    EXPECT_TRUE(is_output_name(name)) << name;
    EXPECT_FALSE(is_input_name(name)) << name;
  }
  for (const char* name : {"outputs", "out", "out_", "out_x", "out_1x", "my_output", ""})
    EXPECT_FALSE(is_output_name(name)) << name;
}

TEST(Names, PartsOfSymbols) {
  EXPECT_EQ(upper_case("tvmgen_netA_1"), "TVMGEN_NETA_1");
  EXPECT_TRUE(is_device_parameter("device_context_npu"));
  EXPECT_FALSE(is_device_parameter("my_device_context"));
  EXPECT_EQ(tensor_of_parameter("x_buffer_var"), "x");
  EXPECT_EQ(tensor_of_parameter("x_var"), "x_var");
  EXPECT_EQ(operator_name("tvmgen_default_fused_add", "default"), "fused_add");
  EXPECT_EQ(operator_name("tvmgen_default_", "default"), "tvmgen_default_");
  EXPECT_EQ(operator_name("tvmgen_other_fused_add", "default"), "tvmgen_other_fused_add");
  EXPECT_EQ(device_hook("TVMDeviceEthosUActivate"), "Activate");
  EXPECT_EQ(device_hook("TVMDeviceEthosUDeactivate"), "Deactivate");
  EXPECT_EQ(device_hook("TVMDeviceNpuOpen"), "Open");
  EXPECT_EQ(device_hook("TVMDeviceNpuClose"), "Close");
  EXPECT_EQ(device_hook("TVMDeviceNpu"), "");
  EXPECT_EQ(device_hook("DeviceNpuOpen"), "");
  EXPECT_EQ(device_hook("tvmgen_Open"), "");
}

}  // namespace
}  // namespace detent::models::tvm
