#include "reports/ci/findings.hpp"

#include <gtest/gtest.h>

#include <set>

namespace detent::reports {
namespace {

using verify::Outcome;
using verify::Property;

std::string fingerprint_of(const std::string& text, Property property = Property::kBufferRaces) {
  const std::vector<verify::Verdict> verdicts = {{property, Outcome::kViolated, "summary", {{text, {}, {}}}}};
  return findings_of(verdicts).at(0).fingerprint;
}

TEST(Findings, WhatHoldsIsNone) {
  EXPECT_TRUE(findings_of({{Property::kStructure, Outcome::kHolds, "sound", {}}}).empty());
}

TEST(Findings, AVerdictWithoutWitnessesIsOneWhateverItCounts) {
  const auto of = [](const std::string& summary) {
    return findings_of({{Property::kDeterminism, Outcome::kUnknown, summary, {}}});
  };
  ASSERT_EQ(of("a").size(), 1U);
  EXPECT_EQ(of("a")[0].text, "a");
  EXPECT_EQ(of("a")[0].fingerprint, of("3 runs, no digest")[0].fingerprint);
}

TEST(Findings, NewIdsAndPlacesAreNoNewFinding) {
  const std::string a =
      "war: op 1 (slow) reads and op 3 (late) writes bytes [0, 64) of ws (tensor 0 (x), tensor 2 (z)), and no path "
      "orders them";
  const std::string reordered =
      "raw: op 0 (late) writes and op 12 (slow) reads bytes [128, 192) of ws (tensor 7 (z), tensor 5 (x)), and no path "
      "orders them";
  EXPECT_EQ(fingerprint_of(a), fingerprint_of(reordered));
}

TEST(Findings, BareRangesAreNamedAfterTheirPlacesWhichDoNotCount) {
  EXPECT_EQ(fingerprint_of("waw: op 0 (a) (tensor 0 (x in ws[0,64)))"),
            fingerprint_of("waw: op 3 (a) (tensor 1 (x in ws[64,128)))"));
  EXPECT_NE(fingerprint_of("waw: op 0 (a) (tensor 0 (x in ws[0,64)))"),
            fingerprint_of("waw: op 0 (a) (tensor 0 (y in ws[0,64)))"));
}

TEST(Findings, ALackOfDeterminismIsOneFindingWhateverShowsIt) {
  EXPECT_EQ(fingerprint_of("op 1 (a) and op 2 (b)", Property::kDeterminism),
            fingerprint_of("op 3 (c) and op 2 (b)", Property::kDeterminism));
  const std::vector<verify::Verdict> twice = {
      {Property::kDeterminism, Outcome::kViolated, "2 digests", {{"run 1", {}, {}}, {"run 2", {}, {}}}}};
  EXPECT_EQ(findings_of(twice).at(0).fingerprint, findings_of(twice).at(1).fingerprint);
}

TEST(Findings, OtherNamesPropertiesAndOutcomesAreOtherFindings) {
  const std::string text =
      "op 1 (slow) reads x (of op 0 (source)), where on some schedule op 3 (late) writes in between";
  std::string other = text;
  other.replace(other.find("slow"), 4, "fast");
  EXPECT_NE(fingerprint_of(text), fingerprint_of(other));
  EXPECT_NE(fingerprint_of(text), fingerprint_of(text, Property::kValueFlow));
  const std::vector<verify::Verdict> unknown = {{Property::kBufferRaces, Outcome::kUnknown, "", {{text, {}, {}}}}};
  EXPECT_NE(fingerprint_of(text), findings_of(unknown)[0].fingerprint);
}

TEST(Findings, EqualOnesAreNumbered) {
  const std::vector<verify::Verdict> verdicts = {
      {Property::kStructure, Outcome::kViolated, "2 faults", {{"op 1 is wrong", {}, {}}, {"op 2 is wrong", {}, {}}}}};
  const std::vector<Finding> findings = findings_of(verdicts);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].fingerprint.substr(0, 16), findings[1].fingerprint.substr(0, 16));
  EXPECT_EQ(findings[0].fingerprint.substr(16), ":1");
  EXPECT_EQ(findings[1].fingerprint.substr(16), ":2");
}

TEST(Findings, WhereTheListMayBeCutTheCountIsAFindingToo) {
  verify::Verdict verdict{Property::kBufferRaces, Outcome::kViolated, "9 unordered pairs: 20 racing pairs", {}};
  for (int i = 0; i < 16; ++i)
    verdict.witnesses.push_back({"pair " + std::string(1, static_cast<char>('a' + i)), {}, {}});
  const std::vector<verify::Verdict> before = {verdict};
  const std::vector<Finding> findings = findings_of(before);
  ASSERT_EQ(findings.size(), 17U);
  EXPECT_EQ(findings.back().text, verdict.summary);
  EXPECT_EQ(findings.back().witness, nullptr);
  verdict.summary = "5 unordered pairs: 20 racing pairs";
  const std::vector<verify::Verdict> same = {verdict};
  EXPECT_EQ(findings_of(same).back().fingerprint, findings.back().fingerprint);
  verdict.summary = "9 unordered pairs: 21 racing pairs";
  const std::vector<verify::Verdict> more = {verdict};
  EXPECT_NE(findings_of(more).back().fingerprint, findings.back().fingerprint);
}

TEST(Findings, AnyTextHasAFingerprint) {
  std::set<std::string> seen;
  for (const char* text : {"op", "op ", "op x", "tensor", "bytes [", "bytes [0, 4", "bytes [0", "[0,", "[,1)", "[1,2)",
                           "loop 3", "", "  ", "(((", ")))"}) {
    seen.insert(fingerprint_of(text));
  }
  EXPECT_GT(seen.size(), 6U);
}

}  // namespace
}  // namespace detent::reports
