#include "models/import/tvm/clang/cursor.hpp"

#include <algorithm>

namespace detent::models::tvm {
namespace {

constexpr std::size_t kMaxPointers = 8;

CType::Scalar scalar_of(CXTypeKind kind) {
  if (kind == CXType_Void) return CType::Scalar::kVoid;
  if (kind == CXType_Bool) return CType::Scalar::kBool;
  if (kind == CXType_Record) return CType::Scalar::kRecord;
  if (kind == CXType_Enum) return CType::Scalar::kInt;
  if (kind == CXType_Char_S || (kind >= CXType_SChar && kind <= CXType_Int128)) return CType::Scalar::kInt;
  if (kind >= CXType_Char_U && kind <= CXType_UInt128) return CType::Scalar::kUInt;
  const bool real = (kind >= CXType_Float && kind <= CXType_LongDouble) || kind == CXType_Float128 ||
                    kind == CXType_Half || kind == CXType_Float16 || kind == CXType_BFloat16;
  return real ? CType::Scalar::kFloat : CType::Scalar::kOther;
}

/// libclang ends the process when asked for the size of what is no object, such as a compiler's own function.
bool has_size(CXTypeKind kind) {
  return (kind >= CXType_FirstBuiltin && kind <= CXType_LongDouble && kind != CXType_Void) || kind == CXType_Float128 ||
         kind == CXType_Half || kind == CXType_Float16 || kind == CXType_BFloat16 || kind == CXType_Enum ||
         kind == CXType_Record || kind == CXType_Vector || kind == CXType_ExtVector;
}

}  // namespace

std::string take(CXString text) {
  const char* chars = libclang().getCString(text);
  std::string copy = chars != nullptr ? chars : "";
  libclang().disposeString(text);
  return copy;
}

std::vector<CXCursor> children_of(CXCursor cursor) {
  std::vector<CXCursor> children;
  libclang().visitChildren(
      cursor,
      [](CXCursor child, CXCursor, CXClientData data) {
        static_cast<std::vector<CXCursor>*>(data)->push_back(child);
        return CXChildVisit_Continue;
      },
      &children);
  return children;
}

std::uint64_t offset_of(CXSourceLocation location) {
  unsigned offset = 0;
  libclang().getFileLocation(location, nullptr, nullptr, nullptr, &offset);
  return offset;
}

CType convert_type(CXType type) {
  CType out;
  type = libclang().getCanonicalType(type);
  out.is_const = libclang().isConstQualifiedType(type) != 0;
  CXType inner = type;
  while (inner.kind == CXType_ConstantArray || inner.kind == CXType_IncompleteArray ||
         inner.kind == CXType_VariableArray) {
    out.is_variable_length = out.is_variable_length || inner.kind == CXType_VariableArray;
    const long long count = inner.kind == CXType_ConstantArray ? libclang().getArraySize(inner) : 0;
    out.extents.push_back(count > 0 ? static_cast<std::uint64_t>(count) : 0);
    inner = libclang().getCanonicalType(libclang().getArrayElementType(inner));
    out.is_const = out.is_const || libclang().isConstQualifiedType(inner) != 0;
    if (out.extents.size() > kMaxPointers) return out;
  }
  while (inner.kind == CXType_Pointer) {
    out.pointer_bytes = static_cast<std::uint32_t>(libclang().Type_getSizeOf(inner));
    if (++out.pointers > kMaxPointers) return out;
    inner = libclang().getCanonicalType(libclang().getPointeeType(inner));
  }
  CXType scalar = inner;
  out.is_vector = inner.kind == CXType_Vector || inner.kind == CXType_ExtVector;
  if (out.is_vector) scalar = libclang().getCanonicalType(libclang().getElementType(inner));
  out.scalar = scalar_of(scalar.kind);
  const long long size = has_size(inner.kind) ? libclang().Type_getSizeOf(inner) : 0;
  if (out.scalar != CType::Scalar::kVoid && out.scalar != CType::Scalar::kOther && size > 0) {
    out.scalar_bytes = static_cast<std::uint32_t>(std::min<long long>(size, UINT32_MAX));
  }
  out.spelling = take(libclang().getTypeSpelling(type));
  return out;
}

}  // namespace detent::models::tvm
