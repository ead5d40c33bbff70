// Thunks: the functions at the end of a package's operators.c that call what the ops name. How they are written, and
// what can be read of them again.
#pragma once

#include <map>
#include <string>

#include "models/core/model.hpp"

namespace detent::models::tvm {

/// The file of a package's sources that ends with the thunks.
inline constexpr const char* kThunkFile = "operators.c";
/// The line behind which nothing of the artifact stands.
inline constexpr const char* kThunksBegin = "/* From here on: Detent's thunks. */\n";
inline constexpr const char* kThunkTable = "static const detent_kernel detent_thunks[] = {\n";
inline constexpr const char* kCopyStatement = "  memcpy(";
inline constexpr const char* kPackedArguments = "((void *)values, codes, ";

/// First lines of the function, up to its body.
std::string thunk_head(const std::string& symbol);

/// What a thunk does with its arguments.
struct ThunkCall {
  enum class Kind {
    kUnknown,  ///< not as such thunks are written
    kCopy,     ///< one memcpy of constant size
    kPlain,    ///< a call with pointers
    kPacked    ///< a call with arrays of TVMValue
  } kind = Kind::kUnknown;
  std::string function;  ///< that it calls
};

/// The thunks of a package by the name of their kernel; empty for models of other origin.
std::map<std::string, ThunkCall> thunk_calls(const Model& model);

/// What a package says of the code that it lacks, as C.
std::string missing_comment(const std::string& text);
/// Why an imported model cannot be executed: which functions and headers are missing, and the remedy; "" when its
/// sources define all kernels. Nothing is compiled for it: the table of thunks is read. "" for models of other origin.
std::string missing_code(const Model& model);

/// Is TVMBackendAllocWorkspace of this package Detent's own? Else the artifact brings one.
bool has_own_allocator(const Model& model);
/// Its text.
extern const char* const kAllocatorText;

}  // namespace detent::models::tvm
