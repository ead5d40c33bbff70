// Thunks: the functions at the end of a package's operators.c that call what the ops name, and the table that gives
// them to the runtime. How they are written, and what can be read of them again.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "models/core/model.hpp"

namespace detent::models {

/// The file of a package's sources that ends with the thunks.
inline constexpr const char* kThunkFile = "operators.c";
/// The line behind which nothing of the artifact stands; the first one where the thunks are of an op graph.
inline constexpr const char* kThunksBegin = "/* From here on: Detent's thunks. */\n";
inline constexpr const char* kThunkTable = "static const detent_kernel detent_thunks[] = {\n";
inline constexpr const char* kCopyStatement = "  memcpy(";
inline constexpr const char* kPackedArguments = "((void *)values, codes, ";
inline constexpr const char* kKernelArguments = "(args);";

/// Is it the kernel of an op graph, "mine.c:my_op"?
bool names_c_function(std::string_view kernel);

/// First lines of the function, up to its body.
std::string thunk_head(const std::string& symbol);
/// Behind all thunks. @param rows  of the table, "    {\"name\", symbol, check},\n" each
std::string thunk_table(const std::string& rows, std::size_t count);
/// The file of a model that ends with thunks; null: none does.
const SourceFile* thunk_file(const Model& model);

/// What a thunk does with its arguments.
struct ThunkCall {
  enum class Kind {
    kUnknown,  ///< not as such thunks are written
    kCopy,     ///< one memcpy of constant size
    kPlain,    ///< a call with pointers
    kPacked,   ///< a call with arrays of TVMValue
    kKernel    ///< a detent_kernel_fn, called with the arguments as they are
  } kind = Kind::kUnknown;
  std::string function;  ///< that it calls
};

/// The thunks of a model by the name of their kernel; empty for models of other origin.
std::map<std::string, ThunkCall> thunk_calls(const Model& model);

/// What a package says of the code that it lacks, as C.
std::string missing_comment(const std::string& text);
/// Why a model cannot be executed: which functions, headers or files are missing, and the remedy; "" when its sources
/// define all kernels that are not built in. Nothing is compiled for it: the table of thunks is read. "" for models of
/// other origin.
std::string missing_code(const Model& model);

}  // namespace detent::models
