// Types of tensors by name, and the bytes of their elements.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <detent/desc.h>

namespace detent::models {

struct Dtype {
  std::string_view name;   ///< "f16": in files of this program
  std::string_view other;  ///< "float16": TVM's, also read
  detent_dtype number;
  std::uint64_t bytes;
};

inline constexpr std::array<Dtype, 9> kDtypes = {{{"u8", "uint8", DETENT_U8, 1},
                                                  {"i8", "int8", DETENT_I8, 1},
                                                  {"i32", "int32", DETENT_I32, 4},
                                                  {"f32", "float32", DETENT_F32, 4},
                                                  {"bool", "bool", DETENT_BOOL, 1},
                                                  {"f16", "float16", DETENT_F16, 2},
                                                  {"i64", "int64", DETENT_I64, 8},
                                                  {"f64", "float64", DETENT_F64, 8},
                                                  {"bf16", "bfloat16", DETENT_BF16, 2}}};

/// By either name; null where there is none.
constexpr const Dtype* find_dtype(std::string_view name) {
  for (const Dtype& dtype : kDtypes) {
    if (name == dtype.name || name == dtype.other) return &dtype;
  }
  return nullptr;
}

constexpr const Dtype& dtype_of(detent_dtype number) { return kDtypes[static_cast<std::size_t>(number)]; }

static_assert([] {
  for (std::size_t i = 0; i < kDtypes.size(); ++i) {
    if (kDtypes[i].number != static_cast<int>(i)) return false;
  }
  return true;
}());

}  // namespace detent::models
