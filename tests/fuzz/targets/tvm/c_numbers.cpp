// Initialisers of constants: whole elements of their type, or a refusal. The first byte chooses the type.
#include "models/import/tvm/artifact/values.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void c_numbers_target(std::string_view input) {
  using models::tvm::CType;
  if (input.empty()) return;
  const auto choice = static_cast<unsigned char>(input[0]);
  constexpr CType::Scalar kScalars[] = {CType::Scalar::kInt, CType::Scalar::kUInt, CType::Scalar::kFloat,
                                        CType::Scalar::kBool};
  CType type;
  type.scalar = kScalars[choice & 3U];
  type.scalar_bytes = 1U << (choice >> 2U & 3U);
  models::tvm::CUnit unit;
  unit.file = kInputName;
  unit.text = std::string(input.substr(1));
  std::string bytes;
  if (!accepts([&] { models::tvm::read_initialiser(unit, {0, unit.text.size()}, type, bytes); })) return;
  require(bytes.size() % type.scalar_bytes == 0, "whole elements");
}

}  // namespace detent::fuzz
