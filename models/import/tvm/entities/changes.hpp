// Changes: what functions that are no entities write into data that initialisers have filled, before or while entities
// run.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/import/tvm/entities/static_data.hpp"

namespace detent::models::tvm::entities {

/// Found by the text of their assignments: by place where the text names it; by record and member where it goes through
/// a pointer to a record; else by the type of what is written, as C lets the compiler tell objects apart.
class Changes {
 public:
  /// @param entities  functions that run as parts of entities: their writes are found otherwise
  Changes(const CUnit& unit, StaticData& data, const std::set<std::string>& entities);

  /// The line that may change what lies at a place; 0: none does.
  [[nodiscard]] std::uint32_t line_of(const DataPlace& place, const CType& type) const;

 private:
  struct Written {
    CType type;
    std::uint32_t line = 0;
  };
  struct Span {
    std::int64_t begin = 0, end = 0;
    std::uint32_t line = 0;
  };
  struct MemberWritten {
    std::int64_t offset = 0, bytes = 0;
    std::uint32_t line = 0;
  };
  void read_function(const Function& function);
  void read_text(const SourceRange& range, std::uint32_t line);
  void read_expression(ExprId id);
  void read_call(const Expr& expr);
  [[nodiscard]] bool has_body(const std::string& name) const;
  void write_addresses(const Expr& call);
  void write_behind_argument(const Expr& expr, std::size_t argument);
  void find_functions_behind_pointers();
  void add_target(ExprId id);
  void add_behind(ExprId pointer, const CType& type, std::uint32_t line);
  void add_object(std::uint32_t object, std::uint32_t line);
  [[nodiscard]] bool names_local(ExprId id) const;
  /// May this local pointer point into data of the file? Adds the objects that it can.
  bool follow_local(const std::string& name, std::uint32_t line, std::uint32_t depth);
  bool follow_member(const Expr& member, std::uint32_t line);
  bool follow_value(ExprId id, std::uint32_t line, std::uint32_t depth);

  const CUnit& unit_;
  StaticData& data_;
  std::map<std::string, std::vector<ExprId>> local_values_;  ///< of the function that is read: all that a name gets
  std::map<std::string, CType> locals_;
  std::map<std::pair<std::string, std::int64_t>, std::vector<ExprId>> member_values_;  ///< by record and offset
  std::set<std::string> parameters_;
  const Function* function_ = nullptr;
  std::set<std::string> called_, behind_pointers_;                   ///< functions
  std::map<std::string, std::set<std::size_t>> written_parameters_;  ///< by function: those through which it writes
  bool has_grown_ = false;
  std::map<std::uint32_t, std::vector<Span>> spans_;           ///< by object
  std::map<std::string, std::vector<MemberWritten>> members_;  ///< by record
  std::vector<Written> through_pointers_;
};

}  // namespace detent::models::tvm::entities
