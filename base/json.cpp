#include "base/json.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "base/input_error.hpp"
#include "base/io.hpp"
#include "base/words/near.hpp"
#include "base/words/quantity.hpp"

namespace detent {
namespace {

constexpr std::uint32_t kKeyMask = (1U << 24U) - 1;

/// nlohmann's text without its own prefix, one printable line of bearable length.
std::string readable(std::string text) {
  const std::size_t start = text.find("syntax error");
  const std::size_t bracket = text.find("] ");
  if (start != std::string::npos) {
    text.erase(0, start);
  } else if (bracket != std::string::npos) {
    text.erase(0, bracket + 2);
  }
  if (text.size() > 200) text.resize(200);
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text;
}

constexpr std::size_t kMostKept = std::size_t{1} << 26U;

/// "12:34"; a column is a character of UTF-8.
std::string line_of(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, position);
  const std::size_t begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  const auto column = std::ranges::count_if(before.substr(begin), [](char c) { return (c & 0xC0) != 0x80; });
  return std::to_string(1 + std::ranges::count(before, '\n')) + ":" + std::to_string(1 + column);
}

/// Walks a text that the parser took, from value to value in the order of the nodes.
class ValuePlaces {
 public:
  explicit ValuePlaces(std::string_view text) : text_(text) {}

  /// Where value `node` begins, and its key if it has one.
  void go_to(std::uint32_t node) {
    for (std::uint64_t passed = 0; at_ < text_.size();) {
      const char c = text_[at_];
      if (c == '"') {
        const std::size_t begin = at_;
        skip_string();
        const std::size_t next = text_.find_first_not_of(" \t\r\n", at_);
        if (next < text_.size() && text_[next] == ':') {
          key_ = begin;
          continue;
        }
        value_ = begin;
      } else if (c == '{' || c == '[') {
        value_ = at_++;
      } else if (c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')) {
        value_ = at_;
        at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
      } else {
        ++at_;
        continue;
      }
      if (passed++ == node) return;
    }
  }
  [[nodiscard]] std::size_t value() const { return value_; }
  [[nodiscard]] std::size_t key() const { return key_; }

 private:
  void skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0, value_ = 0, key_ = 0;
};

/// Every value is the root, the first of a container, or stands behind a comma.
std::uint64_t count_nodes_at_most(std::string_view text) {
  std::uint64_t count = 1;
  for (const char c : text) count += (c == ',' || c == '[' || c == '{') ? 1U : 0U;
  return count;
}

}  // namespace

/// Receives nlohmann's events and appends nodes.
class JsonBuilder {
 public:
  JsonBuilder(JsonDocument& document, const JsonLimits& limits, std::string_view text)
      : document_(document), limits_(limits), text_(text) {}

  bool null() { return add(JsonKind::kNull, 0); }
  bool boolean(bool value) { return add(JsonKind::kBool, value ? 1 : 0); }
  bool number_integer(std::int64_t value) {
    return add(value < 0 ? JsonKind::kNegative : JsonKind::kUnsigned, static_cast<std::uint64_t>(value));
  }
  bool number_unsigned(std::uint64_t value) { return add(JsonKind::kUnsigned, value); }
  bool number_float(double value, const std::string& text) {
    const bool has_exponent = text.find_first_of("eE") != std::string::npos;
    const auto whole = has_exponent ? read_count(text) : std::nullopt;
    if (whole) return add(JsonKind::kUnsigned, *whole);
    return add(JsonKind::kReal, std::bit_cast<std::uint64_t>(value));
  }
  bool string(const std::string& value) {
    if (value.size() > limits_.max_string_bytes) return refuse_string(value);
    add(JsonKind::kString, document_.strings_.size());
    document_.nodes_.back().extent = static_cast<std::uint32_t>(value.size());
    document_.strings_ += value;
    return true;
  }
  bool binary(const std::vector<std::uint8_t>&) { return false; }
  bool start_object(std::size_t) { return open(JsonKind::kObject); }
  bool start_array(std::size_t) { return open(JsonKind::kArray); }
  bool end_object() {
    if (!keys_are_different(open_.back())) return false;
    return end_array();
  }
  bool end_array() {
    document_.nodes_[open_.back()].extent = static_cast<std::uint32_t>(document_.nodes_.size());
    open_.pop_back();
    return true;
  }
  bool key(const std::string& name) {
    if (name.size() > limits_.max_string_bytes) return refuse_string(name);
    const auto [it, is_new] = key_ids_.try_emplace(name, static_cast<std::uint32_t>(document_.keys_.size()));
    if (is_new) {
      // The empty key of elements and of the root is among them.
      if (document_.keys_.size() > limits_.max_keys) {
        return refuse("more than " + std::to_string(limits_.max_keys) + " different keys");
      }
      document_.keys_.push_back(name);
    }
    key_ = it->second;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
    place_ = line_of(text_, position);
    return refuse(readable(error.what()));
  }

  [[noreturn]] void fail() const { throw InputError(document_.file_, place_, what_); }

 private:
  using Node = JsonDocument::Node;

  bool add(JsonKind kind, std::uint64_t payload) {
    Node node;
    node.payload = payload;
    node.key = key_ & kKeyMask;
    node.kind = static_cast<std::uint8_t>(kind);
    if (!open_.empty()) ++document_.nodes_[open_.back()].payload;
    document_.nodes_.push_back(node);
    return true;
  }

  bool open(JsonKind kind) {
    if (open_.size() == limits_.max_depth) {
      place_ = path_here();
      return refuse("nested deeper than " + std::to_string(limits_.max_depth) + " levels");
    }
    add(kind, 0);
    open_.push_back(static_cast<std::uint32_t>(document_.nodes_.size() - 1));
    return true;
  }

  /// Looks when the object is complete, so that nested objects cannot disturb the marks.
  bool keys_are_different(std::uint32_t object) {
    const auto end = static_cast<std::uint32_t>(document_.nodes_.size());
    marks_.resize(document_.keys_.size());
    ++mark_;
    document_.nodes_[object].extent = end;
    for (std::uint32_t at = object + 1; at < end; at = document_.next(at)) {
      const std::uint32_t name = document_.nodes_[at].key;
      if (marks_[name] == mark_) {
        place_ = path_here();
        return refuse("duplicate key \"" + readable(document_.keys_[name]) + "\"");
      }
      marks_[name] = mark_;
    }
    return true;
  }

  bool refuse_string(const std::string& value) {
    place_ = path_here();
    return refuse("a string of " + std::to_string(value.size()) + " bytes; at most " +
                  std::to_string(limits_.max_string_bytes) + " are allowed");
  }

  bool refuse(const std::string& what) {
    what_ = what;
    return false;
  }

  /// Path of the innermost open container: closes what is open so that path_of can walk it.
  std::string path_here() {
    if (open_.empty()) return "";
    for (const std::uint32_t node : open_) {
      document_.nodes_[node].extent = static_cast<std::uint32_t>(document_.nodes_.size());
    }
    return document_.place_of(open_.back(), false);
  }

  JsonDocument& document_;
  const JsonLimits& limits_;
  std::string_view text_;
  std::unordered_map<std::string, std::uint32_t> key_ids_;
  std::vector<std::uint32_t> open_;
  std::vector<std::uint64_t> marks_;  ///< by key: the last object that had it
  std::uint64_t mark_ = 0;
  std::uint32_t key_ = 0;
  std::string place_, what_;
};

JsonDocument JsonDocument::parse(std::string_view text, const std::string& file, const JsonLimits& limits) {
  if (text.empty()) throw InputError(file, "", "the file is empty");
  if (text.size() > limits.max_bytes)
    throw InputError(file, "", "larger than " + std::to_string(limits.max_bytes) + " bytes");
  // nlohmann takes a NUL for the end of its input and would ignore what follows.
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) throw InputError(file, line_of(text, nul), "a NUL byte");
  const std::uint64_t nodes = count_nodes_at_most(text);
  if (nodes > limits.max_nodes) {
    throw InputError(file, "",
                     "about " + std::to_string(nodes) + " values; at most " + std::to_string(limits.max_nodes));
  }
  JsonDocument document;
  document.file_ = file;
  document.keys_.emplace_back();
  document.nodes_.reserve(nodes);
  if (text.size() <= kMostKept) document.text_ = text;
  JsonBuilder builder(document, limits, text);
  if (!nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &builder)) builder.fail();
  return document;
}

JsonDocument JsonDocument::read(const std::string& path, const JsonLimits& limits) {
  return parse(read_regular_file(path, limits.max_bytes), path, limits);
}

JsonValue JsonDocument::root() const { return {this, 0}; }

std::string JsonDocument::place_of(std::uint32_t node, bool at_key) const {
  const std::string path = path_of(node);
  if (text_.empty()) return path;
  ValuePlaces places(text_);
  places.go_to(node);
  return line_of(text_, at_key ? places.key() : places.value()) + (path.empty() ? "" : ": " + path);
}

std::string JsonDocument::path_of(std::uint32_t node) const {
  std::string path;
  std::uint32_t at = 0;
  while (at != node && is_container(at)) {
    const bool in_array = kind(at) == JsonKind::kArray;
    const std::uint32_t end = nodes_[at].extent;
    std::size_t index = 0;
    for (++at; at < end && next(at) <= node; at = next(at)) ++index;
    if (at >= end) break;
    if (in_array) {
      path += "[" + std::to_string(index) + "]";
    } else {
      path += (path.empty() ? "" : ".") + readable(keys_[nodes_[at].key]);
    }
  }
  return path;
}

void JsonValue::fail(const std::string& what) const {
  throw InputError(document_->file_, document_->place_of(node_, false), what);
}

std::string JsonValue::found() const {
  char text[40];
  switch (kind()) {
    case JsonKind::kNull:
      return "null";
    case JsonKind::kBool:
      return node().payload != 0 ? "true" : "false";
    case JsonKind::kUnsigned:
      return std::to_string(node().payload);
    case JsonKind::kNegative:
      return std::to_string(static_cast<std::int64_t>(node().payload));
    case JsonKind::kReal:
      std::snprintf(text, sizeof text, "%.17g", std::bit_cast<double>(node().payload));
      return text;
    case JsonKind::kString:
      return "\"" + readable(std::string(as_string().substr(0, 40))) + "\"";
    case JsonKind::kArray:
      return "a list";
    case JsonKind::kObject:
      return "an object";
  }
  return "?";
}

void JsonValue::fail_kind(const std::string& expected) const { fail("expected " + expected + ", found " + found()); }

std::uint64_t JsonValue::as_u64(std::uint64_t max) const {
  if (kind() == JsonKind::kUnsigned && node().payload <= max) return node().payload;
  fail_kind("an integer from 0 to " + std::to_string(max));
}

std::int64_t JsonValue::as_i64(std::int64_t min, std::int64_t max) const {
  const auto value = static_cast<std::int64_t>(node().payload);
  const bool fits = (kind() == JsonKind::kNegative || (kind() == JsonKind::kUnsigned && value >= 0));
  if (fits && value >= min && value <= max) return value;
  fail_kind("an integer from " + std::to_string(min) + " to " + std::to_string(max));
}

double JsonValue::as_number() const {
  if (kind() == JsonKind::kReal) return std::bit_cast<double>(node().payload);
  if (kind() == JsonKind::kUnsigned) return static_cast<double>(node().payload);
  if (kind() == JsonKind::kNegative) return static_cast<double>(static_cast<std::int64_t>(node().payload));
  fail_kind("a number");
}

bool JsonValue::as_bool() const {
  if (kind() != JsonKind::kBool) fail_kind("true or false");
  return node().payload != 0;
}

std::string_view JsonValue::as_string() const {
  if (kind() != JsonKind::kString) fail_kind("a string");
  return std::string_view(document_->strings_).substr(node().payload, node().extent);
}

std::string_view JsonValue::as_name() const {
  const std::string_view name = as_string();
  if (const char* fault = name_fault(name)) fail(fault);
  return name;
}

std::size_t JsonValue::size() const { return document_->is_container(node_) ? node().payload : 0; }

JsonValue::Children JsonValue::children() const {
  return {Iterator(document_, node_ + 1), Iterator(document_, node().extent)};
}

JsonValue::Children JsonValue::elements() const {
  if (kind() != JsonKind::kArray) fail_kind("a list");
  return children();
}

JsonValue::Children JsonValue::members() const {
  if (kind() != JsonKind::kObject) fail_kind("an object");
  return children();
}

JsonObject::JsonObject(JsonValue value)
    : value_(value), count_(static_cast<std::uint32_t>(value.size())), cursor_(value.node_ + 1) {
  if (value.kind() != JsonKind::kObject) value.fail_kind("an object");
  if (count_ > 64) value.fail("has " + std::to_string(count_) + " keys; at most 64 are possible");
}

std::optional<JsonValue> JsonObject::find(std::string_view key) {
  if (asked_count_ < asked_.size()) asked_[asked_count_++] = key;
  const JsonDocument& document = *value_.document_;
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (cursor_member_ == count_) {
      cursor_member_ = 0;
      cursor_ = value_.node_ + 1;
    }
    const JsonValue member(&document, cursor_);
    const std::uint64_t bit = std::uint64_t{1} << cursor_member_;
    cursor_ = document.next(cursor_);
    ++cursor_member_;
    if (member.key() == key) {
      consumed_ |= bit;
      return member;
    }
  }
  return std::nullopt;
}

JsonValue JsonObject::require(std::string_view key) {
  if (const auto member = find(key)) return *member;
  value_.fail("key \"" + std::string(key) + "\" is missing");
}

void JsonObject::finish() const {
  std::uint32_t at = value_.node_ + 1;
  for (std::uint32_t i = 0; i < count_; ++i, at = value_.document_->next(at)) {
    if ((consumed_ >> i & 1U) != 0) continue;
    const std::string key(JsonValue(value_.document_, at).key());
    std::vector<std::string> known;
    std::string names;
    for (std::size_t k = 0; k < asked_count_; ++k) {
      if (std::ranges::count(known, asked_[k]) != 0) continue;
      known.emplace_back(asked_[k]);
      names += (names.empty() ? "" : ", ") + known.back();
    }
    const std::string near = did_you_mean(key, known);
    throw InputError(value_.document_->file_, value_.document_->place_of(at, true),
                     "unknown key" + (near.empty() ? "; keys" : near + " Keys") + " here are " + names);
  }
}

}  // namespace detent
