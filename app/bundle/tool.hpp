// Which program made a bundle: hashes of what it was built from and of its own files, and the tool chain.
#pragma once

#include <string>
#include <vector>

namespace detent::app {

/// Equal of equal builds, wherever they are installed.
struct BundleTool {
  std::string version;           ///< of the program
  std::string engine_sha256;     ///< of the runtime's sources (app/engine_hash.cmake says of which)
  std::string program_sha256;    ///< of the executable that runs
  std::string simulator_sha256;  ///< of detent_systemc.so
  std::string compiler;          ///< "GNU 12.2.0"
  std::string language;          ///< "C++ 202002"
  std::string standard_library;  ///< "libstdc++ 20220819"
  std::string c_library;         ///< "glibc 2.36"
  std::string systemc;           ///< version of the library that the simulator is linked to
  std::string build_type;
  std::string built_for;        ///< "Linux x86_64"
  std::string kernel_compiler;  ///< that compiled C of an imported model; empty: none was compiled
};

/// The fields that decide whether a check made again has the same bytes, in their order.
/// @return  "program_sha256 is A there and B here", one text per difference
std::vector<std::string> tool_differences(const BundleTool& there, const BundleTool& here);

/// Name and member of each field, in the order of a bundle.
struct ToolField {
  const char* name;
  std::string BundleTool::*member;
  bool is_hash;
};
const std::vector<ToolField>& tool_fields();

}  // namespace detent::app
