// What an entity's entry function is called with, from the calls of the file through the member that holds it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/import/tvm/entities/static_data.hpp"
#include "models/import/tvm/entities/table.hpp"

namespace detent::models::tvm::entities {

class EntryArguments {
 public:
  /// @param unit, data, table  outlive this
  EntryArguments(const CUnit& unit, StaticData& data, const Table& table);

  /// By parameter. kUnknown, with why: not known before the run, or calls of the file differ.
  /// @param places  receives where it was read: what changes there, changes the argument
  std::vector<Cell> of(const Entity& entity, std::vector<std::pair<DataPlace, CType>>& places);

 private:
  [[nodiscard]] bool calls_entry(const Expr& call) const;
  [[nodiscard]] bool is_entity_type(const CType& type, std::uint32_t pointers) const;
  std::vector<Cell> of_call(const Expr& call, const Entity& entity);
  std::vector<Cell> by_types(const Entity& entity);
  Cell value_of(ExprId id, const Entity& entity);
  [[nodiscard]] ExprId value_of_local(const Expr& name) const;
  /// The place of `e->member`, `table[i].member`, `e->list[2]`, of the entity that is called.
  std::optional<DataPlace> place_in(ExprId id, const Entity& entity);
  Cell read(const DataPlace& place, const CType& type);

  const CUnit& unit_;
  StaticData& data_;
  const Table& table_;
  std::vector<const Expr*> calls_;
  std::vector<std::pair<DataPlace, CType>>* places_ = nullptr;
};

}  // namespace detent::models::tvm::entities
