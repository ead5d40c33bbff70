// GraphValues: the values that reads and writes of a detent.graph/2 name, and the guards of its ops -> tables of a
// Model.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/byte_ranges.hpp"
#include "base/json.hpp"
#include "models/core/model.hpp"

namespace detent::models {

/// Limits of the format, checked by the reader.
inline constexpr std::size_t kMaxListedValues = 16;  ///< that one read may name
inline constexpr std::size_t kMaxOpGuards = 16;

/// Collects what a file names while it is read, and checks it once all of it is known: every value has one writer or is
/// an input, a read lies inside what the writer of each of its values writes, inputs share no byte, a decision is one
/// op's or an input's.
class GraphValues {
 public:
  explicit GraphValues(Model& model) : model_(model) {}

  /// Bytes [offset, offset + size) of a region, and where the file says so.
  struct Place {
    std::uint32_t region = 0;
    std::uint64_t offset = 0, size = 0;
    JsonValue where;
  };
  static constexpr std::uint32_t kNoSet = 0;

  /// The values that a "value" names, as a number of a set: a name, or a list of them where `may_be_list`.
  std::uint32_t read_set(const JsonValue& value, bool may_be_list);
  [[nodiscard]] const std::vector<std::uint32_t>& values_of(std::uint32_t set) const { return sets_[set]; }
  /// "x", "a|b"
  [[nodiscard]] std::string text_of(std::uint32_t set) const;

  void add_write(std::uint32_t set, OpId op, const Place& place);
  void add_input(std::uint32_t set, const Place& place);
  /// A read of an op, or an output of the graph.
  void add_read(std::uint32_t set, const Place& place);
  /// "c3=then" or a list of such.
  void read_guards(const JsonValue& value, OpId op);

  /// After all regions, inputs, ops and outputs. @throws InputError  a rule above is broken; place and remedy
  void finish();

 private:
  static constexpr std::uint32_t kInput = DETENT_NONE;
  static constexpr std::uint32_t kNobody = DETENT_NONE - 1;
  struct Writer {
    std::uint32_t op = kNobody;
    std::vector<ByteRange> bytes{};  ///< linear over all regions
  };
  struct Read {
    std::uint32_t set;
    Place place;
  };
  struct GuardText {
    OpId op;
    std::string_view decision, outcome;
    JsonValue where;
  };

  std::uint32_t value_id(std::string_view name);
  void add_writer(std::uint32_t set, std::uint32_t op, const Place& place);
  void add_guard(const JsonValue& text, OpId op);
  void check_inputs() const;
  void check_read(const Read& read) const;
  void resolve_guards();
  std::uint32_t decision_id(const GuardText& guard);
  [[nodiscard]] std::uint32_t op_of_decision(const GuardText& guard) const;
  void index_op_names();

  Model& model_;
  std::unordered_map<std::string, std::uint32_t> value_ids_;
  std::vector<Writer> writers_;  ///< by value
  std::vector<std::vector<std::uint32_t>> sets_{{}};
  std::map<std::vector<std::uint32_t>, std::uint32_t> list_ids_;  ///< sets of more than one value
  std::vector<std::uint32_t> single_ids_;                         ///< by value: its set, or kNoSet
  std::vector<Read> reads_;
  std::vector<Read> inputs_;
  std::vector<GuardText> guards_;
  std::unordered_map<std::string, std::uint32_t> decision_ids_;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> ops_by_name_;
};

}  // namespace detent::models
