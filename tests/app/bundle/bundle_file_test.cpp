// bundle.json: written and read back, its root, and what the reader refuses.
#include "app/bundle/bundle_file.hpp"

#include <gtest/gtest.h>

#include "base/hash/sha256.hpp"
#include "tests/app/answers.hpp"
#include "tests/app/bundle/some_bundle.hpp"

namespace detent::app {
namespace {

std::string parse_refusal(const std::string& text) {
  return refusal_of([&] { return parse_bundle(text, "b/bundle.json").files.size(); });
}

TEST(BundleFile, IsReadBackAsItWasWritten) {
  const std::string text = bundle_text(some_bundle());
  const BundleFile read = parse_bundle(text, "bundle.json");
  EXPECT_EQ(bundle_text(read), text);
  EXPECT_EQ(read.root_sha256, root_of(text));
  EXPECT_TRUE(root_fits(text));
}

TEST(BundleFile, TheRootIsTheHashOfTheTextWithZerosInItsPlace) {
  std::string text = bundle_text(some_bundle());
  const std::string root = root_of(text);
  text.replace(text.find(root), root.size(), std::string(64, '0'));
  EXPECT_EQ(sha256_of(text), root);
  EXPECT_EQ(root_of(text), root) << "whatever stands there";
  EXPECT_FALSE(root_fits(text));
}

TEST(BundleFile, AnyChangedByteHasAnotherRootOrNoBegin) {
  const std::string text = bundle_text(some_bundle());
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string changed = text;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    ASSERT_FALSE(root_fits(changed)) << at;
    ASSERT_TRUE(begins_as_bundle(changed)) << at;
  }
}

TEST(BundleFile, OtherTextsDoNotBeginAsABundle) {
  EXPECT_FALSE(begins_as_bundle(""));
  EXPECT_FALSE(begins_as_bundle(R"({"schema": "detent.check/1", "root_sha256": "0123456789012345678901234567890"})"));
  EXPECT_EQ(root_of("{}"), "");
}

TEST(BundleFile, RefusalsNameTheirPlace) {
  const std::string text = bundle_text(some_bundle());
  const auto with = [&](const std::string& what, const std::string& instead) {
    std::string changed = text;
    const std::size_t at = changed.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return parse_refusal(changed.replace(at, what.size(), instead));
  };
  EXPECT_EQ(with("", ""), "");
  EXPECT_NE(with("detent.bundle/1", "detent.bundle/2").find("schema: must be one of detent.bundle/1"),
            std::string::npos);
  EXPECT_NE(with("\"holds\"", "\"maybe\"").find("outcome: must be one of holds, violated, unknown"), std::string::npos);
  for (const char* path : {"../report.json", "/etc/passwd", "a//b", "./a", "", "a\\u0000b", "a\\nb"}) {
    EXPECT_NE(with("\"path\": \"report.html\"", std::string("\"path\": \"") + path + "\"")
                  .find("must be a path below the bundle"),
              std::string::npos)
        << path;
  }
  EXPECT_NE(with("\"path\": \"report.html\"", "\"path\": \"bundle.json\"").find("cannot hold its own hash"),
            std::string::npos);
  EXPECT_NE(with("\"path\": \"report.html\"", "\"path\": \"report.json\"").find("must stand in order"),
            std::string::npos);
  EXPECT_NE(with(std::string(64, 'a'), std::string(63, 'a')).find("must be a SHA-256"), std::string::npos);
  EXPECT_NE(with("\"state\": \"satisfied\"", "\"state\": \"fine\"").find("state: must be one of satisfied"),
            std::string::npos);
  EXPECT_NE(with("\"outcome\": \"holds\"", "\"outcome\": \"holds\", \"outcome\": \"holds\"").find("duplicate key"),
            std::string::npos);
  EXPECT_NE(with("\"outcome\": \"holds\"", "\"outcome\": \"holds\", \"more\": 1").find("unknown key"),
            std::string::npos);
  EXPECT_NE(with("\"command\": [", "\"command\": [[[[[[[[[[").find("b/bundle.json"), std::string::npos);
  EXPECT_NE(with("\"value\": 0.5", "\"value\": null").find("value: expected a number"), std::string::npos);
}

}  // namespace
}  // namespace detent::app
