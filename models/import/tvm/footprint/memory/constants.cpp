#include "models/import/tvm/footprint/memory/constants.hpp"

#include <algorithm>

#include "models/import/tvm/footprint/terms/term_arithmetic.hpp"

namespace detent::models::tvm::footprint {

std::optional<Constants::Table> Constants::table_of(const Variable& variable) const {
  CType element = variable.type;
  element.extents.clear();
  std::uint64_t count = 1;
  for (const std::uint64_t extent : variable.type.extents) {
    if (__builtin_mul_overflow(count, extent, &count)) count = 0;
  }
  const bool is_told = variable.type.is_const && is_integer(element) && element.scalar != CType::Scalar::kBool &&
                       variable.init != kNoNode && count > 0 && variable.type.extents.size() <= 1;
  if (!is_told) return std::nullopt;
  Table table = {&variable, {}, count};
  const Expr& init = unit_.expr(variable.init);
  const std::vector<ExprId> parts = init.kind == ExprKind::kInitList ? init.args : std::vector<ExprId>{variable.init};
  for (const ExprId part : parts) {
    if (unit_.expr(part).kind != ExprKind::kInt) return std::nullopt;
    table.values.push_back(unit_.expr(part).value);
  }
  if (table.values.empty() || table.values.size() > count) return std::nullopt;
  return table;
}

ObjectId Constants::object_of(const Variable& variable) {
  const auto known =
      std::find_if(tables_.begin(), tables_.end(), [&](const Table& table) { return table.variable == &variable; });
  if (known != tables_.end()) {
    return objects_.of(Object::Kind::kConstant, static_cast<std::uint32_t>(known - tables_.begin()) + 1);
  }
  std::optional<Table> table = table_of(variable);
  if (!table) return objects_.of(Object::Kind::kConstant, 0);
  tables_.push_back(std::move(*table));
  return objects_.of(Object::Kind::kConstant, static_cast<std::uint32_t>(tables_.size()));
}

bool Constants::is_element(const Table& table, const Place& place, const CType& type) {
  const CType& element = table.variable->type;
  return is_integer(type) && type.scalar == element.scalar && type.scalar_bytes == element.scalar_bytes &&
         floor_mod(terms_, place.offset, type.scalar_bytes) == terms_.constant(0);
}

Range Constants::range_of_values(const Table& table) {
  const auto [least, most] = std::minmax_element(table.values.begin(), table.values.end());
  const bool has_zeros = table.values.size() < table.count;
  return {has_zeros ? std::min<std::int64_t>(*least, 0) : *least, has_zeros ? std::max<std::int64_t>(*most, 0) : *most};
}

std::optional<Value> Constants::read(const Place& place, const CType& type) {
  const Object& target = objects_[place.object];
  if (target.kind != Object::Kind::kConstant || target.index == 0 || place.whole_record) return std::nullopt;
  const Table& table = tables_[target.index - 1];
  if (!is_element(table, place, type)) return std::nullopt;
  const NodeId index = floor_div(terms_, place.offset, type.scalar_bytes);
  if (terms_.is_constant(index)) {
    const std::int64_t at = terms_.node(index).value;
    if (at < 0 || at >= static_cast<std::int64_t>(table.count)) return std::nullopt;
    const bool is_given = at < static_cast<std::int64_t>(table.values.size());
    return int_value(terms_.constant(is_given ? table.values[static_cast<std::size_t>(at)] : 0));
  }
  const auto [known, is_new] = unknown_.try_emplace({place.object, place.offset}, kNone);
  if (is_new) known->second = terms_.unknown(range_of_values(table));
  return int_value(known->second);
}

}  // namespace detent::models::tvm::footprint
