#include "tests/reports/ci/sarif_rules.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <string_view>

namespace detent::reports {
namespace {

class Rules {
 public:
  std::vector<std::string> faults;

  void log(const Json& log) {
    members("", log, {"version", "runs"}, {"$schema"});
    if (log.value("version", "") != "2.1.0") fault("/version", "is not 2.1.0");
    each("/runs", log, "runs", 0, [&](const std::string& at, const Json& one) { run(at, one); });
  }

 private:
  using Visit = std::function<void(const std::string&, const Json&)>;

  void fault(const std::string& at, const std::string& what) { faults.push_back(at + ": " + what); }

  void members(const std::string& at, const Json& object, const std::vector<std::string>& required,
               const std::vector<std::string>& allowed) {
    if (!object.is_object()) return fault(at, "is no object");
    for (const std::string& key : required) {
      if (!object.contains(key)) fault(at, "has no " + key);
    }
    for (const auto& [key, value] : object.items()) {
      const bool is_known =
          std::ranges::find(required, key) != required.end() || std::ranges::find(allowed, key) != allowed.end();
      if (!is_known) fault(at, "may not have " + key);
    }
  }

  void each(const std::string& at, const Json& object, const char* key, std::size_t least, const Visit& visit) {
    if (!object.is_object() || !object.contains(key)) return;
    const Json& list = object[key];
    if (!list.is_array()) return fault(at, "is no list");
    if (list.size() < least) fault(at, "is too short");
    for (std::size_t i = 0; i < list.size(); ++i) visit(at + "/" + std::to_string(i), list[i]);
  }

  void one_of(const std::string& at, const Json& object, const char* key, const std::vector<std::string>& values) {
    if (!object.is_object() || !object.contains(key)) return;
    const bool fits =
        object[key].is_string() && std::ranges::find(values, object[key].get<std::string>()) != values.end();
    if (!fits) fault(at + "/" + key, "is not one of its values");
  }

  void whole(const std::string& at, const Json& object, const char* key, std::int64_t least) {
    if (!object.is_object() || !object.contains(key)) return;
    if (!object[key].is_number_integer() || object[key].get<std::int64_t>() < least)
      fault(at + "/" + key, "is too small");
  }

  void text(const std::string& at, const Json& object, const char* key) {
    if (!object.is_object() || !object.contains(key)) return;
    if (!object[key].is_string() || object[key].get<std::string>().empty()) fault(at + "/" + key, "is no text");
  }

  void message(const std::string& at, const Json& object, const char* key) {
    if (!object.is_object() || !object.contains(key)) return;
    members(at + "/" + key, object[key], {"text"}, {"markdown"});
    text(at + "/" + key, object[key], "text");
  }

  void run(const std::string& at, const Json& run) {
    members(at, run, {"tool"}, {"results", "columnKind", "properties"});
    one_of(at, run, "columnKind", {"utf16CodeUnits", "unicodeCodePoints"});
    rule_ids_.clear();
    if (run.contains("tool")) {
      members(at + "/tool", run["tool"], {"driver"}, {});
      if (run["tool"].contains("driver")) driver(at + "/tool/driver", run["tool"]["driver"]);
    }
    each(at + "/results", run, "results", 0, [&](const std::string& place, const Json& one) { result(place, one); });
  }

  void driver(const std::string& at, const Json& driver) {
    members(at, driver, {"name"}, {"version", "rules"});
    text(at, driver, "name");
    each(at + "/rules", driver, "rules", 0, [&](const std::string& place, const Json& rule) {
      members(place, rule, {"id"}, {"name", "shortDescription", "fullDescription", "help", "defaultConfiguration"});
      text(place, rule, "id");
      for (const char* key : {"shortDescription", "fullDescription", "help"}) message(place, rule, key);
      if (!rule.contains("help")) fault(place, "has no help");
      one_of(place + "/defaultConfiguration", rule.value("defaultConfiguration", Json::object()), "level",
             {"none", "note", "warning", "error"});
      rule_ids_.push_back(rule.value("id", ""));
    });
  }

  void result(const std::string& at, const Json& result) {
    members(at, result, {"message", "locations", "partialFingerprints"},
            {"ruleId", "ruleIndex", "level", "relatedLocations", "codeFlows", "baselineState"});
    message(at, result, "message");
    one_of(at, result, "level", {"none", "note", "warning", "error"});
    one_of(at, result, "baselineState", {"new", "unchanged", "updated", "absent"});
    whole(at, result, "ruleIndex", -1);
    if (result.contains("ruleIndex") && result["ruleIndex"].is_number_unsigned()) {
      const auto index = result["ruleIndex"].get<std::size_t>();
      const bool fits = index < rule_ids_.size() && rule_ids_[index] == result.value("ruleId", "");
      if (!fits) fault(at, "is of no rule");
    }
    for (const char* key : {"locations", "relatedLocations"}) {
      each(at + "/" + key, result, key, 1, [&](const std::string& place, const Json& one) { location(place, one); });
    }
    const Json fingerprints = result.value("partialFingerprints", Json::object());
    for (const auto& [key, value] : fingerprints.items()) {
      if (!value.is_string() || value.get<std::string>().empty())
        fault(at + "/partialFingerprints/" + key, "is no text");
    }
    each(at + "/codeFlows", result, "codeFlows", 1, [&](const std::string& place, const Json& flow) {
      members(place, flow, {"threadFlows"}, {"message"});
      message(place, flow, "message");
      each(place + "/threadFlows", flow, "threadFlows", 1,
           [&](const std::string& deeper, const Json& thread) { thread_flow(deeper, thread); });
    });
  }

  void thread_flow(const std::string& at, const Json& thread) {
    members(at, thread, {"locations"}, {"id"});
    each(at + "/locations", thread, "locations", 1, [&](const std::string& place, const Json& step) {
      members(place, step, {"location"}, {"executionOrder", "importance"});
      whole(place, step, "executionOrder", -1);
      one_of(place, step, "importance", {"important", "essential", "unimportant"});
      if (step.contains("location")) location(place + "/location", step["location"]);
    });
  }

  void location(const std::string& at, const Json& location) {
    members(at, location, {"physicalLocation"}, {"logicalLocations", "message"});
    message(at, location, "message");
    each(at + "/logicalLocations", location, "logicalLocations", 0, [&](const std::string& place, const Json& one) {
      members(place, one, {}, {"name", "fullyQualifiedName", "kind"});
    });
    if (!location.contains("physicalLocation")) return;
    const Json& physical = location["physicalLocation"];
    const std::string deeper = at + "/physicalLocation";
    members(deeper, physical, {"artifactLocation"}, {"region"});
    members(deeper + "/artifactLocation", physical.value("artifactLocation", Json::object()), {"uri"}, {});
    uri(deeper, physical.value("artifactLocation", Json::object()).value("uri", ""));
    members(deeper + "/region", physical.value("region", Json::object()), {}, {"startLine"});
    whole(deeper + "/region", physical.value("region", Json::object()), "startLine", 1);
  }

  /// RFC 3986: these characters, and % with two digits.
  void uri(const std::string& at, const std::string& uri) {
    constexpr std::string_view kAllowed = "-._~:/?#[]@!$&'()*+,;=";
    for (std::size_t i = 0; i < uri.size(); ++i) {
      const auto c = static_cast<unsigned char>(uri[i]);
      const bool is_escape = c == '%' && i + 2 < uri.size() &&
                             std::isxdigit(static_cast<unsigned char>(uri[i + 1])) != 0 &&
                             std::isxdigit(static_cast<unsigned char>(uri[i + 2])) != 0;
      if (std::isalnum(c) == 0 && kAllowed.find(uri[i]) == std::string_view::npos && !is_escape) {
        return fault(at, "is no URI reference");
      }
    }
    if (uri.empty()) fault(at, "is empty");
  }

  std::vector<std::string> rule_ids_;
};

}  // namespace

std::vector<std::string> sarif_faults(const Json& log) {
  Rules rules;
  rules.log(log);
  return rules.faults;
}

}  // namespace detent::reports
