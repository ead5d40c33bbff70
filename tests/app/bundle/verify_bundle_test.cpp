// detent verify-bundle: every change is named, and nothing in a bundle leads out of it.
#include "app/bundle/verify_bundle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "app/bundle/command.hpp"
#include "base/hash/sha256.hpp"
#include "base/random.hpp"
#include "tests/app/bundle/small_bundle.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;
using verify::Outcome;

class VerifyBundle : public ::testing::Test {
 protected:
  VerifyBundle() {
    static_cast<void>(place_.write("net.json", kSmallGraph));
    static_cast<void>(place_.write("req.toml", kSmallRequirements));
    static_cast<void>(bundled({"check", place_.file("net.json"), "--cores=2",
                               "--requirements=" + place_.file("req.toml"), "--bundle=" + directory_}));
  }
  [[nodiscard]] std::string file(const std::string& path) const { return directory_ + "/" + path; }
  [[nodiscard]] BundleFile read() const { return parse_bundle(bytes_of(file("bundle.json")), "bundle.json"); }
  /// As somebody would who lets all hashes fit.
  void rewrite(BundleFile bundle) const {
    for (BundledFile& one : bundle.files) {
      if (fs::is_regular_file(file(one.path))) one.sha256 = sha256_of(bytes_of(file(one.path)));
      if (fs::is_regular_file(file(one.path))) one.bytes = fs::file_size(file(one.path));
    }
    std::ofstream(file("bundle.json"), std::ios::binary) << bundle_text(bundle);
  }
  [[nodiscard]] std::string refused(const std::string& root = "", bool again = false) const {
    return refusal_of([&] { return verified(directory_, root, again).lines.size(); });
  }

  TemporaryDirectory place_;
  std::string directory_ = place_.file("b");
};

TEST_F(VerifyBundle, AWholeBundleIsWhole) {
  const Answer answer = verified(directory_, read().root_sha256, true);
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  EXPECT_TRUE(answer.json["whole"].get<bool>());
  EXPECT_EQ(answer.json["first"], nullptr);
  EXPECT_EQ(answer.json["again"]["result"], "identical");
  EXPECT_EQ(answer.json["requirements"][0]["state"], "satisfied");
  EXPECT_EQ(answer.lines.front(), directory_ + ": whole, 9 files");
  EXPECT_NE(verified(directory_).lines.back().find("no signature"), std::string::npos);
}

/// The law: one changed byte of one file, and exactly this file is named.
TEST_F(VerifyBundle, OneChangedByteNamesExactlyItsFile) {
  std::vector<std::string> paths = list_folder(directory_).files;
  RandomSource random(7);
  for (int round = 0; round < 200; ++round) {
    const std::string& path = paths[random.below64(paths.size())];
    const std::string bytes = bytes_of(file(path));
    std::string changed = bytes;
    char& byte = changed[random.below64(changed.size())];
    byte = static_cast<char>(byte ^ static_cast<char>(1 + random.below(255U)));
    std::ofstream(file(path), std::ios::binary) << changed;
    const Answer answer = verified(directory_);
    ASSERT_EQ(findings_of(answer), path + " changed");
    ASSERT_EQ(answer.json["first"], path);
    ASSERT_EQ(answer.outcome, Outcome::kViolated);
    std::ofstream(file(path), std::ios::binary) << bytes;
  }
  EXPECT_EQ(findings_of(verified(directory_)), "");
}

TEST_F(VerifyBundle, LongerMissingAndExtraFilesAreNamed) {
  std::ofstream(file("report.html"), std::ios::app) << " ";
  fs::remove(file("trace.vcd"));
  std::ofstream(file("inputs/new")) << "x";
  fs::create_directories(file("more"));
  fs::remove(file("inputs/model/net.json"));
  EXPECT_EQ(findings_of(verified(directory_)),
            "inputs/model/net.json missing, report.html changed, trace.vcd missing, inputs/new extra, more extra");
}

TEST_F(VerifyBundle, LinksAreNoFilesOfABundle) {
  fs::rename(file("report.html"), place_.file("elsewhere.html"));
  fs::create_symlink(place_.file("elsewhere.html"), file("report.html"));
  EXPECT_EQ(findings_of(verified(directory_)), "report.html missing, report.html extra");
  fs::remove(file("report.html"));
  fs::rename(place_.file("elsewhere.html"), file("report.html"));
  fs::rename(file("inputs"), place_.file("inputs"));
  fs::create_directory_symlink(place_.file("inputs"), file("inputs"));
  EXPECT_NE(findings_of(verified(directory_)).find("inputs/model/net.json missing"), std::string::npos);
  fs::rename(file("bundle.json"), place_.file("bundle.json"));
  fs::create_symlink(place_.file("bundle.json"), file("bundle.json"));
  EXPECT_NE(refused().find("bundle.json: is a symbolic link"), std::string::npos);
}

TEST_F(VerifyBundle, StatementsThatDoNotFollowAreFoundThoughAllHashesFit) {
  BundleFile bundle = read();
  bundle.requirements[1].state = "satisfied";
  rewrite(bundle);
  Answer answer = verified(directory_);
  EXPECT_EQ(findings_of(answer), "bundle.json inconsistent");
  EXPECT_NE(answer.lines[1].find("requirement R2 is satisfied there, and unknown by its verdicts"), std::string::npos);
  bundle.requirements[1].state = "unknown";
  bundle.verdicts[0].summary += " ";
  rewrite(bundle);
  EXPECT_NE(verified(directory_).lines[1].find("its verdicts are not those of report.json"), std::string::npos);
  bundle.verdicts[0].summary.pop_back();
  bundle.outcome = Outcome::kUnknown;
  rewrite(bundle);
  EXPECT_NE(verified(directory_).lines[1].find("its outcome is not that of report.json"), std::string::npos);
  bundle.outcome = Outcome::kHolds;
  bundle.inputs[0].sha256 = std::string(64, 'b');
  rewrite(bundle);
  EXPECT_NE(verified(directory_).lines[1].find("its model is not the file inputs/model/net.json"), std::string::npos);
}

/// The law: no field of a verdict can be said otherwise than report.json says it.
TEST_F(VerifyBundle, EachFieldOfAVerdictIsComparedWithTheReport) {
  const BundleFile bundle = read();
  const std::vector<void (*)(BundledVerdict&)> changes = {
      [](BundledVerdict& verdict) { verdict.property += "x"; },
      [](BundledVerdict& verdict) {
        verdict.outcome = verdict.outcome == Outcome::kHolds ? Outcome::kUnknown : Outcome::kHolds;
      },
      [](BundledVerdict& verdict) { verdict.is_checked = !verdict.is_checked; },
      [](BundledVerdict& verdict) { verdict.summary += "x"; },
      [](BundledVerdict& verdict) { verdict.condition += "x"; },
      [](BundledVerdict& verdict) { verdict.has_assumed_times = !verdict.has_assumed_times; },
      [](BundledVerdict& verdict) { verdict.has_assumed_bytes = !verdict.has_assumed_bytes; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    BundleFile changed = bundle;
    changes[i](changed.verdicts.back());
    rewrite(changed);
    const Answer answer = verified(directory_);
    EXPECT_EQ(answer.outcome, Outcome::kViolated) << "change " << i;
    EXPECT_TRUE(std::ranges::any_of(answer.lines,
                                    [](const std::string& line) {
                                      return line.find("its verdicts are not those of report.json") !=
                                             std::string::npos;
                                    }))
        << "change " << i;
  }
  BundleFile shorter = bundle;
  shorter.verdicts.pop_back();
  rewrite(shorter);
  EXPECT_EQ(verified(directory_).outcome, Outcome::kViolated);
}

TEST_F(VerifyBundle, AReportThatIsNoneIsFoundThoughAllHashesFit) {
  const BundleFile bundle = read();
  std::ofstream(file("report.json")) << "{}";
  rewrite(bundle);
  EXPECT_EQ(findings_of(verified(directory_)), "report.json inconsistent");
  std::ofstream(file("report.json")) << "{";
  rewrite(bundle);
  EXPECT_EQ(findings_of(verified(directory_)), "report.json inconsistent");
  fs::remove(file("report.json"));
  BundleFile without = bundle;
  std::erase_if(without.files, [](const BundledFile& one) { return one.path == "report.json"; });
  rewrite(without);
  EXPECT_EQ(findings_of(verified(directory_)), "bundle.json inconsistent");
}

TEST_F(VerifyBundle, ARootThatWasKeptElsewhereTellsARewrittenBundle) {
  const std::string root = read().root_sha256;
  std::ofstream(file("report.html"), std::ios::app) << " ";
  rewrite(read());
  EXPECT_EQ(findings_of(verified(directory_)), "") << "hashes are no signature";
  const Answer answer = verified(directory_, root);
  EXPECT_EQ(findings_of(answer), "bundle.json changed");
  EXPECT_NE(answer.lines[1].find("instead of " + root + ", which was given"), std::string::npos);
  EXPECT_NE(refused("abc").find("--root abc: must be the 64 digits"), std::string::npos);
}

TEST_F(VerifyBundle, WhatIsNoBundleIsRefused) {
  EXPECT_NE(refusal_of([&] { return verified(place_.file("net.json")).lines.size(); }).find("is no folder"),
            std::string::npos);
  EXPECT_NE(refusal_of([&] { return verified(place_.file("")).lines.size(); }).find("has no bundle.json"),
            std::string::npos);
  std::ofstream(file("bundle.json")) << "{\"schema\": \"another/1\"}";
  EXPECT_NE(refused().find("does not begin as detent.bundle/1 does"), std::string::npos);
}

TEST_F(VerifyBundle, AFittingRootSavesNoBrokenFormat) {
  BundleFile bundle = read();
  bundle.files[0].path = "../../etc/passwd";
  rewrite(bundle);
  EXPECT_NE(refused().find("files[0].path: must be a path below the bundle"), std::string::npos);
}

TEST_F(VerifyBundle, ManyFindingsAreCountedOnTheScreen) {
  for (int i = 0; i < 25; ++i) std::ofstream(file("new" + std::to_string(i))) << "x";
  const Answer answer = verified(directory_);
  EXPECT_EQ(answer.json["findings"].size(), 25U);
  EXPECT_NE(answer.lines.back().find("and 5 more"), std::string::npos);
}

TEST_F(VerifyBundle, AnotherProgramMakesNothingAgain) {
  BundleFile bundle = read();
  bundle.tool.program_sha256 = std::string(64, 'c');
  bundle.environment[0].value = "17";
  rewrite(bundle);
  const Answer answer = verified(directory_, "", true);
  EXPECT_EQ(answer.outcome, Outcome::kUnknown);
  EXPECT_TRUE(answer.json["whole"].get<bool>());
  EXPECT_EQ(answer.json["again"]["result"], "not_made");
  ASSERT_EQ(answer.json["again"]["obstacles"].size(), 2U);
  EXPECT_NE(answer.json["again"]["obstacles"][0].get<std::string>().find("program_sha256 is ccc"), std::string::npos);
  EXPECT_NE(answer.json["again"]["obstacles"][1].get<std::string>().find("TVMRT_NUM_WORKERS counts as 17 there"),
            std::string::npos);
}

TEST_F(VerifyBundle, MadeAgainOtherBytesAreNamed) {
  BundleFile bundle = read();
  std::ofstream(file("report.html"), std::ios::app) << " ";
  rewrite(bundle);
  const Answer answer = verified(directory_, "", true);
  EXPECT_EQ(findings_of(answer), "bundle.json differs, report.html differs");
  EXPECT_EQ(answer.outcome, Outcome::kViolated);
  EXPECT_EQ(answer.json["again"]["result"], "differs");
}

TEST_F(VerifyBundle, ACheckThatCannotBeMadeAgainSaysWhy) {
  const auto with = [&](const RunLine& run) {
    return verify_bundle({.directory = directory_, .again = true}, run).json["again"]["obstacles"].dump();
  };
  EXPECT_NE(with([](const auto&) { throw std::invalid_argument("no compiler"); }).find("ended with: no compiler"),
            std::string::npos);
  EXPECT_NE(with([](const auto&) {}).find("the check was interrupted"), std::string::npos);
}

/// Whoever made a bundle must not choose what is read or written elsewhere.
TEST_F(VerifyBundle, NoWordOfTheCommandLeadsOutOfTheBundle) {
  const BundleFile good = read();
  EXPECT_EQ(words_again(good, "f").front(), "check");
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"detent"},
                                             {"detent", "run", "diamond"},
                                             {"sh", "check", "diamond"},
                                             {"detent", "check", "--out=x"},
                                             {"detent", "check", "/etc/passwd"},
                                             {"detent", "check", "inputs/../../x"},
                                             {"detent", "check", "diamond", "--out=x"},
                                             {"detent", "check", "diamond", "--json=x"},
                                             {"detent", "check", "diamond", "--junit=x"},
                                             {"detent", "check", "diamond", "--bundle=x"},
                                             {"detent", "check", "diamond", "-o=x"},
                                             {"detent", "check", "diamond", "x"},
                                             {"detent", "check", "diamond", "--costs=/etc/passwd"},
                                             {"detent", "check", "diamond", "--costs"},
                                             {"detent", "check", "diamond", "--device=/tmp/npu.so"},
                                             {"detent", "check", "diamond", "--device=npu.so:4096"},
                                             {"detent", "check", "diamond", "--device=inputs/device/none.so"},
                                             {"detent", "check", "diamond", "--lists=lists.json"},
                                             {"detent", "check", "diamond", "--platform=../chip.toml"},
                                             {"detent", "check", "diamond", "--order=inputs/order/none"}}) {
    BundleFile bundle = good;
    bundle.command = command;
    rewrite(bundle);
    EXPECT_NE(refused("", true).find("no check is made"), std::string::npos) << Json(command).dump();
  }
  BundleFile bundle = good;
  bundle.command = {"detent", "check", "diamond", "--platform=am62a", "--runs=3", "--set=inputs/model/net.json"};
  EXPECT_EQ(words_again(bundle, "f").size(), 5U);
  bundle.command = {"detent", "check", "diamond", "--device=software:4096"};
  EXPECT_EQ(words_again(bundle, "f").size(), 3U);
}

}  // namespace
}  // namespace detent::app
