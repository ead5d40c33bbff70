// What the files of one preprocessed text share.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "models/import/tvm/files/include_path.hpp"
#include "models/import/tvm/preprocess/macros.hpp"
#include "models/import/tvm/preprocess/preprocessed.hpp"

namespace detent::models::tvm {

struct PpState {
  const IncludePath& path;
  const PreprocessOptions& options;
  PpMacros macros{};
  std::map<std::string, std::string> library{};  ///< macros of the C library's headers that were included
  std::set<std::string> once{};                  ///< files that are put in once only
  std::map<std::string, std::string> guards{};   ///< of files whose text stands within #ifndef
  std::uint32_t headers = 0, depth = 0;
  std::set<std::string> defined{};  ///< ever
  Preprocessed out{};
};

}  // namespace detent::models::tvm
