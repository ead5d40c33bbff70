// The strict reader of JSON: every value that it holds is the one that nlohmann's own document holds at that place.
#include "base/json.hpp"

#include <nlohmann/json.hpp>

#include "tests/fuzz/target.hpp"

namespace detent::fuzz {
namespace {

using Other = nlohmann::ordered_json;

bool is_alike(const JsonValue& value, const Other& other);

bool elements_are_alike(const JsonValue& value, const Other& other) {
  if (!other.is_array() || other.size() != value.size()) return false;
  std::size_t i = 0;
  for (const JsonValue element : value.elements()) {
    if (!is_alike(element, other[i++])) return false;
  }
  return i == other.size();
}

bool members_are_alike(const JsonValue& value, const Other& other) {
  if (!other.is_object() || other.size() != value.size()) return false;
  for (const JsonValue member : value.members()) {
    const auto found = other.find(std::string(member.key()));
    if (found == other.end() || !is_alike(member, *found)) return false;
  }
  return true;
}

/// Recursion: the reader has bounded the depth.
bool is_alike(const JsonValue& value, const Other& other) {
  switch (value.kind()) {
    case JsonKind::kNull:
      return other.is_null();
    case JsonKind::kBool:
      return other.is_boolean() && other.get<bool>() == value.as_bool();
    case JsonKind::kUnsigned:
      if (other.is_number_float()) return other.get<double>() == static_cast<double>(value.as_u64());  // 1.3e9
      return other.is_number_integer() && other.get<std::uint64_t>() == value.as_u64();
    case JsonKind::kNegative:
      return other.is_number_integer() && other.get<std::int64_t>() == value.as_i64(INT64_MIN, -1);
    case JsonKind::kReal:
      return other.is_number_float() && other.get<double>() == value.as_number();
    case JsonKind::kString:
      return other.is_string() && other.get<std::string>() == value.as_string();
    case JsonKind::kArray:
      return elements_are_alike(value, other);
    case JsonKind::kObject:
      return members_are_alike(value, other);
  }
  return false;
}

/// Asks as readers with a schema do.
void ask(const JsonValue& root) {
  JsonObject object(root);
  static_cast<void>(object.find("b"));
  static_cast<void>(object.require("a"));
  object.finish();
}

}  // namespace

void json_target(std::string_view input) {
  const JsonLimits limits{.max_bytes = 1U << 16, .max_depth = 64, .max_nodes = 1U << 14, .max_string_bytes = 256};
  std::optional<JsonDocument> document;
  if (!accepts([&] { document = JsonDocument::parse(input, kInputName, limits); })) return;
  const Other other = Other::parse(input, nullptr, false);
  require(!other.is_discarded() && is_alike(document->root(), other), "both readers give the same values");
  accepts([&] { ask(document->root()); });
}

}  // namespace detent::fuzz
