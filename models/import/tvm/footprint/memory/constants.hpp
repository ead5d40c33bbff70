// Constants: data of the file whose values the text gives.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/import/tvm/footprint/memory/objects.hpp"
#include "models/import/tvm/footprint/memory/value.hpp"

namespace detent::models::tvm::footprint {

class Constants {
 public:
  Constants(const CUnit& unit, Terms& terms, Objects& objects) : unit_(unit), terms_(terms), objects_(objects) {}
  /// A const variable of integers whose values the text gives is an object of its own; all other data of the file are
  /// one.
  ObjectId object_of(const Variable& variable);
  /// An element of a constant table: its value, or one of all that the table holds. None: it is no such element.
  std::optional<Value> read(const Place& place, const CType& type);

 private:
  struct Table {
    const Variable* variable = nullptr;
    std::vector<std::int64_t> values;  ///< the first ones; the others are 0
    std::uint64_t count = 0;
  };
  [[nodiscard]] std::optional<Table> table_of(const Variable& variable) const;
  [[nodiscard]] bool is_element(const Table& table, const Place& place, const CType& type);
  static Range range_of_values(const Table& table);

  const CUnit& unit_;
  Terms& terms_;
  Objects& objects_;
  std::vector<Table> tables_;  // by Object::index - 1
  std::map<std::pair<ObjectId, NodeId>, NodeId> unknown_;
};

}  // namespace detent::models::tvm::footprint
