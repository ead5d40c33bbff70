// detent import tvm: a TVM ahead-of-time artifact -> a package, with its hazards told.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace detent::cli {

struct ImportTvmOptions {
  Common common;  ///< model: path of the artifact
  std::string package;
  std::string edges = "hazards";  ///< hazards, names
  std::string replan = "none";    ///< none, parallel
  std::uint64_t scratch_limit = 16384;
  std::uint32_t workers = 3;
  std::uint64_t arena_limit_bytes = UINT64_MAX;
  bool stays_within_tvm = false;
  std::string compiler;
  std::string flags = "-O2";
  std::string target;  ///< triple of a compiler that the package shall be right for, too; "": this host alone
  std::vector<std::string> includes, sources;  ///< a vendor's headers and C files
  bool audit = false;
  bool no_audit = false;  ///< measure without an audit
  bool measure = false;
  std::uint64_t input_seed = 0;
};

int import_tvm(const ImportTvmOptions& options);

}  // namespace detent::cli
