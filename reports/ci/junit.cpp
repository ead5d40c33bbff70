// Verdicts -> JUnit XML.
#include "reports/ci/junit.hpp"

#include "reports/ci/findings.hpp"
#include "reports/text/text.hpp"
#include "verify/verdict/vacuous.hpp"

namespace detent::reports {
namespace {

constexpr std::size_t kMaxLineBytes = 8192;

/// For text and attributes of XML: printable_text leaves no character that XML forbids.
std::string xml(const std::string& text) { return escape_html(short_name(text, kMaxLineBytes)); }

struct Case {
  const verify::Verdict* verdict;
  std::string fresh, known;  ///< texts of findings, a line each
};

std::vector<Case> cases_of(const std::vector<verify::Verdict>& verdicts, const std::set<std::string>* known) {
  std::vector<Case> cases;
  for (const verify::Verdict& verdict : verdicts) {
    Case one{&verdict, "", ""};
    cases.push_back(one);
  }
  for (const Finding& finding : findings_of(verdicts)) {
    const bool is_known = known != nullptr && known->contains(finding.fingerprint);
    for (Case& one : cases) {
      if (one.verdict->property == finding.property) (is_known ? one.known : one.fresh) += xml(finding.text) + "\n";
    }
  }
  return cases;
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + "\"";
}

}  // namespace

std::string junit_xml(const std::string& model, const std::vector<verify::Verdict>& verdicts,
                      const std::set<std::string>* known) {
  const std::vector<Case> cases = cases_of(verdicts, known);
  const std::string suite = xml(model);
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  std::string body;
  for (const Case& one : cases) {
    body += "  <testcase" + attribute("classname", "detent." + suite) +
            attribute("name", verify::property_name(one.verdict->property)) + ">\n";
    if (!one.fresh.empty()) {
      const bool is_violated = one.verdict->outcome == verify::Outcome::kViolated;
      ++(is_violated ? failures : errors);
      const std::string tag = is_violated ? "failure" : "error";
      body += "   <" + tag + attribute("type", verify::outcome_name(one.verdict->outcome)) +
              attribute("message", xml(one.verdict->summary)) + ">" + one.fresh + "</" + tag + ">\n";
    }
    if (verify::is_vacuous(*one.verdict)) {
      ++skipped;
      body += "   <skipped" + attribute("message", xml(one.verdict->summary)) + "/>\n";
    }
    if (verify::is_assumed(*one.verdict)) {
      body += "   <system-out>holds if " + xml(one.verdict->assumes) + "</system-out>\n";
    }
    if (!one.known.empty()) body += "   <system-out>known before:\n" + one.known + "</system-out>\n";
    body += "  </testcase>\n";
  }
  const auto count = [](const char* name, std::size_t number) { return attribute(name, std::to_string(number)); };
  const std::string totals = count("tests", cases.size()) + count("failures", failures) + count("errors", errors);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + attribute("name", "detent") + totals +
         ">\n <testsuite" + attribute("name", suite) + totals + count("skipped", skipped) + ">\n" + body +
         " </testsuite>\n</testsuites>\n";
}

}  // namespace detent::reports
