// Constants of the IR: what a number is, what a constant object holds.
#include "models/import/tvm/ir/constants.hpp"

#include <algorithm>
#include <cmath>

#include "models/import/tvm/ir/numbers.hpp"

namespace detent::models::tvm {

using namespace llvm_numbers;  // NOLINT(google-build-using-namespace): enumerations only

std::uint64_t IrConstants::number_of(LlvmValue* integer) const {
  constexpr unsigned long long kMostBytes = 8;  // LLVM stops at wider ones
  return llvm_.ABISizeOfType(layout_, llvm_.TypeOf(integer)) <= kMostBytes ? llvm_.ConstIntGetZExtValue(integer) : 0;
}

bool IrConstants::is_never_set(LlvmValue* integer) const {
  const unsigned long long bytes = llvm_.ABISizeOfType(layout_, llvm_.TypeOf(integer));
  constexpr std::uint64_t kPattern = 0xaaaaaaaaaaaaaaaaU;
  if (bytes == 0 || bytes > 8) return bytes > 8;
  return number_of(integer) == kPattern >> (64 - 8 * bytes);
}

bool IrConstants::is_not_a_number(LlvmValue* real) const {
  int loses_bits = 0;
  return std::isnan(llvm_.ConstRealGetDouble(real, &loses_bits));
}

bool IrConstants::holds_never_set(LlvmValue* constant, int depth) const {
  constexpr int kMaxDepth = 16;
  constexpr unsigned kMaxElements = 4096;
  switch (llvm_.GetValueKind(constant)) {
    case kConstantInt:
      return is_never_set(constant);
    case kConstantFP:
      return is_not_a_number(constant);
    case kDataArray:
    case kDataVector:
      for (unsigned i = 0; i < std::min(kMaxElements, element_count(constant)); ++i) {
        if (holds_never_set(llvm_.GetElementAsConstant(constant, i), depth + 1)) return true;
      }
      return false;
    case kConstantArray:
    case kConstantStruct:
    case kConstantExpr:
      for (int i = 0; i < llvm_.GetNumOperands(constant) && depth < kMaxDepth; ++i) {
        if (holds_never_set(llvm_.GetOperand(constant, static_cast<unsigned>(i)), depth + 1)) return true;
      }
      return depth >= kMaxDepth;
    default:
      return false;
  }
}

unsigned IrConstants::element_count(LlvmValue* data) const {
  LlvmType* type = llvm_.TypeOf(data);
  return llvm_.GetTypeKind(type) == kArrayType ? static_cast<unsigned>(llvm_.GetArrayLength2(type))
                                               : llvm_.GetVectorSize(type);
}

bool IrConstants::holds_addresses(LlvmValue* constant) const {
  switch (llvm_.GetValueKind(constant)) {
    case kConstantInt:
    case kConstantFP:
    case kAggregateZero:
    case kDataArray:
    case kDataVector:
    case kUndef:
      return false;
    case kConstantArray:
    case kConstantStruct:
      for (int i = 0; i < llvm_.GetNumOperands(constant); ++i) {
        if (holds_addresses(llvm_.GetOperand(constant, static_cast<unsigned>(i)))) return true;
      }
      return false;
    default:
      return true;
  }
}

bool IrConstants::is_known_constant(LlvmValue* global) const {
  const int linkage = llvm_.GetLinkage(global);
  const bool is_final = linkage == kExternal || linkage == kInternal || linkage == kPrivate;
  return is_final && llvm_.IsGlobalConstant(global) != 0 && llvm_.GetInitializer(global) != nullptr &&
         llvm_.IsThreadLocal(global) == 0 && llvm_.IsExternallyInitialized(global) == 0;
}

}  // namespace detent::models::tvm
