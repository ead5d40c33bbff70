#include "models/import/tvm/clang/type_table.hpp"

#include <vector>

namespace detent::models::tvm {

const CType& TypeTable::type_of(CXType type) {
  const auto key = std::make_pair(static_cast<const void*>(type.data[0]), static_cast<const void*>(type.data[1]));
  const auto known = types_.find(key);
  if (known != types_.end()) return known->second;
  const CType& converted = types_.emplace(key, convert_type(type)).first->second;
  if (converted.scalar == CType::Scalar::kRecord && converted.pointers == 0 && converted.extents.empty())
    note_layout(type, converted);
  if (converted.scalar == CType::Scalar::kRecord && converted.pointers == 0 && !converted.extents.empty())
    (void)type_of(libclang().getArrayElementType(libclang().getCanonicalType(type)));
  return converted;
}

/// Nothing that initialisers could fill in another order than the members'.
void TypeTable::note_layout(CXType type, const CType& converted) {
  constexpr std::size_t kMost = 64;
  const CXCursor record = libclang().getTypeDeclaration(libclang().getCanonicalType(type));
  const auto [place, is_new] = unit_.layouts.try_emplace(name_of_record(converted));
  if (!is_new || libclang().getCursorKind(record) != CXCursor_StructDecl) return;
  RecordLayout layout;
  for (const CXCursor& field : children_of(record)) {
    const CXCursorKind kind = libclang().getCursorKind(field);
    if (kind == CXCursor_StructDecl || kind == CXCursor_EnumDecl || kind == CXCursor_UnionDecl) {
      if (libclang().Cursor_isAnonymousRecordDecl(field) != 0) return;
      continue;
    }
    if (kind != CXCursor_FieldDecl) continue;
    const long long bits = libclang().Cursor_getOffsetOfField(field);
    if (bits < 0 || bits % 8 != 0 || libclang().Cursor_isBitField(field) != 0 || layout.members.size() == kMost) return;
    const CXType member = libclang().getCursorType(field);
    layout.members.push_back(
        {static_cast<std::uint64_t>(bits) / 8, type_of(member), take(libclang().getCursorSpelling(field))});
  }
  unit_.layouts[name_of_record(converted)] = std::move(layout);
}

std::optional<std::int64_t> TypeTable::member_offset(CXType record, const std::string& name) {
  const auto [known, is_new] = field_bits_.try_emplace(std::pair(static_cast<const void*>(record.data[0]), name), 0);
  if (is_new) known->second = libclang().Type_getOffsetOf(record, name.c_str());
  if (known->second < 0 || known->second % 8 != 0) return std::nullopt;
  return known->second / 8;
}

}  // namespace detent::models::tvm
