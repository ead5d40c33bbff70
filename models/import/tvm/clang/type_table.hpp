// TypeTable: the compiler's types as ours, each converted once, and how its records lie in memory.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "models/import/tvm/clang/cursor.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

class TypeTable {
 public:
  /// @param unit  gets the layouts of records
  explicit TypeTable(CUnit& unit) : unit_(unit) {}
  const CType& type_of(CXType type);
  /// Bytes from the begin of a record to a member, by name; none: it has no such member, or within a byte.
  std::optional<std::int64_t> member_offset(CXType record, const std::string& name);

 private:
  void note_layout(CXType type, const CType& converted);

  CUnit& unit_;
  std::map<std::pair<const void*, const void*>, CType> types_;
  std::map<std::pair<const void*, std::string>, long long> field_bits_;  // by record and name
};

}  // namespace detent::models::tvm
