// What main's expressions are known to be, and what its local variables hold.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

struct MainValue {
  enum class Tag : std::uint8_t {
    kInt,
    kBuffer,
    kObject,
    kDevice,
    kArguments,   ///< the array of TVMValue that a packed main takes
    kHandle,      ///< the DLTensor of one argument of a packed main
    kDescriptor,  ///< what a caller tells about the arguments: type codes, ranks, shapes; not known, and no tensor data
    kLocal,       ///< address within a local variable
    kFunction
  };
  Tag tag = Tag::kDescriptor;
  std::int64_t number = 0;  ///< kInt: value; kObject, kLocal: byte offset; kHandle: which argument of main
  std::uint32_t index = 0;  ///< kBuffer, kObject, kDevice
  bool indexed = false;     ///< kObject: an address computed from the base, not the base itself
  std::string text{};       ///< kLocal: the variable; kFunction: the symbol
};

/// Bytes of a local variable.
struct MainPlace {
  std::string variable;
  std::int64_t offset_bytes = 0;
  std::uint32_t size_bytes = 0;
};

/// Local variables of main as memory: a value is known at the bytes to which it was last written as a whole.
class MainMemory {
 public:
  void enter() { scopes_.emplace_back(); }
  /// Ends a scope with all that was declared in it.
  void leave();
  /// False: there is one of this name. @param fixed  it has a value and takes no other
  bool declare(const std::string& name, bool is_array, bool fixed, std::uint64_t size_bytes);
  [[nodiscard]] bool contains(const std::string& name) const { return locals_.contains(name); }
  [[nodiscard]] bool is_array(const std::string& name) const { return locals_.at(name).is_array; }
  [[nodiscard]] bool is_fixed(const std::string& name) const { return locals_.at(name).fixed; }
  [[nodiscard]] bool is_inside(const MainPlace& place) const;
  void store(const MainPlace& place, MainValue value);
  /// Null: never written, or written in other parts that are not all zero.
  [[nodiscard]] const MainValue* load(const MainPlace& place) const;
  /// Nothing of this variable is known any more.
  void forget(const std::string& variable) { cells_.erase(variable); }

 private:
  struct Local {
    bool is_array = false, fixed = false;
    std::uint64_t size_bytes = 0;  ///< 0: not known
  };
  struct Cell {
    std::uint32_t size_bytes = 0;
    MainValue value;
  };
  std::map<std::string, Local> locals_;
  std::map<std::string, std::map<std::int64_t, Cell>> cells_;
  std::vector<std::vector<std::string>> scopes_;
};

/// Bytes of a value of this type where it stands in memory. Nothing: not known.
std::optional<std::uint32_t> bytes_of(const CType& type);

/// Where a field lies in a struct: one that the file defines, or one of TVM's C runtime. Nothing: not known.
std::optional<std::int64_t> field_offset(const CUnit& unit, const CType& record, const std::string& field);

}  // namespace detent::models::tvm
