// B74: a campaign file of somebody else does not choose which files `detent merge` writes.
#include <gtest/gtest.h>

#include <stdexcept>

#include "app/simulate/campaign_identity.hpp"

namespace detent::app {
namespace {

std::string refusal(const std::string& options) {
  try {
    static_cast<void>(identity_arguments("a.dcf", R"({"schema": "detent.campaign/1", "options": {)" + options + "}}"));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Regress, B74_TheIdentityOfACampaignNamesNoOutput) {
  EXPECT_EQ(refusal(R"("MODEL": "diamond", "--runs": "3")"), "");
  for (const char* options : {R"("--json": "/tmp/x")", R"("--out": "/tmp/x")", R"("--campaign": "/tmp/x")",
                              R"("-q": "1")", R"("MODEL": "--json=/tmp/x")", R"("x": "y")"}) {
    EXPECT_NE(refusal(options).find("a.dcf: byte 40: option "), std::string::npos) << options;
  }
}

TEST(Regress, B17_CampaignSchemaMustBeText) {
  EXPECT_THROW(identity_arguments("a.dcf", R"({"schema": 1, "options": {}})"), std::invalid_argument);
  EXPECT_THROW(identity_arguments("a.dcf", "[]"), std::invalid_argument);
}

}  // namespace
}  // namespace detent::app
