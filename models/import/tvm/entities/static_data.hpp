// StaticData: what the initialisers of a C file put where: addresses, functions and numbers by object and offset.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm::entities {

/// A variable at file scope, or a compound literal there: `(void *[]){a, b}`.
struct DataObject {
  std::string name;  ///< "ws", "literal at line 12"; different ones have different names
  CType type;
  std::uint64_t size_bytes = 0;            ///< 0: not told
  std::vector<const Variable*> variables;  ///< all declarations of it; none of a literal
  bool is_defined = false;                 ///< what no initialiser names is 0
  bool is_constant = false;                ///< const numbers: no program writes them
  std::string doubt;                       ///< why not all of its initialiser is understood; "": it is
  std::uint32_t line = 0;
};

/// What lies at one place before the run.
struct Cell {
  enum class Kind : std::uint8_t {
    kUnknown,   ///< `text` says why
    kInt,       ///< number
    kNull,      ///< a null pointer that the text names
    kAddress,   ///< `number` bytes behind the begin of `object`
    kFunction,  ///< text: its name
    kString     ///< text: the literal
  } kind = Kind::kUnknown;
  std::int64_t number = 0;
  std::uint32_t object = 0;
  std::string text;
  CType type;  ///< of the member or element
  std::uint32_t line = 0;
};

/// A place in an object. The offset may lie outside.
struct DataPlace {
  std::uint32_t object = 0;
  std::int64_t offset = 0;
  auto operator<=>(const DataPlace&) const = default;
};

class StaticData {
 public:
  /// @param unit  outlives this
  explicit StaticData(const CUnit& unit);

  [[nodiscard]] const std::vector<DataObject>& objects() const { return objects_; }
  /// All that initialisers name, in order of places.
  [[nodiscard]] const std::map<DataPlace, Cell>& cells() const { return cells_; }
  /// Null: nothing is named there.
  [[nodiscard]] const Cell* find(const DataPlace& place) const;
  /// An integer: named, or 0 where nothing is named in an object that is defined and understood.
  [[nodiscard]] std::optional<std::int64_t> int_at(const DataPlace& place) const;
  /// The value of an expression in which only names of the file stand. kUnknown: it has none before the run.
  [[nodiscard]] Cell evaluate(ExprId id);
  /// The place of an lvalue of the same kind.
  [[nodiscard]] std::optional<DataPlace> place_of(ExprId id);
  /// The variable of this name at file scope.
  [[nodiscard]] std::optional<std::uint32_t> object_named(const std::string& name) const;

 private:
  /// The items of one pair of braces, taken one after the other.
  struct Items {
    const std::vector<ExprId>& ids;
    std::size_t next = 0;
  };
  void add_global(const Global& global);
  std::uint32_t add_literal(ExprId id);
  void fill(const DataPlace& at, const CType& type, ExprId id);
  void fill_members(const DataPlace& at, const CType& type, Items& items, bool is_braced);
  bool fill_designated(const DataPlace& at, const CType& type, const Expr& item, std::size_t& position);
  void fill_path(const DataPlace& at, const CType& type, const Expr& item, std::string path, std::size_t argument);
  void set(const DataPlace& at, const CType& type, Cell cell);
  void doubt(std::uint32_t object, const Expr& expr, const std::string& why);
  [[nodiscard]] std::size_t parts_of(const CType& type) const;
  /// The n-th element or member of an aggregate.
  [[nodiscard]] std::pair<std::uint64_t, CType> part(const CType& type, std::size_t n) const;
  [[nodiscard]] const RecordLayout* layout_of(const CType& type) const;
  Cell evaluate_name(const Expr& expr);
  Cell evaluate_unary(const Expr& expr);
  Cell evaluate_binary(const Expr& expr);
  Cell evaluate_cast(const Expr& expr);
  Cell address_in(ExprId id);

  const CUnit& unit_;
  std::vector<DataObject> objects_;
  std::map<std::string, std::uint32_t> names_;
  std::map<ExprId, std::uint32_t> literals_;
  std::map<std::uint32_t, std::uint32_t> literals_at_line_;  ///< how many
  std::map<DataPlace, Cell> cells_;
  std::uint32_t depth_ = 0;
};

/// `(type){...}`
bool is_compound_literal(const Expr& expr);
/// The type of the elements of an array.
CType element_of(const CType& array);
/// A pointer to a function.
bool is_function_pointer(const CType& type);
/// A number without a fraction, atomic or not.
bool is_whole_number(const CType& type);

}  // namespace detent::models::tvm::entities
