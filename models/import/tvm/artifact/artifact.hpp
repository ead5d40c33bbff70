// A directory, a tar or a bare file -> Artifact: what a TVM ahead-of-time export consists of, found by symbols.
#pragma once

#include <string>
#include <vector>

#include "models/import/tvm/artifact/types.hpp"
#include "models/import/tvm/clang/target.hpp"

namespace detent::models::tvm {

struct ReadOptions {
  bool constants = true;                ///< read the values of pooled constants
  CTarget target = host_target();       ///< of the compiler that the operators are for
  std::vector<std::string> includes{};  ///< directories with a vendor's headers, searched in this order
  std::vector<std::string> sources{};   ///< a vendor's C files, or directories with them
};

/// Read a directory, a tar (plain or compressed) or one C file.
/// Files are found by what they define: main (`*___tvm_main__`, `*_run_model`), glue (`struct global_const_workspace`,
/// `*_run`), header, TVMMetadata tables, metadata.json. Damaged optional files become notes, not errors.
/// Nothing outside PATH and the directories of `options` is read: links that leave them and members with `..` are
/// refused. Of `options.sources`, those that define what is called become externals.
/// @throws InputError  no operator file, several modules without a choice (names them), unreadable; file and place
Artifact read_artifact(const std::string& path, const ReadOptions& options = {});

}  // namespace detent::models::tvm
