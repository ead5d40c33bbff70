// Binding: what a function finds in memory that outlives its calls, and what its arguments are, where the whole program
// is known.
//
// Without one, each pointer parameter is memory of its own and data of the file is hidden state. With one, variables of
// the file are objects, parameters point into them, and records that hold arguments have known members.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

/// A value that is the same in every run.
struct BoundValue {
  enum class Kind : std::uint8_t {
    kUnknown,
    kInt,      ///< number
    kNull,     ///< the null pointer
    kAddress,  ///< `number` bytes behind the begin of `object`
    kConstant  ///< `number` bytes behind the begin of `variable`, which is const
  } kind = Kind::kUnknown;
  std::int64_t number = 0;
  std::uint32_t object = 0;            ///< kAddress: of the binding
  const Variable* variable = nullptr;  ///< kConstant: of the unit; not owned
};

/// A member or element that nothing changes while functions run.
struct BoundField {
  CType type;
  BoundValue value;
};

/// Objects never overlap. FunctionFootprint::params is then by object: bytes are counted from its begin.
struct Binding {
  std::uint32_t object_count = 0;
  std::map<const Variable*, std::uint32_t> variables;                   ///< at file scope of the unit, to objects
  std::map<std::pair<std::uint32_t, std::int64_t>, BoundField> fields;  ///< by object and offset in bytes
  std::vector<BoundValue> arguments;                                    ///< by parameter; missing ones are unknown
};

}  // namespace detent::models::tvm
