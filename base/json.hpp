// Strict JSON for machine files: one compact, read-only document and accessors that reject whatever nobody asked for.
//
// The syntax is nlohmann's SAX parser's; the rest of the strictness is ours: size, depth, node and string caps, no
// duplicate keys (B16), no NUL bytes, integers that are written as integers or as 1.3e9 (B17), unknown keys are errors
// (B72). Errors are InputError "file:line:column: ops[7].reads[0].size: ..."; of texts above 64 MiB, which are not
// kept, those of meaning have the path alone.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace detent {

class JsonValue;

/// For documents that hold whole listings as strings.
inline constexpr std::uint32_t kMaxLongStringBytes = std::uint32_t{1} << 28;

/// Caps that refuse a hostile file before it costs memory (B15). A node costs 16 bytes.
struct JsonLimits {
  std::uint64_t max_bytes = std::uint64_t{1} << 31;
  std::uint32_t max_depth = 64;
  std::uint32_t max_nodes = std::uint32_t{1} << 27;
  std::uint32_t max_string_bytes = std::uint32_t{1} << 16;
  std::uint32_t max_keys = (std::uint32_t{1} << 24) - 1;  ///< different ones; a node has 24 bits for its key
};

enum class JsonKind : std::uint8_t { kNull, kBool, kUnsigned, kNegative, kReal, kString, kArray, kObject };

/// A parsed file: nodes in document order in one vector. Movable; values and strings point into it, so it must outlive
/// them and must not move while they are used.
class JsonDocument {
 public:
  /// @param file  named in errors only
  static JsonDocument parse(std::string_view text, const std::string& file, const JsonLimits& limits = {});
  /// Read a regular file and parse it; the text is released again.
  static JsonDocument read(const std::string& path, const JsonLimits& limits = {});

  [[nodiscard]] JsonValue root() const;
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  friend class JsonBuilder;
  friend class JsonValue;
  friend class JsonObject;

  struct Node {
    std::uint64_t payload = 0;   ///< number (bits), bool, offset of a string, child count of a container
    std::uint32_t extent = 0;    ///< string: length; container: index behind its last descendant
    std::uint32_t key : 24 = 0;  ///< members of objects: index into keys_
    std::uint32_t kind : 8 = 0;
  };
  static_assert(sizeof(Node) == 16);

  [[nodiscard]] JsonKind kind(std::uint32_t node) const { return static_cast<JsonKind>(nodes_[node].kind); }
  [[nodiscard]] bool is_container(std::uint32_t node) const { return kind(node) >= JsonKind::kArray; }
  [[nodiscard]] std::uint32_t next(std::uint32_t node) const {
    return is_container(node) ? nodes_[node].extent : node + 1;
  }
  [[nodiscard]] std::string path_of(std::uint32_t node) const;
  /// "12:34: ops[7].size", the path alone where the text was too long to keep. @param at_key  where its key stands
  [[nodiscard]] std::string place_of(std::uint32_t node, bool at_key) const;
  JsonDocument() = default;

  std::string file_;
  std::vector<Node> nodes_;
  std::vector<std::string> keys_;  ///< each different key once
  std::string strings_;
  std::string text_;  ///< of documents that are short enough: for places in messages
};

/// One value of a document; as cheap as two words. Each as_*() throws InputError with the value's path when the value
/// is of another kind or out of range.
class JsonValue {
 public:
  [[nodiscard]] JsonKind kind() const { return document_->kind(node_); }
  [[nodiscard]] std::uint64_t as_u64(std::uint64_t max = UINT64_MAX) const;
  [[nodiscard]] std::int64_t as_i64(std::int64_t min, std::int64_t max) const;
  [[nodiscard]] double as_number() const;
  [[nodiscard]] bool as_bool() const;
  [[nodiscard]] std::string_view as_string() const;
  /// A string that may be a name (base/io.hpp).
  [[nodiscard]] std::string_view as_name() const;

  /// Number of elements or members. 0 for scalars.
  [[nodiscard]] std::size_t size() const;
  /// Key under which this value stands in its object.
  [[nodiscard]] std::string_view key() const { return document_->keys_[document_->nodes_[node_].key]; }

  class Iterator {
   public:
    Iterator(const JsonDocument* document, std::uint32_t node) : document_(document), node_(node) {}
    JsonValue operator*() const { return {document_, node_}; }
    Iterator& operator++() {
      node_ = document_->next(node_);
      return *this;
    }
    bool operator!=(const Iterator& other) const { return node_ != other.node_; }

   private:
    const JsonDocument* document_;
    std::uint32_t node_;
  };
  struct Children {
    Iterator first, last;
    [[nodiscard]] Iterator begin() const { return first; }
    [[nodiscard]] Iterator end() const { return last; }
  };
  /// Elements of an array, in order.
  [[nodiscard]] Children elements() const;
  /// Members of an object whose keys are data, in file order; see key().
  [[nodiscard]] Children members() const;

  /// "ops[7].reads[0].size"; empty for the root. Linear in the document: for messages only.
  [[nodiscard]] std::string path() const { return document_->path_of(node_); }
  /// Throw InputError(file, path, what).
  [[noreturn]] void fail(const std::string& what) const;

 private:
  friend class JsonDocument;
  friend class JsonObject;
  JsonValue(const JsonDocument* document, std::uint32_t node) : document_(document), node_(node) {}
  [[nodiscard]] const JsonDocument::Node& node() const { return document_->nodes_[node_]; }
  [[nodiscard]] Children children() const;
  [[nodiscard]] std::string found() const;
  [[noreturn]] void fail_kind(const std::string& expected) const;

  const JsonDocument* document_;
  std::uint32_t node_;
};

/// The members of an object with a known schema: ask for each key, then finish() rejects what nobody asked for.
class JsonObject {
 public:
  /// @throws InputError  not an object, or more than 64 members (no schema has as many)
  explicit JsonObject(JsonValue value);
  /// @param key  lives as long as this object: a literal
  /// @throws InputError  the key is missing
  [[nodiscard]] JsonValue require(std::string_view key);
  [[nodiscard]] std::optional<JsonValue> find(std::string_view key);
  /// @throws InputError  a key that was never asked for; names the nearest and all that were asked for
  void finish() const;
  [[nodiscard]] const JsonValue& value() const { return value_; }

 private:
  JsonValue value_;
  std::uint32_t count_;
  std::uint64_t consumed_ = 0;  ///< bit i: member i was asked for
  std::uint32_t cursor_;        ///< node behind the last hit: files list keys in the order of their schema
  std::uint32_t cursor_member_ = 0;
  std::array<std::string_view, 24> asked_{};  ///< each key once, in the order in which it was asked for first
  std::size_t asked_count_ = 0;
};

}  // namespace detent
