#include "reports/ci/junit.hpp"

#include <gtest/gtest.h>

#include "reports/ci/findings.hpp"

namespace detent::reports {
namespace {

using verify::Outcome;
using verify::Property;

const std::vector<verify::Verdict> kThree = {
    {Property::kStructure, Outcome::kHolds, "sound", {}},
    {Property::kBufferRaces, Outcome::kViolated, "1 racing pair", {{"a & b < c", {0, 1}, {}}}},
    {Property::kDeterminism, Outcome::kUnknown, "not run", {}}};

TEST(Junit, AVerdictIsATestCase) {
  EXPECT_EQ(junit_xml("net.json", kThree, nullptr),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="detent" tests="3" failures="1" errors="1">
 <testsuite name="net.json" tests="3" failures="1" errors="1" skipped="0">
  <testcase classname="detent.net.json" name="structure">
  </testcase>
  <testcase classname="detent.net.json" name="buffer_races">
   <failure type="violated" message="1 racing pair">a &amp; b &lt; c
</failure>
  </testcase>
  <testcase classname="detent.net.json" name="determinism">
   <error type="unknown" message="not run">not run
</error>
  </testcase>
 </testsuite>
</testsuites>
)");
}

TEST(Junit, WhatABaselineKnowsFailsNothing) {
  std::set<std::string> known;
  for (const Finding& finding : findings_of(kThree)) known.insert(finding.fingerprint);
  const std::string xml = junit_xml("net.json", kThree, &known);
  EXPECT_NE(xml.find(R"(tests="3" failures="0" errors="0")"), std::string::npos) << xml;
  EXPECT_NE(xml.find("<system-out>known before:\na &amp; b &lt; c\n</system-out>"), std::string::npos) << xml;
  EXPECT_EQ(xml.find("<failure"), std::string::npos);
}

TEST(Junit, WhatIsNotCheckedIsSkipped) {
  const std::string xml =
      junit_xml("net.json", {{Property::kValueFlow, Outcome::kHolds, "nothing to check: no read", {}}}, nullptr);
  EXPECT_NE(xml.find(R"(errors="0" skipped="1")"), std::string::npos) << xml;
  EXPECT_NE(xml.find(R"(<skipped message="nothing to check: no read"/>)"), std::string::npos) << xml;
}

TEST(Junit, WhatIsAssumedStandsWithTheCaseThatPasses) {
  verify::Verdict verdict{Property::kDeterminism, Outcome::kHolds, "one digest", {}};
  verdict.assumes = "a < b";
  EXPECT_NE(junit_xml("net.json", {verdict}, nullptr).find("   <system-out>holds if a &lt; b</system-out>\n"),
            std::string::npos);
}

TEST(Junit, HostileNamesStayText) {
  const std::string xml =
      junit_xml("\"><x>\x01\xFF", {{Property::kStructure, Outcome::kViolated, "]]>\x02", {}}}, nullptr);
  EXPECT_EQ(xml.find("<x>"), std::string::npos);
  EXPECT_EQ(xml.find('\x01'), std::string::npos);
  EXPECT_EQ(xml.find('\x02'), std::string::npos);
  EXPECT_EQ(xml.find("]]>"), std::string::npos);
}

}  // namespace
}  // namespace detent::reports
