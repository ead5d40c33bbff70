#include "app/bundle/requirements.hpp"

#include <algorithm>

#include "base/io.hpp"
#include "base/toml.hpp"
#include "base/wanted_file.hpp"
#include "base/words/near.hpp"

namespace detent::app {
namespace {

constexpr std::string_view kRequirementsSchema = "detent.requirements/1";
constexpr std::uint64_t kMaxRequirementsBytes = std::uint64_t{1} << 24U;

std::vector<std::string> property_names() {
  std::vector<std::string> names;
  for (const verify::PropertyText& property : verify::all_properties()) names.emplace_back(property.name);
  return names;
}

/// What a message repeats of the input.
std::string begin_of_name(const std::string& text) {
  constexpr std::size_t kMost = 80;
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

std::vector<std::string> read_properties(const TomlReader& row) {
  const toml::node& node = row.need("properties");
  const toml::array* const list = node.as_array();
  const std::string key = row.full("properties");
  if (list == nullptr || list->empty()) row.fail(&node, "'" + key + "' must be a list such as [\"determinism\"]");
  const std::vector<std::string> known = property_names();
  std::vector<std::string> properties;
  for (const toml::node& element : *list) {
    if (!element.is_string()) row.fail(&element, "'" + key + "' must have names of properties, in quotes");
    const std::string name = **element.as_string();
    if (std::ranges::find(known, name) == known.end()) {
      const std::string near = did_you_mean(name, known);
      row.fail(&element, "unknown property '" + begin_of_name(name) + "'" + (near.empty() ? "; give" : near + " Give") +
                             " some of " + choices_text(known, known.size()));
    }
    if (std::ranges::find(properties, name) != properties.end()) {
      row.fail(&element, "'" + key + "' has " + name + " twice; leave one of them out");
    }
    properties.push_back(name);
  }
  return properties;
}

}  // namespace

std::vector<BundledRequirement> parse_requirements(std::string_view text, const std::string& file) {
  const toml::table table = parse_toml(text, file);
  const TomlReader top(table, file, "");
  top.allow_only({"schema", "requirements"});
  top.require_schema(kRequirementsSchema);
  const TomlReader rows = top.table("requirements");
  std::vector<BundledRequirement> requirements;
  for (const auto& [key, node] : rows.raw()) {
    const std::string id(key.str());
    if (const char* const fault = name_fault(id)) rows.fail(&node, fault);
    const TomlReader row = rows.table(id);
    row.allow_only({"text", "properties"});
    requirements.push_back({.id = id,
                            .text = row.has("text") ? row.text("text") : "",
                            .properties = read_properties(row),
                            .state = "unknown"});
  }
  if (requirements.empty()) {
    top.fail_at("requirements", "'requirements' is empty; give a row such as R1 = { properties = [\"determinism\"] }");
  }
  return requirements;
}

std::vector<BundledRequirement> read_requirements(const std::string& path) {
  static const WantedFile kTable = {"a table of requirements",
                                    {FileKind::kToml, FileKind::kText},
                                    "give a detent.requirements/1 file with the table [requirements]"};
  return parse_requirements(read_wanted_file(path, kMaxRequirementsBytes, kTable), path);
}

std::string state_of(const std::vector<std::string>& properties, const std::vector<BundledVerdict>& verdicts) {
  bool all_hold = !properties.empty();
  for (const std::string& property : properties) {
    bool is_judged = false;
    for (const BundledVerdict& verdict : verdicts) {
      if (verdict.property != property) continue;
      if (verdict.outcome == verify::Outcome::kViolated) return "violated";
      is_judged = true;
      const bool is_assumed = verdict.has_assumed_times || verdict.has_assumed_bytes;
      all_hold = all_hold && verdict.outcome == verify::Outcome::kHolds && !is_assumed;
    }
    all_hold = all_hold && is_judged;
  }
  return all_hold ? "satisfied" : "unknown";
}

}  // namespace detent::app
