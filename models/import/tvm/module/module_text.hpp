// Module text: the C sources of a package: operators as imported or rewritten, thunks that call them, small headers.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/core/model.hpp"
#include "models/import/tvm/module/missing.hpp"
#include "models/import/tvm/program/program.hpp"

namespace detent::models::tvm {

/// Replace the bytes of `range` by `text`. Edits of one file do not overlap.
struct Edit {
  SourceRange range;
  std::string text;
};

/// An edit within another one's range goes with it; of equal ranges the first counts.
/// @throws std::logic_error  edits that overlap otherwise
std::string apply_edits(const std::string& text, std::vector<Edit> edits);

/// Takes main out of the operators' text.
Edit without_main(const Artifact& artifact);

/// Where an argument of a thunk comes from: the pointer is the address of a tensor of one of the op's lists, plus
/// delta.
struct ThunkArgument {
  enum List : std::uint32_t { kNull = 0, kInputs = 1, kOutputs = 2, kWeights = 3, kScratch = 4 };
  List list = kNull;
  std::uint32_t index = 0;
  std::int64_t delta = 0;
};

/// The exec config of an op: its arguments in order, 16 bytes each, little-endian.
std::vector<std::uint8_t> thunk_config(const std::vector<ThunkArgument>& arguments);

/// Collects the kernels that calls need and writes them as C.
class ModuleText {
 public:
  ModuleText(const Artifact& artifact, const Program& program, const Footprints& footprints);

  /// Name of the kernel that executes `call`; equal thunks share one. A call whose function has no usable definition
  /// gets a name, but no kernel: the package can be analysed and simulated, not executed.
  /// @param workspace_bytes  of TVMBackendAllocWorkspace in the function: the thunk takes one more argument for it
  std::string kernel_of(const Call& call, std::uint64_t workspace_bytes);

  /// The name of a call that must not be executed.
  std::string without_kernel(const Call& call);

  /// Bytes that every block of workspace of one call of `function` fits into, each rounded as the allocator rounds it.
  [[nodiscard]] std::uint64_t workspace_of(const std::string& function) const;

  /// Is there a definition that compiles?
  [[nodiscard]] bool is_defined(const std::string& function) const;

  /// The files; `edits` change the operators' text, before whose end the thunks stand.
  [[nodiscard]] std::vector<SourceFile> sources(std::vector<Edit> edits) const;

  /// Functions that are called but have no usable definition.
  [[nodiscard]] const std::set<std::string>& missing() const { return missing_; }

 private:
  std::string call_text(const Call& call, std::uint64_t workspace_bytes) const;
  std::string packed_text(const Call& call) const;
  std::string argument_text(const Call& call, const Function* function, std::size_t k) const;
  [[nodiscard]] std::string prototypes() const;
  std::vector<Edit> self_contained(const CUnit& unit) const;
  [[nodiscard]] bool calls_runtime() const;
  [[nodiscard]] std::size_t allocations_of(const std::string& function) const;
  [[nodiscard]] const Function* signature(const std::string& function) const;

  const Artifact& artifact_;
  const Program& program_;
  const Footprints& footprints_;
  struct Kernel {
    std::string name, symbol, body;
    std::size_t arguments = 0;
  };
  std::vector<Kernel> kernels_;
  std::map<std::string, std::size_t> by_body_;
  std::map<std::string, std::size_t> names_;
  std::set<std::string> missing_;
  Definitions definitions_;
};

}  // namespace detent::models::tvm
