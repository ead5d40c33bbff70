// Constants of LLVM's IR, read for IrFunction.
#pragma once

#include <cstdint>

#include "models/import/tvm/ir/libllvm.hpp"

namespace detent::models::tvm {

class IrConstants {
 public:
  IrConstants(const LibLlvm& llvm, LlvmDataLayout* layout) : llvm_(llvm), layout_(layout) {}

  /// Bits of an integer of at most 8 bytes; else 0.
  [[nodiscard]] std::uint64_t number_of(LlvmValue* integer) const;
  /// clang-19 was told to begin variables that the text does not set with these values (harness/module/c_ir.hpp); the
  /// same numbers in the text are not told apart.
  [[nodiscard]] bool is_never_set(LlvmValue* integer) const;
  [[nodiscard]] bool is_not_a_number(LlvmValue* real) const;
  /// Is there such a value in the constant from which clang-19 copies the first value of a local variable?
  [[nodiscard]] bool holds_never_set(LlvmValue* constant, int depth) const;
  [[nodiscard]] bool holds_addresses(LlvmValue* constant) const;
  /// Never changes, and what it holds is here.
  [[nodiscard]] bool is_known_constant(LlvmValue* global) const;

 private:
  [[nodiscard]] unsigned element_count(LlvmValue* data) const;

  const LibLlvm& llvm_;
  LlvmDataLayout* layout_;
};

}  // namespace detent::models::tvm
