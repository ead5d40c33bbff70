// The page in headless Chromium: every panel draws, nothing throws, nothing hostile runs, the picture is not blank.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/build.hpp"
#include "tests/reports/samples/machine.hpp"
#include "tests/reports/samples/sample.hpp"

namespace detent::reports {
namespace {

namespace fs = std::filesystem;

std::string find_browser() {
  const char* path = std::getenv("PATH");
  std::stringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    for (const char* name : {"chromium", "chromium-browser"}) {
      if (fs::exists(fs::path(folder) / name)) return (fs::path(folder) / name).string();
    }
  }
  return "";
}

std::string read_all(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class Chromium : public ::testing::Test {
 protected:
  void SetUp() override {
    browser_ = find_browser();
    if (browser_.empty()) GTEST_SKIP() << "no chromium in PATH: the page was not opened in a browser";
    folder_ =
        fs::path(kBuildFolder) / "tests" / "chromium" / ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::create_directories(folder_);
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_ / "profile");
  }

  /// Run the browser on report.html with `action`; its standard output.
  std::string open(const std::string& page, const std::string& action, const std::string& hash = "") {
    std::ofstream(folder_ / "report.html", std::ios::binary) << page;
    // LD_PRELOAD and sanitizer options of the test must not reach the browser.
    const std::string command =
        "env -u LD_PRELOAD '" + browser_ +
        "' --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking "
        "--disable-component-update --disable-sync --disable-extensions --window-size=1280,2400 "
        "--virtual-time-budget=4000 --user-data-dir='" +
        (folder_ / "profile").string() + "' " + action + " 'file://" + (folder_ / "report.html").string() + hash +
        "' > '" + (folder_ / "out").string() + "' 2> '" + (folder_ / "log").string() + "'";
    const int status = std::system(command.c_str());
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << read_all(folder_ / "log");
    return read_all(folder_ / "out");
  }

  static void expect_drawn(const std::string& dom) {
    const std::string body = dom.substr(dom.find("<body"), 200);
    EXPECT_NE(body.find("data-ready=\"1\""), std::string::npos) << body;
    EXPECT_NE(body.find("data-errors=\"0\""), std::string::npos) << body;
  }

  std::string browser_;
  fs::path folder_;
};

TEST_F(Chromium, AllPanelsDrawWithoutErrors) {
  const std::string dom = open(report_html(samples::detector().data), "--dump-dom");
  expect_drawn(dom);
  EXPECT_NE(dom.find("data-panels=\"2,1,1\""), std::string::npos) << "two timelines, one graph, one map";
}

TEST_F(Chromium, AChipDrawsItsCoresWithoutErrors) {
  const std::string dom = open(report_html(samples::chip().data), "--dump-dom");
  expect_drawn(dom);
  EXPECT_NE(dom.find("runtime overhead</span>"), std::string::npos) << "legend of the timeline";
  EXPECT_NE(dom.find("loads of higher priority</span>"), std::string::npos);
}

TEST_F(Chromium, AnAddressSelectsAnOp) {
  const std::string dom = open(report_html(samples::racy_detector().data), "--dump-dom", "#op=12");
  expect_drawn(dom);
  const std::size_t aside = dom.find("<aside");
  ASSERT_NE(aside, std::string::npos);
  EXPECT_NE(dom.find("<small>op 12</small>", aside), std::string::npos);
}

TEST_F(Chromium, B14_HostileNamesRunNothing) {
  const std::string dom = open(report_html(samples::hostile_names().data), "--dump-dom");
  expect_drawn(dom);
  EXPECT_EQ(dom.find("<title>owned"), std::string::npos);
  EXPECT_EQ(dom.find("<img"), std::string::npos);
}

TEST_F(Chromium, AnEmptyReportDraws) { expect_drawn(open(report_html(samples::empty().data), "--dump-dom")); }

TEST_F(Chromium, AReportOfTheLargestSizeDraws) {
  expect_drawn(open(report_html(samples::large(20000, 100000).data), "--dump-dom"));
}

TEST_F(Chromium, TheScreenshotIsNotBlank) {
  const fs::path picture = folder_ / "page.png";
  fs::remove(picture);
  open(report_html(samples::detector().data), "--screenshot='" + picture.string() + "'");
  const std::string png = read_all(picture);
  ASSERT_GT(png.size(), 24U);
  EXPECT_EQ(png.substr(1, 3), "PNG");
  // A blank page of this size compresses to a few kilobytes.
  EXPECT_GT(png.size(), 80000U);
}

}  // namespace
}  // namespace detent::reports
