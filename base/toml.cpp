#include "base/toml.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "base/words/near.hpp"

namespace detent {
namespace {

constexpr std::size_t kMaxTomlWord = 64;

bool is_word(const std::string& name) {
  return !name.empty() && name.size() <= kMaxTomlWord && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// Thrown by refuse_toml, out of the middle of the parser.
class BrokenAssertion : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a message repeats of the input: the begin of a text that is longer than people read.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 100;
  if (text.size() <= kMost) return std::string(text);
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "...";
}

/// toml++ converts no integer that a double does not hold exactly; here the nearest one is meant.
double nearest_double(const toml::node& node) {
  if (const auto* integer = node.as_integer()) return static_cast<double>(integer->get());
  const auto* real = node.as_floating_point();
  return real != nullptr ? real->get() : std::nan("");
}

}  // namespace

void refuse_toml(const char* assertion) { throw BrokenAssertion(assertion); }

toml::table parse_toml(std::string_view text, const std::string& file) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw std::invalid_argument(file + ":" + std::to_string(error.source().begin.line) + ": " +
                                std::string(error.description()) + "; fix the TOML syntax");
  } catch (const BrokenAssertion& broken) {
    throw std::invalid_argument(file + ": text that the TOML parser cannot take (" + broken.what() +
                                "); fix the TOML syntax");
  }
}

void TomlReader::fail(const toml::node* node, const std::string& what) const {
  const auto line = (node != nullptr ? node->source() : table_.source()).begin.line;
  throw std::invalid_argument(file_ + ":" + std::to_string(line) + ": " + what);
}

void TomlReader::allow_only(std::initializer_list<std::string_view> keys) const {
  for (const auto& [key, node] : table_) {
    if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
    const std::vector<std::string> known(keys.begin(), keys.end());
    const std::string near = did_you_mean(key.str(), known);
    std::string names;
    for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
    fail(&node, "unknown key '" + full(shown(key.str())) + "'" + (near.empty() ? "; keys" : near + " Keys") +
                    " here are " + names);
  }
}

const toml::node& TomlReader::need(std::string_view key) const {
  const toml::node* node = find(key);
  if (node == nullptr) fail(nullptr, "missing key '" + full(key) + "'; add it");
  return *node;
}

void TomlReader::require_schema(std::string_view wanted) const {
  const std::string given = text("schema");
  if (given == wanted) return;
  fail_at("schema", "unknown schema '" + shown(given) + "'; write \"" + std::string(wanted) + "\"");
}

std::string TomlReader::text(std::string_view key) const {
  const toml::node& node = need(key);
  if (!node.is_string()) fail(&node, "'" + full(key) + "' must be a string; write it in quotes");
  return **node.as_string();
}

std::string TomlReader::word(std::string_view key) const {
  std::string name = text(key);
  if (!is_word(name)) {
    fail_at(key, "'" + full(key) + "' must be a name; use a-z, 0-9 and _, at most " + std::to_string(kMaxTomlWord));
  }
  return name;
}

std::uint64_t TomlReader::integer(std::string_view key, std::int64_t low, std::int64_t high) const {
  const toml::node& node = need(key);
  const auto* value = node.as_integer();
  if (value == nullptr || **value < low || **value > high) {
    fail(&node, "'" + full(key) + "' is not valid; give an integer from " + std::to_string(low) + " to " +
                    std::to_string(high));
  }
  return static_cast<std::uint64_t>(**value);
}

double TomlReader::number(std::string_view key, double high) const {
  const toml::node& node = need(key);
  const double value = nearest_double(node);
  if (!(value > 0 && value <= high)) {
    std::string limit = std::to_string(high);
    limit.erase(limit.find('.'));
    fail(&node, "'" + full(key) + "' is not valid; give a number above 0 and at most " + limit);
  }
  return value;
}

bool TomlReader::boolean_or(std::string_view key, bool missing) const {
  const toml::node* node = find(key);
  if (node == nullptr) return missing;
  if (!node->is_boolean()) fail(node, "'" + full(key) + "' is not a boolean; write true or false");
  return **node->as_boolean();
}

TomlReader TomlReader::table(std::string_view key) const {
  const toml::node& node = need(key);
  if (!node.is_table()) fail(&node, "'" + full(key) + "' must be a table; write [" + full(key) + "]");
  return {*node.as_table(), file_, full(key)};
}

const toml::array& TomlReader::tables(std::string_view key) const {
  const toml::node& node = need(key);
  if (!node.is_array_of_tables()) {
    fail(&node, "'" + full(key) + "' must be a list of tables; write [[" + full(key) + "]] once per entry");
  }
  return *node.as_array();
}

}  // namespace detent
