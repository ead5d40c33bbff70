#include "app/partition/device_list.hpp"

#include <gtest/gtest.h>

#include "app/catalogue/platform_list.hpp"
#include "sim/platform/platform.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

TEST(DeviceList, OfOneChip) {
  const Answer answer = list_devices({}, "rk3588");
  const Json& devices = answer.json["devices"];
  ASSERT_EQ(devices.size(), 3U);
  EXPECT_EQ(devices[0]["name"], "cpu");
  EXPECT_EQ(devices[0]["kind"], "cpu");
  EXPECT_EQ(devices[0]["relative_time"], 1.0);
  EXPECT_EQ(devices[0]["own_bytes"], 917504);
  EXPECT_EQ(devices[0]["kernels"], Json::array({"*"}));
  EXPECT_EQ(devices[1]["kind"], "npu");
  EXPECT_EQ(devices[1]["count"], 3);
  EXPECT_EQ(devices[1]["queue_depth"], 2);
  EXPECT_EQ(devices[1]["own_bytes"], 196608 + 131072 + 65536);
  EXPECT_LT(devices[1]["relative_time"].get<double>(), 1);
  EXPECT_GT(devices[2]["relative_time"].get<double>(), 1) << "a smaller core";
  ASSERT_EQ(answer.lines.size(), 4U);
  EXPECT_EQ(list_devices({}, "orin_nano").json["devices"][1]["kind"], "gpu");
}

TEST(DeviceList, OfAllPlatforms) {
  std::size_t classes = 0;
  for (const sim::Platform& platform : all_platforms()) classes += platform.classes.size();
  const Answer answer = list_devices({}, "");
  EXPECT_EQ(answer.json["devices"].size(), classes);
  EXPECT_EQ(answer.lines.size(), classes + 1);
  EXPECT_NE(refusal_of([] { return list_devices({}, "nothing"); }), "");
}

TEST(DeviceList, OfAModule) {
  const Answer answer = list_device_module({}, "software");
  ASSERT_EQ(answer.json["modules"].size(), 1U);
  const Json& module = answer.json["modules"][0];
  EXPECT_EQ(module["kind"], "npu");
  EXPECT_EQ(module["class"], "npu");
  EXPECT_EQ(module["table_version"], 2);
  EXPECT_EQ(module["release"], "1.1");
  EXPECT_EQ(module["extensions"], Json::array());
  EXPECT_EQ(module["prepares"], true);
  ASSERT_EQ(answer.lines.size(), 3U);
  EXPECT_EQ(answer.lines[2], "prepares networks: run, simulate and explore --prepared DIR keep the forms");
}

}  // namespace
}  // namespace detent::app
