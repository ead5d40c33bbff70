#include "app/bundle/bundle_file.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <utility>

#include "app/answer/answer.hpp"
#include "base/assert.hpp"
#include "base/hash/sha256.hpp"
#include "base/io.hpp"
#include "base/json.hpp"
#include "reports/text/text.hpp"

namespace detent::app {
namespace {

constexpr std::string_view kBegin = "{\n  \"schema\": \"detent.bundle/1\",\n  \"root_sha256\": \"";
constexpr std::size_t kRootDigits = 64;
constexpr std::size_t kMostListed = std::size_t{1} << 22U;

/// One of some words.
std::string word_at(JsonValue value, std::initializer_list<std::string_view> words) {
  const std::string_view text = value.as_string();
  if (std::ranges::find(words, text) != words.end()) return std::string(text);
  std::string known;
  for (const std::string_view word : words) known += (known.empty() ? "" : ", ") + std::string(word);
  value.fail("must be one of " + known);
}

std::string hash_at(JsonValue value) {
  if (!is_sha256(value.as_string())) value.fail("must be a SHA-256: 64 digits from 0-9a-f");
  return std::string(value.as_string());
}

std::string string_at(JsonObject& object, std::string_view key) { return std::string(object.require(key).as_string()); }

verify::Outcome outcome_at(JsonValue value) {
  const std::string word = word_at(value, {"holds", "violated", "unknown"});
  if (word == "holds") return verify::Outcome::kHolds;
  return word == "violated" ? verify::Outcome::kViolated : verify::Outcome::kUnknown;
}

template <typename Read>
auto list_of(JsonValue value, const Read& read) {
  std::vector<decltype(read(std::declval<JsonObject&>()))> list;
  for (const JsonValue element : value.elements()) {
    JsonObject object(element);
    list.push_back(read(object));
    object.finish();
  }
  return list;
}

std::vector<std::string> texts_of(JsonValue value) {
  std::vector<std::string> texts;
  for (const JsonValue element : value.elements()) texts.emplace_back(element.as_string());
  return texts;
}

std::variant<std::uint64_t, double, std::string> number_or_text(JsonValue value) {
  if (value.kind() == JsonKind::kUnsigned) return value.as_u64();
  if (value.kind() == JsonKind::kString) return std::string(value.as_string());
  return value.as_number();
}

BundleTool read_tool(JsonValue value) {
  JsonObject object(value);
  BundleTool tool;
  for (const ToolField& field : tool_fields()) {
    const JsonValue member = object.require(field.name);
    tool.*field.member = field.is_hash ? hash_at(member) : std::string(member.as_string());
  }
  object.finish();
  return tool;
}

/// Relative, below the bundle, each once and sorted: so that no list of files leads anywhere else.
std::vector<BundledFile> read_files(JsonValue value) {
  std::vector<BundledFile> files;
  for (const JsonValue element : value.elements()) {
    JsonObject object(element);
    const JsonValue path = object.require("path");
    BundledFile file{std::string(path.as_string()), object.require("bytes").as_u64(),
                     hash_at(object.require("sha256"))};
    if (!is_bundle_path(file.path)) path.fail("must be a path below the bundle, without .. and empty parts");
    if (file.path == kBundleFile) path.fail("must not be bundle.json, which cannot hold its own hash");
    if (!files.empty() && files.back().path >= file.path) path.fail("must stand in order, each path once");
    files.push_back(std::move(file));
    object.finish();
  }
  return files;
}

BundledInput read_input(JsonObject& object) {
  BundledInput input{string_at(object, "role"), string_at(object, "name"), {}, hash_at(object.require("sha256"))};
  if (const JsonValue path = object.require("path"); path.kind() != JsonKind::kNull) input.path = path.as_string();
  return input;
}

BundledVerdict read_verdict(JsonObject& object) {
  const std::optional<JsonValue> assumed_bytes = object.find("assumed_bytes");
  return {.property = string_at(object, "property"),
          .outcome = outcome_at(object.require("outcome")),
          .is_checked = object.require("checked").as_bool(),
          .summary = string_at(object, "summary"),
          .condition = string_at(object, "condition"),
          .has_assumed_times = object.require("assumed_times").as_bool(),
          .has_assumed_bytes = assumed_bytes && assumed_bytes->as_bool()};
}

AssumedValue read_assumed(JsonObject& object) {
  return {string_at(object, "subject"), number_or_text(object.require("value")), string_at(object, "unit"),
          string_at(object, "ground"), string_at(object, "source")};
}

BundledRequirement read_requirement(JsonObject& object) {
  return {string_at(object, "id"), string_at(object, "text"), texts_of(object.require("properties")),
          word_at(object.require("state"), {"satisfied", "violated", "unknown"})};
}

/// Whatever `row` makes of each element.
template <typename List, typename Row>
Json json_list(const List& list, const Row& row) {
  Json out = Json::array();
  for (const auto& element : list) out.push_back(row(element));
  return out;
}

Json tool_json(const BundleTool& tool) {
  Json out = Json::object();
  for (const ToolField& field : tool_fields()) out[field.name] = tool.*field.member;
  return out;
}

Json json_of(const BundleFile& bundle) {
  Json out = {{"schema", "detent.bundle/1"},
              {"root_sha256", std::string(kRootDigits, '0')},
              {"outcome", verify::outcome_name(bundle.outcome)},
              {"command", bundle.command}};
  out["options"] = json_list(bundle.options, [](const BundledOption& option) {
    return Json{{"name", option.name}, {"value", option.value}, {"given", option.is_given}};
  });
  out["environment"] = json_list(bundle.environment, [](const BundledVariable& variable) {
    return Json{{"name", variable.name}, {"value", variable.value}};
  });
  out["tool"] = tool_json(bundle.tool);
  out["inputs"] = json_list(bundle.inputs, [](const BundledInput& input) {
    return Json{{"role", input.role},
                {"name", input.name},
                {"path", input.path.empty() ? Json(nullptr) : Json(input.path)},
                {"sha256", input.sha256}};
  });
  out["model_sha256"] = bundle.model_sha256;
  out["verdicts"] = json_list(bundle.verdicts, [](const BundledVerdict& verdict) {
    Json row = {{"property", verdict.property},   {"outcome", verify::outcome_name(verdict.outcome)},
                {"checked", verdict.is_checked},  {"summary", verdict.summary},
                {"condition", verdict.condition}, {"assumed_times", verdict.has_assumed_times}};
    if (verdict.has_assumed_bytes) row["assumed_bytes"] = true;
    return row;
  });
  out["requirements"] = json_list(bundle.requirements, [](const BundledRequirement& requirement) {
    return Json{{"id", requirement.id},
                {"text", requirement.text},
                {"properties", requirement.properties},
                {"state", requirement.state}};
  });
  out["residual_risks"] = json_list(bundle.risks, [](const ResidualRisk& risk) {
    return Json{{"kind", risk.kind}, {"subject", risk.subject}, {"text", risk.text}};
  });
  out["assumed_values"] = json_list(bundle.assumed, [](const AssumedValue& value) {
    return Json{{"subject", value.subject},
                {"value", std::visit([](const auto& number) { return Json(number); }, value.value)},
                {"unit", value.unit},
                {"ground", value.ground},
                {"source", value.source}};
  });
  out["assumptions"] = json_list(bundle.assumptions, [](const BundledAssumption& assumption) {
    return Json{{"key", assumption.key}, {"text", assumption.text}};
  });
  out["files"] = json_list(bundle.files, [](const BundledFile& file) {
    return Json{{"path", file.path}, {"bytes", file.bytes}, {"sha256", file.sha256}};
  });
  return out;
}

}  // namespace

std::string bundle_text(const BundleFile& bundle) {
  std::string text = reports::file_json(json_of(bundle));
  DETENT_ASSERT(text.starts_with(kBegin));
  text.replace(kBegin.size(), kRootDigits, sha256_of(text));
  return text;
}

std::string root_of(std::string_view text) {
  if (!text.starts_with(kBegin) || !is_sha256(text.substr(kBegin.size(), kRootDigits))) return "";
  Sha256 hash;
  hash.add(kBegin);
  hash.add(std::string(kRootDigits, '0'));
  hash.add(text.substr(kBegin.size() + kRootDigits));
  return hash.hex();
}

bool root_fits(std::string_view text) {
  const std::string root = root_of(text);
  return !root.empty() && text.substr(kBegin.size(), kRootDigits) == root;
}

bool begins_as_bundle(std::string_view text) {
  constexpr std::ptrdiff_t kMostChanged = 2;
  if (text.size() < kBegin.size()) return false;
  std::ptrdiff_t changed = 0;
  for (std::size_t i = 0; i < kBegin.size(); ++i) changed += text[i] != kBegin[i] ? 1 : 0;
  return changed <= kMostChanged;
}

BundleFile parse_bundle(std::string_view text, const std::string& file) {
  const JsonDocument document = JsonDocument::parse(text, file,
                                                    {.max_bytes = kMaxBundleBytes,
                                                     .max_depth = 8,
                                                     .max_nodes = kMostListed * 8,
                                                     .max_string_bytes = kMaxLongStringBytes});
  JsonObject top(document.root());
  static_cast<void>(word_at(top.require("schema"), {"detent.bundle/1"}));
  BundleFile bundle;
  bundle.root_sha256 = hash_at(top.require("root_sha256"));
  bundle.outcome = outcome_at(top.require("outcome"));
  bundle.command = texts_of(top.require("command"));
  bundle.options = list_of(top.require("options"), [](JsonObject& object) {
    return BundledOption{string_at(object, "name"), string_at(object, "value"), object.require("given").as_bool()};
  });
  bundle.environment = list_of(top.require("environment"), [](JsonObject& object) {
    return BundledVariable{string_at(object, "name"), string_at(object, "value")};
  });
  bundle.tool = read_tool(top.require("tool"));
  bundle.inputs = list_of(top.require("inputs"), read_input);
  bundle.model_sha256 = hash_at(top.require("model_sha256"));
  bundle.verdicts = list_of(top.require("verdicts"), read_verdict);
  bundle.requirements = list_of(top.require("requirements"), read_requirement);
  bundle.risks = list_of(top.require("residual_risks"), [](JsonObject& object) {
    return ResidualRisk{string_at(object, "kind"), string_at(object, "subject"), string_at(object, "text")};
  });
  bundle.assumed = list_of(top.require("assumed_values"), read_assumed);
  bundle.assumptions = list_of(top.require("assumptions"), [](JsonObject& object) {
    return BundledAssumption{string_at(object, "key"), string_at(object, "text")};
  });
  bundle.files = read_files(top.require("files"));
  top.finish();
  return bundle;
}

}  // namespace detent::app
