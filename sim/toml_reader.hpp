// TomlReader: one table of a TOML file, read strictly. Every error is std::invalid_argument "file:line: what; remedy".
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace detent::sim {

/// Parse `text`; a syntax error (duplicate keys among them) names its line.
toml::table parse_toml(std::string_view text, const std::string& file);

/// View of a table; the table outlives it. `path` is what errors put before a key: "core.npu".
class TomlReader {
 public:
  TomlReader(const toml::table& table, std::string file, std::string path)
      : table_(table), file_(std::move(file)), path_(std::move(path)) {}

  /// @param node  where it is; null: the table itself
  [[noreturn]] void fail(const toml::node* node, const std::string& what) const;
  /// The same at the place of a key that exists.
  [[noreturn]] void fail_at(std::string_view key, const std::string& what) const { fail(find(key), what); }
  /// Every key is one of these, or the first that is not is named.
  void allow_only(std::initializer_list<std::string_view> keys) const;

  [[nodiscard]] const toml::node* find(std::string_view key) const { return table_.get(key); }
  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  [[nodiscard]] const toml::node& need(std::string_view key) const;

  [[nodiscard]] std::string text(std::string_view key) const;
  /// A name of a-z, 0-9 and _, at most 64 characters.
  [[nodiscard]] std::string word(std::string_view key) const;
  /// An integer in [low, high].
  [[nodiscard]] std::uint64_t integer(std::string_view key, std::int64_t low, std::int64_t high) const;
  /// The same where the key may be missing.
  [[nodiscard]] std::uint64_t integer_or(std::string_view key, std::uint64_t missing, std::int64_t low,
                                         std::int64_t high) const {
    return has(key) ? integer(key, low, high) : missing;
  }
  /// A number in (0, high].
  [[nodiscard]] double number(std::string_view key, double high) const;
  [[nodiscard]] double number_or(std::string_view key, double missing, double high) const {
    return has(key) ? number(key, high) : missing;
  }
  [[nodiscard]] bool boolean_or(std::string_view key, bool missing) const;
  [[nodiscard]] TomlReader table(std::string_view key) const;
  /// [[key]]: `each(reader)` for every table of the list.
  template <typename Each>
  void for_each_table(std::string_view key, const Each& each) const {
    for (const auto& entry : tables(key)) each(TomlReader(*entry.as_table(), file_, full(key)));
  }

  [[nodiscard]] std::string full(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }
  [[nodiscard]] const toml::table& raw() const { return table_; }

 private:
  [[nodiscard]] const toml::array& tables(std::string_view key) const;

  const toml::table& table_;
  std::string file_;
  std::string path_;
};

}  // namespace detent::sim
