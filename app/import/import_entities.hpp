// detent import entities: a hand-parallelised C file -> an op graph file.
#pragma once

#include <string>
#include <vector>

#include "app/answer/verdicts.hpp"

namespace detent::app {

struct ImportEntitiesOptions {
  Request request{};                    ///< model: path of the C file
  std::string graph{};                  ///< file to write
  std::vector<std::string> includes{};  ///< directories of headers, after the file's own
  std::string flags{};                  ///< of the compiler: macros, and what changes types
  std::string table{};                  ///< name of the table's variable, where the file has several
};

/// Read the table of entities, analyse what each touches, judge the graph without a run, and write it.
/// @return  `detent.import/1`; holds, whatever the verdicts in it
/// @throws InputError  as models::tvm::entities::import_entities; the graph cannot be written
Answer import_entities(const ImportEntitiesOptions& options);

}  // namespace detent::app
