// IrModule: bitcode or textual IR of a program -> its functions as plain values.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/import/tvm/ir/graph.hpp"

namespace detent::models::tvm {

/// The C files of a program, as clang-19 lowers them before it optimises anything (-Xclang -disable-llvm-passes -g),
/// linked. Functions that the roots call are inlined into them and local variables whose address is not taken become
/// values (LLVM's always-inline, mem2reg and SROA); none removes or adds an access of memory that is not a local
/// variable. Calls of recursive, replaceable (weak) and variadic functions stay calls.
class IrModule {
 public:
  /// @param texts  bitcode or textual IR, one for each file
  /// @param roots  functions that will be asked for; names that are not defined are passed over
  /// @param by_name  functions that are taken for what their names say although the program defines them
  /// @throws InputError  LLVM 19 is missing, a text is not IR, or the files do not link
  IrModule(const std::vector<std::string>& texts, const std::vector<std::string>& roots,
           const std::vector<std::string>& by_name = {});
  ~IrModule();
  IrModule(const IrModule&) = delete;
  IrModule& operator=(const IrModule&) = delete;

  /// One of the roots; none when it is not defined here.
  [[nodiscard]] std::optional<IrFunction> function(const std::string& name) const;

 private:
  struct Owned;
  std::unique_ptr<Owned> owned_;
};

}  // namespace detent::models::tvm
