#include <gtest/gtest.h>

#include <set>
#include <string>

#include <detent/status.h>

namespace {

TEST(Status, EveryOneHasANameOfItsOwnAndAPhrase) {
  std::set<std::string> names;
#define DETENT_CHECK_ROW(name, number, catalogue, text)            \
  EXPECT_EQ(static_cast<int>(DETENT_##name), number);              \
  EXPECT_STREQ(detent_status_name(DETENT_##name), #name);          \
  EXPECT_STREQ(detent_status_catalogue(DETENT_##name), catalogue); \
  EXPECT_STREQ(detent_status_text(DETENT_##name), text);           \
  EXPECT_TRUE(names.insert(detent_status_name(DETENT_##name)).second) << "twice";
  DETENT_STATUS_LIST(DETENT_CHECK_ROW)
#undef DETENT_CHECK_ROW
}

TEST(Status, UnknownNumberIsPrintedAsQuestionMark) {
  const auto none = static_cast<detent_status>(63);
  EXPECT_STREQ(detent_status_name(none), "?");
  EXPECT_STREQ(detent_status_text(none), "?");
  EXPECT_STREQ(detent_status_catalogue(none), "");
}

}  // namespace
