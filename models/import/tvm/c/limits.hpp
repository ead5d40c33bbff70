// Caps on the C text that the compiler is given.
#pragma once

#include <cstdint>

namespace detent::models::tvm {

/// Caps on what the compiler is given; generated code stays far below all of them.
struct ScanLimits {
  std::uint64_t max_bytes = std::uint64_t{1} << 30;
  std::uint32_t max_depth = 250;              ///< brackets of all kinds, open at one place
  std::uint32_t max_tokens = 8U << 20;        ///< of the file, macros expanded
  std::uint32_t max_statement_tokens = 8192;  ///< between two of ; { }, macros expanded
  std::uint32_t max_prefix_run = 64;          ///< prefix operators, pointers or unbraced statements in a row
  std::uint32_t max_casts = 600;              ///< of one statement
  std::uint32_t max_else_ifs = 500;           ///< of one function
  std::uint32_t max_type_names = 256;         ///< typedef, typeof and their like
  std::uint32_t max_condition_bytes = 1024;   ///< longer #if are taken as false
  /// Work that declaring the same names again and again costs the compiler: the sum of k for each k-th declaration.
  std::uint64_t max_redeclarations = 8'000'000;
  /// Initialisers at file scope that are given to the compiler whole: all that name something, and short tables of
  /// numbers. 0: none is, long ones are blanked.
  std::uint64_t max_table_bytes = 0;
};

}  // namespace detent::models::tvm
